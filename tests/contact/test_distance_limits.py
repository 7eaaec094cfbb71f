"""Shapes that keep a distance, in steps, loops and searches of composed inverse kinematics."""

from __future__ import annotations

import numpy as np
import pytest
from collision_scenes import boxed_arm, capsule_arm

import carpal
from carpal.contact import DistanceLimit, collision_checker, distance
from carpal.errors import InputError
from carpal.kinematics import (
    IKProblem,
    JointLimit,
    PointTarget,
    PoseTarget,
    PostureTarget,
    SpeedLimit,
    fk,
    random_configurations,
)
from carpal.model import Body, Box, Joint, Model, PlacedShape
from carpal.spatial import pose


def test_slack_is_the_distance_of_the_nearest_pair():
    scene = boxed_arm(8)
    limit = DistanceLimit(scene, at_least=0.02, within=0.5)
    q = random_configurations(limit.model, 60, seed=1)
    near = distance(scene, q, limit=0.5)
    np.testing.assert_allclose(limit.slack(q), near.distance - 0.02, atol=1e-12)
    for row, pair in zip(q, near.pair, strict=True):
        assert limit.nearest(row) == (limit.tables.pair_names(int(pair)) if pair >= 0 else None)


def free_configurations(limit, count, seed):
    q = random_configurations(limit.model, 40 * count, seed=seed)
    q = q[limit.slack(q) > 0.0]
    assert len(q) >= count
    return q[:count]


def test_a_loop_that_would_run_into_boxes_keeps_its_distance():
    scene = boxed_arm(12, seed=3)
    checker = collision_checker(scene)
    model = checker.model
    limit = DistanceLimit(checker, at_least=0.015, within=0.12)
    problem = IKProblem(
        model, [PoseTarget(), PostureTarget()], limits=[JointLimit(), SpeedLimit(np.full(model.nv, 1.5)), limit]
    )
    starts, ends = free_configurations(limit, 8, 1), random_configurations(model, 8, seed=2)
    q, touched = starts, np.full(8, np.inf)
    for _ in range(120):
        result = problem.step(q, 0.02, {problem.names[0]: fk(model, ends)})
        assert result.ok.all()
        q = result.q
        touched = np.minimum(touched, distance(scene, q).distance)
    assert (touched >= 0.015 - 1e-8).all()
    assert (touched < 0.02).any()  # somebody was held back
    assert (fk(model, q)[:, :3, 3] != fk(model, starts)[:, :3, 3]).all()


def test_a_step_by_its_rows_frees_what_is_too_near():
    limit = DistanceLimit(boxed_arm(8), at_least=0.02, within=0.3, most=1)
    q = free_configurations(limit, 20, 3)
    G, h = limit.rows(q)
    np.testing.assert_allclose(h[:, 0], 0.85 * np.minimum(limit.slack(q), 1e9))
    size = np.linalg.norm(G[:, 0], axis=1)
    moving = (size > 0.05) & np.isfinite(h[:, 0])
    away = -1e-4 * G[moving, 0] / size[moving, None]  # G dq below zero: the distance grows
    gained = limit.slack(q[moving] + away) - limit.slack(q[moving])
    assert moving.sum() > 5 and (gained > 0.9e-4 * size[moving]).mean() > 0.8 and (gained > 0.0).all()


def test_a_search_finds_a_pose_beside_the_box_and_refuses_the_one_inside():
    arm = capsule_arm()
    wall = PlacedShape("wall", None, Box((0.05, 0.5, 0.5)), pose(p=[0.45, 0.0, 0.6]))
    model = arm.replace(shapes=(*arm.shapes, wall))
    limit = DistanceLimit(model, at_least=0.01)
    problem = IKProblem(model, PointTarget(), limits=[JointLimit(), limit])
    beside = problem.solve(np.full(7, 0.1), {problem.names[0]: (0.25, 0.2, 0.7)}, attempts=4)
    assert beside.ok, beside.status
    assert float(distance(model, beside.q).distance) >= 0.01 - 1e-9
    inside = problem.solve(np.full(7, 0.1), {problem.names[0]: (0.45, 0.0, 0.6)}, attempts=2, steps=60)
    assert not inside.ok and float(distance(model, inside.q).distance) >= 0.01 - 1e-9


def test_what_cannot_be_used_is_refused():
    bare = Model("bare", (Body("a", None, Joint("j", "revolute")),))
    with pytest.raises(InputError, match="no two shapes that could touch"):
        DistanceLimit(bare)
    with pytest.raises(InputError, match="within must be above at_least"):
        DistanceLimit(capsule_arm(), at_least=0.2)
    with pytest.raises(InputError, match="most must be a whole number"):
        DistanceLimit(capsule_arm(), most=0)
    with pytest.raises(InputError, match="q of model 'capsule_arm' needs 7 numbers"):
        IKProblem(carpal.load("so101"), PointTarget((0.1, 0, 0)), limits=DistanceLimit(capsule_arm())).step(np.zeros(6))
