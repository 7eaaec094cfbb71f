"""`ik_all` at its public edge: what goes where, and one clear sentence for what makes no sense."""

import numpy as np
import pytest

import carpal
from carpal.errors import CarpalError, DeviceError, InputError, UnknownNameError
from carpal.kinematics import ik_all

P, D = (0.4, 0.1, 0.2), (0.0, 0.0, -1.0)


@pytest.mark.parametrize(
    ("target", "options", "sentence"),
    [
        ((P, (0, 0, 0)), {}, "a direction must not be zero; got"),
        ((np.array(P), np.zeros(3)), {}, "a direction must not be zero"),
        ((np.array(P), np.array([np.nan, 0, 1])), {}, "not finite"),
        ((np.array([np.inf, 0, 0]), np.array(D)), {}, "not finite"),
        ((np.array([1e200, 0, 0]), np.array(D)), {}, "within 1e\\+150 m"),
        (((0.4, 0.1), D), {}, "a point needs 3 numbers"),
        ((P, (1, 0)), {}, "a direction needs 3 numbers"),
        ((np.zeros((2, 3)), np.ones((3, 3))), {}, "do not fit together"),
        (np.eye(4), {}, "must be a tuple \\(point, direction\\); got a pose"),
        (np.array(P), {}, "must be a tuple \\(point, direction\\); got a point"),
        (("a", D), {}, "must be real numbers"),
        ((P, D), {"q0": np.zeros(3)}, "needs 5 numbers"),
        ((P, D), {"q0": np.full(5, np.nan)}, "q\\[0\\] is nan"),
        ((P, D), {"arm_angle": 0.3}, "arm_angle belongs to arms with seven joints"),
        ((P, D), {"roll": np.nan}, "roll must be finite numbers"),
        ((P, D), {"roll": "a"}, "roll must be finite numbers"),
        ((P, D), {"threads": 0}, "threads must be a whole number"),
    ],
)
def test_bad_input(target, options, sentence):
    with pytest.raises(InputError, match=sentence):
        ik_all(carpal.load("k10"), target, **options)


def test_bad_names():
    arm = carpal.load("k10")
    with pytest.raises(UnknownNameError, match="unknown frame"):
        ik_all(arm, (P, D), frame="tol")
    with pytest.raises(CarpalError, match="device"):
        ik_all(arm, (P, D), device="gpu")
    with pytest.raises(DeviceError):
        ik_all(arm, (P, D), device="cuda")


def test_seven_joints_need_a_pose():
    with pytest.raises(InputError, match="must be a pose X_WT"):
        ik_all(carpal.load("srs7"), (P, D))
    with pytest.raises(InputError, match="roll belongs to arms with five joints"):
        ik_all(carpal.load("srs7"), np.eye(4), roll=0.1)
    skewed = np.eye(4)
    skewed[0, 1] = 0.3
    with pytest.raises(InputError, match="must be a rotation"):
        ik_all(carpal.load("srs7"), skewed)
    mirrored = np.diag([1.0, 1.0, -1.0, 1.0])
    with pytest.raises(InputError, match="reflection"):
        ik_all(carpal.load("sia5"), mirrored)


def test_seven_joints_go_to_their_solver():
    model = carpal.load("srs7")
    q = np.array([0.3, 0.7, -0.4, 1.1, 0.5, -0.8, 0.2])
    result = ik_all(model, carpal.fk(model, q), q0=q)
    assert result.ok and np.abs(result[0] - q).max() < 1e-6 and len(result) == 8


def test_the_nearest_pose_of_seven_joints():
    model = carpal.load("srs7")
    X = carpal.fk(model, np.array([0.3, 0.7, -0.4, 1.1, 0.5, -0.8, 0.2]))
    X[:3, 3] *= 3.0
    result = ik_all(model, X)
    assert not result.ok
    near = result.nearest
    Y = carpal.fk(model, near.q)
    assert near.position_error == pytest.approx(np.linalg.norm(Y[:3, 3] - X[:3, 3])) and near.position_error > 0.1
    assert near.angle_error == pytest.approx(np.arccos((np.trace(Y[:3, :3].T @ X[:3, :3]) - 1) / 2), abs=1e-6)
    q = carpal.kinematics.random_configurations(model, 20_000, seed=1)
    assert np.linalg.norm(carpal.fk(model, q)[:, :3, 3] - X[:3, 3], axis=1).min() > near.position_error - 1e-6


def test_another_frame_of_the_same_arm():
    """A frame fixed to the last link, off the K10's line: solved by the search, for that frame."""
    from carpal.model import Frame

    model = carpal.load("k10")
    X = np.eye(4)
    X[:3, 3] = 0.1, 0.02, 0.03
    model = model.replace(extra_frames=(Frame("pencil", "wrist_link", X),))
    q = np.array([0.4, -0.5, 0.9, 0.3, 0.8])
    pose = carpal.fk(model, q, "pencil")
    result = ik_all(model, (pose[:3, 3], pose[:3, 0]), frame="pencil", q0=q)
    assert result.frame == "pencil" and "tool off its line" in result.status
    assert np.abs(result[0] - q).max() < 1e-9
    for other in result:
        Y = carpal.fk(model, other, "pencil")
        assert np.abs(Y[:3, 3] - pose[:3, 3]).max() < 1e-9 and np.abs(Y[:3, 0] - pose[:3, 0]).max() < 1e-9


def test_an_empty_batch():
    result = ik_all(carpal.load("k10"), (np.zeros((0, 3)), np.ones((0, 3))))
    assert result.q.shape == (0, 8, 5) and len(result) == 0 and bool(result)
