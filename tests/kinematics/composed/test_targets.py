"""Targets: goals as the kernels read them, and refusals."""

from __future__ import annotations

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.kinematics import ComTarget, DirectionTarget, PointTarget, PoseTarget, PostureTarget
from carpal.spatial import rotation_from_vector


def test_goals_are_rotation_by_rows_then_position():
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = rotation_from_vector([0.1, 0.2, 0.3]), (1.0, 2.0, 3.0)
    np.testing.assert_array_equal(PoseTarget().goal_numbers(X), [*X[:3, :3].ravel(), 1.0, 2.0, 3.0])
    np.testing.assert_array_equal(PointTarget().goal_numbers([[1, 2, 3]]), [[0] * 9 + [1, 2, 3]])
    np.testing.assert_array_equal(DirectionTarget().goal_numbers([0, 0, 5]), [0, 0, 1] + [0] * 9)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: PoseTarget(weight=-1.0), "weight of PoseTarget must be one number above zero"),
        (lambda: PoseTarget(weight=(0, 0, 0)), "weight of PoseTarget"),
        (lambda: PointTarget(priority=-1), "priority of PointTarget must be a whole number, 0"),
        (lambda: PointTarget(priority=0.5), "priority"),
        (lambda: PointTarget(gain=0.0), "gain of PointTarget must be above 0 and at most 1"),
        (lambda: PointTarget(tolerance=0.0), "tolerance of PointTarget must be a number above zero"),
        (lambda: PostureTarget(joints="elbow"), "a list of names"),
        (lambda: PoseTarget().goal_numbers([1.0, 2.0, 3.0]), r"is a pose \(\*batch, 4, 4\)"),
        (lambda: ComTarget().goal_numbers([1.0, 2.0]), "'com' must be three finite numbers"),
        (lambda: DirectionTarget(frame="hand").goal_numbers([0, 0, 0]), "'hand' must not be zero"),
        (lambda: DirectionTarget().goal_numbers("up"), "real numbers"),
    ],
)
def test_what_cannot_be_used_is_refused(make, said):
    with pytest.raises(InputError, match=said):
        make()
