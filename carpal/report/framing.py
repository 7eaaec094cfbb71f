"""The camera that sees all of something: where it stands, and which points have to be in its picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from carpal.kinematics import fk
from carpal.model import Model
from carpal.report.camera import Camera
from carpal.report.drawn_parts import Part, surface
from carpal.report.palette import FIELD, SIDE
from carpal.spatial import Array

SIZE = (640, 480)
MARGIN = 1.25
"""Room that is left around what is shown."""


def framing_camera(
    points: Array,
    up: Array,
    size: tuple[int, int] = SIZE,
    *,
    side: Array | None = None,
    field: float = FIELD,
    margin: float = MARGIN,
) -> Camera:
    """The camera from which all points (n, 3) are seen, as large as they fit.

    Args:
        points: [m] in W.
        up: unit vector (3).
        size: of the picture, width and height [pixels].
        side: direction (3) from what is shown to the camera; half from above and from the front by default.
        field: height of the picture [rad].
        margin: room around what is shown, as a factor.
    """
    middle = 0.5 * (points.min(0) + points.max(0))
    back = standing(up) if side is None else np.asarray(side, float)
    axes = Camera(middle + back / np.linalg.norm(back), middle, up).axes
    x, y, z = axes @ (points - middle).T
    tall = np.tan(0.5 * field) / margin
    wide = tall * size[0] / size[1]
    # a point is inside where |x - cx| <= wide (cz - z): the nearest camera touches a point on both sides of one direction
    sides = ((wide, -x), (wide, x), (tall, -y), (tall, y))
    left, right, low, high = (float((slope * z + v).max()) for slope, v in sides)
    far = max(0.5 * (left + right) / wide, 0.5 * (low + high) / tall)
    place = np.array([0.5 * (right - left), 0.5 * (high - low), far])
    place[2] = max(place[2], float(z.max()) + 1e-3)
    eye = middle + place @ axes
    return Camera(eye, eye - (place[2] - 0.5 * (z.min() + z.max())) * axes[2], up, field, size)


def standing(up: Array) -> Array:
    """The usual direction from a robot to the camera, for a world with that up."""
    axis = int(np.argmax(np.abs(up)))
    return np.asarray(np.roll(np.array((*SIDE[:2], 0.0)), 1 + axis) + SIDE[2] * np.asarray(up, float))


def upward(model: Model) -> Array:
    """Unit vector (3) against gravity, +z where there is none."""
    g = np.asarray(model.gravity, float)
    length = float(np.linalg.norm(g))
    return -g / length if length else np.array([0.0, 0.0, 1.0])


def framed_points(model: Model, q: Array, parts: Sequence[Part]) -> Array:
    """Corners (n, 3) [m] of the boxes around everything that is drawn, over configurations (k, nq), and the tool's places.

    What stands in the world counts only as far as one reach around what moves; planes do not count.
    """
    q = np.asarray(q, float).reshape(-1, model.nq)
    places: dict[str | None, Array] = {None: np.eye(4)[None]}
    boxes, fixed = [fk(model, q)[:, :3, 3]], list[Array]()
    for part in parts:
        if part.shape is not None and part.shape.kind == "plane":
            continue
        if part.body not in places:
            places[part.body] = fk(model, q, part.body)
        points = surface(part)[0]
        ends = np.array([points.min(0), points.max(0)])
        corners = ends[[[i >> k & 1 for k in range(3)] for i in range(8)], range(3)]
        X = places[part.body] @ part.X_BS
        (fixed if part.body is None else boxes).append(
            (corners @ X[:, :3, :3].swapaxes(1, 2) + X[:, None, :3, 3]).reshape(-1, 3)
        )
    moving = np.concatenate(boxes)
    moving = moving[np.isfinite(moving).all(1)]
    if not len(moving):
        moving = np.array([np.zeros(3), np.ones(3)])
    low, high = moving.min(0), moving.max(0)
    reach = float((high - low).max())
    return np.concatenate([moving, *(np.clip(points, low - reach, high + reach) for points in fixed)])
