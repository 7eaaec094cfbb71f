"""How a world comes in and goes out: refusals, speeds that are too high, targets that run on."""

import modal_scenes as scenes
import numpy as np

from carpal.engines import ModalEngine
from carpal.engines.modal.kernels.contact_table import DOF_COLUMNS, DOF_FASTEST
from carpal.engines.modal.kernels.passing import move_target, refused, too_fast


def test_inputs_that_are_not_finite_are_refused():
    good, bad = np.zeros((2, 3)), np.zeros((2, 3))
    bad[1, 2] = np.nan
    assert not refused(good, good, good, good, 0)
    assert not refused(bad, good, good, good, 0)
    for k in range(4):
        given = [good] * 4
        given[k] = bad
        assert refused(*given, 1)


def test_a_speed_above_what_a_step_resolves_ends_the_run():
    dofs = np.zeros((2, DOF_COLUMNS))
    dofs[:, DOF_FASTEST] = 5.0
    assert not too_fast(dofs, np.array([[5.0, -5.0]]), 0)
    assert too_fast(dofs, np.array([[0.0, -5.1]]), 0)
    assert too_fast(dofs, np.array([[np.nan, 0.0]]), 0)


def test_the_target_runs_on_at_its_rate():
    target = np.array([[1.0, 2.0, 10.0, -10.0]])
    move_target(target, 2, 0.1, 0)
    assert target[0].tolist() == [2.0, 1.0, 10.0, -10.0]


def test_what_goes_out_comes_in_again():
    scene = scenes.thrown_ball(1.0)
    engine = ModalEngine(scene.build())
    once = engine.run(scene.start(), None, 20).state
    twice = engine.run(engine.run(scene.start(), None, 10).state, None, 10).state
    assert np.abs(once.q - twice.q).max() < 1e-14
    assert np.abs(once.v - twice.v).max() < 1e-13
