"""Fixed tendons and compensated weight against their closed forms."""

import dataclasses

import closed_linkages as linkages
import numpy as np
from modal_stages import Slot, plain

from carpal.dynamics import gravity_forces
from carpal.engines import ModalEngine
from carpal.engines.modal.kernels.passive_forces import (
    add_tendons,
    lift_weight,
    pull_tendons,
    tendon_loss,
)
from carpal.model import Model, ModelTendon, State

DT, K, B = 1e-3, 40.0, 0.7


def _pulled(q, v, rest=(0.0, 0.1)):
    arm = Model("arm", linkages.tied_model().bodies[:2])
    model = arm.replace(
        tendons=(ModelTendon("cord", {"hinge_a": 0.5, "hinge_b": -0.25}, stiffness=K, damping=B, rest=rest),)
    )
    slot = Slot(ModalEngine(model), State(0.0, np.array(q), np.array(v)))
    plant, vectors, x, L = slot.plant, slot.work.vectors, np.zeros((1, 2)), np.zeros((1, 2, 2))
    args = plant.ties.tendons, plant.trees, plant.order, plant.dofs, vectors.q, vectors.v, DT
    plain(pull_tendons)(*args, x, 0)
    plain(add_tendons)(*args, 0, L, 0)
    return slot, x[0], L[0]


def test_a_taut_tendon_pulls_with_its_spring_and_damper():
    c, q, v = np.array([0.5, -0.25]), np.array([0.6, 0.2]), np.array([0.3, -0.1])
    slot, x, L = _pulled(q, v)
    length, speed = c @ q, c @ v
    assert np.abs(x - c * DT * (-K * (length + DT * speed - 0.1) - B * speed)).max() < 1e-15
    assert np.abs(np.tril(np.outer(c, c)) * (DT * B + DT * DT * K) - L).max() < 1e-15
    plant, vectors = slot.plant, slot.work.vectors
    lost = plain(tendon_loss)(plant.ties.tendons, plant.trees, plant.order, vectors.v, vectors.v, DT, 0)
    assert abs(lost - DT * B * speed**2) < 1e-15


def test_a_slack_tendon_does_not_pull():
    _, x, _ = _pulled([0.1, 0.0], [0.0, 0.0])
    assert not x.any()
    _, x, _ = _pulled([-0.1, 0.0], [0.0, 0.0])
    assert x[0] > 0.0, "shorter than its rest length it pushes"


def test_a_body_whose_weight_is_carried_weighs_nothing():
    bodies = linkages.tied_model().bodies[:2]
    q = np.array([0.4, -0.7])
    for share in (1.0, 0.25):
        held = tuple(dataclasses.replace(body, gravity_compensation=share) for body in bodies)
        model = Model("arm", held)
        slot = Slot(ModalEngine(model), State(0.0, q, np.zeros(2)))
        plant, vectors = slot.plant, slot.work.vectors
        pull = np.asarray(gravity_forces(Model("arm", bodies), q))
        vectors.bias[0], vectors.weight[0] = pull, pull
        plain(lift_weight)(
            plant.joints,
            plant.bodies,
            plant.ties.lifted,
            slot.work.tables.search.placed,
            vectors.bias,
            vectors.weight,
            0,
        )
        assert np.abs(vectors.bias[0] - (1.0 - share) * pull).max() < 1e-14
        assert np.abs(vectors.weight[0] - (1.0 - share) * pull).max() < 1e-14
    assert np.abs(pull).min() > 0.1
