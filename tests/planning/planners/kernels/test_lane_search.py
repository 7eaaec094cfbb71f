"""Nearest neighbours in the metric, continuous joints the short way round, by plain numpy."""

import numpy as np

from carpal.planning.planners.kernels import lane_search as ls


def test_the_nearest_node_is_the_nearest():
    rng = np.random.default_rng(0)
    nq, count = 5, 1300
    space = ls.LaneSpace(
        -np.ones(nq), np.ones(nq), np.array([0.0, 1, 0, 0, 1]), np.array([1.0, 1, 3, 0, 2]), np.ones(nq), np.zeros((0, 14)),
        np.zeros(ls.NUMBERS),
    )  # fmt: skip
    search = ls.LaneSearch(
        np.zeros((1, 2, 2000, nq)), np.zeros((1, 2, nq, 2000), np.float32), np.zeros((1, 2, 2000, 2)),
        np.zeros((1, ls.BLOCK), np.float32), np.zeros((1, ls.STATES)), np.zeros((1, 4, nq)), np.zeros((1, 2, ls.QUEUE)),
        np.zeros((1, 8, nq)), np.zeros((1, 2, nq)),
    )  # fmt: skip
    q = rng.uniform(-3, 3, (count, nq))
    for row in q:
        search.point[0, 0] = row
        ls.add_node(space, search, 1, 0, 1.0, 0)
    for x in rng.uniform(-3, 3, (20, nq)):
        search.point[0, 0] = x
        found, far = ls.nearest_node(space, search, 1, 0)
        d = q - x
        d[:, [1, 4]] -= 2 * np.pi * np.round(d[:, [1, 4]] / (2 * np.pi))
        apart = np.linalg.norm(d * space.scale, axis=1)
        assert np.isclose(apart[found], apart.min(), rtol=1e-5) and np.isclose(far, apart.min(), rtol=1e-5)
