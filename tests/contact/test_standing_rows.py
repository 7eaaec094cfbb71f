"""Rows of standing shapes hold their surfaces, and are the shapes themselves where these are simple."""

import numpy as np
from lane_inputs import BOWL, SHAPES, distance_to_row, surface_points
from random_models import random_rotation

from carpal.contact.kernels import lane_tables as lt
from carpal.contact.standing_rows import obstacle_rows
from carpal.model import Plane


def test_rows_hold_the_surfaces():
    rng = np.random.default_rng(0)
    for i, shape in enumerate(SHAPES):
        R, p = random_rotation(rng), rng.normal(size=3)
        rows, owner = obstacle_rows([(shape, R, p)])
        points = surface_points(shape, 2000, rng) @ R.T + p
        apart = np.min([distance_to_row(row, points) for row in rows], axis=0)
        assert apart.max() < 1e-12 and set(owner) == {0}
        if i < 4:
            assert np.abs(apart).max() < 1e-12


def test_half_spaces_come_first():
    rows, owner = obstacle_rows([(BOWL, np.eye(3), np.zeros(3)), (Plane(), np.eye(3), np.ones(3))])
    assert rows[0, lt.OBSTACLE_KIND] == lt.HALF_SPACE and owner[0] == 1 and set(owner[1:]) == {0}
