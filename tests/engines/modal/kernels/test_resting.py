"""A world at rest reuses its geometry until something moves."""

import modal_scenes as scenes
import numpy as np
import pytest
from modal_stages import Slot, plain

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.kernels.contact_table import (
    CONTACT_COLUMNS,
    DOF_COLUMNS,
    DOF_FRICTION,
    GAP,
    IMPULSE,
    INCLUDED,
    MATCH,
    PRESSED,
)
from carpal.engines.modal.kernels.resting import (
    REST_STEP,
    REST_TRAVEL,
    STILL,
    UNKNOWN,
    keep_contacts,
    reset_rest,
    stays_at_rest,
    still_at_rest,
)
from carpal.model import State


def test_still_until_it_has_gone_too_far():
    dofs, v, rest = np.zeros((2, DOF_COLUMNS)), np.full((1, 2), 0.6 * STILL / 1e-3), np.zeros((1, 2))
    reset_rest(rest, 0, UNKNOWN)
    assert not still_at_rest(dofs, v, v, rest, 1e-3, 0), "contacts were not searched yet"
    reset_rest(rest, 0, 0.0)
    kept = 0
    while still_at_rest(dofs, v, v, rest, 1e-3, 0):
        kept += 1
        assert rest[0, REST_STEP] == 1e-3
    assert kept == 16
    assert rest[0, REST_TRAVEL] <= 10 * STILL
    reset_rest(rest, 0, 0.0)
    assert not still_at_rest(dofs, 2 * v, v, rest, 1e-3, 0)
    assert not still_at_rest(dofs, v, 2 * v, rest, 1e-3, 0), "it ends at rest but has moved"
    dofs[1, DOF_FRICTION] = 1.0
    assert not still_at_rest(dofs, v, v, rest, 1e-3, 0), (
        "Coulomb friction of a joint changes the factors with its speed"
    )


@pytest.mark.parametrize("where", [0, 1, 2])
def test_nan_is_not_at_rest(where):
    dofs, rest = np.zeros((3, DOF_COLUMNS)), np.zeros((1, 2))
    for which in range(2):
        speeds = np.zeros((2, 1, 3))
        speeds[which, 0, where] = np.nan
        reset_rest(rest, 0, 0.0)
        assert not still_at_rest(dofs, speeds[0], speeds[1], rest, 1e-3, 0)
        assert rest[0, REST_STEP] == 0.0


def test_contacts_go_on_from_themselves():
    con = np.zeros((1, 2, CONTACT_COLUMNS))
    con[0, 1, IMPULSE + 2] = 1.0
    keep_contacts(con, 0, 2)
    assert con[0, :, MATCH].tolist() == [0, 1]
    assert con[0, :, PRESSED].tolist() == [0, 1]


def test_a_push_after_a_long_rest_is_answered_as_without_the_rest(figure):
    """A block that rested for half a second is pushed: it must slide off as one that was just put down."""
    scene = scenes.block()
    engine = ModalEngine(scene.build(), surface=Surface(mu=0.3))
    rested = engine.run(scene.start(), None, 500).state
    push = np.array([4.0, 1.0, 0, 0, 0, 0])
    ends = [
        engine.run(start, push, 100).state for start in (rested, scene.start(), State(0.0, rested.q, rested.v))
    ]  # fmt: skip
    assert ends[0].q[0] > 5e-3
    apart = max(np.abs(ends[0].q - other.q).max() for other in ends[1:])
    figure("block pushed after half a second of rest, against one just put down [m]", apart, 1e-12)


def test_a_target_that_starts_to_move_moves_the_hand_at_rest():
    model, home = scenes.cross_fingers(2)
    rate = np.zeros(model.nv)
    rate[0] = 0.5
    held = ModalEngine(model, surface=Surface(mu=0.6), target=home, **scenes.HAND_GAINS)
    state = held.run(State.home(model), None, 1500).state
    moving = ModalEngine(model, surface=Surface(mu=0.6), target=lambda t: (home, rate), **scenes.HAND_GAINS)
    together = moving.run(state, None, 50).state
    apart = ModalEngine(model, surface=Surface(mu=0.6), target=lambda t: (home, rate), **scenes.HAND_GAINS)
    fresh = apart.run(State(state.time, state.q, state.v), None, 50).state
    assert np.abs(together.v).max() > 1e-2
    assert np.abs(together.q - fresh.q).max() < 1e-9


def test_the_stage_keeps_contacts_of_a_closed_world_and_not_of_an_open_or_moving_one():
    scene = scenes.block()
    for gap, speed, kept in ((0.0, 0.0, True), (1e-9, 0.0, False), (0.0, 1e-6, False)):
        slot = Slot(ModalEngine(scene.build()), scene.start())
        slot.con[:, INCLUDED], slot.con[:, IMPULSE + 2], slot.con[:, GAP] = 1.0, 1.0, gap
        slot.vector("v")[0] = speed
        reset_rest.py_func(slot.work.vectors.rest, 0, 0.0)
        assert plain(stays_at_rest)(slot.plant, slot.work, 1e-3, 0, slot.count) == kept
        assert (slot.vector("rest")[REST_STEP] == 1e-3) == (speed == 0.0)
