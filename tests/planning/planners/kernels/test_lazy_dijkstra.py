"""Shortest paths against scipy's Dijkstra; halving keeps the path; the bound n_d on deletions (7.14, E14)."""

import numpy as np
import pytest
from planner_inputs import empty_search, scene_checker, scene_pairs
from scipy.sparse.csgraph import dijkstra as scipy_dijkstra

from carpal.planning import plan_each
from carpal.planning.planners.kernels import lazy_dijkstra as lazy

pytestmark = pytest.mark.xdist_group("planners")


@pytest.mark.parametrize("seed", range(10))
def test_shortest_paths_are_scipy_s(seed):
    rng = np.random.default_rng(seed)
    m = 20
    space, search = empty_search(3)
    space.cost[:] = [1.0, 2.0, 0.5]
    search.nodes[0, :m] = rng.uniform(size=(m, 3))
    graph, rows = np.zeros((1, m, m)), np.zeros((1, lazy.DIJKSTRA_ROWS, m))
    gone = np.triu(rng.random((m, m)) < 0.6, 2)
    graph[0][gone | gone.T] = lazy.GONE
    lazy._shortest(space, search, graph, rows, m, 0)
    p = search.nodes[0, :m] * space.cost
    weights = np.linalg.norm(p[:, None] - p[None], axis=-1)
    weights[gone | gone.T] = np.inf
    weights[np.diag_indices(m)] = np.inf
    assert rows[0, lazy.COST, m - 1] == pytest.approx(
        scipy_dijkstra(np.where(np.isinf(weights), 0, weights), indices=0)[m - 1]
    )
    count = lazy._keep_path(search, rows, m, 0)
    assert lazy.path_cost(space, search, count, 0) == pytest.approx(rows[0, lazy.COST, m - 1])


def test_halving_keeps_the_path():
    space, search = empty_search(2)
    path = np.array([[0, 0], [1, 0.5], [0.2, 0.9], [0.7, 0.1]])
    search.nodes[0, :4] = path
    assert lazy._halve_edges(space, search, 4, 0) == 7
    assert np.allclose(search.nodes[0, 0:7:2], path) and np.allclose(
        search.nodes[0, 1:7:2], 0.5 * (path[:-1] + path[1:])
    )
    assert lazy.path_cost(space, search, 7, 0) == pytest.approx(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())


def test_the_bound_on_deletions_is_leuteneggers():
    """n_d = m (m - 3) / 2 is what is left of m (m - 1) / 2 - 1 edges when the m - 1 of the path must stay (E14)."""
    for m in range(3, 40):
        assert (m * (m - 1) // 2 - 1) - (m - 1) == m * (m - 3) // 2


def test_it_is_never_exceeded(figure):
    starts, goals = scene_pairs()
    found = plan_each(scene_checker(), starts, goals, planner="sbl")
    assert sum(result.deleted for result in found) > 20
    left = min(result.deletions_left for result in found)
    figure("what the bound n_d left of 60 shortenings at least", left, 0, at_least=True)
    figure("length after over before shortening, largest", max(r.cost / r.cost_found for r in found), 1 + 1e-12)
