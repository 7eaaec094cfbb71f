"""The contact law and the cut: friction and normal impulse of one step; steps are cut at fast approaches and not at slow ones."""

import modal_scenes as scenes
import numpy as np
import pytest
from modal_stages import Slot, plain

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.kernels import ledger as columns
from carpal.engines.modal.kernels.contact_table import AFTER, CONTACT_COLUMNS, DUE, IMPULSE, INCLUDED
from carpal.engines.modal.kernels.cutting import closing_gaps, scale_guess, solve_velocities


def test_a_hit_is_where_the_parabola_meets_the_floor(figure):
    scene = scenes.thrown_ball(0.0, height=0.1)
    engine = ModalEngine(scene.build(), dt=1e-2, surface=Surface(restitution=1.0))
    state, ledger, _ = engine.run_with_ledger(scene.start(), None, 15)
    hit = np.sqrt(2 * 0.1 / 9.81)
    speed, left = 9.81 * hit, 0.15 - hit
    assert ledger[columns.HITS] == 1
    assert ledger[columns.CUTS] == 1
    exact = speed * left - 0.5 * 9.81 * left**2
    figure("ball after one elastic hit, 10 ms steps: height off the parabola [m]", abs(state.q[2] - 0.1 - exact), 1e-9)
    assert abs(state.v[2] - (speed - 9.81 * left)) < 1e-9


def test_a_slow_meeting_is_no_hit():
    scene = scenes.thrown_ball(0.0, height=1e-6)
    engine = ModalEngine(scene.build(), surface=Surface(restitution=1.0))
    state, ledger, _ = engine.run_with_ledger(scene.start(), None, 20)
    assert ledger[columns.HITS] == 0
    assert abs(state.q[2] - 0.1) < 1e-12
    assert abs(state.v[2]) < 1e-12


def test_a_guess_is_scaled_with_the_length_of_the_step():
    con = np.zeros((1, 1, CONTACT_COLUMNS))
    con[0, 0, IMPULSE : IMPULSE + 4] = 1.0
    scale_guess(con, 0, 1, 0.25)
    assert (con[0, 0, IMPULSE : IMPULSE + 4] == 0.25).all()


def _solved(scene, surface, v, dt=1e-3):
    slot = Slot(ModalEngine(scene.build(), surface=surface), scene.start().replace(v=np.array(v, float)))
    arguments = slot.plant, slot.work, slot.inputs.u, slot.outputs.ledger, dt
    assert slot.collide(dt) == columns.COMPLETED
    return slot, plain(solve_velocities)(*arguments, True, 0, 0, slot.count)


def test_a_sliding_ball_is_carried_and_braked_at_the_cone():
    """r_n = m g dt; friction mu r_n slows the ball and spins it up: w = r mu r_n / I."""
    slot, dt = _solved(scenes.thrown_ball(2.0), Surface(mu=0.2), [2.0, 0, 0, 0, 0, 0])
    assert dt == 1e-3
    assert abs(slot.con[0, IMPULSE + 2] - 5.0 * 9.81e-3) < 1e-15
    assert np.abs(slot.vector("step") - [2.0 - 0.2 * 9.81e-3, 0, 0, 0, 2.5 / 0.1 * 0.2 * 9.81e-3, 0]).max() < 1e-14
    assert abs(slot.con[0, AFTER + 2]) < 1e-15
    assert slot.ledger[columns.SOLVES] == 1


@pytest.mark.parametrize(("speed", "gap", "cut"), [(1.0, 1e-4, True), (1e-3, 1.1e-7, False), (0.0, 2e-6, False)])
def test_a_fast_approach_cuts_the_step_and_a_slow_one_takes_part(speed, gap, cut):
    slot, dt = _solved(scenes.thrown_ball(0.0, height=gap), Surface(restitution=1.0), [0, 0, -speed, 0, 0, 0])
    if cut:
        hit = (np.sqrt(speed**2 + 2 * 9.81 * gap) - speed) / 9.81
        assert abs(dt - hit) < 1e-15
        assert slot.con[0, DUE] == 1.0
        assert slot.con[0, IMPULSE + 2] == 0.0
        assert abs(slot.vector("step")[2] + speed + 9.81 * hit) < 1e-14
    else:
        assert dt == 1e-3
        assert slot.con[0, INCLUDED] == 1.0
        assert abs(slot.vector("step")[2] + gap / dt) < 1e-12, "the gap closes within the step"


def test_when_a_step_may_not_be_cut_again_the_approach_takes_part():
    slot, _ = _solved(scenes.thrown_ball(0.0, height=1e-4), Surface(), [0, 0, -1.0, 0, 0, 0])
    con = slot.work.tables.con
    con[0, 0, [INCLUDED, DUE]] = 0.0
    dt_hit, more = plain(closing_gaps)(slot.plant.trees, con, 1e-3, 0.01, False, 0, slot.count)
    assert (dt_hit, more) == (1e-3, True)
    assert con[0, 0, INCLUDED] == 1.0


def test_a_block_holds_with_static_friction_and_slides_with_the_kinetic_one(figure):
    """1 kg on a floor: 0.4 while it slides, 0.6 while it holds."""
    scene = scenes.block()
    engine, mass_g = ModalEngine(scene.build(), surface=Surface(mu=0.4, mu_static=0.6)), 9.81
    pulls = {share: np.array([share * mass_g, 0, 0, 0, 0, 0]) for share in (0.3, 0.5, 0.61)}
    rest = engine.run(scene.start(), pulls[0.5], 200).state
    figure("block pulled between kinetic and static friction: creep in 0.2 s [m]", abs(rest.q[0]), 1e-13)
    broken = engine.run(rest, pulls[0.61], 1).state
    slid = engine.run(broken, pulls[0.61], 100).state
    figure("block that broke away: acceleration off", abs((slid.v[0] - broken.v[0]) / 0.1 - 0.21 * mass_g), 1e-10)
    stopped = engine.run(slid, pulls[0.3], 400).state
    assert abs(stopped.v[0]) < 1e-13
    held = engine.run(stopped, pulls[0.5], 200).state
    figure("block that came to rest again: creep in 0.2 s [m]", abs(held.q[0] - stopped.q[0]), 1e-13)
    assert engine.run(slid, pulls[0.5], 1).state.v[0] > slid.v[0], "while it slides the same pull is too much"
