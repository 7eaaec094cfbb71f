"""Failures are explained: who touches at an end, what closes an end in."""

import numpy as np
import pytest
from collision_scenes import capsule_arm
from planner_inputs import scene_checker, scene_pairs

from carpal.kinematics import random_configurations
from carpal.model import Box, Scene
from carpal.planning import plan

pytestmark = pytest.mark.xdist_group("planners")


def test_an_end_that_touches_is_named():
    checker = scene_checker()
    q = random_configurations(checker.model, 200, seed=5)
    hit = checker.collides(q)
    touching = q[hit.hit][0]
    names = checker.distance(touching).names()
    start, _ = scene_pairs()
    for ends, which in (((touching, start[0]), "start"), ((start[0], touching), "goal")):
        result = plan(checker, *ends)
        assert not result and len(result.path) == 0 and result.status.startswith(f"the {which} touches: ")
        assert all(f"'{name}'" in result.status for name in names) and "exclude" in result.status


def closed_in():
    """The arm stretched up inside a tight shaft: nothing gets out."""
    scene = Scene("shaft").add_robot(capsule_arm(), name="arm")
    for name, x, y, size in (
        ("north", 0.0, 0.11, (0.3, 0.05, 1.0)), ("south", 0.0, -0.11, (0.3, 0.05, 1.0)),
        ("east", 0.11, 0.0, (0.05, 0.3, 1.0)), ("west", -0.11, 0.0, (0.05, 0.3, 1.0)),
    ):  # fmt: skip
        scene.add_fixed(name, Box(size), pose=[x, y, 1.1])
    return scene


@pytest.mark.parametrize("planner", ["rrt_connect", "sbl", "est"])
def test_what_closes_an_end_in_is_named(planner):
    scene = closed_in()
    out = np.array([0.5, 1.4, 0.0, 1.2, 0.0, 0.5, 0.0])
    result = plan(scene, out, np.zeros(7), planner=planner, max_samples=1500)
    assert not result and "no path found in 1,5" in result.status
    assert "the goal's surroundings are closed by 'arm/capsule_" in result.status
    assert any(f"'{wall}'" in result.status for wall in ("north", "south", "east", "west"))
    with pytest.raises(ValueError, match="there is no path"):
        result.trajectory(vdot_max=1.0)


def test_the_straight_edge_is_said_to_be_free():
    start, _ = scene_pairs()
    result = plan(scene_checker(), start[0], start[0] + 1e-3)
    assert result.ok and "the straight edge is free" in result.status and result.samples == 0
