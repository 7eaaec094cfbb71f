"""Inverse dynamics of machines with textbook answers; random trees are in oracle/."""

import numpy as np
from random_models import random_chain, random_state, random_tree, relative_error

from carpal.dynamics import coriolis_forces, gravity_forces, inverse_dynamics, mass_matrix
from carpal.model import Body, Joint, Model
from carpal.spatial import Inertia, pose

M1, M2, L1, L2, G = 1.3, 0.7, 0.5, 0.4, 9.81


def point_mass_arm() -> Model:
    """Two point masses at the ends of two massless links, in the vertical x-z plane."""
    down = {"axis": [0, -1, 0]}  # positive angles lift the arm from x towards z
    upper = Body("upper", None, Joint("a", "revolute", **down), Inertia(M1, np.array([L1, 0, 0]), np.zeros((3, 3))))
    elbow = Joint("b", "revolute", X_PJ=pose(p=[L1, 0, 0]), **down)
    return Model(
        name="points",
        bodies=(upper, Body("lower", "upper", elbow, Inertia(M2, np.array([L2, 0, 0]), np.zeros((3, 3))))),
    )


def test_two_point_masses_in_closed_form() -> None:
    """Craig, "Introduction to Robotics", 2005, eq. 6.58."""
    rng = np.random.default_rng(0)
    q, v, vdot = rng.normal(size=(3, 40, 2))
    (q1, q2), (v1, v2), (a1, a2) = q.T, v.T, vdot.T
    c2, s2, c1, c12 = np.cos(q2), np.sin(q2), np.cos(q1), np.cos(q1 + q2)
    t1 = (
        M2 * L2**2 * (a1 + a2) + M2 * L1 * L2 * c2 * (2 * a1 + a2) + (M1 + M2) * L1**2 * a1
        - M2 * L1 * L2 * s2 * v2**2 - 2 * M2 * L1 * L2 * s2 * v1 * v2 + M2 * L2 * G * c12 + (M1 + M2) * L1 * G * c1
    )  # fmt: skip
    t2 = M2 * L1 * L2 * c2 * a1 + M2 * L1 * L2 * s2 * v1**2 + M2 * L2 * G * c12 + M2 * L2**2 * (a1 + a2)
    assert np.allclose(inverse_dynamics(point_mass_arm(), q, v, vdot), np.stack([t1, t2], -1), rtol=0, atol=1e-13)


def test_the_three_parts_add_up(figure) -> None:
    worst = 0.0
    for seed in range(20):
        model = random_tree(seed, free="anywhere")
        q, v, vdot = random_state(model, np.random.default_rng(seed))
        parts = mass_matrix(model, q) @ vdot + coriolis_forces(model, q, v) + gravity_forces(model, q)
        worst = max(worst, relative_error(parts, inverse_dynamics(model, q, v, vdot)))
    figure("M vdot + C v + g against inverse dynamics, 20 trees: largest error", worst, 1e-12)


def test_coriolis_forces_leave_the_model_s_gravity_alone() -> None:
    model = random_chain(0)
    before = model.tables.bodies.copy()
    coriolis_forces(model, np.zeros(7), np.ones(7))
    assert np.array_equal(model.tables.bodies, before)
    assert np.abs(coriolis_forces(model, np.zeros(7), np.zeros(7))).max() == 0.0


def test_damping_and_friction_are_not_in_it() -> None:
    body = Inertia.point(1.0, [0.1, 0, 0])
    slick = Model(name="a", bodies=(Body("b", None, Joint("j", "revolute"), body),))
    sticky = Model(name="a", bodies=(Body("b", None, Joint("j", "revolute", damping=3.0, friction=2.0), body),))
    assert np.array_equal(inverse_dynamics(slick, [0.1], [2.0], [0.0]), inverse_dynamics(sticky, [0.1], [2.0], [0.0]))
