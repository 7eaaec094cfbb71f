"""Graphs in lanes: the cheapest path is SciPy's, edges are what the planner proves, nodes come and go without a trace."""

import itertools

import numpy as np
import pytest
from planner_inputs import scene_checker, scene_pairs
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from carpal.planning.planners.graph_workplace import GraphFullError, GraphWorkplace
from carpal.planning.planners.kernels import lane_graph as lg
from carpal.planning.planners.lane_planner import lane_planner


def grown(nodes: int = 150, neighbours: int = 8) -> GraphWorkplace:
    place = GraphWorkplace(lane_planner(scene_checker().tables, 0.0), nodes + 20, neighbours + 4)
    place.grow(3, nodes, 100_000, neighbours=neighbours)
    return place


def ends_of(place: GraphWorkplace) -> tuple[np.ndarray, np.ndarray]:
    links = place.graph.links[0]
    return links[1 : 2 * place.edges : 2, lg.TO], links[: 2 * place.edges : 2, lg.TO]


def test_the_cheapest_path_is_dijkstras():
    place, planner = grown(), lane_planner(scene_checker().tables, 0.0)
    q = place.graph.nodes[0, : place.nodes]
    a, b = ends_of(place)
    proven = np.array([planner.proven(q[[i, k]], 0.0) for i, k in zip(a, b, strict=True)])
    cost = np.linalg.norm((q[a] - q[b]) * planner.cost, axis=1)
    far = dijkstra(
        coo_array((cost[proven], (a[proven], b[proven])), shape=(place.nodes,) * 2).tocsr(), directed=False, indices=[0]
    )[0]
    goals = np.argsort(far)[[5, 40, 80]].tolist()
    for goal in goals:
        path = place.cheapest(0, (0, goal, goal + 1), shorten=False)
        steps = [np.linalg.norm((y - x) * planner.cost) for x, y in itertools.pairwise(path)]
        assert np.array_equal(path[0], q[0]) and np.array_equal(path[-1], q[goal])
        assert sum(steps) == pytest.approx(far[goal], rel=1e-9)
        assert place.cheapest(0, (0, goal, goal + 1), bound=far[goal] * (1 - 1e-9), shorten=False) is None
    known = place.states != lg.UNKNOWN
    assert known.any() and not known.all()  # proven where needed only
    assert np.array_equal(place.states[known] == lg.PROVEN, proven[known])
    assert place.prove_edges(0, place.edges) == (proven & ~known).sum()
    assert np.array_equal(place.states == lg.PROVEN, proven)


def test_neighbours_are_the_nearest():
    place = grown(60, 5)
    q, (a, b) = place.graph.nodes[0, : place.nodes], ends_of(place)
    cost = lane_planner(scene_checker().tables, 0.0).cost
    for row in (10, 30, 59):
        nearest = np.argsort(np.linalg.norm((q[:row] - q[row]) * cost, axis=1))[:5]
        assert set(b[a == row].tolist()) == set(nearest.tolist())


def test_points_come_and_go_without_a_trace():
    place, (starts, goals) = grown(60, 5), scene_pairs()
    heads, edges = place.graph.heads[0, :60].copy(), place.edges
    touching = np.array([[0, 2.5, 0, 2.5, 0, 0, 0]])
    assert place.points(np.vstack([starts[:3], goals[:3]]), 5, hub=0) == 6
    assert place.edges == edges + 6 * 6
    assert place.points(touching, 5) == int(not scene_checker()(touching[0]))
    place.drop_last(60, edges)
    assert np.array_equal(place.graph.heads[0, :60], heads) and (place.nodes, place.edges) == (60, edges)


def test_a_chain_is_proven_and_a_full_graph_is_said():
    place, (starts, goals) = grown(30, 4), scene_pairs()
    first = place.nodes
    place.points(np.stack([starts[2], goals[2]]), -1)
    middle = np.linspace(starts[2], goals[2], 5)[1:-1]  # of a free edge
    place.chain(first, first + 1, middle)
    assert place.cheapest(0, (first, first + 1, first + 2), shorten=False) is not None
    with pytest.raises(GraphFullError, match="full"):
        place.grow(5, 10_000, 1_000_000)
