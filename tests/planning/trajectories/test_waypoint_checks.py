"""Bad waypoints and limits: one sentence that says what, which, and what would help."""

import re

import numpy as np
import pytest
from random_models import random_chain

import carpal
from carpal.errors import CarpalError, InputError
from carpal.planning.trajectories.waypoint_checks import inside_limits, joint_waypoints, limit_values, plain_model

ARM = carpal.load("k10")


@pytest.mark.parametrize(
    ("waypoints", "says"),
    [
        ([], "waypoints of model 'k10'"),
        (np.zeros((0, 5)), "two waypoints or more"),
        ([np.zeros(5)], "two waypoints or more"),
        (np.zeros((3, 4)), r"must be \(n, 5\)"),
        ([np.zeros(5), np.zeros(5)], "waypoints 0 and 1 are equal"),
        ([np.zeros(5), [0, 0, 0, 0, np.nan]], "waypoint 1, joint 'wrist', is nan"),
        ([np.zeros(5), [0, 0.5, 0, 0, 0]], "waypoint 1 is out of limits: joint 'shoulder'"),
        ("there", "waypoints"),
    ],
)
def test_bad_waypoints(waypoints, says):
    with pytest.raises(CarpalError, match=says) as caught:
        joint_waypoints(ARM, waypoints)
    assert "\n" not in str(caught.value)


def test_good_ones_come_back_as_they_are():
    q = np.array([[0.0] * 5, [0.1] * 5])
    assert np.array_equal(joint_waypoints(ARM, q.tolist()), q)


def test_what_is_outside_by_rounding_is_clamped_and_messages_show_the_difference():
    q = np.array([ARM.q_max + 9e-7, ARM.q_min - 9e-7])
    assert np.array_equal(joint_waypoints(ARM, q), [ARM.q_max, ARM.q_min])
    with pytest.raises(InputError, match="is outside") as caught:
        inside_limits(ARM, ARM.q_max + 3e-6, "the start")
    value, _, high = re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", str(caught.value).split(" at ")[1])[:3]
    assert value != high and float(value) > float(high)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (0.0, "could never move"),
        (-1.0, "could never move"),
        (np.nan, "one number above zero"),
        ([1, 2], "or 5 of them"),
    ],
)
def test_bad_limits(given, says):
    with pytest.raises(InputError, match=says):
        limit_values(ARM, "v_max", given)


def test_limits_of_the_model_and_missing_ones():
    assert np.array_equal(limit_values(ARM, "v_max", None), ARM.v_max)
    assert np.array_equal(limit_values(ARM, "v_max", 2.0), np.full(5, 2.0))
    with pytest.raises(InputError, match="has no vdot_max; pass vdot_max="):
        limit_values(carpal.load("sawyer"), "vdot_max", None)
    assert np.isinf(limit_values(carpal.load("sawyer"), "vdot_max", None, needed=False)).all()


def test_joints_that_are_no_numbers():
    with pytest.raises(InputError, match="is free"):
        plain_model(random_chain(0, 3, kinds=("free", "revolute")), "a test")
    with pytest.raises(InputError, match="needs a Model"):
        plain_model("k10", "a test")
