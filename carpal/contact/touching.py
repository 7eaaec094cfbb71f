"""Contact coordinates of two bodies that touch at a point, and the relative pose that they stand for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import finite_array, finite_poses
from carpal._core.batch import KernelInput, run_batch
from carpal.contact.kernels.charts import CHART_EDGE
from carpal.contact.kernels.coordinates import contact_coordinates_batch, contact_pose_batch
from carpal.contact.kernels.kinds import CYLINDER, ELLIPSOID, PLANE, SPHERE
from carpal.contact.kernels.montana import LONGEST_STEP
from carpal.contact.pairs import shape_distance
from carpal.contact.shape_numbers import packed_shape
from carpal.errors import InputError
from carpal.model import Shape
from carpal.spatial import Array, inverse

TOUCHING = 1e-6
"""How far the touching point may lie off either surface [m]."""
OPPOSED = 1e-3
"""How far the two outward normals may be from opposite [rad]."""


def contact_coordinates(
    shape_a: Shape, X_WA: ArrayLike, shape_b: Shape, X_WB: ArrayLike, p_WC: ArrayLike | None = None
) -> Array:
    """Contact coordinates of two bodies that touch.

    Args:
        shape_a, shape_b: sphere, plane, cylinder (its side) or ellipsoid.
        X_WA, X_WB: poses (*batch, 4, 4) of the shapes.
        p_WC: the point (*batch, 3) [m] where they touch; the surfaces' outward normals are opposite there. By default
            it is found by `shape_distance`.

    Returns:
        (*batch, 7): chart, u, v on A; chart, u, v on B; spin [rad] between the two tangent frames.
    """
    kinds = numbers_of_pair(shape_a, shape_b)
    X_WA, X_WB = finite_poses("X_WA", X_WA), finite_poses("X_WB", X_WB)
    X_AW = inverse(X_WA)
    X_AB = X_AW @ X_WB
    if p_WC is None:
        found = shape_distance(shape_a, X_WA, shape_b, X_WB)
        p_WC = 0.5 * (found.p_WA + found.p_WB)
    p = finite_array("p_WC", p_WC, (3,))
    p_A = (X_AW[..., :3, :3] @ p[..., None])[..., 0] + X_AW[..., :3, 3]
    inputs = [KernelInput("X_AB", X_AB.reshape(*X_AB.shape[:-2], 16), (16,)), KernelInput("p_A", p_A, (3,))]
    out = run_batch(None, contact_coordinates_batch, kinds, inputs, [(10,)], world_seconds=2e-7)[0]
    off, angle = out[..., 7:9], np.arccos(np.clip(-out[..., 9], -1.0, 1.0))
    for value, bound, what in (
        (off[..., 0], TOUCHING, f"m off the surface of A, a {shape_a.kind}"),
        (off[..., 1], TOUCHING, f"m off the surface of B, a {shape_b.kind}"),
        (angle, OPPOSED, "rad from where the two normals are opposite"),
    ):
        if (value > bound).any():
            at = tuple(int(i) for i in np.argwhere(value > bound)[0])
            where = f" at batch index {at}" if at else ""
            raise InputError(f"the bodies do not touch{where}: the point between them lies {value[at]:.3g} {what}.")
    return np.ascontiguousarray(out[..., :7])


def contact_pose(shape_a: Shape, shape_b: Shape, coordinates: ArrayLike) -> Array:
    """X_AB (*batch, 4, 4): the pose of shape B in shape A at which they touch with those contact coordinates (*batch, 7)."""
    return placed_contacts(shape_a, shape_b, checked_coordinates(shape_a, shape_b, coordinates))[0]


def numbers_of_pair(shape_a: Shape, shape_b: Shape) -> tuple[Any, ...]:
    """Kind and sizes of A, then of B, for the kernels; shapes without charts are refused."""
    packed = []
    for name, shape in (("A", shape_a), ("B", shape_b)):
        numbers = packed_shape(shape) if isinstance(shape, Shape) else None
        if numbers is None or numbers.kind not in (SPHERE, PLANE, CYLINDER, ELLIPSOID):
            raise InputError(
                f"{name} is a {getattr(shape, 'kind', type(shape).__name__)}; "
                "contacts can be followed on a sphere, a plane, a cylinder's side and an ellipsoid."
            )
        packed += [numbers.kind, np.array(numbers.size)]
    return tuple(packed)


def checked_coordinates(shape_a: Shape, shape_b: Shape, coordinates: ArrayLike) -> Array:
    """Contact coordinates (*batch, 7) that lie inside their charts, or one sentence."""
    numbers_of_pair(shape_a, shape_b)
    c = finite_array("contact coordinates", coordinates, (7,))
    for name, shape, first in (("A", shape_a, 0), ("B", shape_b, 3)):
        kind, (_, half, _) = packed_shape(shape).kind, packed_shape(shape).size
        chart, u, v = c[..., first], c[..., first + 1], c[..., first + 2]
        charts = (0, 1, 2) if kind in (SPHERE, ELLIPSOID) else (0,)
        if not np.isin(chart, charts).all():
            raise InputError(
                f"the chart on {name}, a {shape.kind}, must be one of {charts}; got {chart.tolist()!r:.60}."
            )
        if kind in (SPHERE, ELLIPSOID) and (np.abs(u) > CHART_EDGE + LONGEST_STEP).any():
            raise InputError(
                f"u on {name}, a {shape.kind}, must lie within {CHART_EDGE + LONGEST_STEP} rad, away from the "
                f"chart's poles; got {u.tolist()!r:.60}."
            )
        if kind == CYLINDER and (np.abs(v) > half).any():
            raise InputError(f"v on {name}, a cylinder, must lie within {half:.6g} m; got {v.tolist()!r:.60}.")
    return c


def placed_contacts(shape_a: Shape, shape_b: Shape, coordinates: Array) -> list[Array]:
    """X_AB (*batch, 4, 4), contact points in A and in B (*batch, 3), A's tangent frame R_AC (*batch, 3, 3)."""
    kinds = numbers_of_pair(shape_a, shape_b)
    given = [KernelInput("contact coordinates", coordinates, (7,))]
    return run_batch(None, contact_pose_batch, kinds, given, [(4, 4), (3,), (3,), (3, 3)], world_seconds=2e-7)
