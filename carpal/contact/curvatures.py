"""How curved a shape is at a point of its surface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import finite_array
from carpal._core.batch import KernelInput, run_batch
from carpal.contact.kernels.curvature import EDGE, curvature_batch
from carpal.contact.kernels.kinds import CAPSULE, CONVEX, CYLINDER, ELLIPSOID, PLANE, SPHERE, TRIANGLES
from carpal.contact.shape_numbers import packed_shape
from carpal.errors import InputError
from carpal.model import Shape
from carpal.spatial import Array

ON_SURFACE = 1e-6
"""How far a point may lie off the surface [m]; relative to its distance from the origin where that is above 1 m."""


@dataclass(frozen=True, eq=False)
class Curvature:
    """Principal curvatures at points of a surface, in the shape's own frame.

    Args:
        values: (*batch, 2) [1/m], the larger first; positive where the solid is convex.
        directions: (*batch, 2, 3) unit tangents in which the surface bends so; first x second = normal.
        normal: (*batch, 3) outward.
        smooth: (*batch) whether there is a curvature: false on edges and corners, where values are infinite.
    """

    values: Array
    directions: Array
    normal: Array
    smooth: np.ndarray

    @property
    def radii(self) -> Array:
        """(*batch, 2) radii of curvature [m]: infinite where flat, zero on an edge."""
        with np.errstate(divide="ignore"):
            return 1.0 / self.values


def principal_curvatures(shape: Shape, p_S: ArrayLike, *, device: str = "cpu", threads: int | None = None) -> Curvature:
    """Principal curvatures of a shape at points of its surface.

    Args:
        shape: sphere, capsule, cylinder, box, ellipsoid or plane; meshes have no smooth surface and are refused.
        p_S: points (*batch, 3) [m] on the surface, in the shape's own frame.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Example:
        >>> principal_curvatures(Sphere(0.5), [0, 0, 0.5]).values
        array([2., 2.])
    """
    packed = packed_shape(shape)
    p = finite_array("p_S", p_S, (3,))
    if packed.kind in (CONVEX, TRIANGLES):
        raise InputError(
            f"a {shape.kind} mesh has no smooth surface; valid: sphere, capsule, cylinder, box, ellipsoid, plane."
        )
    size = np.array(packed.size)
    _check_on_surface(shape.kind, surface_gap(packed.kind, size, p), p)
    out = run_batch(
        None, curvature_batch, (packed.kind, size), [KernelInput("p_S", p, (3,))], [(12,)], device=device, threads=threads,
        world_seconds=5e-8,
    )[0]  # fmt: skip
    smooth = out[..., 0] != EDGE
    values = np.where(smooth[..., None], out[..., 1:3], np.inf)
    return Curvature(values, out[..., 3:9].reshape(*out.shape[:-1], 2, 3), out[..., 9:12], smooth)


def surface_gap(kind: int, size: Array, p_S: Array) -> Array:
    """Signed distance (*batch) [m] of points (*batch, 3) from a surface; of an ellipsoid F / |grad F|, exact on it."""
    if kind == PLANE:
        return p_S[..., 2]
    if kind == SPHERE:
        return np.linalg.norm(p_S, axis=-1) - size[0]
    if kind == ELLIPSOID:
        e = p_S / size
        length, slope = np.linalg.norm(e, axis=-1), np.linalg.norm(e / size, axis=-1)
        return np.where(slope > 0, (length - 1.0) * length / np.where(slope > 0, slope, 1.0), -size.min())
    around = np.hypot(p_S[..., 0], p_S[..., 1])
    if kind == CAPSULE:
        return np.hypot(around, np.maximum(np.abs(p_S[..., 2]) - size[1], 0.0)) - size[0]
    beyond = np.abs(p_S) - size  # of a box; a cylinder is one around z
    if kind == CYLINDER:
        beyond = np.stack([around - size[0], np.abs(p_S[..., 2]) - size[1]], -1)
    return np.linalg.norm(np.maximum(beyond, 0.0), axis=-1) + np.minimum(beyond.max(axis=-1), 0.0)


def _check_on_surface(kind: str, gap: Array, p: Array) -> None:
    wrong = np.abs(gap) > ON_SURFACE * np.maximum(1.0, np.linalg.norm(p, axis=-1))
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        where = f" at batch index {at}" if at else ""
        raise InputError(
            f"the point {np.round(p[at], 6).tolist()}{where} lies {abs(gap[at]):.3g} m off the surface of the {kind}; "
            "curvatures belong to points on it."
        )
