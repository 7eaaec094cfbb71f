"""A held object rides on the body that holds it."""

import numpy as np
import pytest
from collision_scenes import capsule_arm
from scipy.spatial.transform import Rotation

from carpal.contact import collides, collision_checker, distance
from carpal.contact.held_objects import held_places
from carpal.errors import CarpalError
from carpal.kinematics import fk, random_configurations
from carpal.model import Box, Scene, Sphere
from carpal.spatial import inverse, pose

X_BO = pose(p=[0.0, 0.0, 0.40])


def scene() -> Scene:
    """The arm, a rod-like box in front of its last link, and a ball that stands around."""
    made = Scene("held").add_robot(capsule_arm(), name="arm")
    made.add_object("rod", Box((0.04, 0.04, 0.3)), mass=0.2, pose=[0.0, 0.0, 1.7])
    return made.add_object("ball", Sphere(0.05), mass=0.1, pose=[0.4, 0.0, 0.2])


@pytest.mark.parametrize("link", [5, 6])  # the kernels turn the frame of link 5, whose axis is y
def test_the_pose_is_that_of_the_beginning_or_the_given_one(link: int):
    model = scene().build()
    row, X = held_places(model, {"rod": f"arm/link_{link}"})["rod"]
    assert row == link + 1
    home = inverse(fk(model, model.q_home, f"arm/link_{link}")) @ fk(model, model.q_home, "rod")
    X_KB = model.tables.body_rows[f"arm/link_{link}"][1]
    assert np.allclose(X, X_KB @ home, atol=1e-14)
    assert np.allclose(held_places(model, {"rod": (f"arm/link_{link}", X_BO)})["rod"][1], X_KB @ X_BO, atol=1e-14)


def test_a_rod_on_a_link_whose_axis_is_turned():
    made = scene()
    model = made.build()
    q = random_configurations(model, 50, seed=20)
    only_ball = [("arm", "arm"), ("arm", "ball"), ("arm", "rod")]
    carried = distance(made, q, held={"rod": ("arm/link_5", X_BO)}, exclude=only_ball)
    X = fk(model, q, "arm/link_5") @ X_BO
    at = model.q_index("rod")
    q[:, at : at + 3] = X[:, :3, 3]
    q[:, at + 3 : at + 7] = Rotation.from_matrix(X[:, :3, :3]).as_quat(scalar_first=True)
    assert np.abs(carried.distance - distance(made, q, exclude=only_ball).distance).max() < 1e-9


def test_a_held_object_is_where_the_same_free_object_would_be():
    made = scene()
    model = made.build()
    q = random_configurations(model, 200, seed=14)
    first = model.q_index("ball")
    q[:, first : first + 3] *= 0.3
    carried = distance(made, q, held={"rod": ("arm/link_6", X_BO)})
    same = q.copy()
    X = fk(model, q, "arm/link_6") @ X_BO
    at = model.q_index("rod")
    same[:, at : at + 3] = X[:, :3, 3]
    same[:, at + 3 : at + 7] = Rotation.from_matrix(X[:, :3, :3]).as_quat(scalar_first=True)
    free = distance(made, same, exclude=[("rod", "arm/link_6")])
    assert np.abs(carried.distance - free.distance).max() < 1e-9
    asked = {frozenset(carried.tables.pair_names(i)) for i in range(len(carried.tables.pairs))}
    assert {"rod", "arm/capsule_5"} in asked, "robot against held"
    assert {"rod", "ball"} in asked, "held against the scene"
    assert {"rod", "arm/capsule_6"} not in asked, "never against the body that holds it"
    many = random_configurations(model, 500, seed=19)
    beside = pose(p=[0.15, 0.0, -0.15])  # it reaches back along the arm
    with_rod = distance(made, many, held={"rod": ("arm/link_6", beside)}, exclude=[("arm", "arm"), ("ball", "arm")])
    deep = [set(with_rod.names(i)) for i in map(tuple, np.argwhere(with_rod.distance < 0))]
    assert {"rod", "arm/capsule_4"} in deep, "the rod can hit the arm that holds it"


def test_a_checker_of_the_arm_alone_carries_the_object_along():
    made = scene()
    model = made.build()
    checker = collision_checker(made, joints=["arm"], held={"rod": ("arm/link_6", X_BO)})
    assert checker.model.nq == 7
    q = random_configurations(model, 100, seed=15)
    full = np.tile(model.q_home, (100, 1))
    full[:, :7] = q[:, :7]
    expected = collides(made, full, held={"rod": ("arm/link_6", X_BO)}).hit
    assert expected.any() and not expected.all()
    assert [checker(row) for row in np.ascontiguousarray(q[:, :7])] == expected.tolist()


@pytest.mark.parametrize(
    ("held", "match"),
    [
        ({"rot": "arm/link_6"}, "did you mean 'rod'"),
        ({"arm/link_0": "arm/link_6"}, "unknown held object"),
        ({"rod": "arm/link_9"}, "unknown body that holds 'rod'"),
        ({"rod": "rod"}, "unknown body that holds"),
        ({"rod": ("arm/link_6", np.eye(3))}, "4x4 pose"),
        ({"rod": ("arm/link_6", np.full((4, 4), np.nan))}, "4x4 pose"),
        (["rod"], "a dict from objects"),
    ],
)
def test_wrong_holds_are_one_sentence(held, match):
    with pytest.raises(CarpalError, match=match):
        collides(scene(), np.zeros(21), held=held)
