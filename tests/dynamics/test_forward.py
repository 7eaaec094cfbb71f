"""Forward dynamics: the inverse of inverse dynamics, and motions with textbook answers."""

import numpy as np
import pytest
from random_models import random_inertia, random_state, random_tree

from carpal.dynamics import forward_dynamics, inverse_dynamics, mass_matrix
from carpal.model import Body, Joint, Model
from carpal.spatial import Inertia

EPS = np.finfo(float).eps


def test_forward_undoes_inverse(figure) -> None:
    worst = 0.0
    for seed in range(40):
        model = random_tree(seed, free="anywhere")
        q, v, vdot = random_state(model, np.random.default_rng(seed))
        got = forward_dynamics(model, q, v, inverse_dynamics(model, q, v, vdot))
        bound = max(1e-9, 50 * EPS * np.linalg.cond(mass_matrix(model, q)))
        worst = max(worst, np.abs(got - vdot).max() / max(1, np.abs(vdot).max()) / bound)
    figure("forward of inverse dynamics on 40 trees: error / max(1e-9, 50 eps cond M)", worst, 1.0)


def test_everything_that_nothing_holds_falls_with_gravity() -> None:
    body = random_inertia(np.random.default_rng(0))
    model = Model(
        name="stone", bodies=(Body("b", None, Joint("j", "free"), Inertia(body.mass, [0, 0, 0], body.about_com)),)
    )
    q = [1, 2, 3, 0.5, -0.5, 0.5, 0.5]
    got = forward_dynamics(model, q, np.zeros(6), np.zeros(6))
    assert np.allclose(got, [0, 0, -9.81, 0, 0, 0], rtol=0, atol=1e-14)


def test_euler_s_equations_of_a_free_top() -> None:
    """I wdot + w x I w = 0 in the body; v of a free joint is in the world."""
    I = np.diag([1.0, 2.0, 2.5])
    model = Model(
        name="top", bodies=(Body("b", None, Joint("j", "free"), Inertia(3.0, np.zeros(3), I)),), gravity=[0, 0, 0]
    )
    w = np.array([0.3, -1.0, 2.0])
    got = forward_dynamics(model, model.q_home, [0, 0, 0, *w], np.zeros(6))
    assert np.allclose(got[3:], -np.linalg.solve(I, np.cross(w, I @ w)), rtol=0, atol=1e-15)


def test_rotor_inertia_slows_a_joint() -> None:
    def model(armature: float) -> Model:
        joint = Joint("j", "prismatic", armature=armature)
        return Model(
            name="m", bodies=(Body("b", None, joint, Inertia(2.0, np.zeros(3), np.eye(3))),), gravity=[0, 0, 0]
        )

    assert forward_dynamics(model(0.0), [0.0], [0.0], [6.0]) == pytest.approx([3.0])
    assert forward_dynamics(model(1.0), [0.0], [0.0], [6.0]) == pytest.approx([2.0])
