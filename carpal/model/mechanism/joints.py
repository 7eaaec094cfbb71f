"""Joints of two points: the hinge and the cylindrical joint, made from world points at the start pose (Yesmunt 2014, 2.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.model.mechanism.checks import finite
from carpal.model.mechanism.mechanism import DAMPING, STIFFNESS, MechanismBody, PointJoint, SlotJoint
from carpal.spatial import Array, align_z, inverse

Side = MechanismBody | None


def _local(body: Side, p_W: Array) -> Array:
    return p_W if body is None else inverse(body.X_WB)[:3, :3] @ p_W + inverse(body.X_WB)[:3, 3]


def _turned(body: Side, direction: Array) -> Array:
    return direction if body is None else body.X_WB[:3, :3].T @ direction


def _name(body: Side) -> str | None:
    return None if body is None else body.name


def hinge(
    name: str,
    a: Side,
    b: Side,
    p_W: ArrayLike,
    axis_W: ArrayLike,
    *,
    span: float,
    stiffness: float = STIFFNESS,
    damping: float = DAMPING,
) -> tuple[PointJoint, PointJoint]:
    """A revolute joint: two point joints, `span` [m] apart on the axis around p_W (3), where both bodies now are.

    Args:
        name: the joints are called `<name>/0` and `<name>/1`.
        a, b: bodies; None is the world.
        p_W, axis_W: middle (3) [m] and direction (3) of the axis in the world.
        span: distance of the two points [m]; the wider, the stiffer against tilting.
        stiffness, damping: of each point [N/m, N s/m].
    """
    middle, axis = _line(name, p_W, axis_W, span)
    ends = [middle - 0.5 * span * axis, middle + 0.5 * span * axis]
    first, second = (
        PointJoint(f"{name}/{i}", _name(a), _local(a, end), _name(b), _local(b, end), stiffness, damping)
        for i, end in enumerate(ends)
    )
    return first, second


def cylindrical(
    name: str,
    a: Side,
    b: Side,
    p_W: ArrayLike,
    axis_W: ArrayLike,
    *,
    span: float,
    travel: tuple[float, float],
    stiffness: float = STIFFNESS,
    damping: float = DAMPING,
) -> tuple[SlotJoint, SlotJoint]:
    """A cylindrical joint: two points of A on one line of B; it leaves sliding along the line and turning about it.

    Args:
        name, a, b, p_W, axis_W, span, stiffness, damping: as for `hinge`; p_W is halfway between A's two points.
        travel: how far (least, most) [m] A may slide along the axis from where it is; beyond are B's stops.
    """
    middle, axis = _line(name, p_W, axis_W, span)
    low, high = (float(value) for value in finite(travel, (2,), f"travel of joint '{name}'"))
    if not low <= 0 <= high:
        raise InputError(f"travel of joint '{name}' must be (least <= 0, most >= 0) [m]; got ({low:g}, {high:g}).")
    ends = [middle - (0.5 * span - low) * axis, middle + (0.5 * span + high) * axis]
    path = np.array([_local(b, end) for end in ends])
    first, second = (
        SlotJoint(f"{name}/{i}", _name(a), _local(a, middle + s * span * axis), _name(b), path, stiffness, damping)
        for i, s in enumerate((-0.5, 0.5))
    )
    return first, second


def angle_lines(a: Side, b: Side, axis_W: ArrayLike) -> dict[str, Array]:
    """`axis`, `line_A` and `line_B` of a rotary spring, friction or actuator whose angle is zero where both bodies are."""
    axis = finite(axis_W, (3,), "axis_W")
    length = float(np.linalg.norm(axis))
    if length < 1e-9:
        raise InputError("axis_W must not be zero.")
    axis = axis / length
    line = align_z(axis)[:, 0]
    return {"axis": _turned(a, axis), "line_A": _turned(a, line), "line_B": _turned(b, line)}


def _line(name: str, p_W: ArrayLike, axis_W: ArrayLike, span: float) -> tuple[Array, Array]:
    middle = finite(p_W, (3,), f"p_W of joint '{name}'")
    axis = finite(axis_W, (3,), f"axis_W of joint '{name}'")
    length = float(np.linalg.norm(axis))
    if length < 1e-9 or not 0 < span < np.inf:
        raise InputError(f"joint '{name}' needs an axis that is not zero and a span above zero; got span {span!r:.40}.")
    return middle, axis / length
