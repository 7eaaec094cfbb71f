"""Factors that serve several right sides, against NumPy; a singular or broken matrix is refused."""

import numpy as np

from carpal.spatial.kernels.lu import factor_block, factor_general, solve_block, solve_factored


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


def test_blocks_that_know_nothing_of_each_other_are_solved_as_if_alone():
    """Zeros are skipped, so a block comes out to the last bit as it does by itself."""
    rng = np.random.default_rng(1)
    blocks = [rng.normal(size=(3, 3)) for _ in range(3)]
    order = rng.permutation(9)
    A, b = np.zeros((9, 9)), rng.normal(size=9)
    for k, block in enumerate(blocks):
        A[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = block
    mixed, x, pivots = A[np.ix_(order, order)][None].copy(), b[order][None].copy(), np.zeros((1, 9))
    assert factor_general(mixed, pivots, 0, 9)
    assert solve_factored(mixed, pivots, x, 0, 9)
    assert np.abs(A @ x[0][np.argsort(order)] - b).max() < 1e-12
    straight, x = A[None].copy(), b[None].copy()
    assert factor_general(straight, pivots, 0, 9)
    assert solve_factored(straight, pivots, x, 0, 9)
    for k, block in enumerate(blocks):
        alone, y = block[None].copy(), b[None, 3 * k : 3 * k + 3].copy()
        assert factor_general(alone, pivots, 0, 3)
        assert solve_factored(alone, pivots, y, 0, 3)
        assert np.array_equal(y[0], x[0, 3 * k : 3 * k + 3])


def test_what_is_no_number_is_refused_beside_zeros_too():
    A, pivots = np.array([[[1.0, np.nan], [0.0, 2.0]]]), np.zeros((1, 2))
    assert not (factor_general(A, pivots, 0, 2) and solve_factored(A, pivots, np.ones((1, 2)), 0, 2))


def test_blocks_are_solved_apart():
    """Two blocks on the diagonal, each as if it were alone; what stands beside them is neither read nor written."""
    rng = np.random.default_rng(8)
    A, x, pivots = np.full((1, 7, 7), np.nan), rng.normal(size=(1, 7)), np.zeros((1, 7))
    blocks = ((0, 3), (3, 7))
    for low, high in blocks:
        A[0, low:high, low:high] = rng.normal(size=(high - low, high - low))
    right = [np.linalg.solve(A[0, low:high, low:high], x[0, low:high]) for low, high in blocks]
    for low, high in blocks:
        assert factor_block(A, pivots, 0, low, high)
        assert solve_block(A, pivots, x, 0, low, high)
    assert np.abs(x[0] - np.concatenate(right)).max() < 1e-12 * np.abs(x).max()
    assert np.isnan(A[0, :3, 3:]).all() and np.isnan(A[0, 3:, :3]).all()
