"""Whole plans: stored and read, straight without a planner, free and within limits with one."""

import json

import numpy as np
import pytest
from retrieve_inputs import FILE, RELAY_AT, stored

from carpal.errors import InputError
from carpal.labs.retrieve import HOME, CyclePlan, PickSetting, RetrieveCycle, RetrieveWorld, plan_cycle, relay_pose
from carpal.labs.retrieve.scene import free_arm

MODEL = free_arm().model
NAMES = ["approach", "grasp", "lift", "carry", "bring", "lower", "retreat", "home"]


def check_whole(plan, figure=None):
    assert [m.name for m in plan.moves] == NAMES and [m.held for m in plan.moves] == [
        False,
        False,
        True,
        True,
        True,
        True,
        False,
        False,
    ]
    assert np.allclose(plan.moves[0].trajectory.q_start, HOME) and np.allclose(plan.moves[-1].trajectory.q_end, HOME)
    worst = np.zeros(2)
    for move in plan.moves:
        assert move.trajectory.check(MODEL), move.name
        _, v, vdot = move.trajectory.sample(0.033)
        worst = np.maximum(worst, [(np.abs(v) / MODEL.v_max).max(), (np.abs(vdot) / MODEL.vdot_max).max()])
    for one, two in zip(plan.moves[:-1], plan.moves[1:], strict=True):
        assert np.abs(one.trajectory.q_end - two.trajectory.q_start).max() < 1e-4
    if figure is not None:
        figure("pick-up at 33 ms: largest speed over Table 3's limit", worst[0], 1 + 1e-9)
        figure("pick-up at 33 ms: largest acceleration over Table 4's limit", worst[1], 1 + 1e-9)


def test_a_stored_plan_is_whole_and_keeps_the_limits(figure):
    plan = stored()
    check_whole(plan, figure)
    assert plan and plan.duration > 100 and plan.path_length > 2 and plan.final_set is None
    again = CyclePlan.from_dict(json.loads(json.dumps(plan.to_dict())))
    assert again.to_dict() == plan.to_dict() == json.loads(FILE.read_text())


def test_without_a_planner_it_is_straight():
    plan = plan_cycle(PickSetting("none"), relay_pose(*RELAY_AT))
    check_whole(plan)
    assert plan.approach is None and len(plan.path) == 2


def test_a_relay_that_cannot_be_grasped_has_no_plan():
    plan = plan_cycle(PickSetting("none"), relay_pose(1.5, 0.0, 0.0))
    assert not plan and plan.cause == "out of reach" and not plan.moves and str(plan) == plan.status
    for call in (plan.preview, plan.to_dict):
        with pytest.raises(InputError, match="there is no plan to"):
            call()


@pytest.mark.full
def test_plans_are_the_same_again_and_know_the_angle_at_their_end(figure):
    plans = [plan_cycle(PickSetting("sbl", seed=3), relay_pose(0.55, -0.28, -2.9)) for _ in range(2)]
    check_whole(plans[0], figure)
    assert plans[0].to_dict() == plans[1].to_dict()
    figure("set of the relay's angles at its release [deg]", np.degrees(plans[0].final_set.width), 81)
    assert plans[0].rest.carry.angles.known and plans[0].rest.bring.proven


@pytest.mark.full
def test_a_relay_that_stands_in_the_way_is_reached_from_the_other_side():
    plan = plan_cycle(PickSetting("sbl"), relay_pose(0.197, 0.0, 1.534))
    assert plan and plan.stow is not None and "the arm goes to its other side" in plan.status
    assert np.allclose(plan.stow.q_start, HOME) and np.allclose(plan.stow.q_end, plan.moves[0].trajectory.q_start)
    assert np.allclose(plan.moves[-1].trajectory.q_end, HOME)
    cycle = RetrieveCycle(RetrieveWorld((0.197, 0.0, 1.534)))
    result = cycle.run()
    assert result.ok, result.status
    assert [r.name for r in cycle.reports][:5] == ["localise", "plan", "stow", "localise", "plan"]
