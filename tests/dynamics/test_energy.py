"""Energies of a pendulum; conservation along a motion is in verification/."""

import numpy as np
import pytest
from random_models import random_state, random_tree

from carpal.dynamics import com, kinetic_energy, potential_energy
from carpal.model import Body, Joint, Model
from carpal.spatial import Inertia

MASS, LENGTH = 2.0, 0.5


def pendulum(armature: float = 0.0) -> Model:
    joint = Joint("j", "revolute", axis=[0, -1, 0], armature=armature)
    return Model(name="p", bodies=(Body("b", None, joint, Inertia(MASS, [LENGTH, 0, 0], np.zeros((3, 3)))),))


def test_pendulum() -> None:
    q, v = np.linspace(-3, 3, 13)[:, None], np.linspace(-2, 2, 13)[:, None]
    assert np.allclose(potential_energy(pendulum(), q), MASS * 9.81 * LENGTH * np.sin(q[:, 0]), rtol=0, atol=1e-14)
    assert np.allclose(kinetic_energy(pendulum(), q, v), 0.5 * MASS * LENGTH**2 * v[:, 0] ** 2, rtol=0, atol=1e-14)
    assert kinetic_energy(pendulum(0.3), [0.0], [2.0]) == pytest.approx(0.5 * (MASS * LENGTH**2 + 0.3) * 4)


def test_potential_is_the_weight_at_the_centre_of_mass() -> None:
    model = random_tree(2)
    q, _, _ = random_state(model, np.random.default_rng(0), (10,))
    assert np.allclose(potential_energy(model, q), -model.mass * (com(model, q) @ model.gravity), rtol=1e-13)


def test_one_state_gives_one_number() -> None:
    assert kinetic_energy(pendulum(), [0.0], [1.0]).shape == ()
    assert float(potential_energy(pendulum(), [0.0])) == 0.0
