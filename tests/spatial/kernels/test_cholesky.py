"""The small positive-definite solve against numpy, and what it refuses."""

import numpy as np
import pytest

from carpal.spatial.kernels.cholesky import solve_spd

SLOT = 1


def laid_out(A: np.ndarray, x: np.ndarray, spare: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """In slot 1 of larger arrays, NaN everywhere that must not be read: other slots, the upper triangle, the rim."""
    n = len(A)
    big, vector = np.full((3, n + spare, n + spare), np.nan), np.full((3, n + spare), np.nan)
    big[SLOT, :n, :n] = np.where(np.tri(n, dtype=bool), A, np.nan)
    vector[SLOT, :n] = x
    return big, vector


@pytest.mark.parametrize("n", [1, 2, 6, 7, 13])
def test_solution_and_factor_equal_numpy_s(n: int) -> None:
    rng = np.random.default_rng(n)
    B = rng.normal(size=(n, n))
    A, x = B @ B.T + 0.1 * np.eye(n), rng.normal(size=n)
    L, y = laid_out(A, x)
    assert solve_spd(L, y, SLOT, n)
    expected = np.linalg.solve(A, x)
    assert np.abs(y[SLOT, :n] - expected).max() < 1e-14 * np.linalg.cond(A) * max(1, np.abs(expected).max())
    assert np.abs(np.tril(L[SLOT, :n, :n]) - np.linalg.cholesky(A)).max() < 1e-14 * n * np.abs(A).max()
    assert np.isnan(L[0]).all() and np.isnan(y[2]).all()
    assert np.isnan(y[SLOT, n:]).all()


def test_residual_stays_small_when_badly_conditioned() -> None:
    n = 6
    Q = np.linalg.qr(np.random.default_rng(0).normal(size=(n, n)))[0]
    A, x = Q @ np.diag(10.0 ** -np.arange(0, 12, 2)) @ Q.T, np.ones(n)
    A = (A + A.T) / 2
    L, y = laid_out(A, x)
    assert solve_spd(L, y, SLOT, n)
    assert np.abs(A @ y[SLOT, :n] - x).max() < 1e-14 * np.abs(A).max() * np.abs(y[SLOT, :n]).max()


@pytest.mark.parametrize(
    "A",
    [
        np.diag([1.0, 0.0, 1.0]),
        np.diag([1.0, -1.0, 1.0]),
        np.ones((3, 3)),
        np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        np.diag([1.0, np.nan, 1.0]),
    ],
    ids=["zero", "negative", "rank one", "indefinite", "NaN"],
)
def test_what_is_not_positive_is_refused(A: np.ndarray) -> None:
    L, y = laid_out(A, np.ones(3))
    assert not solve_spd(L, y, SLOT, 3)
