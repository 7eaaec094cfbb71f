"""Hinges and cylindrical joints made of points: both sides of every joint are the same world point at the start."""

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.model import MechanismBody, angle_lines, cylindrical, hinge
from carpal.spatial import Inertia, pose, rotation_about

SOLID = Inertia(0.1, (0.0, 0.0, 0.0), 1e-4 * np.eye(3))


def turned(name, seed):
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    return MechanismBody(name, SOLID, pose(rotation_about(axis / np.linalg.norm(axis), 1.3), rng.normal(size=3)))


def world(body, p):
    return np.asarray(p) if body is None else (body.X_WB @ [*p, 1.0])[:3]


@pytest.mark.parametrize("b", [turned("b", 2), None])
def test_hinge_points_meet(b):
    a, p, axis = turned("a", 1), np.array([0.3, -0.2, 0.5]), np.array([1.0, 2.0, -2.0]) / 3
    made = hinge("pin", a, b, p, 5 * axis, span=0.04)
    for joint, side in zip(made, (-0.02, 0.02), strict=True):
        assert np.allclose(world(a, joint.p_AP), p + side * axis, atol=1e-15)
        assert np.allclose(world(b, joint.p_BP), p + side * axis, atol=1e-15)
    assert [joint.name for joint in made] == ["pin/0", "pin/1"]


def test_cylindrical_points_lie_on_the_path_with_the_travel_given():
    a, b, p, axis = turned("a", 1), turned("b", 2), np.array([0.3, -0.2, 0.5]), np.array([0.0, 1.0, 0.0])
    first, second = cylindrical("rod", a, b, p, axis, span=0.04, travel=(-0.01, 0.03))
    ends = [world(b, corner) for corner in first.path]
    assert np.allclose(world(a, first.p_AP) - ends[0], 0.01 * axis, atol=1e-15)
    assert np.allclose(ends[1] - world(a, second.p_AP), 0.03 * axis, atol=1e-15)


def test_angle_lines_start_at_zero_and_turn_the_right_way():
    a, axis = turned("a", 1), np.array([2.0, -1.0, 2.0]) / 3
    b = turned("b", 2)
    lines = angle_lines(a, b, axis)
    for angle in (0.0, 0.7, -2.0):
        R_AB = a.X_WB[:3, :3].T @ rotation_about(axis, angle) @ b.X_WB[:3, :3]
        line = R_AB @ lines["line_B"]
        measured = np.arctan2(lines["axis"] @ np.cross(lines["line_A"], line), lines["line_A"] @ line)
        assert measured == pytest.approx(angle, abs=1e-14)


def test_bad_input_is_one_sentence():
    a, b = turned("a", 1), turned("b", 2)
    with pytest.raises(InputError, match="span above zero"):
        hinge("pin", a, b, (0, 0, 0), (0, 0, 1), span=0.0)
    with pytest.raises(InputError, match="travel of joint 'rod'"):
        cylindrical("rod", a, b, (0, 0, 0), (0, 0, 1), span=0.1, travel=(0.1, 0.2))
