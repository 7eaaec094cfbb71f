"""A pick-up as an engine: its rows at any time."""

import numpy as np
from retrieve_inputs import done_cycle

from carpal.engines import simulate
from carpal.labs.retrieve.simulation.playback import Playback
from carpal.labs.retrieve.simulation.true_scene import true_model


def test_it_plays_the_rows():
    report = next(r for r in done_cycle().reports if r.name == "approach")
    engine = Playback(true_model(), report.time, report.q, dt=0.5)
    row = 200
    state = engine.at(float(report.time[row]))
    assert np.allclose(state.q, report.q[row]) and engine.duration == report.time[-1]
    between = engine.at(0.5 * float(report.time[row] + report.time[row + 1]))
    assert np.allclose(between.q[:5], 0.5 * (report.q[row, :5] + report.q[row + 1, :5]))
    assert np.abs(between.v[:5]).max() <= 0.2 + 1e-9
    recording = simulate(engine, engine.at(0.0), None, engine.duration)
    assert np.allclose(recording.q[-1], report.q[-1]) and not recording.energy["kinetic"].any()
