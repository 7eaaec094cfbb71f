"""The pose of an object from four painted marks seen by two cameras, with its covariance.

Leutenegger 2008, 6.4, takes the flap's frame from the four triangulated marks (`frame_from_marks`). Here the known layout of the
marks is used as well: the pose minimises the squared reprojection errors in both images, 16 residuals for 6 unknowns. Its
covariance is the inverse of the information matrix; the ten redundant residuals test the fit.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.errors import InputError
from carpal.perception.stereo.camera_model import StereoPair, checked_pixels
from carpal.perception.stereo.mark_layout import MarkLayout
from carpal.perception.stereo.pose_fit import fit_pose
from carpal.perception.stereo.triangulation import check_noise, midpoints, optimal
from carpal.spatial import Array, pose

CHI_LIMIT = 35.56  # chi-squared with 10 degrees of freedom, p = 1e-4


@dataclass(frozen=True, eq=False)
class MarkPose(Result):
    """Pose of an object; arrays have the batch's shape.

    Args:
        X_WO: (*batch, 4, 4).
        covariance: (*batch, 6, 6) of (position [m], rotation vector [rad]), both in W.
        chi2: (*batch) squared pixel errors over the noise's variance; 10 is expected.
        pixel_error: (*batch) root of the mean squared pixel error [px].
        points: (*batch, 4, 3) the triangulated marks [m].
        ok: (*batch).
        reason: (*batch) sentences, empty where ok.
    """

    X_WO: Array
    covariance: Array
    chi2: Array
    pixel_error: Array
    points: Array
    ok: np.ndarray
    reason: np.ndarray

    @property
    def position_deviation(self) -> Array:
        """(*batch) root of the summed variances of the position [m]."""
        return np.sqrt(np.trace(self.covariance[..., :3, :3], axis1=-2, axis2=-1))

    @property
    def angle_deviation(self) -> Array:
        """(*batch) root of the summed variances of the rotation vector [rad]."""
        return np.sqrt(np.trace(self.covariance[..., 3:, 3:], axis1=-2, axis2=-1))

    @property
    def status(self) -> str:
        """One true sentence."""
        if self.ok.ndim:
            first = self.reason[~self.ok]
            return f"{int(self.ok.sum())} of {self.ok.size} poses are good" + (
                f"; the first that is not: {first[0]}" if len(first) else "."
            )
        if not self.ok:
            return str(self.reason)
        x, y, z = self.X_WO[:3, 3]
        return (
            f"The marks are at ({x:.3f}, {y:.3f}, {z:.3f}) m, known to {1e3 * float(self.position_deviation):.1f} mm and "
            f"{np.degrees(float(self.angle_deviation)):.2f} degrees; pixel errors {float(self.pixel_error):.2f} px."
        )


def locate_marks(
    pair: StereoPair, left: ArrayLike, right: ArrayLike, layout: MarkLayout, *, noise: float = 0.3
) -> MarkPose:
    """Pose of an object from its four marks, found or clicked in the layout's order in both images.

    Args:
        pair: the cameras.
        left, right: (*batch, 4, 2) pixels.
        layout: where the marks are on the object.
        noise: deviation of each pixel coordinate [px].
    """
    check_noise(noise)
    a, b = checked_pixels(left, "left pixels"), checked_pixels(right, "right pixels")
    if a.shape != b.shape or a.ndim < 2 or a.shape[-2] != 4:
        raise InputError(f"left and right pixels must both be (*batch, 4, 2); got {a.shape} and {b.shape}.")
    for name, camera, pixels in (("left", pair.left, a), ("right", pair.right, b)):
        outside = (pixels < -0.5) | (pixels > np.array([camera.width, camera.height]) - 0.5)
        if outside.any():
            where = pixels[outside.any(axis=-1)][0]
            raise InputError(
                f"the {name} pixel ({where[0]:.1f}, {where[1]:.1f}) lies outside its image of {camera.width} x {camera.height}."
            )
    return locate(pair, a, b, layout, noise, explain=True)


def locate(pair: StereoPair, a: Array, b: Array, layout: MarkLayout, noise: float, *, explain: bool) -> MarkPose:
    """`locate_marks` of checked pixels; without `explain` a wrong order is refused without searching the right one."""
    batch = a.shape[:-2]
    seen = np.concatenate([a, b], axis=-1).reshape(-1, 4, 4)
    points, _ = midpoints(pair, seen[..., :2], seen[..., 2:])
    if np.isnan(points).any():
        raise InputError("lines of sight are parallel: the marks are too far away, or the two images are exchanged.")
    X, covariance, chi2 = fit_pose(pair, nearest_motions(points, layout.points), seen, layout.points, noise)
    reasons = [_doubt(pair, X[i], seen[i], chi2[i], layout, noise, explain) for i in range(len(X))]
    ok = np.array([not text for text in reasons], dtype=bool)
    return MarkPose(
        X_WO=X.reshape(*batch, 4, 4), covariance=covariance.reshape(*batch, 6, 6), chi2=chi2.reshape(batch),
        pixel_error=np.sqrt(chi2 * noise**2 / 16).reshape(batch), points=optimal(pair, points, seen).reshape(*batch, 4, 3),
        ok=ok.reshape(batch), reason=np.array(reasons, dtype=object).reshape(batch),
    )  # fmt: skip


def nearest_motions(points: Array, marks: Array) -> Array:
    """Rigid motions (n, 4, 4) of marks (m, 3) nearest to points (n, m, 3); unlike (6.1) to (6.4) also for crossed orders."""
    model, middle = marks - marks.mean(axis=0), points.mean(axis=1)
    U, _, Vt = np.linalg.svd(np.swapaxes(points - middle[:, None], 1, 2) @ model)
    flip = np.tile(np.eye(3), (len(points), 1, 1))
    flip[:, 2, 2] = np.linalg.det(U @ Vt)
    R = U @ flip @ Vt
    return pose(R, middle - R @ marks.mean(axis=0))


def seen_from_outside(pair: StereoPair, X: Array, layout: MarkLayout) -> bool:
    """Whether both cameras are on the outer side of the flap."""
    X_WF = X @ layout.frame
    return all((c.X_WC[:3, 3] - X_WF[:3, 3]) @ X_WF[:3, 2] > 0 for c in (pair.left, pair.right))


def _doubt(
    pair: StereoPair, X: Array, seen: Array, chi2: float, layout: MarkLayout, noise: float, explain: bool
) -> str:
    """Why a pose is rejected; empty if it is accepted."""
    if chi2 <= CHI_LIMIT:
        if seen_from_outside(pair, X, layout):
            return ""
        return (
            "The marks fit only seen from behind the flap: they were taken clockwise; take them counter-clockwise, "
            "beginning with the one next to the antenna."
        )
    if explain:
        orders = np.array(list(itertools.permutations(range(4))))
        start = nearest_motions(midpoints(pair, seen[orders][..., :2], seen[orders][..., 2:])[0], layout.points)
        X_other, _, fits = fit_pose(pair, start, seen[orders], layout.points, noise)
        for i in np.flatnonzero(fits <= CHI_LIMIT):
            if seen_from_outside(pair, X_other[i], layout):
                said = ", ".join(str(n + 1) for n in orders[i])
                return f"The marks were taken in the wrong order: they fit as {said}; begin with the one next to the antenna."
    return (
        f"No order of the four marks fits the flap: pixel errors of {np.sqrt(chi2 * noise**2 / 16):.1f} px where the noise "
        f"explains {noise:.2g}; check for different marks in the two images, or for a wrong calibration."
    )
