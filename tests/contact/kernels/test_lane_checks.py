"""Kinds of obstacles in lanes beside plain numpy: boxes, rounded ones, cylinders, half-spaces."""

import numpy as np
import pytest
from lane_inputs import carriage, distance_to_row, sphere_centres
from random_models import random_rotation

from carpal.contact import contact_tables, sphere_checker
from carpal.contact.standing_rows import obstacle_rows
from carpal.model import Box, Capsule, Cylinder, Plane, Scene, Sphere
from carpal.spatial import pose

KINDS = [Box((0.3, 0.2, 0.5)), Capsule(0.1, 0.4), Sphere(0.2), Cylinder(0.15, 0.4), Plane()]


@pytest.mark.parametrize("shape", KINDS, ids=lambda s: s.kind)
def test_a_sphere_touches_where_numpy_says_so(shape):
    rng = np.random.default_rng(0)
    R, p = random_rotation(rng), rng.normal(size=3) * 0.1
    scene = Scene("one").add_robot(carriage(), name="c").add_fixed("thing", shape, pose=pose(R, p))
    checker = sphere_checker(scene)
    q = rng.uniform(-0.6, 0.6, (2000, 3))
    ((_, _, centres, radius),) = [s for s in sphere_centres(checker.model, q) if s[0] == "c/ball"]
    rows, _ = obstacle_rows([(shape, R, p)])
    apart = distance_to_row(rows[0], centres) - radius
    sure = np.abs(apart) > 1e-5
    assert checker.exact and np.array_equal(checker(q)[sure], apart[sure] < 0) and 0.02 < (apart < 0).mean() < 0.98
    assert len(contact_tables(scene.build()).pairs) == 1
