"""The small general solve against numpy: it pivots, and refuses singular and unfinite systems."""

import numpy as np
import pytest

from carpal.spatial.kernels.gauss import solve_general

SLOT = 1


def solve(A: np.ndarray, x: np.ndarray) -> tuple[bool, np.ndarray]:
    n = len(A)
    big, vector = np.full((2, n + 1, n + 1), np.nan), np.full((2, n + 1), np.nan)
    big[SLOT, :n, :n], vector[SLOT, :n] = A, x
    ok = solve_general(big, vector, SLOT, n)
    assert np.isnan(big[0]).all() and np.isnan(vector[0]).all()
    return ok, vector[SLOT, :n]


@pytest.mark.parametrize("n", [1, 2, 3, 6, 9])
@pytest.mark.parametrize("seed", range(5))
def test_it_equals_numpy_s(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    A, x = rng.normal(size=(n, n)), rng.normal(size=n)
    ok, y = solve(A, x)
    expected = np.linalg.solve(A, x)
    assert ok
    assert np.abs(y - expected).max() < 1e-14 * np.linalg.cond(A) * max(1, np.abs(expected).max())


def test_it_pivots() -> None:
    """A zero, or a tiny number, where elimination would begin."""
    x = np.array([1.0, 2.0, 3.0])
    swap = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    ok, y = solve(swap, x)
    assert ok and np.array_equal(y, [3.0, 1.0, 2.0])
    tiny = np.array([[1e-20, 1.0, 2.0], [1.0, 1.0, 0.0], [3.0, 1.0, 1.0]])
    ok, y = solve(tiny, x)
    assert ok and np.abs(y - np.linalg.solve(tiny, x)).max() < 1e-14


def test_scale_does_not_matter() -> None:
    A, x = np.random.default_rng(3).normal(size=(2, 6, 6)).sum(0), np.ones(6)
    for scale in (1e-150, 1e150):
        ok, y = solve(scale * A, scale * x)
        assert ok and np.abs(y - np.linalg.solve(A, x)).max() < 1e-12


def test_what_is_not_finite_is_refused_where_no_pivot_shows_it() -> None:
    A = np.eye(3)
    assert not solve(A, np.array([1.0, np.nan, 1.0]))[0]
    assert not solve(A, np.array([np.inf, 1.0, 1.0]))[0]
    A[0, 2] = np.nan
    assert not solve(A, np.ones(3))[0]


@pytest.mark.parametrize(
    "A",
    [
        np.zeros((3, 3)),
        np.diag([1.0, 0.0, 2.0]),
        np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.0, 0.0, 1.0]]),
        np.diag([1.0, np.inf, 1.0]),
        np.diag([np.nan, 1.0, 1.0]),
        np.array([[1.0, 0.0, 0.0], [np.nan, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        np.array([[1.0, np.inf, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    ],
    ids=["zero", "zero pivot", "rank two", "infinite", "NaN", "NaN beside a pivot", "infinite beside a pivot"],
)
def test_no_answer_is_said_to_be_one(A: np.ndarray) -> None:
    assert not solve(A, np.ones(3))[0]
