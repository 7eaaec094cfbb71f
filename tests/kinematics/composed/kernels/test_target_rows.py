"""Rows of every kind of target against finite differences of its error, with and without a base that moves."""

from __future__ import annotations

import numpy as np
import pytest
from composed_inputs import packed_of, rows_at, two_arms

import carpal
from carpal.kinematics import (
    ComTarget,
    DirectionTarget,
    LookAtTarget,
    PointTarget,
    PoseTarget,
    fk,
    integrate,
    random_configurations,
)
from carpal.spatial import rotation_from_vector

STEP = 1e-6


def reached_goal(model, q, target):
    """A goal that the target has reached at q, so that rows are the exact derivative of its error."""
    X, base = fk(model, q, target.frame), np.eye(4) if target.base is None else fk(model, q, target.base)
    seen = np.linalg.inv(base) @ X
    if isinstance(target, PoseTarget):
        return target.goal_numbers(seen)
    if isinstance(target, PointTarget):
        return target.goal_numbers((seen @ np.append(target.point, 1.0))[:3])
    if isinstance(target, DirectionTarget):
        return target.goal_numbers(seen[:3, :3] @ target.axis)
    return target.goal_numbers((seen @ np.append(np.asarray(target.point) + 0.7 * np.asarray(target.axis), 1.0))[:3])


AXIS = np.array([0.6, 0.0, 0.8])
TARGETS = [
    PoseTarget(frame="left_hand", weight=2.0, rotation_weight=(0.5, 1.0, 0.0)),
    PointTarget(frame="left_hand", point=(0.1, 0.2, -0.1), weight=(1.0, 0.0, 3.0)),
    DirectionTarget(frame="left_hand", axis=AXIS, rotation_weight=0.7),
    LookAtTarget(frame="left_hand", axis=AXIS, point=(0.05, 0.0, 0.1), rotation_weight=0.7),
]


@pytest.mark.parametrize("base", [None, "right_hand", "left_1"])
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: type(target).__name__)
def test_rows_are_the_derivative_of_the_error(target, base):
    model = two_arms()
    target = type(target)(**{**vars(target), "base": base})
    packed = packed_of(model, target)
    for q in random_configurations(model, 3, seed=2):
        goal = reached_goal(model, q, target)
        J, e, errors = rows_at(packed, q, goal)
        np.testing.assert_allclose(e, 0.0, atol=1e-7)
        assert errors.max() < 1e-7
        for i in range(model.nv):
            v = np.eye(model.nv)[i]
            ahead, behind = (rows_at(packed, integrate(model, q, v, s), goal)[1] for s in (STEP, -STEP))
            np.testing.assert_allclose(J[:, i], (behind - ahead) / (2 * STEP), atol=2e-8)


def test_rows_of_the_centre_of_mass_are_its_derivative():
    for model in (two_arms(), carpal.load("ur5")):
        packed = packed_of(model, ComTarget(weight=(1.0, 2.0, 0.5)))
        q = random_configurations(model, 1, seed=4)[0]
        J, e, errors = rows_at(packed, q, np.append(np.zeros(9), carpal.com(model, q) + np.array([0.1, 0.0, 0.0])))
        np.testing.assert_allclose(e, [0.1, 0.0, 0.0], atol=1e-12)
        assert errors[0, 0] == pytest.approx(0.1, abs=1e-12)
        for i in range(model.nv):
            v = np.eye(model.nv)[i]
            slope = (carpal.com(model, q + STEP * v) - carpal.com(model, q - STEP * v)) / (2 * STEP)
            np.testing.assert_allclose(J[:, i], slope * [1.0, 2.0, 0.5], atol=2e-9)


def test_errors_are_in_world_axes_and_weighted_ones_alone_are_reported():
    model = two_arms()
    q = random_configurations(model, 1, seed=6)[0]
    target = PoseTarget(frame="left_hand", weight=(1.0, 0.0, 2.0), rotation_weight=0.5, gain=0.5)
    goal = fk(model, q, "left_hand").copy()
    goal[:3, 3] += (0.03, 0.5, 0.04)
    goal[:3, :3] = rotation_from_vector([0.0, 0.0, 0.2]) @ goal[:3, :3]
    _, e, errors = rows_at(packed_of(model, target), q, target.goal_numbers(goal))
    np.testing.assert_allclose(e, 0.5 * np.array([0.03, 0.0, 0.08, 0.0, 0.0, 0.1]), atol=1e-12)
    np.testing.assert_allclose(errors[0], [0.05, 0.2], atol=1e-12)
