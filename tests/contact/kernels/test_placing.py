"""World poses of shapes are those of forward kinematics; their boxes hold them, and no more than need be."""

import numpy as np
import pytest
from collision_scenes import zoo

from carpal.contact import contact_tables
from carpal.contact.kernels import kinds
from carpal.contact.kernels.placing import half_along_world, place_shapes, placed_pose
from carpal.kinematics import fk, random_configurations

MODEL = zoo(3).build()
TABLES = contact_tables(MODEL)
Q = random_configurations(MODEL, 3, seed=1)
CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def placed_at(q: np.ndarray, world: int) -> tuple[bool, np.ndarray]:
    placed = np.full((2, TABLES.placed_rows, kinds.PLACED_COLUMNS), np.nan)
    joints, bodies, shapes, groups = TABLES.constants[:4]
    return place_shapes(joints, bodies, shapes, groups, q, placed, world, 1), placed


def test_poses_are_those_of_forward_kinematics():
    ok, placed = placed_at(Q, 2)
    assert ok and np.isnan(placed[0]).all(), "only the slot that was asked may be written"
    shapes = {shape.name: shape for shape in MODEL.shapes}
    for i, name in enumerate(TABLES.names):
        R, p = placed_pose(TABLES.shapes, placed, 1, i)
        shape = shapes[name]
        X = (np.eye(4) if shape.body is None else fk(MODEL, Q[2], shape.body)) @ shape.X_BS
        assert np.allclose(np.reshape(R, (3, 3)), X[:3, :3], rtol=0, atol=1e-14)
        assert np.allclose(p, X[:3, 3], rtol=0, atol=1e-14)


def test_boxes_hold_their_shapes_and_touch_them():
    _, placed = placed_at(Q, 1)
    rng = np.random.default_rng(0)
    for i in range(len(TABLES.names)):
        row = int(TABLES.shapes[i, kinds.SHAPE_PLACED])
        if row < 0 or int(TABLES.shapes[i, kinds.SHAPE_KIND]) not in (kinds.SPHERE, kinds.CAPSULE, kinds.BOX):
            continue
        R, p = (np.array(x) for x in placed_pose(TABLES.shapes, placed, 1, i))
        core = TABLES.shapes[i, kinds.SHAPE_CORE : kinds.SHAPE_CORE + 3]
        ball = rng.normal(size=(20_000, 3))
        ball *= TABLES.shapes[i, kinds.SHAPE_ROUND] / np.linalg.norm(ball, axis=1)[:, None]
        points = p + np.concatenate([ball + R.reshape(3, 3) @ (corner * core) for corner in CORNERS])
        low, high = placed[1, row, kinds.PLACED_LOW :][:3], placed[1, row, kinds.PLACED_HIGH :][:3]
        assert (points >= low - 1e-12).all() and (points <= high + 1e-12).all()
        assert np.allclose(points.min(axis=0), low, atol=1e-3) and np.allclose(points.max(axis=0), high, atol=1e-3)


def test_a_group_holds_its_shapes():
    _, placed = placed_at(Q, 1)
    for group in TABLES.groups:
        rows = TABLES.shapes[int(group[kinds.GROUP_FIRST]) : int(group[kinds.GROUP_END]), kinds.SHAPE_PLACED].astype(
            int
        )
        if group[kinds.GROUP_PLACED] < 0:
            assert (rows < 0).all()
            continue
        box = placed[1, int(group[kinds.GROUP_PLACED])]
        assert np.array_equal(
            box[kinds.PLACED_LOW :][:3], placed[1, rows, kinds.PLACED_LOW : kinds.PLACED_LOW + 3].min(0)
        )
        assert np.array_equal(box[kinds.PLACED_HIGH :][:3], placed[1, rows, kinds.PLACED_HIGH :].max(0))


@pytest.mark.parametrize("spoil", ["nan", "zero quaternion", "infinite"])
def test_what_is_not_finite_is_refused(spoil: str):
    q = Q.copy()
    if spoil == "nan":
        q[1, 0] = np.nan
    elif spoil == "infinite":
        q[1, MODEL.q_index("free_box")] = np.inf
    else:
        first = MODEL.q_index("free_box")
        q[1, first + 3 : first + 7] = 0.0
    assert not placed_at(q, 1)[0]
    assert placed_at(q, 2)[0]


def test_half_sizes_of_a_turned_box():
    turn = (0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    assert half_along_world(turn, (1.0, 2.0, 3.0), 0.5) == (2.5, 1.5, 3.5)
