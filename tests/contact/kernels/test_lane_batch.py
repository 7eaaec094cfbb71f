"""The entry of batches: counts that are no multiple of the lanes, and slots of threads."""

import numpy as np
from lane_inputs import among_boxes, sphere_arm

from carpal.contact import sphere_checker
from carpal.kinematics import random_configurations


def test_any_count_of_configurations():
    checker = sphere_checker(among_boxes(sphere_arm(2), 2))
    q = random_configurations(checker.model, 49, seed=1)
    every = checker(q)
    for count in (1, 15, 16, 17, 33, 49):
        assert np.array_equal(checker(q[:count]), every[:count])
