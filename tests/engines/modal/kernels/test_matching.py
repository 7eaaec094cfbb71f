"""Contacts that go on: the nearest point of the same pair, each taken once."""

import numpy as np

from carpal.engines.modal.kernels.contact_table import (
    CONTACT_COLUMNS,
    IMPULSE,
    KEPT_COLUMNS,
    LOCAL,
    MATCH,
    MODE,
    PAIR,
    PRESSED,
)
from carpal.engines.modal.kernels.matching import load_memory, match_contacts, store_memory, transfer_contacts


def _table(rows):
    con = np.zeros((1, max(len(rows), 3), CONTACT_COLUMNS))
    for k, (pair, x) in enumerate(rows):
        con[0, k, PAIR], con[0, k, LOCAL], con[0, k, MATCH] = pair, x, -1
    return con


def test_points_go_on_where_they_are_nearest():
    old, new = _table([(4, 0.0), (4, 1.0), (5, 0.0)]), _table([(5, 0.1), (4, 0.9), (4, 0.1)])
    match_contacts(old, PAIR, LOCAL, 3, new, 0, 3)
    assert new[0, :3, MATCH].tolist() == [2, 1, 0]
    new = _table([(6, 0.0), (4, 0.0)])
    match_contacts(old, PAIR, LOCAL, 3, new, 0, 2)
    assert new[0, :2, MATCH].tolist() == [-1, 0]


def test_impulses_are_handed_over():
    old, new = _table([(4, 0.0), (4, 1.0)]), _table([(4, 1.0), (4, 0.0)])
    old[0, 1, IMPULSE + 2], old[0, 1, MODE] = 3.0, 2
    match_contacts(old, PAIR, LOCAL, 2, new, 0, 2)
    transfer_contacts(old, new, 0, 2, 2)
    assert old[0, 0, IMPULSE + 2] == 3.0
    assert old[0, 0, MODE] == 2
    assert old[0, :2, PRESSED].tolist() == [1.0, 0.0]


def test_what_is_remembered_is_recalled_as_an_impulse_of_the_next_step():
    con = _table([(4, 0.0), (7, 0.5)])
    con[0, 1, IMPULSE : IMPULSE + 4] = 1.0, 2.0, 3.0, 4.0
    con[0, 1, MODE] = 3
    memory = np.zeros((1, 3 * KEPT_COLUMNS))
    store_memory(con, 0, 2, 1e-3, memory, 0)
    back, kept = _table([(7, 0.6), (4, 0.0)]), np.zeros((1, 3, KEPT_COLUMNS))
    load_memory(memory, 0, kept, back, 0, 2, 2e-3)
    assert np.allclose(back[0, 0, IMPULSE : IMPULSE + 4], [2.0, 4.0, 6.0, 8.0])
    assert back[0, 0, MODE] == 3
    assert back[0, 1, IMPULSE + 2] == 0.0
