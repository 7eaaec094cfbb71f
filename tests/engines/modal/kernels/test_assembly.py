"""Assembly: free velocities and W of a ball on a floor against Newton's law; a missing mass is reported."""

import modal_scenes as scenes
import numpy as np
from modal_stages import Slot, plain

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.kernels.assembly import assemble_velocities
from carpal.engines.modal.kernels.contact_rows import contact_rows
from carpal.engines.modal.kernels.contact_table import UNHELD
from carpal.model import State

DT, M, R = 1e-3, 5.0, 0.1
I = 0.4 * M * R * R


def _assembled(rebuild=True):
    scene = scenes.thrown_ball(2.0)
    slot = Slot(ModalEngine(scene.build(), surface=Surface(mu=0.2)), scene.start(), np.array([3.0, 0, 0, 0, 0, 0]))
    plant, tables = slot.plant, slot.work.tables
    plain(contact_rows)(
        plant.joints,
        plant.bodies,
        plant.trees,
        plant.order,
        plant.ties.tendons,
        tables.search.placed,
        tables.con,
        tables.J,
        0,
        slot.count,
    )
    ok = plain(assemble_velocities)(plant, slot.work, slot.inputs.u, DT, rebuild, 0, 0, slot.count)
    return slot, ok


def test_free_velocity_is_that_of_gravity_and_drives():
    slot, ok = _assembled()
    assert ok
    assert np.abs(slot.vector("free") - [2.0 + DT * 3.0 / M, 0, -9.81 * DT, 0, 0, 0]).max() < 1e-15
    speeds = slot.con[0, UNHELD : UNHELD + 3]
    assert np.hypot(*speeds[:2]) == 2.0 + DT * 3.0 / M
    assert abs(abs(speeds[2]) - 9.81 * DT) < 1e-15


def test_w_is_the_velocity_gained_per_impulse_at_the_contact():
    slot, _ = _assembled()
    W = slot.work.tables.W[0, :3, :3]
    assert np.abs(W - np.diag([1 / M + R * R / I, 1 / M + R * R / I, 1 / M])).max() < 1e-14


def test_factors_are_reused_unless_a_rebuild_is_asked_for():
    slot, ok = _assembled(rebuild=False)
    assert ok
    assert not slot.work.tables.W.any(), "W of the new slot was zero"


def test_a_singular_mass_matrix_is_reported():
    model, target = scenes.cross_fingers(2)
    slot = Slot(ModalEngine(model, target=target), State.home(model))
    assert not slot.work.tables.M.any(), "tree_dynamics has not run"
    assert not plain(assemble_velocities)(slot.plant, slot.work, slot.inputs.u, DT, True, 0, 0, slot.count)
