"""Couplings and loops eliminated, against NumPy's projection with the whole mass matrix."""

import closed_linkages as linkages
import numpy as np
import pytest
from modal_stages import Slot, plain

from carpal.dynamics import mass_matrix
from carpal.engines import ModalEngine
from carpal.engines.modal.kernels.assembly import factor_mass
from carpal.engines.modal.kernels.constraint_basis import close_constraints, closing_move, hold_contacts, hold_velocity
from carpal.engines.modal.kernels.constraint_rows import RESIDUAL, largest_residual
from carpal.engines.modal.kernels.contact_rows import behind_factor, contact_rows
from carpal.engines.modal.kernels.contact_table import ORDER_DOF
from carpal.engines.modal.kernels.tree_dynamics import tree_dynamics
from carpal.kinematics import integrate
from carpal.model import State


def _built(model, q):
    slot = Slot(ModalEngine(model), State(0.0, q, np.zeros(model.nv)))
    plant, work = slot.plant, slot.work
    plain(tree_dynamics)(
        plant.robot_joints, plant.robot_bodies, plant.trees, plant.owner, work.tables.search.placed, work.vectors.v,
        work.tables.M, work.vectors.bias, work.vectors.weight, work.tables.search.tree_work, 0,
    )  # fmt: skip
    assert plain(factor_mass)(plant, work, 0.0, 0)
    G = np.zeros((work.held.G.shape[1], model.nv))
    G[:, plant.order[:, ORDER_DOF]] = work.held.G[0]
    return slot, G, np.asarray(mass_matrix(model, q))


def _cases():
    rng = np.random.default_rng(2)
    model = linkages.tied_model()
    yield model, integrate(model, np.array(model.q_home), 0.2 * rng.normal(size=model.nv), 1.0)
    yield linkages.four_bar(), linkages.four_bar_q(0.7)
    yield linkages.five_bar()


@pytest.mark.parametrize("case", range(3))
def test_velocities_are_the_nearest_that_keep_the_rows_at_rest(case):
    model, q = list(_cases())[case]
    slot, G, M = _built(model, q)
    v = np.random.default_rng(3).normal(size=model.nv)
    vectors = slot.work.vectors
    vectors.v[0] = v
    plain(hold_velocity)(
        slot.plant.trees, slot.plant.order, slot.work.tables.L, slot.work.held, vectors.v, vectors.spare, 0
    )
    inverse = np.linalg.inv(M)
    truth = v - inverse @ G.T @ np.linalg.pinv(G @ inverse @ G.T, rcond=1e-10) @ G @ v
    assert np.abs(G @ vectors.v[0]).max() < 1e-12
    assert np.abs(vectors.v[0] - truth).max() < 1e-9


def test_contact_rows_lose_what_the_linkage_forbids():
    """A stop at the crank: W is the inverse of the inertia that the whole four-bar shows to its crank."""
    q = linkages.four_bar_q(0.7)
    slot, G, M = _built(linkages.four_bar(q_min=q[0]), q)
    plant, tables = slot.plant, slot.work.tables
    assert slot.count == 1
    plain(contact_rows)(
        plant.joints, plant.bodies, plant.trees, plant.order, plant.ties.tendons, tables.search.placed, tables.con, tables.J,
        0, 1,
    )  # fmt: skip
    plain(behind_factor)(plant.trees, tables.L, tables.con, tables.J, tables.Y, 0, 1)
    plain(hold_contacts)(plant.trees, tables.con, tables.Y, slot.work.held.Z, 0, 1)
    inverse = np.linalg.inv(M)
    closed = inverse - inverse @ G.T @ np.linalg.pinv(G @ inverse @ G.T, rcond=1e-10) @ G @ inverse
    assert abs((tables.Y[0, 2] ** 2).sum() / closed[0, 0] - 1.0) < 1e-10
    assert closed[0, 0] < 0.9 * inverse[0, 0]


def test_moves_close_the_loop_and_the_search_ends_closed():
    model, q = linkages.five_bar()
    slot, G, M = _built(model, q + np.array([1e-2, -2e-2, 1.5e-2, 0.0]))
    move = np.zeros((1, model.nv))
    plain(closing_move)(slot.plant, slot.work, move, 0)
    assert np.abs(G @ move[0] + slot.work.held.numbers[0, RESIDUAL]).max() < 1e-12
    inverse = np.linalg.inv(M)
    least = -inverse @ G.T @ np.linalg.pinv(G @ inverse @ G.T, rcond=1e-10) @ slot.work.held.numbers[0, RESIDUAL]
    assert np.abs(move[0] - least).max() < 1e-10
    assert plain(close_constraints)(slot.plant, slot.work, 0) < 1e-13
    assert plain(largest_residual)(slot.work.held.numbers, 0) < 1e-13
