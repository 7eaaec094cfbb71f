"""Stored energy against its closed form; what the modal engine leaves out is named."""

import dataclasses

import numpy as np
import pytest
from extended_models import extended_model

from carpal.dynamics import potential_energy
from carpal.engines import ModalEngine
from carpal.engines.modal.passive import StoredEnergy, warn_of_what_is_left_out
from carpal.errors import InputError
from carpal.model import Body, Joint, Model, ModelTendon
from carpal.spatial import Inertia


def test_stored_energy_is_that_of_springs_tendons_and_carried_weight():
    model, q = extended_model(), np.array([[0.3, -0.4, 0.2], [12.0, 0.5, -0.1]])
    energy = StoredEnergy(model)(q)
    length = 0.01 * q[:, 0] - 0.02 * q[:, 1]
    beyond = length - np.clip(length, 0.0, 0.1)
    bare = Model("bare", tuple(dataclasses.replace(body, gravity_compensation=0.0) for body in model.bodies))
    only_c = bare.replace(
        bodies=tuple(
            dataclasses.replace(body, inertia=body.inertia if body.name == "c" else Inertia.nothing())
            for body in bare.bodies
        )
    )
    truth = 0.5 * 2.0 * (q[:, 1] - 0.1) ** 2 + 50.0 * beyond**2 - 0.5 * potential_energy(only_c, q)
    assert np.abs(energy - truth).max() < 1e-12
    assert beyond.any()
    assert StoredEnergy(Model("bare", bare.bodies[:1]))(q[0, :1]) == 0.0


def test_what_is_left_out_is_named():
    body = Body("ball", None, Joint("socket", "ball", stiffness=2.0), Inertia(1.0, np.zeros(3), np.eye(3)))
    with pytest.warns(UserWarning, match="spring of ball joint 'socket'"):
        ModalEngine(Model("m", (body,)))
    model = extended_model()
    cable = ModelTendon("cable", {}, model.tendons[1].path, stiffness=3.0)
    with pytest.warns(UserWarning, match="spatial tendon 'cable'"):
        warn_of_what_is_left_out(model.replace(tendons=(cable,), actuators=()))


def test_a_share_below_zero_is_refused():
    body = Body("arm", None, Joint("hinge", "revolute"), Inertia(1.0, np.ones(3), np.eye(3)), -0.5)
    with pytest.raises(InputError, match="gravity_compensation of body 'arm'"):
        StoredEnergy(Model("m", (body,)))
