"""The gripper on the flap: seated, aside, nothing there, jammed; what it holds, and the check after the lift."""

import numpy as np
import pytest
from retrieve_inputs import RELAY_AT, moved_by, stored

from carpal.labs.retrieve import RELAY, GripperSettings, relay_pose
from carpal.labs.retrieve.cycle.closing import close_on, still_held
from carpal.labs.retrieve.planning.pick_lines import OVER_FLAP
from carpal.labs.retrieve.relay.held_relay import AIM_OUT, gripper_poses
from carpal.labs.retrieve.scene import free_arm

GRIPPER = GripperSettings()
X_WO = relay_pose(*RELAY_AT)
X_WG = gripper_poses(free_arm().model, stored().move("grasp").trajectory.q_end)


def test_a_grasp_as_planned_holds(figure):
    forces = []
    for seed in range(8):
        closing = close_on(GRIPPER, X_WG, stored().X_WO, seed)
        assert closing.seated and closing.holds and str(closing.drive.outcome) == "gripped"
        assert closing.aside == pytest.approx(AIM_OUT, abs=1e-4) and closing.above == pytest.approx(OVER_FLAP, abs=1e-4)
        assert str(still_held(GRIPPER, closing, seed).outcome) == "gripped"
        forces.append(float(closing.drive.force))
    figure("grip force over what the relay held level needs", min(forces) / closing.needed, 1.2, at_least=True)
    assert closing.needed == pytest.approx(0.49 * 9.81 * (RELAY.d + AIM_OUT) / RELAY.e, rel=1e-3)
    figure("largest grip force [N]", max(forces), 40.96)


@pytest.mark.parametrize(("aside", "outcome"), [((0.0, 0.02), "gripped"), ((0.3, 0.0), "reached")])
def test_a_relay_that_is_not_where_it_should_be_is_not_held(aside, outcome):
    closing = close_on(GRIPPER, X_WG, moved_by(X_WO, *aside), 0)
    assert str(closing.drive.outcome) == outcome and not closing.seated and not closing.holds
    assert str(still_held(GRIPPER, closing, 0).outcome) == "reached", "the rod moves on: nothing is held"


def test_a_flap_out_of_the_blades_is_missed_and_a_jam_is_reported():
    assert not close_on(GRIPPER, X_WG, moved_by(X_WO, 0, 0, 0.02), 0).seated
    jam = close_on(GRIPPER, X_WG, X_WO, 0, jam=0.03)
    assert str(jam.drive.outcome) == "jammed" and not jam.holds and np.isfinite(jam.needed)
