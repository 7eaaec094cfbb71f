"""The step study: the observed order is the integrator's, the recommended step keeps its promise."""

import numpy as np
import pytest
import setup_inputs as setup

from carpal.engines import PenaltyEngine, step_study
from carpal.errors import InputError


def test_the_order_is_two_and_the_recommended_step_keeps_the_tolerance(figure):
    engine = setup.free_engine(setup.chain(2))
    loose = step_study(engine, 0.1, tolerance=1e-6)
    figure("step study of a chain: |observed order - 2|", abs(loose.order - 2), 0.15)
    assert loose and np.allclose(loose.dt[:-1] / loose.dt[1:], 2) and loose.dt[0] <= 0.9 * engine.stable_step
    assert loose.recommended in loose.dt and loose.error[list(loose.dt).index(loose.recommended)] <= 1e-6
    middle = float(np.sqrt(loose.error[1] * loose.error[2]))
    assert step_study(engine, 0.1, tolerance=middle).recommended == loose.dt[2]


def test_out_of_reach_the_order_promises(figure):
    engine = setup.free_engine(setup.chain(1))
    strict = step_study(engine, 0.05, tolerance=1e-13, levels=3)
    assert not strict and "no step of the study is within" in strict.status and strict.recommended < strict.dt[-1]
    steps = int(np.ceil(0.05 / strict.recommended))
    assert steps < 1e8
    data = strict.to_dict()
    assert data["order"] == strict.order and data["error_m"] == strict.error.tolist()


def test_actuators_hold_during_the_study():
    held = step_study(setup.tuned_engine(setup.chain(1)), 0.05, levels=2)
    assert held.error[0] < step_study(setup.free_engine(setup.chain(1)), 0.05, levels=2).error[0] * 10


def test_bad_input():
    engine = setup.free_engine(setup.chain(1))
    assert isinstance(engine, PenaltyEngine)
    for more in ({"tolerance": 0.0}, {"duration": np.nan}):
        with pytest.raises(InputError, match="must be above zero"):
            step_study(engine, **more)
    with pytest.raises(InputError, match="levels must be"):
        step_study(engine, levels=1)
