"""What every answer of a 5-joint arm is held to: round trips, by forward kinematics alone."""

from __future__ import annotations

import numpy as np

import carpal
from carpal.kinematics import ik_all, random_configurations
from carpal.kinematics.inverse.arm_class import arm_class
from carpal.model import Model


def wrap(angle: np.ndarray) -> np.ndarray:
    """Between -pi and pi."""
    return (angle + np.pi) % (2 * np.pi) - np.pi


def pointing_axis(model: Model) -> np.ndarray:
    """(3) in the tool's frame: what "direction" means."""
    arm = arm_class(model)
    return arm.axes.X_WF[:3, :3].T @ arm.direction


def targets(model: Model, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(point, direction) of configurations."""
    X = carpal.fk(model, q)
    return X[..., :3, 3], X[..., :3, :3] @ pointing_axis(model)


def miss(model: Model, result: object, target: tuple[np.ndarray, np.ndarray]) -> float:
    """Largest error of any returned row, position [m] and direction."""
    rows = result.q.shape[-2]
    used = np.arange(rows) < result.count[:, None]
    p, d = targets(model, result.q[used])
    want_p, want_d = (np.repeat(t[:, None], rows, 1)[used] for t in target)
    return float(max(np.abs(p - want_p).max(initial=0), np.abs(d - want_d).max(initial=0)))


def closest_pair(result: object, columns: np.ndarray) -> float:
    """Least distance of two rows of one target [rad], largest joint difference."""
    best = np.inf
    rows = result.q.shape[-2]
    for i in range(rows):
        for j in range(i):
            apart = np.abs(wrap(result.q[:, i] - result.q[:, j]))[:, columns].max(-1)
            best = min(best, float(np.nanmin(apart, initial=np.inf)))
    return best


def round_trip(model: Model, count: int, seed: int) -> dict[str, float]:
    """Random in-limit configurations and back: what was lost, how exact, how far apart."""
    arm = arm_class(model)
    columns = arm.axes.columns
    compared = (
        columns[:4] if arm.shape == "planar" and arm.roll_offset == 0.0 else columns
    )  # modulo roll where it is free
    q = random_configurations(model, count, seed=seed)
    target = targets(model, q)
    result = ik_all(model, target, q0=np.zeros(model.nq))
    off = np.abs(wrap(result.q - q[:, None]))[..., compared].max(-1)
    off = np.where(np.isnan(off), np.inf, off)
    nearest = off.min(-1)
    row = off.argmin(-1)
    flagged = result.in_limits[np.arange(count), row]
    free = result.free is not None  # the held roll is inside the limits too
    inside = ((result.q >= model.q_min) & (result.q <= model.q_max)).all(-1)
    distance = np.linalg.norm(result.q, axis=-1)
    return {
        "lost": float((nearest > 1e-6).sum()),
        "worst": float(nearest.max()),
        "not flagged": float((~flagged & (nearest <= 1e-6)).sum()) if not free else 0.0,
        "wrong flag": float((inside != result.in_limits).sum()),
        "miss": miss(model, result, target),
        "closest": closest_pair(result, columns),
        "unsorted": float((np.diff(distance, axis=-1) < -1e-12).sum()),
        "odd": float((result.count % 2).sum()),
    }
