import numpy as np
import pytest

import carpal
from carpal.errors import InputError
from carpal.kinematics import arm_angle, random_configurations
from carpal.kinematics.redundant.elbow_points import elbow_angle, elbow_points, elbow_position, has_traced_arm


def test_points_of_the_offset_arm_are_those_of_its_description():
    points = elbow_points(carpal.load("sia5"), "tool")
    assert np.allclose(points.shoulder, (0, 0, 0.31))
    assert np.allclose(points.up, (0, 0, 1))
    assert np.linalg.norm(points.wrist) == pytest.approx(0.145)
    assert np.allclose(elbow_position(carpal.load("sia5"), np.zeros(7)), (0.085, 0, 0.58))


def test_points_of_sawyer():
    """Axis 1 is the world's z, axes 3 and 4 meet, the wrist is on the flange's axis."""
    model = carpal.load("sawyer")
    points = elbow_points(model, "tool")
    assert np.allclose(points.shoulder, (0, 0, 0.317), atol=1e-9)
    q = random_configurations(model, 50, seed=4)
    E = elbow_position(model, q)
    still = q.copy()
    still[:, 3:] += 0.7
    assert np.allclose(elbow_position(model, still), E, atol=1e-12)  # joints 4 to 7 do not move it
    X, turned = carpal.fk(model, q), q.copy()
    turned[:, 6] += 0.5
    Y = carpal.fk(model, turned)
    W = [x[:, :3, :3] @ points.wrist + x[:, :3, 3] for x in (X, Y)]
    assert np.allclose(W[0], W[1], atol=1e-12)  # the wrist point is on the last axis


@pytest.mark.parametrize("name", ["srs7", "sia5"])
def test_it_is_the_closed_forms_angle_up_to_the_elbows_side(name):
    model = carpal.load(name)
    q = random_configurations(model, 300, seed=5)
    off = np.remainder(elbow_angle(model, q) - arm_angle(model, q) + 1e-9, np.pi)
    assert np.abs(off - 1e-9).max() < 1e-8  # equal, or half a turn for the other side


def test_the_angle_turns_with_the_elbow_alone():
    """Turning the whole arm about the first axis leaves it, tilting the elbow about the line adds to it."""
    model = carpal.load("sawyer")
    q = random_configurations(model, 50, seed=6)
    turned = q.copy()
    turned[:, 0] += 0.3
    assert np.allclose(elbow_angle(model, turned), elbow_angle(model, q), atol=1e-10)
    points = elbow_points(model, "tool")
    X = carpal.fk(model, q[0])
    W = X[:3, :3] @ points.wrist + X[:3, 3]
    u = (W - points.shoulder) / np.linalg.norm(W - points.shoulder)
    E = elbow_position(model, q[0]) - points.shoulder
    up = points.up - u * (u @ points.up)
    away = E - u * (u @ E)
    psi = np.arctan2(u @ np.cross(up, away), up @ away)
    assert float(elbow_angle(model, q[0])) == pytest.approx(psi, abs=1e-12)


def test_which_arms_are_traced():
    assert has_traced_arm(carpal.load("sawyer"))
    assert not has_traced_arm(carpal.load("sia5"))
    assert not has_traced_arm(carpal.load("k10"))
    with pytest.raises(
        InputError,
        match="needs seven revolute joints between the world and the frame; 'wrist_link' of model 'k10' has 5",
    ):
        elbow_points(carpal.load("k10"), "wrist_link")
