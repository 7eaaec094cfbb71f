"""Factors that serve several right sides, against NumPy; a singular or broken matrix is refused."""

import numpy as np

from carpal.spatial.kernels.lu import factor_general, solve_factored


def test_one_factorisation_serves_many_right_sides():
    rng = np.random.default_rng(0)
    for n in (1, 2, 5, 15):
        A = rng.normal(size=(n, n))
        A[0, 0] = 0.0 if n > 1 else 1.0  # asks for a swap of rows
        room, pivots = np.zeros((1, 16, 16)), np.zeros((1, 16))
        room[0, :n, :n] = A
        assert factor_general(room, pivots, 0, n)
        for _ in range(3):
            b = rng.normal(size=n)
            x = np.zeros((1, 16))
            x[0, :n] = b
            assert solve_factored(room, pivots, x, 0, n)
            assert np.abs(A @ x[0, :n] - b).max() < 1e-11 * np.abs(x).max()


def test_what_cannot_be_solved_is_refused():
    pivots = np.zeros((1, 2))
    assert not factor_general(np.array([[[0.0, 1.0], [0.0, 2.0]]]), pivots, 0, 2)
    assert not factor_general(np.array([[[np.nan, 1.0], [1.0, 2.0]]]), pivots, 0, 2)
    A = np.array([[[1.0, 1.0], [1.0, 2.0]]])
    assert factor_general(A, pivots, 0, 2)
    assert not solve_factored(A, pivots, np.array([[np.inf, 0.0]]), 0, 2)
