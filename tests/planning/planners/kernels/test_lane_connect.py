"""Trees of a search in lanes: both grow, and every edge of a path that is not shortened is proven by itself."""

from planner_inputs import scene_checker, scene_pairs

from carpal.planning.planners.kernels import lane_run
from carpal.planning.planners.lane_planner import lane_planner


def test_unshortened_paths_are_proven_and_trees_balanced():
    planner = lane_planner(scene_checker().tables, 0.0)
    starts, goals = scene_pairs()
    grown = []
    for i in range(20):
        found = planner.search(starts[i], goals[i][None], i, 4000, shorten=False, out_of_time=lambda: False)
        if found.outcome == lane_run.FOUND:
            assert planner.proven(found.path, 0.0)
            grown.append(found.sizes)
    assert len(grown) > 17 and sum(max(pair) > 3 for pair in grown) > 4
