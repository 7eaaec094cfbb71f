"""Forward kinematics in lanes is `fk` to single precision; the sphere that a part grows by holds its motion."""

import numpy as np
from lane_inputs import among_boxes, sphere_arm, sphere_centres

from carpal.contact import sphere_checker
from carpal.kinematics import random_configurations


def test_centres_are_those_of_forward_kinematics(figure):
    checker = sphere_checker(among_boxes(sphere_arm(4), 4, count=1))
    q = 0.99 * random_configurations(checker.model, 16, seed=0)
    touching = checker(q)
    scene, lanes = checker.tables.scene, checker._lanes
    where = {name: (x, r) for name, _, x, r in sphere_centres(checker.model, q)}
    origin = checker.model.tables.bodies[1, 9:12]
    worst = 0.0
    for part in np.flatnonzero(lanes.stamps[0]):
        for k in range(*scene.parts[part, 1:]):
            apart = [np.abs(lanes.points[0, k].T + origin - x).max() for x, _ in where.values()]
            worst = max(worst, min(apart))
    assert lanes.stamps[0].any() or not touching.any()
    figure("centres of spheres in lanes beside plain numpy [m]", worst, float(scene.numbers[1]))
