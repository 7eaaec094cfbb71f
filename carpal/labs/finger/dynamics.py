"""Accelerations and energies of a spring finger at one moment, by the library's dynamics of its three-link chain.

The corrected equations of Prabhu (2018), (6.2) to (6.34): springs, dampers and loads are joint torques on the chain.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.dynamics import forward_dynamics, kinetic_energy, potential_energy
from carpal.errors import InputError
from carpal.labs.finger.load import FingerLoad, load_rows, load_torques
from carpal.labs.finger.robot import SpringFinger, absolute_angles
from carpal.spatial import Array


def finger_acceleration(
    finger: SpringFinger,
    q: ArrayLike,
    v: ArrayLike,
    load: FingerLoad | None = None,
    *,
    device: str = "cpu",
    threads: int | None = None,
) -> Array:
    """Joint accelerations (*batch, 3) [rad/s^2] with springs, dampers, gravity and loads.

    Args:
        finger: the finger.
        q: joint angles (*batch, 3) [rad].
        v: joint rates (*batch, 3) [rad/s].
        load: external loads; its leading axes broadcast against the batch.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.
    """
    angles, rates = _state(q, v)
    springs = finger.stiffness * (finger.neutral - angles) - finger.damping * rates
    torque = springs + load_torques(finger, angles, load_rows(load))
    return forward_dynamics(finger.chain, angles, rates, torque, device=device, threads=threads)


def finger_energy(finger: SpringFinger, q: ArrayLike, v: ArrayLike, *, threads: int | None = None) -> Array:
    """Kinetic, gravity's and springs' energy (*batch, 3) [J]; gravity's is zero with all mass at the first joint."""
    angles, rates = _state(q, v)
    kinetic = kinetic_energy(finger.chain, angles, rates, threads=threads)
    weight = potential_energy(finger.chain, angles, threads=threads)
    springs = 0.5 * (finger.stiffness * (angles - finger.neutral) ** 2).sum(-1)
    return np.stack(np.broadcast_arrays(kinetic, weight, springs), -1)


def _state(q: ArrayLike, v: ArrayLike) -> tuple[Array, Array]:
    for name, values in (("q", q), ("v", v)):
        absolute_angles(values)  # checks the shape
        if not np.isfinite(np.asarray(values)).all():
            raise InputError(f"{name} of a finger must be finite; got {np.asarray(values).tolist()!r:.80}.")
    angles, rates = np.asarray(q, float), np.asarray(v, float)
    try:
        np.broadcast_shapes(angles.shape, rates.shape)
    except ValueError:
        raise InputError(f"shapes of q {angles.shape} and v {rates.shape} do not fit together.") from None
    return angles, rates
