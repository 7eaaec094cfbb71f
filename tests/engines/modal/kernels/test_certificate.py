"""The certificate: each wrong velocity raises its own residual; modes go by the slip speed first."""

import modal_scenes as scenes
import numpy as np
from modal_stages import Slot, plain

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.kernels.certificate import (
    C_CONE,
    C_DIRECTION,
    C_DRIFT,
    C_ENERGY,
    C_GAP_FORCE,
    certify_slip,
    certify_step,
    certify_velocities,
)
from carpal.engines.modal.kernels.contact_modes import SLIDE, STICK
from carpal.engines.modal.kernels.contact_table import (
    AFTER,
    CLOSED,
    CONTACT_COLUMNS,
    IMPULSE,
    INCLUDED,
    MODE,
    MU,
    UNHELD,
)
from carpal.engines.modal.kernels.cutting import solve_velocities
from carpal.engines.modal.kernels.ledger import CERTIFIED, CHANGES, DISSIPATED, LEDGER_COLUMNS, WORK_IN


def _certificate(impulse, unheld, after, mu=0.5):
    W = np.diag([2.0, 2.0, 4.0, 1.0])[None]
    con, ledger = np.zeros((1, 1, CONTACT_COLUMNS)), np.zeros((1, LEDGER_COLUMNS))
    con[0, 0, [MU, CLOSED, INCLUDED]] = mu, 1.0, 1.0
    for column, values in ((IMPULSE, impulse), (UNHELD, unheld), (AFTER, after)):
        con[0, 0, column : column + 3] = values
    certify_velocities(W, con, 0, 1, ledger, 0)
    return ledger[0, CERTIFIED:]


def test_a_true_step_has_no_residual_and_each_error_raises_its_own():
    clean = _certificate((-0.5, 0, 1), (4, 0, -4), (3, 0, 0))
    assert clean[: C_ENERGY + 1].max() < 1e-15
    assert _certificate((-0.5, 0, 1), (4, 0, -4), (3, 0, 0.1))[C_GAP_FORCE] > 1e-3
    assert _certificate((-0.7, 0, 1), (4, 0, -4), (2.6, 0, 0))[C_CONE] > 0.05
    assert _certificate((0.5, 0, 1), (4, 0, -4), (5, 0, 0))[C_DIRECTION] > 0.4
    assert _certificate((0.5, 0, 1), (4, 0, -1), (5, 0, 3))[C_ENERGY] > 1.0


def test_a_sticking_contact_that_slips_drifts():
    con, ledger = np.zeros((1, 1, CONTACT_COLUMNS)), np.zeros((1, LEDGER_COLUMNS))
    con[0, 0, MODE], con[0, 0, AFTER] = STICK, 1e-3
    certify_slip(con, 0, 1, 1e-3, ledger, 0)
    assert ledger[0, CERTIFIED + C_DRIFT] == 1e-6


def test_modes_of_a_ball_and_of_a_block():
    scene = scenes.incline(0.3)
    model = scene.build()
    for mu, mode in ((0.5, "rolling"), (0.05, "sliding")):
        engine = ModalEngine(model, surface=Surface(mu=mu))
        state = engine.run(scene.start(), None, 50).state
        assert [contact.mode for contact in engine.contacts(state, np.zeros(6))] == [mode]


def test_the_stage_records_drive_work_friction_and_modes():
    """A ball that slides at 2 m/s under 4 N with mu = 0.2: work F v dt, loss mu m g v dt, mode sliding; residuals vanish."""
    scene, dt = scenes.thrown_ball(2.0), 1e-3
    slot = Slot(ModalEngine(scene.build(), surface=Surface(mu=0.2)), scene.start(), np.array([4.0, 0, 0, 0, 0, 0]))
    arguments = slot.plant, slot.work, slot.inputs.u, slot.outputs.ledger, dt
    slot.collide(dt)
    plain(solve_velocities)(*arguments, True, 0, 0, slot.count)
    plain(certify_step)(*arguments, 0, 0, slot.count)
    v = slot.vector("step")
    mean, slip = 0.5 * (2.0 + v[0]), 0.5 * (2.0 + v[0] - 0.1 * v[4])
    assert abs(slot.ledger[WORK_IN] - 4.0 * mean * dt) < 1e-15
    assert abs(slot.ledger[DISSIPATED] - 0.2 * 5.0 * 9.81 * slip * dt) < 1e-14
    assert slot.con[0, MODE] == SLIDE
    assert slot.ledger[CHANGES] == 1
    assert slot.ledger[CERTIFIED : CERTIFIED + C_ENERGY + 1].max() < 1e-12
