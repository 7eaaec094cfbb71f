"""Edges: as many checks as the resolution asks for, in order or in halves with the same verdict."""

import pytest
from planner_inputs import edge_samples, empty_search, scene_checker, scene_pairs

from carpal.planning import plan, plan_each
from carpal.planning.planners.kernels import edges
from carpal.planning.planners.kernels import search_state as state

pytestmark = pytest.mark.xdist_group("planners")


@pytest.mark.parametrize(
    ("length", "parts"), [(0.0, 1), (0.01, 1), (0.02, 1), (0.0201, 2), (0.04, 2), (1.0, 50), (0.999, 50)]
)
def test_no_joint_moves_more_than_the_resolution_between_checks(length, parts):
    space, _ = empty_search(2)
    space.numbers[state.RESOLUTION] = 0.02
    assert edges.edge_parts(space, length) == parts and length / parts <= 0.02 * (1 + 1e-12)


def test_a_place_between_two_nodes():
    space, search = empty_search(2)
    search.nodes[0, :2] = [[0.0, 1.0], [1.0, -1.0]]
    edges.put_between(space, search, 0, 1, 0.25, 0)
    assert search.q[0].tolist() == [0.25, 0.5]


def test_a_free_edge_is_checked_everywhere():
    """Start, goal, and every inner check: no more and no fewer checks than the resolution asks for."""
    start = scene_pairs()[0][0]
    goal = start + 0.049
    result = plan(scene_checker(), start, goal, resolution=0.002, simplify=False, planner="rrt_connect")
    assert result.ok and result.checks == 2 + 24


def test_both_orders_give_the_verdict_of_single_checks():
    checker = scene_checker()
    starts, goals = (q[:40] for q in scene_pairs())
    free = [not checker.collides(edge_samples(a, b, 0.02)).hit.any() for a, b in zip(starts, goals, strict=True)]
    assert 0 < sum(free) < 40
    for forward in (False, True):
        found = plan_each(checker, starts, goals, forward=forward, max_samples=1, planner="rrt_connect", proof=False)
        assert [result.samples == 0 for result in found] == free
