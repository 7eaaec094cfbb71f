"""Rows solved in the metric of a matrix, against NumPy's pseudo-inverse."""

from __future__ import annotations

import numpy as np
import pytest

from carpal.engines.rigid.kernels.passive import DOF_COLUMNS, PRESCRIBED
from carpal.engines.rigid.kernels.row_solver import factor_rows, multipliers, solve_rows
from carpal.spatial.kernels.cholesky_factor import factor_spd

N = 7


def solved(
    M: np.ndarray, J: np.ndarray, target: np.ndarray, given: tuple[int, ...] = ()
) -> tuple[np.ndarray, np.ndarray, int]:
    """Solution, multipliers and rank, in slot 1 of two."""
    count = len(J)
    A, Q, R, rows = np.zeros((2, N, N)), np.zeros((2, count, N)), np.zeros((2, count, count)), np.zeros((2, count, N))
    A[1], rows[1] = M, J
    dofs = np.zeros((N, DOF_COLUMNS))
    dofs[list(given), PRESCRIBED] = 1.0
    order, y, factors, x = np.zeros((2, count)), np.zeros((2, count)), np.zeros((2, count)), np.zeros((2, 1, N))
    goal, size = np.array([target, target]), np.tile((J**2).sum(axis=1) / np.diag(M).min(), (2, 1)) + 1e-3
    for i in given:
        A[1, i], A[1, :, i] = 0.0, 0.0
        A[1, i, i] = 1.0
    assert factor_spd(A, 1, N)
    rank = factor_rows(A, dofs, rows, size, count, Q, R, order, 1)
    solve_rows(A, Q, R, order, rank, goal, y, x, 1)
    multipliers(R, order, rank, y, factors, 1)
    return x[1, 0], factors[1], rank


@pytest.mark.parametrize("seed", range(4))
def test_the_answer_is_the_least_motion(seed: int) -> None:
    rng = np.random.default_rng(seed)
    B, J, target = rng.normal(size=(N, N)), rng.normal(size=(4, N)), rng.normal(size=4)
    M = B @ B.T + np.eye(N)
    x, factors, rank = solved(M, J, target)
    S = J @ np.linalg.solve(M, J.T)
    assert rank == 4
    assert np.allclose(factors, np.linalg.solve(S, target), rtol=1e-10)
    assert np.allclose(x, np.linalg.solve(M, J.T @ factors), rtol=0, atol=1e-11) and np.allclose(
        J @ x, target, rtol=0, atol=1e-11
    )


def test_redundant_and_empty_rows_are_left_out_exactly() -> None:
    rng = np.random.default_rng(9)
    B, J = rng.normal(size=(N, N)), rng.normal(size=(3, N))
    M = B @ B.T + np.eye(N)
    more = np.array([J[0], 1e-17 * J[1], J[1], J[0] - 2 * J[1] + 1e-15, J[2]])
    target = more @ rng.normal(size=N)
    x, _, rank = solved(M, more, target)
    assert rank == 3 and np.allclose(more @ x, target, rtol=0, atol=1e-12)
    assert np.allclose(x, solved(M, J, target[[0, 2, 4]])[0], rtol=0, atol=1e-12)


def test_nearly_dependent_rows_are_solved_to_rounding_of_their_condition() -> None:
    rng = np.random.default_rng(2)
    J = rng.normal(size=(2, N))
    J = np.array([J[0], J[0] + 1e-6 * J[1]])
    target = J @ rng.normal(size=N)
    x, _, rank = solved(np.eye(N), J, target)
    assert rank == 2 and np.allclose(J @ x, target, rtol=0, atol=1e-14)


def test_prescribed_joints_do_not_answer() -> None:
    rng = np.random.default_rng(5)
    B, J, target = rng.normal(size=(N, N)), rng.normal(size=(2, N)), rng.normal(size=2)
    M = B @ B.T + np.eye(N)
    x, _, rank = solved(M, J, target, given=(1, 4))
    free = [0, 2, 3, 5, 6]
    assert rank == 2 and (x[[1, 4]] == 0).all() and np.allclose(J @ x, target, rtol=0, atol=1e-12)
    reduced = np.linalg.solve(M[np.ix_(free, free)], J[:, free].T)
    assert np.allclose(x[free], reduced @ np.linalg.solve(J[:, free] @ reduced, target), rtol=0, atol=1e-11)
