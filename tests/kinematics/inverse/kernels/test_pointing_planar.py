"""The planar kernel on an arm small enough to solve by hand, and what it says when there is none."""

import numpy as np
import pytest

import carpal
from carpal.kinematics.inverse.arm_class import arm_class
from carpal.kinematics.inverse.kernels.branches import (
    AMOUNT,
    BEYOND,
    COUNT,
    FREE,
    HELD,
    HOLLOW,
    MARKS,
    OUT_OF_PLANE,
    REASON,
    SUMMARY,
    TOO_FAR,
    TOO_NEAR,
)  # fmt: skip
from carpal.kinematics.inverse.kernels.pointing_planar import BRANCHES, planar_batch
from carpal.model import Body, Frame, Joint, Model
from carpal.spatial import pose

I3 = np.eye(3)


def by_hand(aside=0.0, lateral=0.0):
    """Links of 0.3 and 0.2 m along x at q = 0, hand of 0.1 m along x; pan about z, pitch about y, roll about x."""
    steps = (("z", (0, 0, 0)), ("y", (0, lateral, 0)), ("y", (0.3, 0, 0)), ("y", (0.2, 0, 0)), ("x", (0, 0, 0)))
    bodies = []
    for i, (axis, p) in enumerate(steps):
        joint = Joint(f"j{i}", "revolute", X_PJ=pose(I3, p), axis=I3["xyz".index(axis)])
        bodies.append(Body(f"l{i}", bodies[-1].name if bodies else None, joint))
    tip = Frame("tip", "l4", pose(I3, (0.1, 0, aside)))
    return Model("by_hand", tuple(bodies), extra_frames=(tip,), tool="tip", tool_axis=I3[0])


def run(model, point, direction, roll=np.nan):
    arm = arm_class(model)
    target = np.zeros((1, 12))
    target[0, :3], target[0, 9:] = np.array(direction) / np.linalg.norm(direction), point
    q, marks, summary = np.empty((1, BRANCHES, 5)), np.empty((1, BRANCHES, MARKS)), np.empty((1, SUMMARY))
    bad = planar_batch(
        arm.geo, arm.axes.columns, model.q_min.copy(), model.q_max.copy(), target, np.zeros((1, 5)), np.array([[roll]]),
        q, marks, summary, 0, 1, 1, 0,
    )  # fmt: skip
    assert not bad
    return q[0][: int(summary[0, COUNT])], summary[0]


def test_a_right_angle_by_hand():
    """Wrist at (0.3, 0, -0.2): elbow bent down by a right angle, or mirrored; the hand level."""
    rows, summary = run(by_hand(), (0.4, 0, -0.2), (1, 0, 0), roll=0.7)
    assert summary[FREE] == 1 and summary[HELD] == 0.7
    expected = np.array([0, 0, np.pi / 2, -np.pi / 2, 0.7])
    assert np.abs(rows - expected).max(axis=1).min() < 1e-12
    beta = 2 * np.arctan2(0.2, 0.3)
    mirrored = np.array([0, beta, -np.pi / 2, np.pi / 2 - beta, 0.7])
    assert np.abs(rows - mirrored).max(axis=1).min() < 1e-12
    assert len(rows) == 4 or len(rows) == 2  # facing backwards over the shoulder where the links allow


def test_roll_from_the_distance_to_the_plane():
    """The tool 10 mm above the roll axis: a point 6 mm beside the plane needs a roll of asin(-0.6) or its mirror."""
    rows, summary = run(by_hand(aside=0.01), (0.4, 0.006, -0.2), (1, 0, 0))
    assert summary[FREE] == 0 and np.isnan(summary[HELD])
    forward = rows[np.abs(rows[:, 0]) < 1e-9]
    assert np.allclose(np.sin(forward[:, 4]), -0.6) and len({round(float(c), 9) for c in np.cos(forward[:, 4])}) == 2


@pytest.mark.parametrize(
    ("arm", "point", "direction", "code", "amount"),
    [
        ({}, (0.7, 0, 0), (1, 0, 0), TOO_FAR, 0.1),
        ({}, (0.15, 0, 0), (1, 0, 0), TOO_NEAR, 0.05),
        ({}, (0.4, 0, 0), (np.cos(0.2), np.sin(0.2), 0), OUT_OF_PLANE, 0.2),
        ({}, (1.0, 0, 0), (np.cos(0.2), np.sin(0.2), 0), BEYOND, 0.4),
        ({"lateral": 0.05}, (0.02, 0, 0.3), (0, 0, 1), HOLLOW, 0.03),
    ],
)
def test_reasons(arm, point, direction, code, amount):
    rows, summary = run(by_hand(**arm), point, direction)
    assert len(rows) == 0 and summary[REASON] == code and summary[AMOUNT] == pytest.approx(amount, abs=1e-9)


def test_another_roll_is_found_where_the_first_does_not_reach():
    """Pointing up at full stretch: only a tool rolled towards the shoulder's side gets there."""
    model = by_hand(aside=0.05)
    X = carpal.fk(model, np.array([0.0, -np.pi / 4, 1e-3, -np.pi / 4 - 1e-3, np.pi]))
    rows, summary = run(model, X[:3, 3], X[:3, 0])
    assert summary[FREE] == 1
    assert len(rows) and np.abs(carpal.fk(model, rows)[:, :3, 3] - X[:3, 3]).max() < 1e-12
