"""Samples where a cheaper path could pass: all of the spheroid and nothing else, equally dense; k of PRM*."""

import math

import numpy as np
import pytest
from lane_inputs import carriage

from carpal.contact import collision_checker
from carpal.model import Box, Scene
from carpal.planning.planners.graph_workplace import GraphWorkplace
from carpal.planning.planners.kernels.lane_growth import neighbours
from carpal.planning.planners.lane_planner import lane_planner


def test_a_spheroid_is_filled_equally():
    scene = Scene("open").add_robot(carriage(), name="c").add_fixed("far", Box((0.1, 0.1, 0.1)), pose=[9, 9, 9])
    place = GraphWorkplace(lane_planner(collision_checker(scene).tables, 0.0), 3000, 2)
    a, b = np.array([-0.3, 0.1, 0.0]), np.array([0.2, -0.2, 0.3])
    assert place.points(np.stack([a, b]), -1) == 2
    place.grow(1, 2900, 100_000, ends=(0, 1, 2), bound=0.9, neighbours=1)
    q = place.graph.nodes[0, 2 : place.nodes]
    total = np.linalg.norm(q - a, axis=1) + np.linalg.norm(q - b, axis=1)
    assert len(q) == 2898 and total.max() < 0.9 and total.max() > 0.89
    u = (b - a) / np.linalg.norm(b - a)
    x = q - 0.5 * (a + b)
    along, long = x @ u, 0.45
    across = np.linalg.norm(x - along[:, None] * u, axis=1)
    short = 0.5 * math.sqrt(0.9**2 - np.linalg.norm(b - a) ** 2)
    assert (along**2).mean() == pytest.approx(long**2 / 5, rel=0.06)  # of a ball of radius 1: 1/5 for each axis
    assert (across**2).mean() == pytest.approx(2 * short**2 / 5, rel=0.06)
    assert abs(along.mean()) < 0.02


def test_neighbours_of_prm_star():
    place = GraphWorkplace(lane_planner(collision_checker(carriage_scene()).tables, 0.0), 10, 2)
    assert neighbours(place.space, 1000) == math.ceil(math.e * (1 + 1 / 3) * math.log(1000))


def carriage_scene() -> Scene:
    return Scene("open").add_robot(carriage(), name="c").add_fixed("far", Box((0.1, 0.1, 0.1)), pose=[9, 9, 9])
