"""Configurations: moving along a velocity, and random ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import KernelInput, configuration, run_batch, velocity
from carpal.errors import InputError
from carpal.kinematics.kernels.integrate import integrate_batch
from carpal.model import NQ, Model, need_model
from carpal.spatial import Array

_ROUNDS = 24  # of drawing configurations that satisfy constraints


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

    With couplings or loops the independent joints are drawn, the others follow, and all are inside their limits.

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
    if model.is_constrained:
        return _constrained(model, count, rng, unlimited)
    return _uniform(model, count, rng, model.q_min, model.q_max, unlimited)


def _uniform(model: Model, count: int, rng: np.random.Generator, q_min: Array, q_max: Array, unlimited: float) -> Array:
    low = np.where(np.isfinite(q_min), q_min, -unlimited)
    high = np.where(np.isfinite(q_max), q_max, unlimited)
    q = rng.uniform(low, high, (count, model.nq))
    for kind, first in model.joint_slices():
        if kind in ("ball", "free"):
            end = first + NQ[kind]
            wxyz = rng.normal(size=(count, 4))
            q[:, end - 4 : end] = wxyz / np.linalg.norm(wxyz, axis=1, keepdims=True)
    return q


def _constrained(model: Model, count: int, rng: np.random.Generator, unlimited: float) -> Array:
    """Draw independent joints until enough configurations satisfy couplings, loops and all limits.

    Loops close near the home configuration first; where few draws do, later ones are nearer to it.
    """
    from carpal.kinematics.constraints import satisfy_constraints

    home = np.asarray(model.assembled().q_home)
    closing, turning = np.zeros(model.nq, bool), np.zeros(model.nq, bool)
    coupled = {name for coupling in model.couplings for name in (coupling.leader, coupling.follower)}
    for kind, name in zip([kind for kind, _ in model.joint_slices()], model.joint_names, strict=True):
        first = model.q_index(name)
        closing[first : first + NQ[kind]] = name in model.dependent_joints
        turning[first] = kind == "revolute" and name in model.dependent_joints and name not in coupled
    found, missing = [np.zeros((0, model.nq))], count
    for round_ in range(_ROUNDS):
        if missing <= 0:
            break
        q = _uniform(model, max(missing, 16), rng, *model.coupled_limits, unlimited)
        q[:, closing] = home[closing]
        if round_ >= _ROUNDS // 2:
            for kind, first in model.joint_slices():
                if kind in ("revolute", "prismatic"):
                    q[:, first] = home[first] + 0.7 ** (round_ - _ROUNDS // 2 + 1) * (q[:, first] - home[first])
        result = satisfy_constraints(model, q)
        turned = result.q[:, turning] - home[turning]  # a search may have taken whole turns
        result.q[:, turning] -= 2 * np.pi * np.round(turned / (2 * np.pi))
        q = result.q[result.ok & ((result.q >= model.q_min) & (result.q <= model.q_max)).all(axis=1)]
        found.append(q[:missing])
        missing -= len(q)
    drawn = np.concatenate(found)
    if count and not len(drawn):
        raise InputError(
            f"no configuration was found that satisfies couplings, loops and limits of model '{model.name}' at once."
        )
    return drawn if len(drawn) == count else drawn[rng.integers(0, len(drawn), count)]
