"""Standing shapes put somewhere else in tables that are prepared already, in a millisecond instead of preparing them again."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from carpal.contact.kernels import kinds
from carpal.contact.kernels import lane_tables as lt
from carpal.contact.lane_scene import LaneTables, keep_lane_tables, lane_origin, lane_tables, rounding_slack
from carpal.contact.shape_numbers import packed_shape
from carpal.contact.standing_rows import obstacle_rows
from carpal.contact.tables import ContactTables
from carpal.errors import InputError, unknown_name
from carpal.model import Model, PlacedShape, real_array
from carpal.spatial import Array, pose


def moved_tables(tables: ContactTables, poses: Mapping[str, ArrayLike]) -> ContactTables:
    """The same scene with standing shapes at other poses.

    Args:
        tables: of a scene; they stay as they are.
        poses: for each name of a standing shape X_WS (4, 4), or a position (3) [m] where its attitude stays.
    """
    places = {_standing(tables, name): (name, given) for name, given in poses.items()}
    of_name = {shape.name: k for k, shape in enumerate(tables.model.shapes)}
    shapes, groups, placed = tables.shapes.copy(), tables.groups.copy(), list(tables.model.shapes)
    for i, (name, given) in places.items():
        k = of_name[name]
        X = _pose(name, given, placed[k].X_BS)
        placed[k] = dataclasses.replace(placed[k], X_BS=X)
        form, R = packed_shape(placed[k].shape), X[:3, :3]
        centre = R @ form.centre + X[:3, 3]
        half = np.full(3, np.inf) if form.kind == kinds.PLANE else np.abs(R) @ form.core + form.rounding
        for column, value in (
            (kinds.SHAPE_ROTATION, R.ravel()), (kinds.SHAPE_POSITION, X[:3, 3]), (kinds.SHAPE_CENTRE, centre),
            (kinds.SHAPE_REACH, np.linalg.norm(centre) + form.radius), (kinds.SHAPE_LOW, centre - half),
            (kinds.SHAPE_HIGH, centre + half),
        ):  # fmt: skip
            shapes[i, column : column + np.size(value)] = value
        for group in groups:
            first, end = int(group[kinds.GROUP_FIRST]), int(group[kinds.GROUP_END])
            if first <= i < end:
                low, high = kinds.SHAPE_LOW, kinds.SHAPE_HIGH
                group[kinds.GROUP_LOW : kinds.GROUP_LOW + 3] = shapes[first:end, low : low + 3].min(axis=0)
                group[kinds.GROUP_HIGH : kinds.GROUP_HIGH + 3] = shapes[first:end, high : high + 3].max(axis=0)
    return dataclasses.replace(tables, model=_with_shapes(tables.model, tuple(placed)), shapes=shapes, groups=groups)


def moved_lanes(tables: ContactTables, before: ContactTables, margin: float, names: list[str]) -> LaneTables | None:
    """The lane tables of a scene from those of the scene before some standing shapes moved; kept for `lane_tables`."""
    lanes = lane_tables(before, margin)
    if lanes is None:
        return None
    scene, origin = lanes.scene, lane_origin(tables.model)
    obstacles, boxes = scene.obstacles.copy(), scene.boxes.copy()
    of_name = {shape.name: shape for shape in tables.model.shapes}
    for i in (_standing(tables, name) for name in names):
        shape = of_name[tables.names[i]]
        rows = np.flatnonzero(lanes.owner == i)
        made, _ = obstacle_rows([(shape.shape, shape.X_BS[:3, :3], shape.X_BS[:3, 3] - origin)])
        obstacles[rows] = made
        for row in rows.tolist():
            _refit(scene.tree, boxes, obstacles, row)
    numbers = scene.numbers.copy()
    half_spaces = int(numbers[lt.HALF_SPACES])
    slack = rounding_slack(
        tables.model, scene.reaches, scene.spheres.astype(float), obstacles.astype(float), half_spaces
    )
    numbers[lt.SLACK] = max(numbers[lt.SLACK], slack * (1 + 1e-6))
    made_lanes = dataclasses.replace(lanes, scene=scene._replace(obstacles=obstacles, boxes=boxes, numbers=numbers))
    keep_lane_tables(tables, margin, made_lanes)
    return made_lanes


def _with_shapes(model: Model, shapes: tuple[PlacedShape, ...]) -> Model:
    """The model with the same shapes elsewhere; nothing else changes, so nothing is built or checked again."""
    made = copy.copy(model)
    vars(made).pop("_contact_tables", None)
    object.__setattr__(made, "shapes", shapes)
    object.__setattr__(made, "native", ())
    return made


def _refit(tree: np.ndarray, boxes: Array, obstacles: Array, row: int) -> None:
    """Bounds of a leaf and of the nodes above it."""
    leaf = np.flatnonzero(tree[:, lt.LEAF] == row)
    if not len(leaf):  # a half-space is outside of the tree
        return
    o = obstacles[row].astype(float)
    size = o[lt.OBSTACLE_SIZE : lt.OBSTACLE_SIZE + 3].copy()
    if o[lt.OBSTACLE_KIND] == lt.ROUND_CYLINDER:
        size[1] = size[0]
    half = np.abs(o[:9].reshape(3, 3)) @ size + o[lt.OBSTACLE_ROUND]
    p = o[lt.OBSTACLE_P : lt.OBSTACLE_P + 3]
    boxes[leaf[0], :3] = np.nextafter((p - half).astype(boxes.dtype), -np.inf)
    boxes[leaf[0], 3:] = np.nextafter((p + half).astype(boxes.dtype), np.inf)
    nodes = np.arange(len(tree))
    for node in np.flatnonzero((nodes < leaf[0]) & (tree[:, lt.SKIP] > leaf[0]))[::-1].tolist():
        first = node + 1
        second = int(tree[first, lt.SKIP])
        boxes[node, :3] = np.minimum(boxes[first, :3], boxes[second, :3])
        boxes[node, 3:] = np.maximum(boxes[first, 3:], boxes[second, 3:])


def _standing(tables: ContactTables, name: str) -> int:
    standing = [
        other for other, numbers in zip(tables.names, tables.shapes, strict=True) if not numbers[kinds.SHAPE_ROW]
    ]
    if name not in standing:
        raise unknown_name("standing shape", name, standing)
    return tables.names.index(name)


def _pose(name: str, given: ArrayLike, before: Array) -> Array:
    X = real_array(given, f"the pose of '{name}'")
    if X.shape == (3,):
        X = pose(before[:3, :3], X)
    ok = X.shape == (4, 4) and np.isfinite(X).all() and np.abs(X[:3, :3] @ X[:3, :3].T - np.eye(3)).max() < 1e-6
    if not ok or np.abs(X[3] - [0, 0, 0, 1]).max() > 1e-9 or np.linalg.det(X[:3, :3]) < 0:
        raise InputError(
            f"the pose of '{name}' must be finite, (4, 4) with a rotation, or a position (3); got {given!r:.80}."
        )
    return np.asarray(X, np.float64)
