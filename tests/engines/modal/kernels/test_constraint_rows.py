"""Rows of couplings and loops: their Jacobian is the derivative of their residuals."""

import closed_linkages as linkages
import numpy as np
from modal_stages import Slot, plain

from carpal.engines import ModalEngine
from carpal.engines.modal.kernels.constraint_rows import RESIDUAL, constraint_rows, largest_residual, row_speed
from carpal.engines.modal.kernels.contact_table import ORDER_DOF
from carpal.kinematics import integrate
from carpal.kinematics.kernels.placement import place_body
from carpal.model import State


def _evaluated(q):
    model = linkages.tied_model()
    slot = Slot(ModalEngine(model), State(0.0, q, np.zeros(model.nv)))
    plant, work = slot.plant, slot.work
    for body in range(1, len(plant.joints)):
        plain(place_body)(plant.joints, plant.bodies, work.vectors.q, work.tables.search.placed, 0, 0, body, True)
    plain(constraint_rows)(
        plant.joints, plant.bodies, plant.order, plant.ties.constraints, work.vectors.q, work.tables.search.placed,
        work.held.G, work.held.numbers, 0,
    )  # fmt: skip
    G = np.zeros((10, model.nv))
    G[:, plant.order[:, ORDER_DOF]] = work.held.G[0]
    return model, slot, G, work.held.numbers[0, RESIDUAL].copy()


def test_rows_are_the_derivative_of_the_residuals():
    rng = np.random.default_rng(4)
    model = linkages.tied_model()
    q = integrate(model, np.array(model.q_home), 0.3 * rng.normal(size=model.nv), 1.0)
    # turns are small at a closed weld only: bring the box where body d is
    _, slot, G, _ = _evaluated(q)
    v, step = rng.normal(size=model.nv), 1e-6
    low, high = (_evaluated(integrate(model, q, v, s))[3] for s in (-step, step))
    assert np.abs((high - low)[:4] / (2 * step) - (G @ v)[:4]).max() < 1e-8
    slot.work.vectors.v[0] = v
    fastest = plain(row_speed)(slot.plant.trees, slot.plant.order, slot.work.held.G, slot.work.vectors.v, 0)
    assert abs(fastest - np.abs(G @ v).max()) < 1e-14


def test_the_residual_of_a_weld_turns_with_the_bodies_where_it_is_closed():
    model = linkages.tied_model()
    q = np.array(model.q_home)
    for _ in range(40):  # Newton's method on the weld alone, from the residuals under test
        _, _, G, residual = _evaluated(q)
        q = integrate(model, q, -np.linalg.pinv(G[4:]) @ residual[4:], 1.0)
    _, _, G, residual = _evaluated(q)
    assert np.abs(residual[4:]).max() < 1e-12
    v, step = np.random.default_rng(1).normal(size=model.nv), 1e-6
    low, high = (_evaluated(integrate(model, q, v, s))[3] for s in (-step, step))
    assert np.abs((high - low) / (2 * step) - G @ v).max() < 1e-8


def test_a_residual_that_is_no_number_counts_as_the_largest():
    numbers = np.zeros((1, 3, 2))
    numbers[0, RESIDUAL] = 0.5, np.nan
    assert plain(largest_residual)(numbers, 0) == 1e300
