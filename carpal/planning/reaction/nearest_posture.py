"""End postures with the tool at a point: samples of all of them, and the one nearest to where the arm is.

An arm with more than three joints has a whole surface of such postures inside its limits, often in several pieces. The
nearest is found by sampling the pieces through inverse kinematics and then descending from the best samples on the
surface (sequential quadratic programming, SLSQP of scipy: Kraft 1988), so one unlucky start does not decide.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carpal.errors import UnreachableError
from carpal.kinematics import fk, ik, jacobian, random_configurations
from carpal.model import Model, need_model
from carpal.spatial import Array

SAMPLES = 2000
DESCENTS = 24
REACHED = 1e-9  # [m] what a posture found here misses by at most


def postures_at(model: Model, point: Array, q0: Array, *, seed: int = 0, count: int = SAMPLES) -> Array:
    """In-limit configurations (n, nq) with the tool at a point (3) [m], the nearest to q0 (nq) first.

    Half of the searches begin near q0, half anywhere inside the limits; n is how many of them arrived.
    """
    need_model(model, "postures_at")
    first = ik(model, point, q0, seed=seed)
    if not first.ok:
        where = ", ".join(f"{x:.6g}" for x in point)
        raise UnreachableError(
            f"the tool of model '{model.name}' cannot be brought to ({where}) m: {str(first.status).rstrip('.')}."
        )
    rng = np.random.default_rng(seed)
    near = q0 + rng.normal(size=(count // 2, model.nq)) * rng.uniform(0.2, 1.5, (count // 2, 1))
    starts = np.concatenate([np.clip(near, model.q_min, model.q_max), random_configurations(model, count, seed=seed)])
    found = ik(model, np.broadcast_to(point, (len(starts), 3)), starts, seed=seed, attempts=1, position_tolerance=1e-9)
    postures = np.concatenate([first.q[None], found.q[found.ok]])
    order = np.argsort(np.linalg.norm(postures - q0, axis=1), kind="stable")
    return postures[order]


def nearest_posture_to(model: Model, point: Array, q0: Array, postures: Array) -> Array:
    """The in-limit configuration (nq) with the tool at a point (3) [m] that is nearest to q0 in joint distance.

    Distance is the Euclidean norm of the joint differences, radians and metres alike.

    Args:
        model: the robot.
        point: where the tool is to be (3) [m].
        q0: where the arm is (nq).
        postures: samples to descend from (n, nq), the nearest first; see `postures_at`.
    """
    need_model(model, "nearest_posture_to")
    from scipy.optimize import minimize

    tool = {
        "type": "eq",
        "fun": lambda q: fk(model, q)[:3, 3] - point,
        "jac": lambda q: jacobian(model, q)[:3],
    }
    bounds = list(zip(model.q_min, model.q_max, strict=True))
    best = settle(model, point, postures[0])
    for start in _spread(postures, DESCENTS):
        done: Any = minimize(
            lambda q: ((q - q0) @ (q - q0), 2.0 * (q - q0)),
            start, jac=True, method="SLSQP", bounds=bounds, constraints=tool, options={"ftol": 1e-15, "maxiter": 200},
        )  # fmt: skip
        q = settle(model, point, done.x)
        arrived = np.abs(fk(model, q)[:3, 3] - point).max() <= REACHED
        if arrived and np.linalg.norm(q - q0) < np.linalg.norm(best - q0):
            best = q
    return best


def settle(model: Model, point: Array, q: Array) -> Array:
    """Q moved onto the point by Newton steps of least length, the joints that would leave their limits held there."""
    q = np.clip(q, model.q_min, model.q_max)
    for _ in range(12):
        miss = fk(model, q)[:3, 3] - point
        if np.abs(miss).max() < 1e-14:
            break
        J = jacobian(model, q)[:3]
        step = -np.linalg.pinv(J, rcond=1e-6) @ miss
        for _ in range(model.nq):
            stuck = (q + step < model.q_min) | (q + step > model.q_max)
            if not stuck.any():
                break
            J = np.where(stuck, 0.0, J)
            step = -np.linalg.pinv(J, rcond=1e-6) @ miss
        q = np.clip(q + step, model.q_min, model.q_max)
    return q


def _spread(postures: Array, count: int) -> Array:
    """The nearest samples, and as many again taken evenly from the others: another piece may hold the nearest posture."""
    close = postures[: count // 2]
    far = postures[count // 2 :]
    return np.concatenate([close, far[:: max(1, len(far) // (count - count // 2))][: count - count // 2]])
