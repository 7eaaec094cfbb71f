"""What follows the lift: postures in which the relay hangs, where it is put, the retreat; plans only in full."""

import numpy as np
import pytest
from retrieve_inputs import stored

from carpal.kinematics import fk
from carpal.labs.retrieve import HOME, PickSetting
from carpal.labs.retrieve.planning.carry_plan import (
    PUT_GAP,
    back_out,
    level_postures,
    out_points,
    plan_carry,
    where_put,
)
from carpal.labs.retrieve.planning.pick_lines import LIFT
from carpal.labs.retrieve.relay.held_relay import gripper_poses
from carpal.labs.retrieve.scene import carrying_scene, free_arm
from carpal.planning import gravity_in_gripper

MODEL = free_arm().model


def test_the_gripper_is_level_where_the_relay_hangs():
    q = level_postures()
    assert len(q) >= 8 and np.abs(fk(MODEL, q)[:, 2, 0]).max() < 1e-9
    scene = carrying_scene()
    g = gravity_in_gripper(scene.model, scene.payload, q)
    for aside in (-0.5, 0.0, 0.5):  # it may still swing a little
        rows = np.concatenate([q, np.arctan2(g[:, 1], g[:, 0])[:, None] + aside], axis=1)
        assert not scene.checker.collides(rows)


def test_the_relay_is_put_where_the_gripper_lets_go():
    plan = stored()
    q = plan.move("lower").trajectory.q_end
    setting = PickSetting("none")
    put = where_put(setting, q, np.linspace(*plan.rest.settled, 5))
    grips = (put @ np.append(setting.relay.grip_point, 1.0))[:, :2]
    assert np.abs(grips - np.array(setting.place)).max() < 6e-3, "but for the axis aimed outwards"
    assert np.allclose(put[:, 2, 2], 1.0) and np.allclose(put[:, 2, 3], 0.0)
    height = gripper_poses(MODEL, q)[2, 3]
    assert height == pytest.approx(setting.relay.flap_height + PUT_GAP, abs=1e-6)


def test_the_way_out_leads_away_from_the_body_and_touches_no_angle_of_the_set():
    from carpal.contact import collides
    from carpal.labs.retrieve.scene import scene_with_relays

    plan, setting = stored(), PickSetting("sbl")
    q = plan.move("lower").trajectory.q_end
    put = where_put(setting, q, np.linspace(*plan.rest.settled, 5))
    out, away = back_out(setting, q, 0.5 * sum(plan.rest.settled), put)
    bodies = put[:, :3, 3] - gripper_poses(MODEL, q)[:3, 3]
    assert (bodies @ away < 0).all() and not collides(scene_with_relays(put), out.sample(0.05)[0])
    assert np.allclose(out_points(np.zeros(3), away)[2], [*(0.13 * away[:2]), 0.006])
    assert "cannot leave the relay" in back_out(setting, q, 0.5 * sum(plan.rest.settled) + np.pi, put)


def test_without_a_planner_it_goes_straight_and_a_place_out_of_reach_is_refused():
    lifted = stored().move("lift").trajectory.q_end
    rest = plan_carry(PickSetting("none"), lifted, stored().angle)
    assert rest.ok and [m.name for m in rest.moves] == ["carry", "bring", "lower", "retreat", "home"]
    assert np.allclose(rest.moves[-1].trajectory.q_end, HOME) and rest.carry is None
    low = rest.moves[2].trajectory
    drop = gripper_poses(MODEL, low.q_start)[2, 3] - gripper_poses(MODEL, low.q_end)[2, 3]
    assert drop == pytest.approx(LIFT - PUT_GAP, abs=1e-6)
    far = plan_carry(PickSetting("none", place=(1.5, 0.0)), lifted, 0.0)
    assert not far.ok and "not within reach; choose another" in far.status
