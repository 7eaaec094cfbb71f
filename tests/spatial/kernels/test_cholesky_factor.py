"""A factored matrix against NumPy's."""

from __future__ import annotations

import numpy as np

from carpal.spatial.kernels.cholesky_factor import factor_spd, solve_lower, solve_upper


def test_it_solves_as_numpy_does_and_keeps_the_upper_triangle() -> None:
    rng = np.random.default_rng(1)
    B, x = rng.normal(size=(6, 6)), rng.normal(size=6)
    M = B @ B.T + np.eye(6)
    A, rows = np.full((2, 6, 6), np.nan), np.full((2, 3, 6), np.nan)
    A[1], rows[1, 2] = M, x
    assert factor_spd(A, 1, 6)
    assert np.allclose(np.tril(A[1]), np.linalg.cholesky(M), rtol=0, atol=1e-13)
    assert np.array_equal(np.triu(A[1], 1), np.triu(M, 1))
    solve_lower(A, rows, 1, 2, 6)
    solve_upper(A, rows, 1, 2, 6)
    assert np.allclose(rows[1, 2], np.linalg.solve(M, x), rtol=0, atol=1e-13)
    assert np.isnan(A[0]).all() and np.isnan(rows[1, :2]).all()


def test_a_singular_matrix_is_refused() -> None:
    c = np.array([1.0, 2.0, 3.0])
    for M in (np.outer(c, c), np.diag([1.0, -1.0, 1.0]), np.diag([1.0, np.nan, 1.0])):
        assert not factor_spd(M[None].copy(), 0, 3)
