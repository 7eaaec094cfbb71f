"""From the shapes of a model to the packed tables that the contact kernels read (layout: `contact/kernels/kinds.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.contact.held_objects import held_places
from carpal.contact.kernels import kinds
from carpal.contact.pair_filters import pairs_that_may_touch
from carpal.contact.shape_numbers import PackedShape, packed_shape
from carpal.contact.trees import MeshPack, MeshTables
from carpal.errors import InputError
from carpal.model import Model, PlacedShape, need_model
from carpal.spatial import Array

Held = Mapping[str, str | tuple[str, ArrayLike]]
STANDING_GROUP = 4
"""Most standing shapes under one bounding box."""


@dataclass(frozen=True, eq=False)
class ContactTables:
    """The shapes of a model as the contact kernels see them.

    Args:
        model: whose shapes they are.
        names: of the shapes, in the order of the tables: those of moving bodies first.
        bodies: the body of each shape; None: the world.
        shapes, groups, blocks, pairs: see `contact/kernels/kinds.py`.
        points, normals, boxes: of meshes, see `contact/kernels/mesh_tree.py`.
        placed_rows: rows of the scratch array `placed`.
    """

    model: Model
    names: tuple[str, ...]
    bodies: tuple[str | None, ...]
    shapes: Array
    groups: Array
    blocks: np.ndarray
    pairs: np.ndarray
    points: Array
    normals: Array
    boxes: Array
    placed_rows: int

    @property
    def constants(self) -> tuple[np.ndarray, ...]:
        """What every scene kernel takes first."""
        tables = self.model.tables
        mesh = self.points, self.normals, self.boxes
        return tables.joints, tables.bodies, self.shapes, self.groups, self.blocks, self.pairs, *mesh

    def pair_names(self, pair: int) -> tuple[str, str]:
        """Names of the two shapes of a pair."""
        a, b = self.pairs[pair, :2]
        return self.names[a], self.names[b]


def contact_tables(model: Model, *, held: Held | None = None, exclude: Iterable[object] = ()) -> ContactTables:
    """Pack the shapes of a model that collide.

    Args:
        model: a robot or a built scene.
        held: objects that are carried: object's body to the body that holds it (as at `q_home`), or to (body, X_BO).
        exclude: further pairs of names (shapes, bodies, robots) that do not count.
    """
    need_model(model, "contact_tables")
    carried = held_places(model, held or {})
    where: list[tuple[int, Array, PlacedShape]] = []
    for shape in model.shapes:
        if shape.collides:
            row, X_KB = carried.get(shape.body) or (
                (0, np.eye(4)) if shape.body is None else model.tables.body_rows[shape.body]
            )
            where.append((row, X_KB @ shape.X_BS, shape))
    where.sort(key=lambda entry: (entry[0] == 0, entry[0]))  # stable: moving ones first, by body
    packed = [packed_shape(shape.shape) for _, _, shape in where]
    for (row, _, shape), form in zip(where, packed, strict=True):
        if row and form.kind == kinds.PLANE:
            raise InputError(f"shape '{shape.name}' is a plane on the moving body '{shape.body}'; planes stand still.")
    rows = [row for row, _, _ in where]
    members = _groups(rows, [X for _, X, _ in where], packed)
    order = [i for group in members for i in group]
    where, packed, rows = ([x[i] for i in order] for x in (where, packed, rows))  # type: ignore[assignment]
    placed = [shape for _, _, shape in where]
    pairs = pairs_that_may_touch(model, placed, rows, exclude)
    moving_groups = sum(rows[group[0]] > 0 for group in _renumbered(members))
    first_shape = len(model.tables.joints) + moving_groups
    shapes, meshes = shape_table([(row, X) for row, X, _ in where], packed, first_shape)
    groups = _group_table(_renumbered(members), rows, shapes, len(model.tables.joints))
    pairs, blocks = _blocks(pairs, _renumbered(members), shapes, groups)
    return ContactTables(
        model=model,
        names=tuple(shape.name for shape in placed),
        bodies=tuple(shape.body for shape in placed),
        shapes=shapes,
        groups=groups,
        blocks=blocks,
        pairs=pairs,
        points=meshes.points,
        normals=meshes.normals,
        boxes=meshes.boxes,
        placed_rows=first_shape + sum(row > 0 for row in rows),
    )


def _renumbered(members: list[list[int]]) -> list[list[int]]:
    """The same groups after their shapes were put in the groups' order."""
    out, first = [], 0
    for group in members:
        out.append(list(range(first, first + len(group))))
        first += len(group)
    return out


def _groups(rows: Sequence[int], X_KS: Sequence[Array], packed: Sequence[PackedShape]) -> list[list[int]]:
    """Indices of shapes under one box: all of a moving body, neighbourhoods of the standing ones, each plane alone."""
    moving: dict[int, list[int]] = {}
    standing, planes = [], []
    for i, row in enumerate(rows):
        if row:
            moving.setdefault(row, []).append(i)
        elif packed[i].kind == kinds.PLANE:
            planes.append([i])
        else:
            standing.append(i)
    centres = np.array([X_KS[i][:3, :3] @ packed[i].centre + X_KS[i][:3, 3] for i in range(len(rows))])
    return [*moving.values(), *_split(standing, centres), *planes]


def _split(indices: list[int], centres: Array) -> list[list[int]]:
    """Halve along the longest side until each part is small."""
    if len(indices) <= STANDING_GROUP:
        return [indices] if indices else []
    inside = centres[indices]
    axis = int(np.argmax(np.ptp(inside, axis=0)))
    ordered = [indices[i] for i in np.argsort(inside[:, axis], kind="stable")]
    middle = len(ordered) // 2
    return _split(ordered[:middle], centres) + _split(ordered[middle:], centres)


def shape_table(
    where: Sequence[tuple[int, Array]], packed: Sequence[PackedShape], first_row: int
) -> tuple[Array, MeshTables]:
    """The table `shapes` of shapes on rows at poses X_KS, and the meshes among them; moving ones are placed from a row on."""
    table = np.zeros((len(where), kinds.SHAPE_COLUMNS))
    pack = MeshPack()
    for i, ((row, X_KS), form) in enumerate(zip(where, packed, strict=True)):
        numbers, R = table[i], X_KS[:3, :3]
        centre = R @ form.centre + X_KS[:3, 3]
        half = np.full(3, np.inf) if form.kind == kinds.PLANE else np.abs(R) @ form.core + form.rounding
        mesh = pack.add(form.mesh) if form.mesh is not None else (0, 0, 0)
        for column, value in (
            (kinds.SHAPE_KIND, form.kind),
            (kinds.SHAPE_ROW, row),
            (kinds.SHAPE_PLACED, first_row + i if row else -1),
            (kinds.SHAPE_SIZE, form.size),
            (kinds.SHAPE_ROTATION, R.ravel()),
            (kinds.SHAPE_POSITION, X_KS[:3, 3]),
            (kinds.SHAPE_CENTRE, centre),
            (kinds.SHAPE_CORE, form.core),
            (kinds.SHAPE_ROUND, form.rounding),
            (kinds.SHAPE_REACH, np.linalg.norm(centre) + form.radius),
            (kinds.SHAPE_LOW, centre - half),
            (kinds.SHAPE_HIGH, centre + half),
            (kinds.SHAPE_POINTS, mesh),
        ):
            numbers[column : column + np.size(value)] = value
    return table, pack.tables()


def _group_table(members: list[list[int]], rows: Sequence[int], shapes: Array, first_row: int) -> Array:
    table = np.zeros((len(members), kinds.GROUP_COLUMNS))
    for g, group in enumerate(members):
        numbers = table[g]
        moves = rows[group[0]] > 0
        numbers[kinds.GROUP_PLACED] = first_row + g if moves else -1
        numbers[kinds.GROUP_FIRST], numbers[kinds.GROUP_END] = group[0], group[-1] + 1
        if not moves:
            low, high = kinds.SHAPE_LOW, kinds.SHAPE_HIGH
            numbers[kinds.GROUP_LOW : kinds.GROUP_LOW + 3] = shapes[group, low : low + 3].min(axis=0)
            numbers[kinds.GROUP_HIGH : kinds.GROUP_HIGH + 3] = shapes[group, high : high + 3].max(axis=0)
    return table


def _blocks(pairs: np.ndarray, members: list[list[int]], shapes: Array, groups: Array) -> tuple[np.ndarray, np.ndarray]:
    """Pairs sorted by their groups, those far out on a robot first (they hit most), and the range of each two groups."""
    group = np.empty(len(shapes), np.int64)
    for g, inside in enumerate(members):
        group[inside] = g
    a, b = group[pairs[:, 0]], group[pairs[:, 1]]
    order = np.lexsort((pairs[:, 1], pairs[:, 0], b, -a))
    pairs, a, b = pairs[order], a[order], b[order]
    begins = np.flatnonzero(np.r_[True, (np.diff(a) != 0) | (np.diff(b) != 0)]) if len(pairs) else np.zeros(0, np.int64)
    ends = np.r_[begins[1:], len(pairs)] if len(pairs) else begins
    group_rows = groups[:, kinds.GROUP_PLACED]
    columns = a[begins], b[begins], group_rows[a[begins]], group_rows[b[begins]], begins, ends
    blocks = np.stack(columns, axis=1).astype(np.int64)
    pairs = np.concatenate([pairs, shapes[pairs, kinds.SHAPE_PLACED]], axis=1).astype(np.int64)
    return np.ascontiguousarray(pairs), np.ascontiguousarray(blocks)
