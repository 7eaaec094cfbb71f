"""Pose of the cameras relative to the arm: weighted rigid fit of points known in both frames, with residuals.

Leutenegger 2008 (B.5.1, footnote 7) adjusted this pose by hand. Here the fit starts from the closed form of Kabsch ("A solution
for the best rotation to relate two sets of vectors", 1976) and is refined by Gauss-Newton with each point's covariance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.errors import InputError
from carpal.model import real_array
from carpal.perception.stereo.pose_fit import turns
from carpal.spatial import Array, pose, skew


@dataclass(frozen=True, eq=False)
class CameraFit(Result):
    """The pose of the cameras' frame in the arm's frame.

    Args:
        X_AC: (4, 4).
        covariance: (6, 6) of (position [m], rotation vector [rad]) in A.
        residuals: (n, 3) known minus fitted places [m], in A.
        chi2: sum of squared residuals over their covariances, 3 n - 6 expected.
        doubtful: indices of points whose residual is beyond what their covariance explains.
    """

    X_AC: Array
    covariance: Array
    residuals: Array
    chi2: float
    doubtful: tuple[int, ...]

    @property
    def ok(self) -> bool:
        """Whether every point fits."""
        return not self.doubtful

    @property
    def status(self) -> str:
        """One true sentence."""
        rms = 1e3 * float(np.sqrt(np.mean(np.sum(self.residuals**2, axis=-1))))
        known = 1e3 * float(np.sqrt(np.trace(self.covariance[:3, :3])))
        text = f"{len(self.residuals)} points fit to {rms:.2g} mm; the cameras' position is known to {known:.2g} mm"
        if self.doubtful:
            text += f"; points {', '.join(map(str, self.doubtful))} do not fit: measure or click them again, or leave them out"
        return text + "."


def fit_camera_to_arm(seen: ArrayLike, known: ArrayLike, *, covariance: ArrayLike = 1e-6) -> CameraFit:
    """Pose of the cameras in the arm's frame from points triangulated by them and known to the arm.

    Args:
        seen: (n, 3) points in the cameras' frame [m], for example `triangulate(...).points`.
        known: (n, 3) the same points in the arm's frame [m].
        covariance: of the seen points in their own frame [m^2]: one number, or (n, 3, 3).
    """
    p, a = real_array(seen, "seen points"), real_array(known, "known points")
    if p.shape != a.shape or p.ndim != 2 or p.shape[1] != 3 or len(p) < 3:
        raise InputError(f"seen and known points must both be (n, 3) with n of 3 or more; got {p.shape} and {a.shape}.")
    S = real_array(covariance, "covariance")
    S = S * np.broadcast_to(np.eye(3), (len(p), 3, 3)) if S.ndim == 0 else S
    if S.shape != (len(p), 3, 3):
        raise InputError(f"covariance must be one number or ({len(p)}, 3, 3); got shape {S.shape}.")
    if not (np.isfinite(p).all() and np.isfinite(a).all() and np.isfinite(S).all()) or np.linalg.eigvalsh(S).min() <= 0:
        raise InputError("points and covariances must be finite, and covariances positive.")
    spread = np.linalg.svd(a - a.mean(axis=0), compute_uv=False)
    if spread[1] < 1e-3 * max(spread[0], 1e-9) or spread[0] < 1e-6:
        raise InputError("the known points lie on one line; a pose needs at least one that is well beside it.")
    weights = 1.0 / np.trace(S, axis1=1, axis2=2)
    weights = weights / weights.sum()
    mp, ma = weights @ p, weights @ a
    U, _, Vt = np.linalg.svd(np.einsum("n,ni,nj->ij", weights, a - ma, p - mp))
    R = U @ np.diag([1.0, 1.0, np.linalg.det(U @ Vt)]) @ Vt
    t = ma - R @ mp
    for _ in range(20):
        W = np.linalg.inv(R @ S @ R.T)
        arms = p @ R.T
        J = np.concatenate([np.broadcast_to(np.eye(3), (len(p), 3, 3)), -skew(arms)], axis=-1)
        r = a - arms - t
        A = np.einsum("nki,nkl,nlj->ij", J, W, J)
        step = np.linalg.solve(A, np.einsum("nki,nkl,nl->i", J, W, r))
        t, R = t + step[:3], turns(step[None, 3:])[0] @ R
        if np.abs(step).max() < 1e-12:
            break
    r = a - p @ R.T - t
    each = np.einsum("ni,nij,nj->n", r, np.linalg.inv(R @ S @ R.T), r)
    doubtful = tuple(int(i) for i in np.flatnonzero(each > 21.1))  # chi-squared with 3 degrees of freedom, p = 1e-4
    return CameraFit(pose(R, t), np.linalg.inv(A), r, float(each.sum()), doubtful)
