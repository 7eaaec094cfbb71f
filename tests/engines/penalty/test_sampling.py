"""Runs with evenly spaced moments."""

import numpy as np
import pytest
import setup_inputs as setup

from carpal.engines.penalty.sampling import (
    command_of,
    driven_actuators,
    planned_steps,
    remade,
    sampled_run,
    without_drives,
)
from carpal.errors import InputError


def test_moments_are_those_of_one_long_run():
    engine = setup.free_engine(setup.chain(1))
    ticks = []
    run = sampled_run(engine, engine.start(), 0.01, samples=10, tick=ticks.append)
    assert len(run.time) == 11 and run.time[-1] == pytest.approx(0.01) and ticks[-1] == 1.0
    assert np.array_equal(run.q[-1], engine.run(engine.start(), steps=200).state.q)


def test_steps_are_rounded_up():
    assert planned_steps(1e-3, 0.01, 5) == (10, 2) and planned_steps(1e-3, 0.0101, 100) == (11, 1)
    for duration, samples in ((0.0, 5), (np.inf, 5), (True, 5), (1.0, 1), (1.0, 2.5)):
        with pytest.raises(InputError, match="must be a"):
            planned_steps(1e-3, duration, samples)


def test_engines_are_remade_and_drives_taken_away():
    engine = setup.tuned_engine(setup.chain(2))
    free = remade(engine, without_drives(engine.mechanism), 1e-5)
    assert free.mechanism.actuators == () and free.dt == 1e-5 and free.contact == engine.contact
    assert driven_actuators(engine.mechanism, "x") == [0, 1]
    assert command_of(engine.mechanism, np.array([0.1, 0.2])).tolist() == [0.1, 0.2]
    with pytest.raises(InputError, match="has no actuator that follows a command, so it stands"):
        driven_actuators(free.mechanism, "it stands")
