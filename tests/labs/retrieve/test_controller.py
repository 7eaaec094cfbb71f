"""The pick-up stage by stage: delivered, the same again, tried again once, failures say why; MuJoCo sees no contact either."""

import dataclasses

import mujoco
import numpy as np
import pytest
from retrieve_inputs import RELAY_AT, done_cycle, moved_by, new_cycle, stored

from carpal.errors import InputError
from carpal.labs.retrieve import HOME, RELAY, RetrieveCycle, RetrieveWorld
from carpal.labs.retrieve.controller import STAGES, backed_off
from carpal.labs.retrieve.scene import OPEN, OTHER_HOME
from carpal.labs.retrieve.score import at_home
from carpal.labs.retrieve.simulation.true_scene import CARRIED, NEAR_GROUND, STANDS, true_checker
from carpal.perception import project
from carpal.planning import joint_trajectory


def test_it_delivers():
    cycle = done_cycle()
    result = cycle.result()
    assert result.ok and cycle.done and cycle.stage == "" and "the arm is home" in cycle.status
    assert [r.name for r in cycle.reports] == list(STAGES) == list(cycle.STAGES)
    assert np.allclose(cycle.q, HOME) and cycle.opening == OPEN and not cycle.held
    with pytest.raises(InputError, match="has ended"):
        cycle.step()


def test_the_same_seed_gives_the_same_bits():
    again = new_cycle()
    again.run()
    for one, two in zip(done_cycle().reports, again.reports, strict=True):
        assert np.array_equal(one.q, two.q) and one.status == two.status


def test_mujoco_sees_no_contact_that_counts(figure):
    """Every tenth row of the true motion, geometry as MuJoCo reads it; pairs that do not count are those of the stage."""
    cycle = done_cycle()
    model = mujoco.MjModel.from_xml_string(cycle.model.to_mjcf())
    data = mujoco.MjData(model)
    names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_GEOM, i) for i in range(model.ngeom)]
    worst, looked = 0.0, 0
    for report in cycle.reports:
        how = (
            CARRIED
            if report.name in ("carry", "bring")
            else NEAR_GROUND
            if report.name in ("lift", "lower")
            else STANDS
        )
        if report.name in ("close", "open"):
            continue
        tables = true_checker(how).tables
        counts = {frozenset(tables.pair_names(i)) for i in range(len(tables.pairs))}
        for row in report.q[::10]:
            data.qpos[:] = row
            mujoco.mj_kinematics(model, data)
            mujoco.mj_collision(model, data)
            looked += 1
            for contact in data.contact[: data.ncon]:
                pair = frozenset((names[contact.geom1], names[contact.geom2]))
                if pair in counts:
                    worst = max(worst, -contact.dist)
    assert looked > 250
    figure("pick-up: overlap by MuJoCo of anything that counts [m]", worst, 0.0)


def test_a_jam_is_tried_again():
    cycle = new_cycle(jam=0.03)
    for _ in range(5):
        report = cycle.step()
    assert report.name == "close" and not report.ok and "jammed before its target" in report.status
    assert cycle.stage == "back off" and cycle.tries == 1
    while cycle.stage != "approach":
        cycle.step()
    assert cycle.image_pairs == 2 and cycle.opening == OPEN, "new images, the gripper open beside the flap"
    assert cycle.chosen is not None and np.allclose(cycle.chosen.moves[0].trajectory.q_start, cycle.q)


def test_a_relay_that_was_moved_is_lost_in_the_lift_and_seen_anew():
    cycle = new_cycle(misplaced=(0.0, 0.02))
    while not cycle.tries:
        report = cycle.step()
    assert report.name == "lift" and "lost in the small lift" in report.status
    for _ in range(2):
        cycle.step()
    truth = cycle.X_WO
    assert cycle.localisation is not None and np.linalg.norm(cycle.localisation.X_WO[:3, 3] - truth[:3, 3]) < 2e-3


def test_two_failures_end_open_and_home():
    cycle = new_cycle(misplaced=(0.0, 0.02))
    cycle.tries = 1  # this one is the second
    cycle.chosen = done_cycle().chosen
    cycle.localisation = done_cycle().localisation
    cycle._queue = [name for name in STAGES if name not in ("localise", "plan")]
    result = cycle.run()
    assert not result.ok and result.cause == "lost in the lift" and "tried twice" in result.status
    assert np.allclose(cycle.q, HOME) and cycle.opening == OPEN and result.numbers["collisions"] == 0


def test_clicked_points_in_the_wrong_order_end_it_before_anything_moves():
    world = RetrieveWorld(RELAY_AT)
    points = RELAY.marks.points @ world.X_WO[:3, :3].T + world.X_WO[:3, 3]
    left, right = project(world.pair.left, points), project(world.pair.right, points)
    cycle = RetrieveCycle(world, planner="none", points=(left[::-1].copy(), right[::-1].copy()))
    result = cycle.run()
    assert not result.ok and result.cause == "not localised"
    assert "clockwise" in result.status or "order" in result.status
    assert len(cycle.reports) == 1 and result.numbers["duration_s"] == 0.0


def test_what_touches_ends_it_there():
    cycle = new_cycle()
    cycle.X_WO = moved_by(cycle.X_WO, *(0.12 * cycle.X_WO[:2, 0]))  # somebody pushed it to where the gripper comes down
    while not cycle.done:
        report = cycle.step()
    result = cycle.result()
    assert not result.ok and "touched: the arm was stopped there" in result.status and not report.ok
    assert result.numbers["collisions"] == 1 and "relay" in result.cause


def test_the_arm_goes_to_the_other_side_while_the_rover_has_backed_off():
    cycle = new_cycle()
    cycle._stored = dataclasses.replace(stored(), stow=joint_trajectory(cycle.setting.model, [HOME, OTHER_HOME]))
    truth = cycle.X_WO.copy()
    for name in ("localise", "plan", "stow"):
        assert cycle.stage == name
        report = cycle.step()
    assert report.ok and np.allclose(cycle.q, OTHER_HOME) and report.q[:, 6].min() > 1.5, "the relay is far away"
    assert np.array_equal(cycle.X_WO, truth) and cycle.stage == "localise" and cycle.localisation is None
    cycle.abort(at=0.5 * report.duration)
    assert at_home(cycle) and cycle.result().numbers["collisions"] == 0
    assert np.array_equal(backed_off(truth)[:, :3], truth[:, :3])


def test_without_localising_nothing_is_planned():
    with pytest.raises(InputError, match="has not been localised"):
        RetrieveCycle(RetrieveWorld(RELAY_AT)).plan()


@pytest.mark.full
@pytest.mark.parametrize("planner", ["sbl", "est", "rrt"])
def test_every_planner_delivers(planner):
    cycle = RetrieveCycle(RetrieveWorld(RELAY_AT, seed=1), planner=planner, seed=1)
    result = cycle.run()
    assert result.ok, result.status
    assert cycle.chosen is not None and cycle.chosen.rest.bring.planner.startswith(planner)


@pytest.mark.full
def test_a_second_try_is_planned_from_where_the_arm_is():
    for truth in ({"jam": 0.03}, {"misplaced": (0.0, 0.02)}):
        result = RetrieveCycle(RetrieveWorld(RELAY_AT, **truth)).run()
        assert result.ok and "at the second try" in result.status and result.numbers["tries"] == 2
    gone = RetrieveCycle(RetrieveWorld(RELAY_AT, misplaced=(0.3, 0.0)))
    assert gone.run().cause == "out of reach" and np.allclose(gone.q, HOME)
