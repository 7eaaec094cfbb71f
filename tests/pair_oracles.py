"""Random pairs of shapes, proofs of a distance that use NumPy alone, and what Coal and MuJoCo say about the same pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from carpal.contact.kernels import pair_queries
from carpal.contact.kernels.pair import PAIR_SCRATCH

NAMES = ("sphere", "capsule", "cylinder", "box", "ellipsoid", "plane", "convex")
SPHERE, CAPSULE, CYLINDER, BOX, ELLIPSOID, PLANE, CONVEX = range(7)
KIND_PAIRS = [(a, b) for a in range(7) for b in range(a, 7) if not a == b == PLANE]
PAIR_IDS = [f"{NAMES[a]}-{NAMES[b]}" for a, b in KIND_PAIRS]
FIRST, SECOND = 14, 26  # corners of the two hulls


def _hull_points() -> np.ndarray:
    """Two hulls; single-precision numbers, because MuJoCo keeps corners so."""
    rng = np.random.default_rng(77)
    one = rng.normal(size=(FIRST, 3))
    two = rng.normal(size=(SECOND, 3))
    one *= 0.2 / np.linalg.norm(one, axis=1)[:, None]
    two *= np.array([0.1, 0.2, 0.3]) / np.linalg.norm(two, axis=1)[:, None]
    return np.concatenate([one, two]).astype(np.float32).astype(np.float64)


POINTS = _hull_points()


def corners(second: bool) -> np.ndarray:
    """Points of the first or second hull."""
    return POINTS[FIRST:] if second else POINTS[:FIRST]


def rows(kind: int, second: bool) -> tuple[int, int]:
    """Range in POINTS."""
    if kind != CONVEX:
        return 0, 0
    return (FIRST, SECOND) if second else (0, FIRST)


@dataclass
class Pairs:
    """Many placements of two kinds: sizes (n, 3), poses (n, 4, 4)."""

    kind_a: int
    kind_b: int
    size_a: np.ndarray
    size_b: np.ndarray
    X_WA: np.ndarray
    X_WB: np.ndarray

    def __len__(self) -> int:
        return len(self.size_a)

    def take(self, which: np.ndarray) -> Pairs:
        return Pairs(
            self.kind_a, self.kind_b, self.size_a[which], self.size_b[which], self.X_WA[which], self.X_WB[which]
        )


def random_sizes(kind: int, n: int, rng: np.random.Generator) -> np.ndarray:
    sizes = np.exp(rng.uniform(np.log(0.03), np.log(0.5), (n, 3)))
    sizes[:, {SPHERE: 1, CAPSULE: 2, CYLINDER: 2, PLANE: 0, CONVEX: 0}.get(kind, 3) :] = 0.0
    return sizes


def random_poses(n: int, rng: np.random.Generator) -> np.ndarray:
    X = np.tile(np.eye(4), (n, 1, 1))
    X[:, :3, :3] = Rotation.random(n, random_state=rng).as_matrix()
    X[:, :3, 3] = rng.normal(size=(n, 3))
    return X


def query(pairs: Pairs, threads: int = 1) -> np.ndarray:
    """Answers of the kernel, (n, 11)."""
    n = len(pairs)
    answer = np.full((n, pair_queries.ANSWER), np.nan)
    scratch = np.full((1, *PAIR_SCRATCH), np.nan)
    bad = pair_queries.nearest_batch(
        pairs.kind_a, *rows(pairs.kind_a, False), pairs.kind_b, *rows(pairs.kind_b, True), POINTS,
        pairs.size_a, pairs.X_WA, pairs.size_b, pairs.X_WB, answer, scratch, 0, n, 1, 0,
    )  # fmt: skip
    assert bad == 0
    return answer


def random_pairs(kind_a: int, kind_b: int, n: int, seed: int) -> Pairs:
    """A third deep in each other, a third anywhere, a third moved until they touch (a quarter of these to the last digit)."""
    rng = np.random.default_rng([seed, kind_a, kind_b])
    pairs = Pairs(
        kind_a,
        kind_b,
        random_sizes(kind_a, n, rng),
        random_sizes(kind_b, n, rng),
        random_poses(n, rng),
        random_poses(n, rng),
    )
    third = n // 3
    spread = np.where(np.arange(n) < third, 0.05, 0.4)
    pairs.X_WB[:, :3, 3] = pairs.X_WA[:, :3, 3] + spread[:, None] * rng.normal(size=(n, 3))
    touching = np.arange(n) >= 2 * third
    found = query(pairs.take(touching))
    goal = rng.choice([0.0, 1e-3, 1e-6, 1e-8], len(found)) * rng.choice([-1.0, 1.0], len(found))
    pairs.X_WB[touching, :3, 3] += (goal - found[:, 0])[:, None] * found[:, 7:10]
    return pairs


def reach(kind: int, size: np.ndarray, second: bool, X: np.ndarray, n: np.ndarray) -> np.ndarray:
    """max over the shape of n . x, for n (k, 3)."""
    d = np.einsum("kji,kj->ki", X[:, :3, :3], n)
    if kind == SPHERE:
        h = size[:, 0] * np.linalg.norm(d, axis=1)
    elif kind == CAPSULE:
        h = size[:, 0] + size[:, 1] * np.abs(d[:, 2])
    elif kind == CYLINDER:
        h = size[:, 0] * np.hypot(d[:, 0], d[:, 1]) + size[:, 1] * np.abs(d[:, 2])
    elif kind == BOX:
        h = (size * np.abs(d)).sum(1)
    elif kind == ELLIPSOID:
        h = np.linalg.norm(size * d, axis=1)
    elif kind == PLANE:
        h = np.where(1.0 - d[:, 2] < 1e-12, 0.0, np.inf)
    else:
        h = (d @ corners(second).T).max(1)
    return h + np.einsum("ki,ki->k", X[:, :3, 3], n)


def overlap(pairs: Pairs, n: np.ndarray) -> np.ndarray:
    """How far B must go along n (k, 3) to be free of A; minus the gap where it is."""
    return reach(pairs.kind_a, pairs.size_a, False, pairs.X_WA, n) + reach(
        pairs.kind_b, pairs.size_b, True, pairs.X_WB, -n
    )


def outside(kind: int, size: np.ndarray, second: bool, X: np.ndarray, p: np.ndarray) -> np.ndarray:
    """An upper bound of how far p (k, 3) lies outside of the shape [m]."""
    x = np.einsum("kji,kj->ki", X[:, :3, :3], p - X[:, :3, 3])
    if kind == SPHERE:
        return np.linalg.norm(x, axis=1) - size[:, 0]
    if kind == CAPSULE:
        x[:, 2] -= np.clip(x[:, 2], -size[:, 1], size[:, 1])
        return np.linalg.norm(x, axis=1) - size[:, 0]
    if kind == CYLINDER:
        return np.maximum(np.hypot(x[:, 0], x[:, 1]) - size[:, 0], np.abs(x[:, 2]) - size[:, 1])
    if kind == BOX:
        return (np.abs(x) - size).max(1)
    if kind == ELLIPSOID:  # along the line to the middle: never nearer than the surface
        s = np.linalg.norm(x / size, axis=1)
        return np.linalg.norm(x, axis=1) * (1 - 1 / np.maximum(s, 1e-12))
    if kind == PLANE:
        return x[:, 2]
    faces = ConvexHull(corners(second)).equations
    return (x @ faces[:, :3].T + faces[:, 3]).max(1)


def coal_answers(pairs: Pairs) -> np.ndarray:
    """(n, 4): signed distance and normal; NaN where Coal gives none."""
    import coal

    def shape(kind: int, s: np.ndarray, second: bool) -> object:
        if kind == CONVEX:
            points = coal.StdVec_Vec3s()
            points.extend(list(corners(second)))
            return coal.Convex.convexHull(points, False, "")
        if kind == PLANE:
            return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)
        if kind == SPHERE:
            return coal.Sphere(s[0])
        if kind == CAPSULE:
            return coal.Capsule(s[0], 2 * s[1])
        if kind == CYLINDER:
            return coal.Cylinder(s[0], 2 * s[1])
        return coal.Box(*(2 * s)) if kind == BOX else coal.Ellipsoid(*s)

    request = coal.DistanceRequest()
    request.gjk_tolerance = request.epa_tolerance = 1e-9
    request.gjk_max_iterations = request.epa_max_iterations = 1000
    request.enable_signed_distance = True
    out = np.empty((len(pairs), 4))
    fixed = {CONVEX, PLANE}
    a = b = None
    for i in range(len(pairs)):
        a = a if a is not None and pairs.kind_a in fixed else shape(pairs.kind_a, pairs.size_a[i], False)
        b = b if b is not None and pairs.kind_b in fixed else shape(pairs.kind_b, pairs.size_b[i], True)
        result = coal.DistanceResult()
        X, Y = pairs.X_WA[i], pairs.X_WB[i]
        out[i, 0] = coal.distance(
            a, coal.Transform3s(X[:3, :3], X[:3, 3]), b, coal.Transform3s(Y[:3, :3], Y[:3, 3]), request, result
        )
        out[i, 1:] = result.normal
    out[~(np.abs(out[:, 0]) < 1e6)] = np.nan
    return out


def mujoco_model(kind_a: int, kind_b: int) -> object:
    """A model with the two geoms; sizes and poses are written into it."""
    import mujoco

    size = {SPHERE: "1", CAPSULE: "1 1", CYLINDER: "1 1", BOX: "1 1 1", ELLIPSOID: "1 1 1", PLANE: "0 0 1"}

    def geom(kind: int, second: bool) -> str:
        if kind == CONVEX:
            return f'<geom type="mesh" mesh="hull{int(second)}"/>'
        return f'<geom type="{NAMES[kind]}" size="{size[kind]}"/>'

    meshes = "".join(
        f'<mesh name="hull{k}" inertia="convex" vertex="{" ".join(f"{x:.9g}" for x in corners(bool(k)).ravel())}"/>'
        for k in range(2)
    )
    bodies = "".join(
        geom(kind, second) if kind == PLANE else f'<body mocap="true">{geom(kind, second)}</body>'
        for kind, second in ((kind_a, False), (kind_b, True))
    )
    text = f"""<mujoco><option ccd_tolerance="1e-12" ccd_iterations="300"/><asset>{meshes}</asset>
        <worldbody>{bodies}</worldbody></mujoco>"""
    return mujoco.MjModel.from_xml_string(text)


def mujoco_geoms(model: object, kind_a: int, kind_b: int) -> tuple[int, int]:
    """Numbers of A's and B's geoms: MuJoCo puts the world's first."""
    return (1, 0) if kind_b == PLANE and kind_a != PLANE else (0, 1)


def place(model, data, geom: int, kind: int, size: np.ndarray, X: np.ndarray) -> None:
    """Write a size and a pose; a mesh's own frame is its principal axes."""
    import mujoco

    R, p = X[:3, :3], X[:3, 3]
    if kind == CONVEX:
        own = np.empty(9)
        mujoco.mju_quat2Mat(own, model.geom_quat[geom])
        p, R = p + R @ model.geom_pos[geom], R @ own.reshape(3, 3)
    elif kind != PLANE:
        model.geom_size[geom] = size
    data.geom_xpos[geom], data.geom_xmat[geom] = p, R.ravel()


def mujoco_answers(pairs: Pairs) -> np.ndarray:
    """(n, 4): signed distance and normal; a normal of NaN where the points coincide."""
    import mujoco

    model = mujoco_model(pairs.kind_a, pairs.kind_b)
    data = mujoco.MjData(model)
    one, two = mujoco_geoms(model, pairs.kind_a, pairs.kind_b)
    out, ends = np.empty((len(pairs), 4)), np.empty(6)
    for i in range(len(pairs)):
        place(model, data, one, pairs.kind_a, pairs.size_a[i], pairs.X_WA[i])
        place(model, data, two, pairs.kind_b, pairs.size_b[i], pairs.X_WB[i])
        out[i, 0] = mujoco.mj_geomDistance(model, data, one, two, 100.0, ends)
        d = ends[3:] - ends[:3]
        length = np.linalg.norm(d)
        out[i, 1:] = np.sign(out[i, 0]) * d / length if length > 1e-5 else np.nan
    return out
