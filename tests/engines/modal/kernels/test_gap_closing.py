"""Gap closing: pressing contacts touch again, sticking ones do not creep, unexpected overlaps ask for a shorter step."""

import modal_scenes as scenes
import numpy as np
import pytest
from modal_stages import Slot, plain

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.kernels.contact_modes import STICK
from carpal.engines.modal.kernels.contact_table import GAP, IMPULSE, INCLUDED, MODE
from carpal.engines.modal.kernels.gap_closing import (
    ACCEPTED,
    CLOSING,
    CONTACTS_TORN,
    HOLDING,
    OVERLAP_MISSED,
    PUSHING,
    close_gaps,
    position_correction,
    rebuild_rows,
)
from carpal.engines.modal.kernels.resting import REST_TRAVEL, UNKNOWN

DT = 1e-3


def _pressed_block():
    """A block on four corners after the velocity stages, all contacts pressing and sticking."""
    scene = scenes.block()
    slot = Slot(ModalEngine(scene.build(), surface=Surface(mu=0.5)), scene.start())
    assert slot.collide(DT) == 0
    slot.con[:, INCLUDED], slot.con[:, IMPULSE + 2], slot.con[:, MODE] = 1.0, 1e-3, STICK
    return slot


@pytest.mark.parametrize("lift", [3e-6, -2e-6])
def test_pressing_contacts_are_closed_along_the_normal_only(lift):
    slot = _pressed_block()
    q = slot.vector("q")
    start = q.copy()
    q[2] += lift
    count, found, outcome = plain(close_gaps)(slot.plant, slot.work, DT, True, 0, slot.count)
    assert (count, found, outcome) == (4, 4, ACCEPTED)
    assert np.abs(slot.work.tables.fresh[0, :4, GAP]).max() < 1e-12
    assert np.abs(q - start).max() < 1e-12
    assert slot.work.vectors.rest[0, REST_TRAVEL] == 0.0


def test_corrections_are_repeated_until_a_tilted_block_is_flat():
    """The first correction is linear and leaves about tilt^2 times the half length."""
    slot = _pressed_block()
    slot.vector("q")[3:] = [1.0, 0.0, 5e-6, 0.0]
    assert plain(close_gaps)(slot.plant, slot.work, DT, True, 0, slot.count)[2] == ACCEPTED
    assert np.abs(slot.work.tables.fresh[0, :4, GAP]).max() < 1e-12


def test_an_unexpected_overlap_asks_for_a_shorter_step_unless_there_is_none():
    for may_repeat, expected in ((True, OVERLAP_MISSED), (False, ACCEPTED)):
        slot = _pressed_block()
        slot.con[:, INCLUDED] = 0.0
        slot.vector("q")[2] -= 1e-5
        assert plain(close_gaps)(slot.plant, slot.work, DT, may_repeat, 0, slot.count)[2] == expected
        assert abs(slot.vector("q")[2] - 0.03) < 1e-12 or expected == OVERLAP_MISSED
        assert (slot.work.vectors.rest[0, REST_TRAVEL] == UNKNOWN) == (expected == OVERLAP_MISSED)


def test_pressing_contacts_that_stay_open_ask_for_a_shorter_step():
    """With empty rows nothing moves, so the gaps stay."""
    slot = _pressed_block()
    slot.work.tables.Y[:], slot.work.tables.W[:] = 0.0, 0.0
    slot.vector("q")[2] += 5e-8
    outcome = plain(close_gaps)(slot.plant, slot.work, DT, True, 0, slot.count)[2]
    assert outcome == CONTACTS_TORN


def test_new_contacts_bring_their_own_rows_and_corrections():
    slot = _pressed_block()
    W = slot.work.tables.W.copy()
    slot.work.tables.fresh[0, :4] = slot.con
    slot.work.tables.fresh[0, :4, GAP] = 1e-6
    slot.work.tables.W[:] = 0.0
    plain(rebuild_rows)(slot.plant, slot.work, 0, 4, 4)
    assert np.abs(slot.work.tables.W[0, :16, :16] - W[0, :16, :16]).max() < 1e-12 * W.max()
    for what, moved in (
        (HOLDING, -1e-6),
        (CLOSING, -1e-6),
        (PUSHING, 0.0),
    ):  # closed by the projection; nothing overlaps, so nothing is pushed apart
        rows = plain(position_correction)(slot.plant, slot.work, what, 0, 0, 4, 4)
        assert rows > 0
        assert abs(slot.vector("step")[2] - moved) < 1e-12
