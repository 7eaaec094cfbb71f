"""The ledger closes: what drives put in and friction takes out is what the bodies have."""

import modal_scenes as scenes
import numpy as np

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.kernels import ledger as columns
from carpal.engines.modal.kernels.contact_table import CONTACT_COLUMNS, MODE, MODE_BEFORE
from carpal.engines.modal.kernels.ledger import mode_changes


def test_the_energy_of_a_pushed_sliding_block_is_accounted_for():
    scene = scenes.block()
    engine = ModalEngine(scene.build(), surface=Surface(mu=0.2))
    u = np.array([4.0, 0, 0, 0, 0, 0])
    start = scene.start()
    state, ledger, _ = engine.run_with_ledger(start, u, 500)
    gained = sum(engine.energies(state)) - sum(engine.energies(start))
    assert ledger[columns.WORK_IN] > 0
    assert ledger[columns.DISSIPATED] > 0
    assert abs(gained - ledger[columns.WORK_IN] + ledger[columns.DISSIPATED]) < 1e-12
    travel = state.q[0] - start.q[0]
    assert abs(ledger[columns.WORK_IN] - 4.0 * travel) < 1e-12
    assert abs(ledger[columns.DISSIPATED] - 0.2 * 9.81 * travel) < 1e-9, "friction mu m g over the travel"


def test_changes_of_mode_are_counted():
    con = np.zeros((1, 3, CONTACT_COLUMNS))
    con[0, :, MODE], con[0, :, MODE_BEFORE] = [1, 2, 3], [1, 1, 3]
    assert mode_changes(con, 0, 3) == (1, 0), "sticking and rolling have the same law"
    con[0, 0, MODE] = 3
    assert mode_changes(con, 0, 3) == (2, 1)
