"""Motions as they come out: looks no farther apart than said, the first contact by name, angles held against their set."""

import dataclasses

import numpy as np
from retrieve_inputs import RELAY_AT, done_cycle, stored

from carpal.kinematics import fk
from carpal.labs.retrieve import HOME, relay_pose
from carpal.labs.retrieve.relay.held_relay import held_relay
from carpal.labs.retrieve.scene import OPEN, free_arm
from carpal.labs.retrieve.simulation.true_motion import CHECK_STEP, check_times, first_met, follow_free, leaves_set
from carpal.labs.retrieve.simulation.true_scene import STANDS, true_checker, true_rows
from carpal.planning import angles_along

MODEL = free_arm().model
X_WO = relay_pose(*RELAY_AT)


def test_looks_are_near_enough():
    motion = stored().move("grasp").trajectory
    times = check_times(motion)
    q = motion.at(times)[0]
    tips = fk(MODEL, q)[:, :3, 3]
    assert np.linalg.norm(np.diff(tips, axis=0), axis=1).max() <= CHECK_STEP
    assert times[0] == 0.0 and np.isclose(times[-1], motion.duration)


def test_a_free_motion_meets_nothing_and_one_through_the_relay_its_antenna():
    motion = stored().move("approach").trajectory
    poses = np.stack([X_WO, relay_pose(0.45, -0.3, 0.5)])
    done = follow_free(motion, np.zeros((2, 5)), OPEN, poses)
    middle = fk(MODEL, motion.at(0.5 * motion.duration)[0])[:3, 3]
    assert done.met[0] == ("", "") and np.isinf(done.met_at[0])
    through = follow_free(motion, np.zeros((1, 5)), OPEN, relay_pose(middle[0], middle[1], 0.0)[None])
    assert any("relay" in name for name in through.met[0]) and 0 < through.met_at[0] < motion.duration
    # one draw is the same in a batch
    alone = follow_free(motion, np.zeros((1, 5)), OPEN, poses[:1])
    assert np.array_equal(alone.rows[0], done.rows[0])


def test_the_first_contact_is_the_first():
    rows = np.stack(
        [true_rows(HOME, OPEN, relay_pose(0.5, 0.3, 0.0)), true_rows(HOME, OPEN, relay_pose(0.0, -0.4, 0.0))]
    )
    met, at = first_met(true_checker(STANDS), rows[None], np.array([0.0, 2.0]))
    assert at[0] == 2.0 and any("relay" in name for name in met[0])


def test_an_angle_that_leaves_its_set_is_seen():
    plan, held = stored(), held_relay()
    motion = plan.move("carry").trajectory
    history = angles_along(MODEL, held, plan.rest.paths["carry"], angle=plan.angle, spread=0.06)
    report = next(r for r in done_cycle().reports if r.name == "carry")
    times = report.time - report.time[0]
    assert not leaves_set(history, motion, times, report.angles)
    assert leaves_set(history, motion, times, report.angles + 0.8)
    brief = report.angles.copy()
    brief[50] += 1.5
    assert leaves_set(history, motion, times, brief), "once is enough"
    late = dataclasses.replace(history, settled=history[0])
    assert leaves_set(late, motion, times, report.angles), "where it comes to rest counts, too"
