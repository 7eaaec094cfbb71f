"""The kept factorisation against numpy's solver."""

import numpy as np

from carpal.dynamics.finger.kernels.lu import factor, solve_factored


def test_one_factorisation_serves_several_right_sides():
    rng = np.random.default_rng(1)
    for n in (1, 2, 5, 9):
        A = rng.normal(size=(n, n))
        A[0, 0] = 0.0 if n > 1 else 2.0  # a pivot is needed
        lu, order = np.full((2, n, n), np.nan), np.full((2, n), np.nan)
        lu[1] = A
        assert factor(lu, order, 1, n)
        for _ in range(3):
            b = rng.normal(size=n)
            x = np.full((2, n), np.nan)
            x[1] = b
            solve_factored(lu, order, x, 1, n)
            assert np.allclose(A @ x[1], b, atol=1e-12)
        assert np.isnan(lu[0]).all()


def test_singular_matrices_are_refused():
    for A in (np.ones((3, 3)), np.zeros((2, 2)), np.full((2, 2), np.nan)):
        assert not factor(A[None].copy(), np.empty((1, len(A))), 0, len(A))
