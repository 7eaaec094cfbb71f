"""The earlier SO-101 keeps its five joints and its name."""

import numpy as np

import carpal


def test_it_points_along_minus_y_and_weighs_the_same():
    arm = carpal.load("so101_old")
    assert (arm.name, arm.nq) == ("so101_old", 5)
    X = carpal.fk(arm, np.zeros(5))
    assert np.allclose(X[:3, :3] @ arm.tool_axis, [0, -1, 0], rtol=0, atol=1e-12)
    assert abs(arm.mass - carpal.load("so101").mass) < 1e-9
