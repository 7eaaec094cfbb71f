"""Pose of known points from their pixels in two images by least squares, with its information matrix.

Gauss-Newton on the sum of squared pixel errors (bundle adjustment of one object; Triggs et al., "Bundle adjustment - a modern
synthesis", 2000). For independent normal pixel errors the inverse of the information is the Cramer-Rao bound.
"""

from __future__ import annotations

import numpy as np

from carpal.perception.stereo.camera_model import StereoPair
from carpal.perception.stereo.triangulation import stacked
from carpal.spatial import Array, skew


def fit_pose(
    pair: StereoPair, X: Array, seen: Array, marks: Array, noise: float, used: Array | None = None
) -> tuple[Array, Array, Array]:
    """Poses (n, 4, 4) of least squared pixel errors, covariances (n, 6, 6) and chi2 (n); `seen` is (n, 4, 4).

    `used` (4, 4) is 0 for pixels that do not count, such as those of a hidden mark, and 1 for others; by default all count.

    Gauss-Newton with the step in W: dp, then a rotation vector about the object's origin. Steps that make it worse are halved;
    each pose ends by itself, so that its bits do not depend on the others.
    """
    X, active = X.copy(), np.arange(len(X))
    r, J, cost = _residuals(pair, X, seen, marks, used)
    for _ in range(25):
        active = active[np.isfinite(cost[active])]
        Jt = np.swapaxes(J[active], 1, 2)
        step = np.linalg.solve(Jt @ J[active] + 1e-12 * np.eye(6), Jt @ r[active][..., None])[..., 0]
        taken = np.zeros(len(active), dtype=bool)
        for halved in range(8):
            todo = np.flatnonzero(~taken)
            if not len(todo):
                break
            at, part = active[todo], np.asarray(0.5**halved * step[todo], dtype=np.float64)
            trial = X[at]
            trial[:, :3, 3] += part[:, :3]
            trial[:, :3, :3] = turns(part[:, 3:]) @ trial[:, :3, :3]
            new_r, new_J, new_cost = _residuals(pair, trial, seen[at], marks, used)
            better = new_cost <= cost[at] * (1 + 1e-12)
            at = at[better]
            X[at], r[at], J[at], cost[at] = trial[better], new_r[better], new_J[better], new_cost[better]
            taken[todo[better]] = True
        active = active[taken & (np.abs(step).max(axis=1, initial=0.0) > 1e-11)]
        if not len(active):
            break
    good = np.isfinite(cost)[:, None, None]
    A = np.where(good, np.swapaxes(J, 1, 2) @ J, 0.0) + 1e-12 * np.eye(6)
    return X, np.asarray(noise**2 * np.linalg.inv(A), dtype=np.float64), cost / noise**2


def _residuals(pair: StereoPair, X: Array, seen: Array, marks: Array, used: Array | None) -> tuple[Array, Array, Array]:
    """Pixel errors (n, 16), their derivative (n, 16, 6) and their sums of squares (n), infinite behind a camera."""
    arms = np.stack([np.sum(X[:, None, i, :3] * marks, axis=-1) for i in range(3)], axis=-1)
    pixels, J = stacked(pair, arms + X[:, None, :3, 3])
    full = np.concatenate([J, -J @ skew(arms)], axis=-1).reshape(len(X), 16, 6)
    r = (seen - pixels).reshape(len(X), 16)
    if used is not None:
        r, full = r * used.reshape(16), full * used.reshape(16, 1)
    return r, full, np.where(np.isfinite(r).all(axis=-1), np.sum(r * r, axis=-1), np.inf)


def turns(vectors: Array) -> Array:
    """Rotations (n, 3, 3) of rotation vectors (n, 3), by Rodrigues."""
    angle = np.linalg.norm(vectors, axis=-1)[:, None, None]
    K = skew(vectors)
    small = angle < 1e-8
    safe = np.where(small, 1.0, angle)
    a = np.where(small, 1.0, np.sin(safe) / safe)
    b = np.where(small, 0.5, (1.0 - np.cos(safe)) / safe**2)
    return np.eye(3) + a * K + b * (K @ K)
