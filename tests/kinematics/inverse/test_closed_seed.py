"""The numeric search starts at a closed-form answer where one fits, and is none the worse elsewhere."""

import numpy as np
import pytest
from pointing_checks import targets

import carpal
from carpal.kinematics import random_configurations
from carpal.kinematics.inverse.closed_seed import closed_seeds, seed_geometry
from carpal.kinematics.inverse.ik_target import read_target


@pytest.mark.parametrize("name", ["k10", "so101_old"])
def test_the_search_begins_where_it_ends(name, figure):
    model = carpal.load(name)
    target = targets(model, random_configurations(model, 300, seed=2))
    result = carpal.ik(model, target)
    figure(f"ik from closed-form seeds, {name}: solved of 300 [%]", 100 * result.ok.mean(), 100.0, at_least=True)
    figure(f"ik from closed-form seeds, {name}: iterations at most", result.iterations.max(), 1)
    assert (result.attempts == 1).all()
    one = carpal.ik(model, (target[0][5], target[1][5]))
    assert np.array_equal(one.q, result.q[5])


@pytest.mark.parametrize("name", ["srs7", "sia5"])
def test_poses_of_seven_joints(name):
    model = carpal.load(name)
    X = carpal.fk(model, random_configurations(model, 100, seed=3))
    result = carpal.ik(model, X)
    assert result.ok.all()
    assert np.mean(result.iterations <= 1) > 0.8


def test_targets_out_of_reach_are_still_explained():
    model = carpal.load("k10")
    result = carpal.ik(model, (np.array([[5.0, 0, 0], [0.4, 0.1, 0.2]]), np.array([0.0, 0, -1])))
    assert result.ok.tolist() == [False, True] and "out of reach by" in result.explain((0,))


def test_only_where_it_fits():
    assert seed_geometry(carpal.load("k10"), None, "point") is None
    assert seed_geometry(carpal.load("sawyer"), None, "pose") is None
    model = carpal.load("so101_old").replace(tool_axis=np.array([0.0, 0.0, 1.0]))  # not the roll axis
    if abs(carpal.load("so101_old").tool_axis[2]) < 0.5:
        assert seed_geometry(model, None, "point and direction") is None
    arm = seed_geometry(carpal.load("k10"), None, "point and direction")
    q, has = closed_seeds(
        carpal.load("k10"), arm, read_target((np.array([[0.4, 0.1, 0.2]]), np.array([[0.0, 0, -1]]))), 1
    )
    assert has.tolist() == [True] and np.isfinite(q).all()
