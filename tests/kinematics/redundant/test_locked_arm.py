"""Seven joints with one held: the class that is left, every solution, and `ik` that finds one wherever there is one."""

import numpy as np
import pytest
from six_joint_robots import seven, wrap

import carpal
from carpal.errors import InputError, UnknownNameError
from carpal.kinematics import ik_all, random_configurations
from carpal.kinematics.axes import chain_axes
from carpal.kinematics.inverse.six_class import ANY, SPHERICAL
from carpal.kinematics.redundant.locked_arm import locked_arm, without


@pytest.mark.parametrize(
    ("name", "joint", "shape"),
    [("panda", 6, SPHERICAL), ("xarm7", 6, SPHERICAL), ("gen3", 0, SPHERICAL), ("sawyer", 6, ANY)],
)
def test_which_joint_is_held_and_every_configuration_is_found_again(name, joint, shape, figure):
    model = seven(name)
    arm = locked_arm(model)
    assert arm.joint == joint and arm.six.shape == shape and arm.is_closed == (shape != ANY)
    count = 1000 if arm.is_closed else 10
    q = random_configurations(model, count, seed=1)
    X = carpal.fk(model, q)
    found = ik_all(model, X, locked={arm.name: q[:, arm.column]})
    off = np.abs(wrap(found.q - q[:, None]))[..., arm.axes.columns].max(-1)
    figure(f"{name} with {arm.name} held: configurations not found again", (np.nanmin(off, axis=1) > 1e-5).sum(), 0)
    used = np.arange(found.q.shape[1]) < found.count[:, None]
    miss = np.abs(carpal.fk(model, found.q[used]) - np.repeat(X[:, None], found.q.shape[1], 1)[used]).max()
    figure(f"{name} with {arm.name} held: worst error by forward kinematics [m, rad]", miss, 1e-9)
    inside = ((found.q >= model.q_min) & (found.q <= model.q_max)).all(-1)
    assert (inside == found.in_limits).all() and f"{arm.name} held" in str(found[0])


def test_any_joint_may_be_held_at_one_angle():
    model = carpal.load("panda")
    axes = chain_axes(model)
    q = random_configurations(model, 3, seed=2)
    X = carpal.fk(model, q)
    for k in (3, 4, 5):
        for i in range(3):
            found = ik_all(model, X[i], locked={axes.names[k]: float(q[i, axes.columns[k]])})
            off = np.abs(wrap(found.q - q[i]))[:, axes.columns].max(-1)
            assert np.nanmin(off) < 1e-7


def test_the_other_axes_move_with_the_held_joint():
    model = carpal.load("panda")
    axes, angle = chain_axes(model), 0.7
    q = np.array(model.q_home) * 0.0
    q[axes.columns[2]] = angle
    left = without(axes, 2, angle)
    assert np.allclose(left.X_WF, carpal.fk(model, q), atol=1e-12) and axes.names[2] not in left.names


@pytest.mark.parametrize("name", ["panda", "xarm7", "gen3"])
def test_ik_finds_an_answer_for_every_pose_inside_the_limits(name, figure):
    model = seven(name)
    found = carpal.ik(model, carpal.fk(model, random_configurations(model, 1000, seed=7)))
    figure(f"{name}: poses of 1,000 inside the limits that ik does not reach", (~found.ok).sum(), 0)


@pytest.mark.full
@pytest.mark.parametrize("name", ["panda", "xarm7", "gen3"])
def test_ik_finds_an_answer_for_ten_thousand_poses(name, figure):
    model = seven(name)
    found = carpal.ik(model, carpal.fk(model, random_configurations(model, 10_000, seed=8)))
    figure(f"{name}: poses of 10,000 inside the limits that ik does not reach", (~found.ok).sum(), 0)


def test_what_makes_no_sense():
    model, X = carpal.load("panda"), np.eye(4)
    for locked, sentence in (
        ({}, "locked must be one joint and its angle"),
        (0.3, "locked must be one joint"),
        ({"panda_joint7": np.nan}, "must be finite numbers"),
        ({"panda_joint7": "a"}, "must be finite numbers"),
        ({"panda_joint4": [0.1, 0.2]}, "can be held at one angle for all poses"),
    ):
        with pytest.raises(InputError, match=sentence):
            ik_all(model, X, locked=locked)
    with pytest.raises(UnknownNameError, match="unknown joint of the arm 'panda_joint8'"):
        ik_all(model, X, locked={"panda_joint8": 0.1})
    with pytest.raises(InputError, match="locked belongs to arms with seven"):
        ik_all(carpal.load("ur5"), X, locked={"wrist_3_joint": 0.1})
    outside = ik_all(model, carpal.fk(model, np.asarray(model.q_home)), locked={"panda_joint7": 3.0})
    assert not outside.ok
