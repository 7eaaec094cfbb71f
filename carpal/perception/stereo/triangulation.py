"""Triangulation from two images: mid-point of the lines of sight, and the point of least squared reprojection error.

Mid-point (Leutenegger 2008, 6.4): half way between the nearest points of the two lines of sight. Optimal: with equal independent
normal errors of the pixels the most likely point minimises the four squared pixel errors (Hartley and Sturm, "Triangulation",
1997); it is found by Gauss-Newton from the mid-point, with distortion included.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.errors import InputError, unknown_name
from carpal.perception.stereo.camera_model import StereoPair, checked_pixels, project_with_jacobian, sight_lines
from carpal.spatial import Array

METHODS = ("optimal", "midpoint")


@dataclass(frozen=True, eq=False)
class Triangulated(Result):
    """Points in space; arrays have the batch's shape.

    Args:
        points: (*batch, 3) [m] in W.
        covariance: (*batch, 3, 3) [m^2] for the stated pixel noise.
        pixel_error: (*batch) root of the mean squared reprojection error [px].
        gap: (*batch) distance of the two lines of sight [m].
        ok: (*batch) before both cameras, and lines that pass each other within what the noise explains.
    """

    points: Array
    covariance: Array
    pixel_error: Array
    gap: Array
    ok: np.ndarray

    @property
    def status(self) -> str:
        """One true sentence."""
        count, bad = self.ok.size, int((~self.ok).sum())
        if bad:
            return (
                f"{bad} of {count} points cannot be right: their lines of sight pass each other by more than the noise "
                "explains, or meet behind a camera; the clicks may belong to different points."
            )
        worst = np.sqrt(np.linalg.eigvalsh(self.covariance).max(initial=0.0))
        return f"{count} points triangulated, the least certain to {1e3 * float(worst):.2g} mm."


def midpoints(pair: StereoPair, left: Array, right: Array) -> tuple[Array, Array]:
    """Mid-points (*batch, 3) between the lines of sight and the lines' distances (*batch); NaN where they are parallel."""
    (a, u), (b, v) = sight_lines(pair.left, left), sight_lines(pair.right, right)
    c = np.sum(u * v, axis=-1)
    d = b - a
    du, dv = np.sum(u * d, axis=-1), np.sum(v * d, axis=-1)
    # sin^2 from the cross product: 1 - c^2 loses what matters for nearly parallel lines
    s2 = np.sum(np.cross(u, v) ** 2, axis=-1)
    s2 = np.where(s2 > 1e-16, s2, np.nan)
    p = a + ((du - c * dv) / s2)[..., None] * u
    q = b + ((c * du - dv) / s2)[..., None] * v
    return 0.5 * (p + q), np.linalg.norm(p - q, axis=-1)


def stacked(pair: StereoPair, points: Array) -> tuple[Array, Array]:
    """Pixels (*batch, 4) in both images, left first, and their derivative (*batch, 4, 3)."""
    (a, Ja), (b, Jb) = project_with_jacobian(pair.left, points), project_with_jacobian(pair.right, points)
    return np.concatenate([a, b], axis=-1), np.concatenate([Ja, Jb], axis=-2)


def triangulate(
    pair: StereoPair, left: ArrayLike, right: ArrayLike, *, method: str = "optimal", noise: float = 0.3
) -> Triangulated:
    """Points in space from pixels in both images.

    Args:
        pair: the cameras.
        left, right: (*batch, 2) pixels of the same points.
        method: "optimal" or "midpoint".
        noise: deviation of each pixel coordinate [px], for the covariance and the check.
    """
    if method not in METHODS:
        raise unknown_name("triangulation method", method, METHODS)
    check_noise(noise)
    first, second = checked_pixels(left, "left pixels"), checked_pixels(right, "right pixels")
    if first.shape != second.shape:
        raise InputError(f"left and right pixels must have one shape; got {first.shape} and {second.shape}.")
    points, gap = midpoints(pair, first, second)
    parallel = np.isnan(points).any(axis=-1)
    if parallel.any():
        raise InputError(
            f"{int(parallel.sum())} of {parallel.size} pairs of lines of sight are parallel: the point is too far away, "
            "or left and right images are exchanged."
        )
    seen = np.concatenate([first, second], axis=-1)
    if method == "optimal":
        points = optimal(pair, points, seen)
        J = stacked(pair, points)[1]
        covariance = noise**2 * _inverse(np.swapaxes(J, -1, -2) @ J)
    else:
        G = _midpoint_derivative(pair, seen)
        covariance = noise**2 * G @ np.swapaxes(G, -1, -2)
    pixels, _ = stacked(pair, points)
    squared = np.sum((pixels - seen) ** 2, axis=-1)
    # one redundant number for each point: beyond 4.5 deviations it is no noise
    ok = np.isfinite(squared) & (squared < (4.5 * noise) ** 2)
    return Triangulated(points, covariance, np.sqrt(squared / 4.0), gap, ok)


def check_noise(noise: float) -> None:
    """Refuse a deviation that is none."""
    if not isinstance(noise, int | float) or not math.isfinite(noise) or noise <= 0:
        raise InputError(f"noise must be a deviation above zero [px]; got {noise!r}.")


def optimal(pair: StereoPair, points: Array, seen: Array) -> Array:
    """Points (*batch, 3) of least squared pixel errors against `seen` (*batch, 4), from a first guess."""
    for _ in range(10):
        pixels, J = stacked(pair, points)
        Jt = np.swapaxes(J, -1, -2)
        step = (_inverse(Jt @ J) @ (Jt @ (seen - pixels)[..., None]))[..., 0]
        going = np.abs(step).max(axis=-1, keepdims=True) > 1e-12  # false for NaN, too
        points = np.where(going, points + step, points)
        if not going.any():
            break
    return points


def _inverse(A: Array) -> Array:
    """Inverses of symmetric matrices, NaN where a point is behind a camera."""
    bad = np.asarray(~np.isfinite(A).all(axis=(-1, -2)))
    safe = np.where(bad[..., None, None], np.eye(A.shape[-1]), A)
    return np.where(bad[..., None, None], np.nan, np.linalg.inv(safe))


def _midpoint_derivative(pair: StereoPair, seen: Array, h: float = 1e-4) -> Array:
    """(*batch, 3, 4): how the mid-point moves with each pixel coordinate."""
    columns = []
    for i in range(4):
        moved = [seen + s * h * np.eye(4)[i] for s in (1.0, -1.0)]
        ends = [midpoints(pair, m[..., :2], m[..., 2:])[0] for m in moved]
        columns.append((ends[0] - ends[1]) / (2.0 * h))
    return np.stack(columns, axis=-1)
