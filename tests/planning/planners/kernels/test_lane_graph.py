"""Half-edges in lists: every edge is found from both of its nodes."""

import numpy as np
from planner_inputs import scene_checker

from carpal.planning.planners.graph_workplace import GraphWorkplace
from carpal.planning.planners.kernels import lane_graph as lg
from carpal.planning.planners.lane_planner import lane_planner


def test_every_edge_is_in_the_lists_of_both_nodes():
    planner = lane_planner(scene_checker().tables, 0.0)
    place = GraphWorkplace(planner, 80, 8)
    place.grow(1, 80, 10_000, neighbours=6)
    seen = np.zeros(place.edges, int)
    for node in range(place.nodes):
        half = place.graph.heads[0, node]
        while half >= 0:
            assert place.graph.links[0, half ^ 1, lg.TO] == node  # its twin leads back
            seen[half // 2] += 1
            half = place.graph.links[0, half, lg.NEXT]
    assert (seen == 2).all()
    a, b = (place.graph.links[0, k : 2 * place.edges : 2, lg.TO] for k in (0, 1))
    q = place.graph.nodes[0]
    assert np.allclose(
        place.graph.edges[0, : place.edges, lg.COST], np.linalg.norm((q[a] - q[b]) * planner.cost, axis=1)
    )
