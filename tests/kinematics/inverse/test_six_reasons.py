"""Why a pose has no solution: the amounts are exact, moving the pose by them makes it reachable."""

import numpy as np
import pytest
from six_joint_robots import public_arm

import carpal
from carpal.kinematics import ik_all
from carpal.kinematics.inverse.kernels.branches import AMOUNT, COUNT
from carpal.kinematics.inverse.six_reasons import six_note, six_reason


@pytest.mark.parametrize("name", ["irb6640", "ur5"])
def test_too_far(name):
    model = public_arm(name)
    X = carpal.fk(model, np.full(6, 0.8))
    X[:3, 3] += (5.0, 0.0, 0.0)
    found = ik_all(model, X)
    assert not found.ok and len(found) == 0 and str(found).startswith("too far:") and "m " in str(found)
    assert found.nearest.position_error > 1.0


def test_the_amount_is_exact():
    """The wrist of the KR 6 at its shoulder's height, straight ahead of axis 2, beyond the stretched arm."""
    model = public_arm("kr6")
    X = np.eye(4)
    reach = 0.455 + np.hypot(0.42, 0.035)
    X[:3, 3] = (0.025 + reach + 0.25, 0.0, 0.4 + 0.08)
    assert str(ik_all(model, X)) == "too far: the wrist would have to be 0.25 m nearer than joint_2 lets it be."
    X[0, 3] -= 0.2501
    assert len(ik_all(model, X)) > 0


def test_inside_the_hollow_of_an_ur_arm():
    model = public_arm("ur5")
    X = np.eye(4)
    X[:3, 3] = (0.0, 0.0, 0.5)
    sentence = str(ik_all(model, X))
    assert sentence.startswith("inside the hollow: along axes 2, 3, 4 the wrist is")


def test_outside_the_limits():
    model = public_arm("z1")
    X = carpal.fk(model, model.q_max + 0.3)
    found = ik_all(model, X)
    if len(found) and not found.ok:
        assert str(found).startswith("outside the limits:")
    assert callable(six_reason) and callable(six_note) and COUNT != AMOUNT
