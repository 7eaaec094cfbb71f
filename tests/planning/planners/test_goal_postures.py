"""Configurations for pose goals: all branches that `ik_all` knows, inside the limits, for arms of five, six and seven joints."""

import numpy as np
import pytest

import carpal
from carpal.errors import InputError, UnknownNameError
from carpal.kinematics import random_configurations
from carpal.planning import PoseGoal
from carpal.planning.planners.goal_postures import goal_postures


def found(model, goal, first=True, seed=0, start=None):
    q, why = goal_postures(
        model, goal, model.q_home if start is None else start, np.random.default_rng(seed), first=first
    )
    assert ((q >= model.q_min) & (q <= model.q_max)).all()
    return q, why


def test_six_joints_give_every_branch_as_near_as_turns_allow():
    arm = carpal.load("ur5")  # limits of two turns
    for q in random_configurations(arm, 20, seed=1):
        X = carpal.fk(arm, q)
        branches, _ = found(arm, PoseGoal(X), start=q)
        every = carpal.ik_all(arm, X).q[: carpal.ik_all(arm, X).count]
        apart = np.abs((every[:, None] - branches[None] + np.pi) % (2 * np.pi) - np.pi).max(axis=2)
        assert len(branches) == len(every) and (apart.min(axis=1) < 1e-6).all()
        assert np.abs(branches - q).max(axis=1).min() < 1e-6  # the start itself is one of them
        other, _ = found(arm, PoseGoal(X), first=False)
        assert np.abs(carpal.fk(arm, other) - X).max() < 1e-9


@pytest.mark.parametrize("name", ["panda", "sia5"])
def test_seven_joints_sample_their_redundancy(name):
    arm = carpal.load(name)
    X = carpal.fk(arm, arm.q_home + 0.1)
    first, _ = found(arm, PoseGoal(X))
    again, _ = found(arm, PoseGoal(X), first=False, seed=5)
    assert len(first) > 3 and len(again) > 1
    for q in (first, again):
        assert np.abs(carpal.fk(arm, q) - X).max() < 1e-9
    assert np.abs(first[:, None] - again[None]).max(axis=2).min() > 1e-3  # other members of the set


def test_five_joints_point_and_regions_are_reached():
    arm = carpal.load("k10")
    X = carpal.fk(arm, arm.q_home + 0.1)
    pointing = (X[:3, 3], X[:3, :3] @ arm.tool_axis)
    for goal in (PoseGoal(pointing), PoseGoal(pointing, position=0.02, angle=0.3), PoseGoal(X[:3, 3])):
        q, _ = found(arm, goal)
        far, off = goal.miss(arm, q)
        assert len(q) > 1 and far.max() < 1e-6 and off.max() < 1e-6


def test_what_cannot_be_reached_says_why():
    arm = carpal.load("ur5")
    q, why = found(arm, PoseGoal(carpal.spatial.pose(p=[9, 0, 0])))
    assert not len(q) and "too short" in why
    q, why = found(arm, PoseGoal([9.0, 0, 0]))
    assert not len(q) and "none of 48 searches" in why and "out of reach" in why
    with pytest.raises(UnknownNameError, match="'hook'; valid"):
        found(arm, PoseGoal([0.3, 0, 0], frame="hook"))
    with pytest.raises(InputError, match="no joint that moves carries"):
        found(arm, PoseGoal([0.3, 0, 0], frame="base_link"))
