"""The accurate scheme: fourth order between events, events where they are."""

import modal_scenes as scenes
import numpy as np

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.kernels import ledger as columns


def test_a_ball_on_a_ball_keeps_its_error_at_any_step(figure):
    for dt in (0.06, 0.03, 0.015):
        scene, truth = scenes.ball_on_ball(0.3)
        engine = ModalEngine(scene.build(), dt=dt, surface=Surface(mu=1.2), accurate=True)
        state, ledger, _ = engine.run_with_ledger(scene.start(), None, round(0.3 / dt))
        assert ledger[columns.EVENTS] <= 6
        error = abs(np.arctan2(state.q[0], state.q[2]) - truth)
        figure(f"ball rolling on a ball for 0.3 s, accurate, {1e3 * dt:g} ms steps: angle off [rad]", error, 1e-7)


def test_a_bowling_ball_starts_to_roll_when_it_should(figure):
    v0, mu = 2.0, 0.2
    rolls = 2 * v0 / (7 * mu * 9.81)
    scene = scenes.thrown_ball(v0)
    engine = ModalEngine(scene.build(), surface=Surface(mu=mu), dt=2e-2, accurate=True)
    state, ledger, _ = engine.run_with_ledger(scene.start(), None, 20)
    way = v0 * rolls - 0.5 * mu * 9.81 * rolls**2 + 5 / 7 * v0 * (0.4 - rolls)
    figure("bowling ball, accurate, 20 ms steps: way [m]", abs(state.q[0] - way), 1e-9)
    assert abs(state.v[0] - 5 / 7 * v0) < 1e-10
    assert 1 <= ledger[columns.EVENTS] <= 4
