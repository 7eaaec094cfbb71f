"""Configurations: moving along a velocity, and random ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import KernelInput, configuration, run_batch, velocity
from carpal.errors import InputError
from carpal.kinematics.kernels.integrate import integrate_batch
from carpal.model import NQ, Model, need_model
from carpal.spatial import Array


def integrate(
    model: Model,
    q: ArrayLike,
    v: ArrayLike,
    dt: ArrayLike = 1.0,
    *,
    device: str = "cpu",
    threads: int | None = None,
) -> Array:
    """Configuration after moving with constant v (*batch, nv) for dt (*batch) [s]; never use q + v dt for free joints."""
    need_model(model, "integrate")
    try:
        steps = KernelInput("dt", np.asarray(dt)[..., None], (1,))
    except ValueError:
        raise InputError("dt is not an array of numbers: its rows differ in length.") from None
    return run_batch(
        model, integrate_batch, (model.tables.joints,), [configuration(model, q), velocity(model, v), steps],
        [(model.nq,)], device=device, threads=threads, world_seconds=2e-8 * len(model.tables.joints),
    )[0]  # fmt: skip


def random_configurations(model: Model, count: int, *, seed: int = 0, unlimited: float = np.pi) -> Array:
    """Configurations (count, nq), uniform inside the limits, quaternions uniform on the rotations.

    Args:
        model: the robot.
        count: how many.
        seed: same seed, same numbers.
        unlimited: half range [rad, m] taken where a joint has no limit.
    """
    need_model(model, "random_configurations")
    if not isinstance(count, int | np.integer) or count < 0:
        raise InputError(f"count must be a whole number, zero or above; got {count!r}.")
    rng = np.random.default_rng(seed)
    low = np.where(np.isfinite(model.q_min), model.q_min, -unlimited)
    high = np.where(np.isfinite(model.q_max), model.q_max, unlimited)
    q = rng.uniform(low, high, (count, model.nq))
    for kind, first in model.joint_slices():
        if kind in ("ball", "free"):
            end = first + NQ[kind]
            wxyz = rng.normal(size=(count, 4))
            q[:, end - 4 : end] = wxyz / np.linalg.norm(wxyz, axis=1, keepdims=True)
    return q
