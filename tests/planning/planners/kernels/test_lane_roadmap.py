"""Lazy search: how many edges may be checked is kept, and a node that touches closes all its edges at once."""

import numpy as np
from planner_inputs import scene_checker

from carpal.planning.planners.graph_workplace import GraphWorkplace
from carpal.planning.planners.kernels import lane_graph as lg
from carpal.planning.planners.lane_planner import lane_planner


def test_checks_are_bounded_and_touching_nodes_are_closed():
    planner, checker = lane_planner(scene_checker().tables, 0.0), scene_checker()
    place = GraphWorkplace(planner, 120, 10)
    place.grow(2, 100, 100_000, neighbours=8)
    assert place.cheapest(0, (0, 50, 51), checks=0, shorten=False) is None and place.undecided
    assert (place.states != lg.UNKNOWN).sum() >= 1
    q = np.random.default_rng(0).uniform(-1.5, 1.5, (300, 7))
    bad = q[checker.collides(q).hit][0]
    place.graph.nodes[0, 7] = bad  # as if something had moved to where it is
    edges = [e for e in range(place.edges) if 7 in place.graph.links[0, 2 * e : 2 * e + 2, lg.TO]]
    place.states[:] = lg.UNKNOWN
    place.prove_edges(edges[0], edges[0] + 1)
    assert (place.states[edges] == lg.BLOCKED).all()
