"""From contact tables to the tables of lane-wise checks: the robot as spheres, standing shapes as simple ones around them."""

from __future__ import annotations

import weakref
from dataclasses import dataclass

import numpy as np

from carpal.contact.kernels import kinds
from carpal.contact.kernels import lane_tables as lt
from carpal.contact.sphere_covers import sphere_cover
from carpal.contact.standing_rows import obstacle_rows
from carpal.contact.tables import ContactTables
from carpal.errors import InputError
from carpal.model import Model
from carpal.spatial import Array

LEAST = 1e-4
"""[m] Two things nearer than this on an edge may count as touching: intervals are not cut further."""
_BITS = 2.0**-21
_OF_TABLES: weakref.WeakKeyDictionary[ContactTables, dict[float, LaneTables]] = weakref.WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class LaneTables:
    """A scene for lane-wise checks.

    Args:
        scene: what kernels read.
        excess: no sphere sticks out of its shape by more [m].
        exact: whether spheres and rows are the shapes themselves, so that touching spheres are touching shapes.
        solid: whether the inside of every standing shape counts; of meshes only the surface does.
        names: of the parts, for sentences.
        owner: (obstacles) the shape in the contact tables that each row stands for.
    """

    scene: lt.LaneScene
    excess: float
    exact: bool
    solid: bool
    names: tuple[str, ...]
    owner: np.ndarray

    def displacement(self, dq: Array) -> Array:
        """(n) bounds [m] on how far the robot moves against anything that it may touch, for joints that move by dq (n, nq)."""
        moved = np.abs(dq)[:, self.scene.joints[1:, lt.Q_INDEX]]
        return np.asarray((moved @ self.scene.reaches[:, 1:].T).max(axis=1, initial=0.0))


def lane_tables(tables: ContactTables, margin: float = 0.0) -> LaneTables | None:
    """The tables of a scene, kept as long as its contact tables are; None where a joint neither turns nor slides."""
    if np.isin(tables.model.tables.joints[1:, lt.KIND], (lt.BALL, lt.FREE)).any():
        return None
    kept = _OF_TABLES.setdefault(tables, {})
    if margin not in kept:
        kept[margin] = _build(tables, margin)
    return kept[margin]


def _build(tables: ContactTables, margin: float) -> LaneTables:
    model, shapes = tables.model, tables.shapes
    of_name = {shape.name: shape.shape for shape in model.shapes}
    rows = shapes[:, kinds.SHAPE_ROW].astype(np.int64)
    moving = int((rows > 0).sum())  # these come first
    may = np.zeros((len(rows), len(rows)), bool)
    may[tables.pairs[:, 0], tables.pairs[:, 1]] = may[tables.pairs[:, 1], tables.pairs[:, 0]] = True
    members = _parts(rows[:moving], may[:moving])
    standing = [i for i in range(moving, len(rows)) if may[i].any()]
    origin = lane_origin(model)
    obstacles, owner = obstacle_rows([(of_name[tables.names[i]], *_pose(shapes, i, -origin)) for i in standing])
    spheres: list[Array] = []
    parts: list[tuple[int, int, int]] = []
    balls: list[tuple[float, ...]] = []
    excess = 0.0
    for group in members:
        first = sum(len(part) for part in spheres)
        block = []
        for i in group:
            cover = sphere_cover(of_name[tables.names[i]])
            R, p = _pose(shapes, i, 0.0)
            block.append(np.c_[cover.centres @ R.T + p, cover.radii])
            excess = max(excess, cover.excess)
        spheres.append(np.vstack(block))
        parts.append((int(rows[group[0]]), first, first + len(spheres[-1])))
        balls.append(_ball(spheres[-1]))
    meets = np.array([[may[group[0], standing[k]] for k in owner] for group in members], np.uint8)
    pairs = [
        (a, b) for a in range(len(members)) for b in range(a + 1, len(members)) if may[members[a][0], members[b][0]]
    ]
    joints, frames = model.tables.joints, model.tables.bodies[:, :12].copy()
    frames[joints[:, lt.PARENT] == 0, lt.POSITION : lt.POSITION + 3] -= origin
    reaches = _reaches(model, np.array(parts).reshape(-1, 3), np.array(balls).reshape(-1, 5), pairs)
    half_spaces = int((obstacles[:, lt.OBSTACLE_KIND] == lt.HALF_SPACE).sum())
    boxes, tree = _tree(obstacles, half_spaces)
    every = np.vstack(spheres) if spheres else np.zeros((0, 4))
    slack = rounding_slack(model, reaches, every, obstacles, half_spaces)
    single = np.float32
    scene = lt.LaneScene(
        joints, frames.astype(single), every.astype(single), np.array(parts, np.int64).reshape(-1, 3),
        np.array(balls).reshape(-1, 5).astype(single), boxes.astype(single), tree, obstacles.astype(single),
        np.ascontiguousarray(meets.reshape(len(members), len(obstacles))), np.array(pairs, np.int64).reshape(-1, 2),
        reaches, np.array([margin, slack, half_spaces, LEAST]),
    )  # fmt: skip
    kinds_used = shapes[:, kinds.SHAPE_KIND].astype(int)
    exact = excess == 0.0 and all(kinds_used[i] in _EXACT for i in standing)
    solid = not any(kinds_used[i] in (kinds.CONVEX, kinds.TRIANGLES) for i in standing)
    names = tuple(tables.names[group[0]] for group in members)
    return LaneTables(scene, excess, exact, solid, names, np.array([standing[k] for k in owner], np.int64))


def keep_lane_tables(tables: ContactTables, margin: float, lanes: LaneTables) -> None:
    """Let `lane_tables` give these for a scene from now on."""
    _OF_TABLES.setdefault(tables, {})[margin] = lanes


_EXACT = (kinds.SPHERE, kinds.CAPSULE, kinds.CYLINDER, kinds.BOX, kinds.PLANE)


def _pose(shapes: Array, i: int, shift: Array | float) -> tuple[Array, Array]:
    R = shapes[i, kinds.SHAPE_ROTATION : kinds.SHAPE_ROTATION + 9].reshape(3, 3)
    return R, shapes[i, kinds.SHAPE_POSITION : kinds.SHAPE_POSITION + 3] + shift


def lane_origin(model: Model) -> Array:
    """The middle of where the robots stand: coordinates from there lose fewest digits."""
    joints = model.tables.joints
    roots = [row for row in range(1, len(joints)) if joints[row, lt.PARENT] == 0]
    return np.asarray(model.tables.bodies[roots, lt.POSITION : lt.POSITION + 3].mean(axis=0))


def _parts(rows: np.ndarray, may: np.ndarray) -> list[list[int]]:
    """Shapes of one joint that may touch the same others, the outermost joints first: these touch most."""
    groups: dict[tuple[int, bytes], list[int]] = {}
    for i, row in enumerate(rows):
        if may[i].any():
            groups.setdefault((-int(row), may[i].tobytes()), []).append(i)
    return [groups[key] for key in sorted(groups)]


def _ball(spheres: Array) -> tuple[float, ...]:
    """Centre, radius and spread of a ball about spheres (n, 4): a few steps towards the farthest (Badoiu, Clarkson 2003)."""
    centre = spheres[:, :3].mean(axis=0)
    for k in range(60):
        far = np.linalg.norm(spheres[:, :3] - centre, axis=1) + spheres[:, 3]
        centre = centre + (spheres[int(far.argmax()), :3] - centre) / (k + 2)
    apart = np.linalg.norm(spheres[:, :3] - centre, axis=1)
    return *centre.tolist(), float((apart + spheres[:, 3]).max()) * (1 + 1e-6), float(apart.max()) * (1 + 1e-6)


def _reaches(model: Model, parts: np.ndarray, balls: Array, pairs: list[tuple[int, int]]) -> Array:
    """(parts + pairs, rows): see `LaneScene`."""
    joints, bodies = model.tables.joints, model.tables.bodies
    out = np.zeros((len(parts) + len(pairs), len(joints)))
    low, high = model.coupled_limits
    for part, (row, *_) in enumerate(parts):
        reach, row = float(np.linalg.norm(balls[part, :3])) + balls[part, lt.BALL_SPREAD], int(row)
        while row > 0:
            slides = joints[row, lt.KIND] == lt.PRISMATIC
            out[part, row] = 1.0 if slides else reach * (1 + 1e-9)
            if slides:
                column = joints[row, lt.Q_INDEX]
                reach += max(abs(low[column]), abs(high[column]))
            reach += float(np.linalg.norm(bodies[row, lt.POSITION : lt.POSITION + 3]))
            row = int(joints[row, lt.PARENT])
    for k, (a, b) in enumerate(pairs):
        apart = (out[a] > 0) != (out[b] > 0)
        out[len(parts) + k, apart] = np.maximum(out[a], out[b])[apart]
    if not np.isfinite(out).all():
        names = [n for n, (kind, _) in zip(model.joint_names, model.joint_slices(), strict=True) if kind == "prismatic"]
        raise InputError(
            f"a prismatic joint has no limits, planning needs some (q_min, q_max); of: {', '.join(names)}."
        )
    return out


def rounding_slack(model: Model, reaches: Array, spheres: Array, obstacles: Array, half_spaces: int) -> float:
    """Bound [m] on the rounding of a distance: some units in the last place of the largest coordinate, for every joint."""
    arm = float(reaches.max(initial=0.0)) + float(np.abs(spheres).max(initial=0.0))
    near = obstacles[half_spaces:]
    sizes = np.linalg.norm(near[:, lt.OBSTACLE_SIZE : lt.OBSTACLE_SIZE + 3], axis=1) if len(near) else np.zeros(0)
    away = np.linalg.norm(near[:, lt.OBSTACLE_P : lt.OBSTACLE_P + 3], axis=1) if len(near) else np.zeros(0)
    far = float(np.minimum(away + sizes, 4 * arm + 2 * sizes).max(initial=0.0)) if len(near) else 0.0
    planes = float(np.abs(obstacles[:half_spaces, lt.OBSTACLE_P : lt.OBSTACLE_P + 3]).max(initial=0.0))
    return _BITS * (len(model.tables.joints) + 8) * (arm + max(far, planes))


def _tree(obstacles: Array, half_spaces: int) -> tuple[Array, np.ndarray]:
    """Boxes (nodes, 6) and (nodes, 2) next node and leaf, in the order of a walk that goes down first."""
    o = obstacles
    R, p = o[:, :9].reshape(-1, 3, 3), o[:, lt.OBSTACLE_P : lt.OBSTACLE_P + 3]
    size = o[:, lt.OBSTACLE_SIZE : lt.OBSTACLE_SIZE + 3].copy()
    round_ = o[:, lt.OBSTACLE_KIND] == lt.ROUND_CYLINDER
    size[round_] = np.c_[size[round_, 0], size[round_, 0], size[round_, 2]]
    half = np.einsum("nij,nj->ni", np.abs(R), size) + o[:, [lt.OBSTACLE_ROUND]]
    low, high = np.nextafter(p - half, -np.inf), np.nextafter(p + half, np.inf)
    boxes: list[Array] = []
    tree: list[list[int]] = []

    def add(inside: np.ndarray) -> None:
        node = len(boxes)
        boxes.append(np.r_[low[inside].min(axis=0), high[inside].max(axis=0)])
        tree.append([0, int(inside[0]) if len(inside) == 1 else -1])
        if len(inside) > 1:
            axis = int(np.argmax(np.ptp(p[inside], axis=0)))
            ordered = inside[np.argsort(p[inside, axis], kind="stable")]
            add(ordered[: len(ordered) // 2])
            add(ordered[len(ordered) // 2 :])
        tree[node][lt.SKIP] = len(boxes)

    rest = np.arange(half_spaces, len(o))
    if len(rest):
        add(rest)
    return np.array(boxes).reshape(-1, 6), np.array(tree, np.int64).reshape(-1, 2)
