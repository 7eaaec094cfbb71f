"""The ledger closes: what drives put in and friction takes out is what the bodies have."""

import modal_scenes as scenes
import numpy as np

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.kernels import books as book
from carpal.engines.modal.kernels.books import mode_changes
from carpal.engines.modal.kernels.contact_table import CONTACT_COLUMNS, MODE, MODE_BEFORE


def test_the_energy_of_a_pushed_sliding_block_is_accounted_for():
    scene = scenes.block()
    engine = ModalEngine(scene.build(), surface=Surface(mu=0.2))
    u = np.array([4.0, 0, 0, 0, 0, 0])
    start = scene.start()
    state, books, _ = engine.books(start, u, 500)
    gained = sum(engine.energies(state)) - sum(engine.energies(start))
    assert books[book.WORK_IN] > 0
    assert books[book.DISSIPATED] > 0
    assert abs(gained - books[book.WORK_IN] + books[book.DISSIPATED]) < 1e-12
    assert books[book.WORK_IN] == np.float64(books[book.WORK_IN])
    assert abs(books[book.WORK_IN] - 4.0 * state.q[0]) < 1e-12


def test_changes_of_mode_are_counted():
    con = np.zeros((1, 3, CONTACT_COLUMNS))
    con[0, :, MODE], con[0, :, MODE_BEFORE] = [1, 2, 3], [1, 1, 3]
    assert mode_changes(con, 0, 3) == 1
