"""The barrier method against closed forms and against SciPy's general solver."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from carpal.contact.grasp.cone_program import Cone, least_cost


def test_the_lowest_point_of_a_ball(figure):
    c = np.array([1.0, 2.0, -2.0])
    ball = Cone(np.zeros(3), 2.0, np.eye(3), np.array([-1.0, 0.0, 0.5]))
    x = least_cost(c, np.zeros((0, 3)), [ball], np.array([1.0, 0.0, -0.5]))
    figure("least linear cost in a ball", float(np.abs(x - ([1, 0, -0.5] - 2 * c / 3)).max()), 1e-5)
    figure("its value", abs(float(c @ x) - (float(c @ [1, 0, -0.5]) - 6.0)), 1e-9)


def test_equations_are_kept():
    A = np.array([[1.0, 1.0, 1.0]])
    ball = Cone(np.zeros(3), 1.0, np.eye(3), np.zeros(3))
    start = np.array([0.1, 0.1, 0.1])
    x = least_cost(np.array([1.0, 0.0, 0.0]), A, [ball], start)
    assert abs(A @ x - A @ start).max() < 1e-12
    assert abs(np.linalg.norm(x) - 1.0) < 1e-6


def test_random_programs_against_a_general_solver(figure):
    rng = np.random.default_rng(2)
    worst = 0.0
    for _ in range(10):
        n = 5
        cones = [Cone(np.zeros(n), 3.0, np.eye(n), np.zeros(n))]
        for _ in range(3):
            cones.append(Cone(rng.normal(size=n), 4.0, rng.normal(size=(2, n)), 0.1 * rng.normal(size=2)))
        cost, A = rng.normal(size=n), rng.normal(size=(2, n))
        x = least_cost(cost, A, cones, np.zeros(n))
        rules = [{"type": "ineq", "fun": cone.slack} for cone in cones] + [{"type": "eq", "fun": lambda y, A=A: A @ y}]
        other = minimize(
            lambda y, c=cost: c @ y,
            0.01 * np.ones(n),
            constraints=rules,
            method="SLSQP",
            options={"ftol": 1e-13, "maxiter": 500},
        )
        worst = max(worst, abs(cost @ x - other.fun))
        assert min(cone.slack(x) for cone in cones) > -1e-12
    figure("cone programs against a general solver", worst, 1e-6)
