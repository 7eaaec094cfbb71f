"""Tables: rows by priority, weights by the arm's size, and refusals."""

from __future__ import annotations

import pytest
from composed_inputs import packed_of, two_arms
from extended_models import extended_model

import carpal
from carpal.errors import InputError, MissingInertiaError
from carpal.kinematics import ComTarget, IKProblem, PointTarget, PoseTarget, PostureTarget
from carpal.kinematics.composed.kernels.target_rows import ANGULAR_WEIGHT, FIRST_ROW
from carpal.kinematics.reach import rotation_weight


def test_rows_follow_priorities_and_the_posture_comes_last():
    model = two_arms()
    packed = packed_of(
        model, PoseTarget(frame="right_hand", priority=2), PostureTarget(), ComTarget(), PointTarget(priority=2)
    )
    table, numbers, posture, _, posture_row, levels = packed.constants
    assert [type(target).__name__ for target in packed.targets] == ["ComTarget", "PoseTarget", "PointTarget"]
    assert table[:, FIRST_ROW].tolist() == [0, 3, 9] and levels.tolist() == [0, 3, 12, 22]
    assert posture_row == 12 and len(posture) == 10
    assert numbers[1, ANGULAR_WEIGHT] == rotation_weight(model, "right_hand")


def test_a_posture_may_share_a_priority_and_count_some_joints():
    model = two_arms()
    posture = PostureTarget(joints=["lift", "left_joint1"], weight={"lift": 3.0}, priority=0)
    _, _, counted, weights, _, levels = packed_of(model, PointTarget(), posture).constants
    assert levels.tolist() == [0, 5] and counted.tolist() == [[1, 1], [3, 3]] and weights.tolist() == [3.0, 1.0]


def test_what_cannot_be_packed_is_refused():
    with pytest.raises(MissingInertiaError):
        IKProblem(carpal.load("k10"), ComTarget())
    with pytest.raises(InputError, match="as its frame and as its base"):
        packed_of(two_arms(), PointTarget(frame="chest", base="chest"))
    with pytest.raises(InputError, match="nothing to solve for"):
        IKProblem(extended_model(), PointTarget())
    with pytest.raises(InputError, match=r"angle_tolerance of PoseTarget must be a number above zero; got 0\.0"):
        packed_of(two_arms(), PoseTarget(angle_tolerance=0.0))
