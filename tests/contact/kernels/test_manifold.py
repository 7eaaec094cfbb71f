"""Manifolds beside MuJoCo's contacts, and where faces rest on each other."""

import mujoco
import numpy as np
import pytest
from pair_oracles import BOX, CAPSULE, CONVEX, CYLINDER, NAMES, PLANE
from scipy.spatial.transform import Rotation

from carpal.contact.kernels import pair_queries
from carpal.contact.kernels.manifold import MANIFOLD
from carpal.contact.kernels.pair import PAIR_SCRATCH

CUBE = np.array([[x, y, z] for x in (-0.1, 0.1) for y in (-0.2, 0.2) for z in (-0.3, 0.3)])
SIZES = {
    BOX: (0.3, 0.2, 0.1),
    CAPSULE: (0.1, 0.3, 0.0),
    CYLINDER: (0.2, 0.3, 0.0),
    PLANE: (0.0, 0.0, 0.0),
    CONVEX: (0.0, 0.0, 0.0),
}


def ask(kind_a, kind_b, X_WA, X_WB, margin=0.0, size_a=None, size_b=None):
    """(count, points, depths, normal, distance) for poses (n, 4, 4)."""
    n = len(X_WB)
    contacts, summary = np.full((n, MANIFOLD, 4), np.nan), np.full((n, pair_queries.SUMMARY), np.nan)
    scratch = np.full((1, *PAIR_SCRATCH), np.nan)
    a, b = (
        np.tile(SIZES[k] if s is None else s, (n, 1)).astype(float) for k, s in ((kind_a, size_a), (kind_b, size_b))
    )
    bad = pair_queries.manifold_batch(
        kind_a, 0, 8, kind_b, 0, 8, CUBE, margin, a, X_WA.copy(), b, X_WB.copy(), contacts, summary, scratch, 0, n, 1, 0
    )
    assert bad == 0 and np.isfinite(contacts).all()
    return summary[:, 0].astype(int), contacts[..., :3], contacts[..., 3], summary[:, 2:5], summary[:, 1]


def mujoco_contacts(kind_a, kind_b, X_WB, normals=None):
    """For each pose of B against A at the origin: list of (point, depth)."""
    size = {k: " ".join(map(str, v)) for k, v in SIZES.items()} | {PLANE: "0 0 1"}

    def geom(kind):
        return f'<geom type="{NAMES[kind]}" size="{size[kind]}"/>'

    model = mujoco.MjModel.from_xml_string(
        f"<mujoco><worldbody>{geom(kind_a)}<body><freejoint/>{geom(kind_b)}</body></worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    out = []
    for X in X_WB:
        data.qpos[:3] = X[:3, 3]
        data.qpos[3:] = np.roll(Rotation.from_matrix(X[:3, :3]).as_quat(), 1)
        mujoco.mj_fwdPosition(model, data)
        if normals is not None:
            normals.append(data.contact[0].frame[:3].copy() if data.ncon else np.zeros(3))
        out.append([(data.contact[i].pos.copy(), -data.contact[i].dist) for i in range(data.ncon)])
    return out


def resting(kind: int, n: int, tilt: float, height: float, seed: int = 16) -> np.ndarray:
    """Poses of a shape on top of a face at z = height, tilted a little, so that it dips in."""
    rng = np.random.default_rng(seed)
    X = np.tile(np.eye(4), (n, 1, 1))
    lie = kind == CAPSULE
    for i in range(n):
        R = Rotation.from_euler("zyx", [rng.uniform(-3, 3), rng.normal() * tilt, rng.normal() * tilt]).as_matrix()
        X[i, :3, :3] = R @ (Rotation.from_euler("x", 90, degrees=True).as_matrix() if lie else np.eye(3))
        half = {BOX: 0.1, CAPSULE: 0.1, CYLINDER: 0.3}[kind]
        X[i, :3, 3] = *(rng.normal(size=2) * 0.05), height + half - rng.uniform(0.005, 0.02)
    return X


@pytest.mark.parametrize("kind", [BOX, CAPSULE, CYLINDER], ids=lambda k: NAMES[k])
def test_on_a_plane_as_mujoco(kind: int, figure) -> None:
    X = resting(kind, 200, 0.02, 0.0)
    count, points, depth, n, _ = ask(PLANE, kind, np.tile(np.eye(4), (200, 1, 1)), X)
    assert np.abs(n - [0, 0, 1]).max() < 1e-15
    worst, wide = 0.0, 0
    for i, theirs in enumerate(mujoco_contacts(PLANE, kind, X)):
        wide = max(wide, len(theirs))
        for p, d in theirs:
            j = np.linalg.norm(points[i, : count[i]] - p, axis=1).argmin()
            worst = max(worst, np.linalg.norm(points[i, j] - p), abs(depth[i, j] - d))
    assert wide >= 2
    figure(f"MuJoCo's contacts of a {NAMES[kind]} on a plane, from ours [m]", worst, 1e-6)


def test_box_on_box_as_mujoco(figure) -> None:
    """MuJoCo gives up to eight; where both chose the same face, each of our four is one of them."""
    X = resting(BOX, 300, 0.02, 0.1)
    count, points, depth, n, _ = ask(BOX, BOX, np.tile(np.eye(4), (300, 1, 1)), X)
    ours, same = 0.0, 0
    for i, theirs in enumerate(mujoco_contacts(BOX, BOX, X, normals := [])):
        if n[i] @ normals[i] < 1 - 1e-12 or count[i] < 3:
            continue
        same += 1
        p, d = np.array([t[0] for t in theirs]), np.array([t[1] for t in theirs])
        for j in range(count[i]):
            k = np.linalg.norm(p - points[i, j], axis=1).argmin()
            ours = max(ours, np.linalg.norm(p[k] - points[i, j]), abs(d[k] - depth[i, j]))
    assert (count >= 3).mean() > 0.8
    figure("contacts of box on box from MuJoCo's nearest [m]", ours, 1e-6, note=f"{same} of 300 on the same face")
    assert same > 60


def test_capsule_on_box_as_mujoco(figure) -> None:
    X = resting(CAPSULE, 200, 0.01, 0.1)
    count, _points, depth, _, _ = ask(BOX, CAPSULE, np.tile(np.eye(4), (200, 1, 1)), X)
    assert (count == 2).mean() > 0.2  # the others lie over an edge
    deepest = max(
        abs(depth[i, 0] - max(d for _, d in theirs))
        for i, theirs in enumerate(mujoco_contacts(BOX, CAPSULE, X))
        if theirs
    )
    figure("deepest contact of capsule on box from MuJoCo's [m]", deepest, 1e-6)


@pytest.mark.parametrize("kind", [BOX, CYLINDER, CONVEX], ids=lambda k: NAMES[k])
def test_faces_that_rest_on_each_other_have_four_points(kind: int) -> None:
    X = np.eye(4)[None].copy()
    X[0, 2, 3] = 0.1 + {BOX: 0.1, CYLINDER: 0.3, CONVEX: 0.3}[kind] - 0.001
    count, points, depth, n, distance = ask(BOX, kind, np.eye(4)[None], X)
    assert count[0] == 4 and distance[0] == pytest.approx(-0.001, abs=1e-12)
    assert np.abs(depth - 0.001).max() < 1e-9 and np.abs(points[..., 2] - 0.0995).max() < 1e-9
    assert n[0] == pytest.approx([0.0, 0.0, 1.0], abs=1e-9)  # from the lower box up into the other
    x, y = points[0, :, 0], points[0, :, 1]
    if kind == CYLINDER:
        assert np.hypot(x, y) == pytest.approx(0.2, abs=1e-9)
        around = np.sort(np.arctan2(y, x))
        assert np.diff(np.append(around, around[0] + 2 * np.pi)).max() < np.pi  # the axis is inside their hull
    else:
        half = {BOX: (0.3, 0.2), CONVEX: (0.1, 0.2)}[kind]
        corners = {(sx * half[0], sy * half[1]) for sx in (-1, 1) for sy in (-1, 1)}
        assert {(round(a, 9), round(b, 9)) for a, b in zip(x.tolist(), y.tolist(), strict=True)} == corners


@pytest.mark.parametrize("kind", [BOX, CYLINDER, CAPSULE, CONVEX], ids=lambda k: NAMES[k])
def test_every_point_lies_between_the_surfaces(kind: int) -> None:
    """Half a depth up and down the normal from a contact are the two faces."""
    rng = np.random.default_rng(17)
    X = np.tile(np.eye(4), (300, 1, 1))
    X[:, :3, :3] = Rotation.random(300, random_state=rng).as_matrix()
    X[:, :3, 3] = rng.normal(size=(300, 3)) * 0.2
    count, points, depth, n, distance = ask(BOX, kind, np.tile(np.eye(4), (300, 1, 1)), X)
    assert ((count > 0) == (distance <= 0)).all() and count.max() == (2 if kind == CAPSULE else 4)
    for i in np.flatnonzero(count):
        assert depth[i, 0] == pytest.approx(-distance[i], abs=2e-7)
        for j in range(count[i]):
            on_a = points[i, j] + 0.5 * depth[i, j] * n[i]
            assert (np.abs(on_a) <= np.array(SIZES[BOX]) + 1e-6).all()


def test_parallel_capsules_and_a_margin() -> None:
    X = np.eye(4)[None].copy()
    X[0, 0, 3], X[0, 2, 3] = 0.205, 0.2
    assert ask(CAPSULE, CAPSULE, np.eye(4)[None], X)[0][0] == 0
    count, points, depth, n, distance = ask(CAPSULE, CAPSULE, np.eye(4)[None], X, margin=0.01)
    assert count[0] == 2 and np.abs(depth[0, :2] + 0.005).max() < 1e-12
    assert sorted(points[0, :2, 2].round(9)) == [-0.1, 0.3]
    assert np.abs(points[0, :2, :2] - (0.1025, 0.0)).max() < 1e-12  # half-way across the gap of 5 mm
    assert n[0] == pytest.approx([1.0, 0.0, 0.0], abs=1e-12) and distance[0] == pytest.approx(0.005, abs=1e-12)
