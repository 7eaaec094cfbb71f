"""Can it be grasped, why not, and what would help: every cause has its sentence."""

import numpy as np
import pytest
from retrieve_inputs import RELAY_AT

import carpal
from carpal.labs.retrieve import check_reach, gripper_arm, relay_pose
from carpal.labs.retrieve.planning.reachability import grip_reach, ring


@pytest.mark.parametrize(
    ("place", "cause", "said"),
    [
        ((-0.4, 0.0, 0.0), "under the rover", "stands under the rover, whose front is at x = -0.15 m: drive back"),
        ((0.02, 0.0, 0.0), "hollow", "inside the hollow of the arm's workspace: 0.15 m from the arm's axis"),
        ((1.2, 0.0, 0.0), "out of reach", "is out of reach: 1.33 m from the arm's axis, 0.63 m is the most"),
        ((0.19, 0.17, 2.22), "blocked", "within reach, but"),
        ((0.0, -0.45, -1.57), "home blocked", "stands where the arm is"),
    ],
)
def test_every_refusal_says_why_and_what_would_help(place, cause, said):
    reach = check_reach(relay_pose(*place))
    assert not reach and reach.cause == cause and said in reach.status
    assert "drive" in reach.status or "approach it from" in reach.status


def test_a_relay_that_can_be_grasped():
    reach = check_reach(relay_pose(*RELAY_AT))
    assert reach and reach.cause == "" and len(reach.lines) > 4 and "can be grasped" in str(reach)


def test_the_ring_is_the_arms_workspace(figure):
    """Numeric inverse kinematics, from many starts, agrees about its ends."""
    low, high = ring(0.192)
    arm = gripper_arm()
    for radius, there in ((low - 0.02, False), (low + 0.02, True), (high - 0.02, True), (high + 0.02, False)):
        target = (np.array([radius, 0.0, 0.192]), np.array([0.0, 0.0, -1.0]))
        starts = carpal.kinematics.random_configurations(arm, 40, seed=1)
        many = tuple(np.broadcast_to(part, (40, 3)) for part in target)
        found = carpal.ik(arm.replace(bodies=arm.bodies), many, starts, attempts=1, seed=0)
        assert bool(np.any(found.ok)) == there, radius
    assert grip_reach(relay_pose(*RELAY_AT)) is None
