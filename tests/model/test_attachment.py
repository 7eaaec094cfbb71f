"""A hand on an arm is one tree; joints made rigid leave the rest as it was."""

import numpy as np
import pytest
from catch_inputs import toy_hand

import carpal
from carpal.errors import CarpalError, InputError
from carpal.model import attached, driven_joints
from carpal.spatial import pose, rotation_about

ARM = carpal.load("ur5")
X_FH = pose(rotation_about(np.array([0.0, 1.0, 0.0]), 0.4), (0.01, -0.02, 0.05))


def test_poses_and_masses_of_the_pair():
    hand = toy_hand()
    both = attached(ARM, hand, "tool0", X_FH)
    rng = np.random.default_rng(0)
    for _ in range(5):
        q, h = rng.uniform(-2, 2, 6), rng.uniform(0.01, 0.05, 2)
        X = carpal.fk(both, np.r_[q, h], "hand/right")
        np.testing.assert_allclose(X, carpal.fk(ARM, q, "tool0") @ X_FH @ carpal.fk(hand, h, "right"), atol=1e-12)
    assert both.mass == pytest.approx(ARM.mass + hand.mass, abs=1e-12)
    assert both.joint_names[-2:] == ("hand/left_slide", "hand/right_slide") and both.tool.startswith("hand/")
    assert both.body("hand/plate").parent == "arm/tool0"


def test_drives_through_tendons():
    from carpal.model import Actuator, ModelTendon

    hand = toy_hand().replace(
        tendons=(ModelTendon("both", {"left_slide": 0.5, "right_slide": 0.5}),),
        actuators=(Actuator("squeeze", tendon="both"), Actuator("left", joint="left_slide")),
    )
    assert [driven_joints(hand, each) for each in hand.actuators] == [{"left_slide", "right_slide"}, {"left_slide"}]


def test_refusals():
    with pytest.raises(CarpalError, match="tool0"):
        attached(ARM, toy_hand(), "tol")
    with pytest.raises(InputError, match="rigid motion"):
        attached(ARM, toy_hand(), X_FH=np.diag([2.0, 1.0, 1.0, 1.0]))
