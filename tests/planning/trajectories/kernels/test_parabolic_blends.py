"""Blends fit on their lines, last as long as the hardest joint needs; a batch is its single calls."""

import numpy as np

from carpal.planning.trajectories.kernels.parabolic_blends import blends_batch

V, A, FREE = np.array([1.0, 0.5]), np.array([2.0, 3.0]), np.full(2, np.inf)


def timed(waypoints, worlds=1):
    rows = np.ascontiguousarray(waypoints.reshape(worlds, -1))
    n = rows.shape[1] // 2
    lasts, blends = np.empty((worlds, n - 1)), np.empty((worlds, n))
    assert blends_batch(V, A, FREE, rows, lasts, blends, 0, worlds, 1, 0) == 0
    return lasts, blends


def test_lines_hold_their_blends_and_speeds():
    rng = np.random.default_rng(0)
    for _ in range(200):
        q = np.cumsum(rng.normal(size=(6, 2)) * 10 ** rng.uniform(-5, 1, (6, 1)), axis=0)
        lasts, blends = timed(q)
        v = np.diff(q, axis=0) / lasts[0][:, None]
        assert (np.abs(v) <= V * (1 + 1e-12)).all()
        assert (0.5 * (blends[0, :-1] + blends[0, 1:]) <= lasts[0] * (1 + 1e-12)).all()
        jumps = np.abs(np.diff(np.vstack([np.zeros(2), v, np.zeros(2)]), axis=0))
        assert np.allclose(blends[0], (jumps / A).max(axis=1), rtol=1e-9)


def test_a_batch_is_its_single_calls_bit_for_bit():
    q = np.random.default_rng(1).normal(size=(7, 4, 2))
    lasts, blends = timed(q, 7)
    for i in range(7):
        one = timed(q[i])
        assert np.array_equal(one[0][0], lasts[i]) and np.array_equal(one[1][0], blends[i])
