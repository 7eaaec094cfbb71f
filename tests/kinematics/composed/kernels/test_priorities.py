"""Bases of null spaces against NumPy's singular values."""

from __future__ import annotations

import numpy as np
import pytest

from carpal.kinematics.composed.kernels.priorities import identity_basis, narrow_basis


@pytest.mark.parametrize("rank", [0, 1, 3, 5])
def test_the_basis_is_orthonormal_and_spans_the_null_space(rank):
    rng = np.random.default_rng(rank)
    n, rows = 7, 6
    A = rng.normal(size=(rows, rank)) @ rng.normal(size=(rank, n))
    N, P = np.empty((1, n, n)), np.zeros((1, rows + 3, n))
    identity_basis(N, n, 0)
    P[0, 2 : 2 + rows] = A
    width = narrow_basis(N, P, 2, 2 + rows, n, n, 0)
    assert width == n - np.linalg.matrix_rank(A, tol=1e-9)
    basis = N[0, :, :width]
    np.testing.assert_allclose(basis.T @ basis, np.eye(width), atol=1e-13)
    np.testing.assert_allclose(A @ basis, 0.0, atol=1e-12)


def test_a_second_level_narrows_the_first_one_further():
    rng = np.random.default_rng(9)
    A, B = rng.normal(size=(2, 6)), rng.normal(size=(3, 6))
    N, P = np.empty((1, 6, 6)), np.empty((1, 3, 6))
    identity_basis(N, 6, 0)
    P[0, :2] = A
    width = narrow_basis(N, P, 0, 2, 6, 6, 0)
    P[0, :, :width] = B @ N[0, :, :width]
    width = narrow_basis(N, P, 0, 3, 6, width, 0)
    assert width == 1
    np.testing.assert_allclose(np.concatenate([A, B]) @ N[0, :, :1], 0.0, atol=1e-12)
