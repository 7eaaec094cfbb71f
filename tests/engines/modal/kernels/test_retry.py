"""Retry: the start of a part of a step is restored, by the contacts that are there or by a new search."""

import modal_scenes as scenes
import numpy as np
import pytest
from modal_stages import Slot, plain

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.kernels.contact_modes import SLIDE, STICK
from carpal.engines.modal.kernels.contact_table import GAP, IMPULSE, MODE, MODE_BEFORE, PAIR
from carpal.engines.modal.kernels.gap_closing import CONTACTS_TORN, OVERLAP_MISSED
from carpal.engines.modal.kernels.positions import update_positions
from carpal.engines.modal.kernels.retry import restore_start


@pytest.mark.parametrize("outcome", [OVERLAP_MISSED, CONTACTS_TORN])
def test_state_poses_contacts_and_modes_of_the_start_come_back(outcome):
    scene = scenes.block()
    slot = Slot(ModalEngine(scene.build(), surface=Surface(mu=0.5)), scene.start())
    slot.con[:, MODE], slot.con[:, MODE_BEFORE] = SLIDE, STICK
    slot.con[:, IMPULSE + 2] = [1.0, 2.0, 3.0, 4.0]
    before = slot.con.copy()
    q, v, placed = slot.vector("q").copy(), slot.vector("v").copy(), slot.work.tables.search.placed.copy()
    slot.vector("step")[:] = [0.5, 0, 0.2, 0, 0, 1.0]
    plain(update_positions)(slot.plant, slot.work, 1e-3, 0, slot.count)
    assert not np.array_equal(slot.vector("q"), q)
    slot.work.tables.fresh[0, : slot.count] = slot.con
    count = plain(restore_start)(slot.plant, slot.work, 1e-3, outcome, 0, slot.count, slot.count)
    assert count == 4
    assert np.array_equal(slot.vector("q"), q)
    assert np.array_equal(slot.vector("v"), v)
    assert np.array_equal(slot.work.tables.search.placed, placed)
    assert np.array_equal(slot.con[:, [PAIR, GAP, IMPULSE + 2]], before[:, [PAIR, GAP, IMPULSE + 2]])
    assert (slot.con[:, MODE] == (STICK if outcome == OVERLAP_MISSED else SLIDE)).all()
