"""Tasks of a graph: shortening after the cheapest path never makes it dearer, and stays proven."""

import itertools

import numpy as np
from planner_inputs import scene_checker

from carpal.planning.planners.graph_workplace import GraphWorkplace
from carpal.planning.planners.lane_planner import lane_planner


def test_shortened_paths_are_proven_and_no_dearer():
    planner = lane_planner(scene_checker().tables, 0.0)
    place = GraphWorkplace(planner, 300, 12)
    place.grow(4, 300, 100_000, neighbours=10)
    shorter = 0
    for goal in (11, 57, 140, 222):
        path = place.cheapest(1, (0, goal, goal + 1))
        cost = sum(np.linalg.norm((b - a) * planner.cost) for a, b in itertools.pairwise(path))
        assert planner.proven(path, 0.0) and cost <= place.cost_found * (1 + 1e-12)
        shorter += cost < 0.99 * place.cost_found
    assert shorter > 0
