"""Cholesky's factor, solves and the inverse of one world's matrix, in place."""

import numpy as np

from carpal.dynamics.kernels.forward_derivatives import factor_rows, invert_rows, solve_rows


def test_factor_solve_and_inverse():
    rng = np.random.default_rng(0)
    for n in (1, 2, 6):
        A = rng.normal(size=(n, n))
        M, B = A @ A.T + n * np.eye(n), rng.normal(size=(n, n))
        L, X = np.stack([M, M]), np.stack([B, B])
        assert factor_rows(L, 1)
        solve_rows(L, X, 1, -1.0)
        invert_rows(L, 1)
        assert np.allclose(X[1], -np.linalg.solve(M, B), atol=1e-12) and np.allclose(L[1], np.linalg.inv(M), atol=1e-12)
        assert np.array_equal(L[0], M) and np.array_equal(X[0], B)


def test_a_singular_matrix_is_refused():
    assert not factor_rows(np.zeros((1, 2, 2)), 0)
