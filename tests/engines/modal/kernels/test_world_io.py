"""Worlds in and out of their slot: refusals, speeds that are too high, moving targets, memory."""

import modal_scenes as scenes
import numpy as np
from modal_stages import Slot, plain

from carpal.engines import ModalEngine
from carpal.engines.modal.kernels.arrays import Inputs
from carpal.engines.modal.kernels.contact_table import DOF_COLUMNS, DOF_FASTEST, IMPULSE, KEPT_FORCE, KEPT_PAIR
from carpal.engines.modal.kernels.ledger import DONE, ENDED, NOT_FINITE
from carpal.engines.modal.kernels.world_io import finish_step, move_target, refused, store_world, too_fast


def test_inputs_that_are_not_finite_are_refused():
    for k in range(4):
        inputs = [np.zeros((2, 3)) for _ in Inputs._fields]
        inputs[k][1, 2] = np.nan
        assert not plain(refused)(Inputs(*inputs), 0)
        assert plain(refused)(Inputs(*inputs), 1)


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


def test_a_good_step_is_counted_and_a_fast_one_ends_the_world():
    scene = scenes.thrown_ball(1.0)
    slot = Slot(ModalEngine(scene.build()), scene.start())
    slot.work.target[0, 6] = 3.0
    arguments = slot.plant, slot.work, slot.outputs.ledger, 0, 0
    assert plain(finish_step)(*arguments, 1) == 1
    assert slot.ledger[DONE] == 1.0
    assert slot.work.target[0, 0] == 3e-3
    slot.vector("v")[0] = 1e9
    assert plain(finish_step)(*arguments, 1) == -NOT_FINITE
    assert slot.ledger[DONE] == 1.0


def test_a_stored_world_has_state_status_and_forces():
    scene = scenes.thrown_ball(1.0)
    slot = Slot(ModalEngine(scene.build()), scene.start())
    slot.con[0, IMPULSE + 2] = 2e-3
    plain(store_world)(slot.work, slot.outputs, slot.count, 1e-3, 0, 0)
    assert np.array_equal(slot.outputs.q[0], scene.start().q)
    assert slot.outputs.memory[0, KEPT_PAIR] == 0.0
    assert slot.outputs.memory[0, KEPT_FORCE + 2] == 2.0
    assert slot.ledger[ENDED] == 0.0
    plain(store_world)(slot.work, slot.outputs, -NOT_FINITE, 1e-3, 0, 0)
    assert slot.ledger[ENDED] == NOT_FINITE
