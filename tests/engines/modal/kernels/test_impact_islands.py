"""Islands: contacts are grouped by the blocks of W that couple them, over any number of others."""

import numpy as np
from impact_reference import random_hits

from carpal.engines.modal.kernels.impact_islands import (
    FLAGS,
    FRICTION_WORK,
    ISLAND,
    MISSING,
    NORMAL_WORK,
    WORK_COLUMNS,
    block,
    mark_islands,
    push,
    record_hit,
)


def coupled(n, pairs):
    W = np.zeros((2, 3 * n, 3 * n))
    for i, K in enumerate(random_hits(n, 1)[0]):
        W[1, 3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = K
    for i, j in pairs:
        W[1, 3 * i + 1, 3 * j + 2] = W[1, 3 * j + 2, 3 * i + 1] = 0.01
    return W


def test_chains_are_one_island():
    W, work = coupled(7, [(0, 5), (5, 2), (6, 3)]), np.full((2, 7, WORK_COLUMNS), np.nan)
    mark_islands(W, work, 1, 7)
    assert work[1, :, ISLAND].tolist() == [0, 1, 0, 3, 4, 0, 3]
    assert np.allclose(block(W, 1, 2), W[1, [6, 7, 8, 6, 6, 7], [6, 7, 8, 7, 8, 8]])


def test_a_push_moves_its_island_only():
    W, work = coupled(3, [(0, 2)]), np.zeros((2, 3, WORK_COLUMNS))
    mark_islands(W, work, 1, 3)
    u, P, d = np.zeros((2, 9)), np.zeros((2, 9)), (0.1, -0.2, 0.3)
    push(W, u, P, work, 1, 3, 0, d)
    assert np.allclose(u[1], W[1, :, :3] @ d, atol=1e-15) and (u[1, 3:6] == 0).all() and np.array_equal(P[1, :3], d)


def test_a_hit_is_booked_once():
    work = np.zeros((1, 1, WORK_COLUMNS))
    record_hit(work, 0, 0, (1.0, 0.0, -1.0), (0.0, 0.0, 0.5), (-0.5, 0.0, 2.0), -0.5, -0.25, 5)
    record_hit(work, 0, 0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, 0.5, 2)
    assert (
        work[0, 0, NORMAL_WORK] == -0.5
        and np.isclose(work[0, 0, FRICTION_WORK], -0.75 + 0.5)
        and work[0, 0, FLAGS] == 7
        and work[0, 0, MISSING] == 0.75
    )
