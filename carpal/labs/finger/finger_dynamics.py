"""Accelerations and energies of a spring finger at one moment: the corrected equations of thesis 4, (6.2) to (6.34)."""

from __future__ import annotations

from numpy.typing import ArrayLike

from carpal._core.batch import KernelInput, configuration, run_batch, velocity
from carpal.labs.finger.finger_load import FingerLoad, load_rows
from carpal.labs.finger.kernels.finger_motion import finger_rates_batch
from carpal.labs.finger.kernels.finger_terms import COLUMNS, LOADS
from carpal.labs.finger.spring_finger import SpringFinger
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
        load: what acts from outside; its leading axes broadcast against the batch.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.
    """
    return _rates(finger, q, v, load, device, threads)[0]


def finger_energy(finger: SpringFinger, q: ArrayLike, v: ArrayLike, *, threads: int | None = None) -> Array:
    """Kinetic, gravity's and springs' energy (*batch, 3) [J]; gravity's is zero with all mass at the first joint."""
    return _rates(finger, q, v, None, "cpu", threads)[1]


def _rates(
    finger: SpringFinger, q: ArrayLike, v: ArrayLike, load: FingerLoad | None, device: str, threads: int | None
) -> list[Array]:
    chain = finger.chain
    inputs = [
        KernelInput("finger", finger.row, (COLUMNS,)), configuration(chain, q), velocity(chain, v),
        KernelInput("load", load_rows(load), (LOADS,)),
    ]  # fmt: skip
    return run_batch(
        chain, finger_rates_batch, (), inputs, [(3,), (3,)], device=device, threads=threads, world_seconds=2e-7
    )
