"""The entries: steps in a row equal steps one by one, worlds side by side equal worlds alone, for both schemes."""

import modal_scenes as scenes
import numpy as np
import pytest

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.kernels import ledger as columns
from carpal.model import State


@pytest.mark.parametrize(("accurate", "dt", "steps"), [(False, 1e-3, 100), (True, 1e-2, 10)])
def test_steps_in_a_row_and_worlds_side_by_side_change_nothing(accurate, dt, steps):
    scene = scenes.thrown_ball(2.0, height=0.0 if accurate else 0.003)
    engine = ModalEngine(scene.build(), surface=Surface(mu=0.2, restitution=0.6), dt=dt, accurate=accurate)
    start = scene.start()
    together, ledger, _ = engine.run_with_ledger(start, None, steps)
    assert ledger[columns.DONE] == steps
    state = start
    for _ in range(steps):
        state = engine.step(state, np.zeros(6))
    assert np.abs(state.q - together.q).max() < 1e-13
    many = engine.run(State(0.0, np.tile(start.q, (3, 1)), np.tile(start.v, (3, 1))), None, steps).state
    for world in range(3):
        assert np.array_equal(many.q[world], together.q)


def test_the_schemes_differ_by_the_error_of_a_step():
    scene = scenes.thrown_ball(2.0)
    ends = [
        ModalEngine(scene.build(), surface=Surface(mu=0.2), dt=1e-2, accurate=accurate)
        .run(scene.start(), None, 10)
        .state
        for accurate in (False, True)
    ]
    assert 0 < np.abs(ends[0].q - ends[1].q).max() < 1e-2


def test_a_world_that_is_not_finite_is_refused_by_name():
    scene = scenes.thrown_ball(1.0)
    engine = ModalEngine(scene.build())
    state = State(0.0, np.tile(scene.start().q, (3, 1)), np.zeros((3, 6)))
    state.q[1, 2] = np.nan
    with pytest.raises(ValueError, match=r"q\[2\] at batch index \(1,\)"):
        engine.run(state, None, 1)
