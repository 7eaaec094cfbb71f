"""Collisions: one stage by itself, heights of bounces, momentum of two balls, a Painleve rod resolved as an impact."""

import modal_scenes as scenes
import numpy as np
import pytest
from modal_stages import Slot, plain

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.kernels import ledger as columns
from carpal.engines.modal.kernels.collisions import collision_due
from carpal.model import Scene, Sphere


@pytest.mark.parametrize("e", [0.0, 0.5, 0.9, 1.0])
def test_a_ball_rises_to_the_height_that_restitution_allows(e):
    scene = scenes.thrown_ball(0.0, height=0.2)
    engine, state, top, fell = (
        ModalEngine(scene.build(), surface=Surface(mu=0.3, restitution=e)),
        scene.start(),
        0.0,
        False,
    )
    for _ in range(500):
        state = engine.step(state, np.zeros(6))
        fell = fell or state.v[2] >= 0
        top = max(top, state.q[2] - 0.1) if fell else 0.0
    assert top == pytest.approx(0.2 * e * e, rel=1e-5, abs=1e-9)


def test_a_ball_that_slides_through_a_hit_loses_mu_times_the_normal_impulse():
    scene = scenes.thrown_ball(3.0, height=0.05)
    engine = ModalEngine(scene.build(), surface=Surface(mu=0.1, restitution=0.5))
    state = engine.run(scene.start(), None, 150).state
    fell = np.sqrt(2 * 9.81 * 0.05)
    assert abs(state.v[0] - (3.0 - 0.1 * 1.5 * fell)) < 1e-6
    assert abs(state.v[4] - 2.5 / 0.1 * 0.1 * 1.5 * fell) < 1e-4


def test_two_balls_exchange_their_momentum():
    scene = Scene("two", gravity=(0, 0, 0))
    scene.add_object("a", Sphere(0.05), mass=0.1, twist=[1, 0, 0, 0, 0, 0])
    scene.add_object("b", Sphere(0.05), mass=0.3, pose=[0.15, 0.02, 0])
    engine = ModalEngine(scene.build(), surface=Surface(mu=0.5, restitution=0.8))
    state, ledger, _ = engine.run_with_ledger(scene.start(), None, 100)
    assert ledger[columns.HITS] == 1
    assert np.abs(0.1 * state.v[:3] + 0.3 * state.v[6:9] - [0.1, 0, 0]).max() < 1e-15
    loss = engine.energies(scene.start())[0] - engine.energies(state)[0]
    assert loss == pytest.approx(ledger[columns.DISSIPATED], rel=1e-9)
    assert loss > 0


def test_a_sliding_rod_that_jams_is_resolved_as_an_impact(figure):
    rod, engine = scenes.painleve_rod(mu=1.4)
    state, ledger, _ = engine.run_with_ledger(rod.start(), None, 5)
    figure("Painleve rod: configurations resolved as impacts", ledger[columns.JAMS], 1, at_least=True)
    assert np.isfinite(state.v).all()
    assert engine.energies(state)[0] + engine.energies(state)[1] < sum(engine.energies(rod.start())) + 1e-12
    _, smooth = scenes.painleve_rod(mu=0.3)
    assert smooth.run_with_ledger(rod.start(), None, 5)[1][columns.JAMS] == 0


@pytest.mark.parametrize("speed", [0.5, 0.005])
def test_the_stage_reverses_an_approach_above_the_threshold_and_leaves_a_slow_one(speed):
    """A ball that falls on the floor without friction, e = 0.5: u+ = -e u-, the lost energy m (1 - e^2) u^2 / 2 is recorded."""
    scene = scenes.thrown_ball(0.0)
    start = scene.start()
    start = start.replace(v=np.array([0, 0, -speed, 0, 0, 0]))
    slot = Slot(ModalEngine(scene.build(), surface=Surface(mu=0.0, restitution=0.5)), start)
    status = slot.collide(1e-3)
    assert status == columns.COMPLETED
    collides = speed > 0.01
    after = 0.5 * speed if collides else -speed
    assert abs(slot.vector("v")[2] - after) < 1e-12
    assert abs(slot.vector("free")[2] - (after - 9.81e-3)) < 1e-12
    assert slot.ledger[columns.HITS] == float(collides)
    assert slot.ledger[columns.DISSIPATED] == pytest.approx(2.5 * (speed**2 - after**2), rel=1e-9, abs=1e-15)
    assert not plain(collision_due)(slot.work.tables.con, slot.plant.settings, 0, slot.count)
