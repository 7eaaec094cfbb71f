"""The quadratic program against its optimality conditions, which are sufficient: stationary, inside, multipliers of one sign."""

from __future__ import annotations

import numpy as np
import pytest
from composed_inputs import check_optimal, quadratic
from scipy.optimize import linprog

from carpal.kinematics.composed.kernels.active_set import INFEASIBLE, NOT_POSITIVE, SOLVED, solve_quadratic


def random_program(rng, n, m):
    A = rng.normal(size=(n + 2, n))
    H = A.T @ A + 10.0 ** rng.uniform(-8, 0) * np.eye(n)
    B = np.concatenate([np.eye(n), rng.normal(size=(m, n))])
    inside = rng.normal(size=n)
    room = rng.uniform(0.0, 1.0, (n + m, 2)) * rng.integers(0, 2, (n + m, 2))
    bounds = np.stack([B @ inside - room[:, 0], B @ inside + room[:, 1]], axis=1)
    bounds[rng.random((n + m, 2)) < 0.3] = np.inf
    bounds[:, 0] = np.where(np.isinf(bounds[:, 0]), -np.inf, bounds[:, 0])
    return H, 10.0 * rng.normal(size=n), B, bounds


@pytest.mark.parametrize("seed", range(5))
def test_random_programs_are_solved_to_their_optimality_conditions(seed):
    rng = np.random.default_rng(seed)
    for _ in range(60):
        n, m = int(rng.integers(1, 12)), int(rng.integers(0, 9))
        H, g, B, bounds = random_program(rng, n, m)
        work = quadratic(H, g, B, bounds)
        assert solve_quadratic(work, n, n, len(B), 0) == SOLVED
        check_optimal(H, g, B, bounds, work.x[0])


def test_programs_without_a_point_inside_are_refused():
    rng = np.random.default_rng(1)
    refused = 0
    for _ in range(100):
        n = int(rng.integers(2, 6))
        B = np.concatenate([np.eye(n), rng.normal(size=(4, n))])
        bounds = np.sort(rng.normal(size=(n + 4, 2)), axis=1)
        work = quadratic(np.eye(n), rng.normal(size=n), B, bounds)
        feasible = linprog(
            np.zeros(n), np.concatenate([B, -B]), np.concatenate([bounds[:, 1], -bounds[:, 0]]), bounds=(None, None)
        )
        status = solve_quadratic(work, n, int(rng.integers(0, 2)) * n, n + 4, 0)
        assert status == (SOLVED if feasible.status == 0 else INFEASIBLE)
        refused += status == INFEASIBLE
    assert refused > 20


def test_repeated_and_touching_constraints_end():
    B = np.array([[1.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0], [0.0, 0.0]])
    bounds = np.array([[-1.0, 1.0], [1.0, np.inf], [-np.inf, 2.0], [-5.0, 1.0], [-1.0, 1.0]])
    work = quadratic(np.eye(2), np.array([3.0, 4.0]), B, bounds)
    assert solve_quadratic(work, 2, 0, 5, 0) == SOLVED
    np.testing.assert_allclose(work.x[0], [1.0, 0.0], atol=1e-12)


def test_a_matrix_that_is_not_positive_is_refused():
    work = quadratic(np.array([[1.0, 0.0], [2.0, 1.0]]), np.ones(2), np.eye(2), np.array([[-1.0, 1.0]] * 2))
    assert solve_quadratic(work, 2, 0, 2, 0) == NOT_POSITIVE
