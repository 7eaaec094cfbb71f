"""Inverse kinematics of chains that couplings and loops tie: answers hold every constraint and every limit."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from constrained_models import five_bar, five_bar_tip, four_bar, four_bar_angles, mimic_arm

from carpal.errors import InputError
from carpal.kinematics import constraint_residual, fk, ik, random_configurations
from carpal.model import Frame
from carpal.spatial import pose


def assert_answers(model, result, X, frame=None):
    assert result.ok.all(), result.status
    assert np.abs(constraint_residual(model, result.q)).max() <= 1e-12
    assert ((result.q >= model.q_min) & (result.q <= model.q_max)).all()
    np.testing.assert_allclose(fk(model, result.q, frame)[:, :3, 3], X[:, :3, 3], atol=1.1e-6)


def test_a_coupling_on_the_chain_is_kept_and_batches_equal_single_calls():
    model = mimic_arm(True)
    X = fk(model, random_configurations(model, 60, seed=11))
    target = X[:, :3, 3], X[:, :3, :3] @ model.tool_axis
    result = ik(model, target, seed=2)
    assert_answers(model, result, X)
    one = ik(model, (target[0][5], target[1][5]), seed=2)
    assert np.array_equal(one.q, result.q[5])
    moved = ik(model, target, np.array(model.q_home), seed=2)
    assert_answers(model, moved, X)
    assert np.array_equal(moved.q[:, 6:], np.broadcast_to([0.02, 0.02], (60, 2)))  # fingers do not count: they stay


def test_a_five_bar_reaches_points_with_both_cranks():
    model = five_bar()
    rng = np.random.default_rng(4)
    tips = np.array(
        [five_bar_tip(a, b) for a, b in zip(rng.uniform(1.7, 2.6, 40), rng.uniform(0.4, 1.4, 40), strict=True)]
    )
    points = np.column_stack([tips, np.zeros(40)])
    result = ik(model, points)
    X = np.tile(np.eye(4), (40, 1, 1))
    X[:, :3, 3] = points
    assert_answers(model, result, X)
    far = ik(model, [2.0, 0.0, 0.0])
    assert not far.ok and far.status


def test_limits_of_a_joint_that_closes_a_loop_are_kept():
    free = four_bar(extra_frames=(Frame("tip", "coupler", pose(p=np.array([0.3, 0.1, 0.0]))),), tool="tip")
    q = np.array([four_bar_angles(crank) for crank in np.linspace(-3.0, 3.0, 100)])
    X = fk(free, q)
    rocker = q[:, 2]
    middle = 0.5 * (rocker.min() + rocker.max())
    bodies = list(free.bodies)
    joint = dataclasses.replace(bodies[2].joint, q_min=middle, q_max=np.pi)
    bodies[2] = dataclasses.replace(bodies[2], joint=joint)
    model = free.replace(bodies=tuple(bodies), q_home=q[np.argmax(rocker)])
    assert model.dependent_joints == ("coupler", "rocker")
    can = rocker >= middle + 1e-6
    result = ik(model, X[:, :3, 3])
    assert ((result.q[result.ok] >= model.q_min) & (result.q[result.ok] <= model.q_max)).all()
    assert result.ok[can].all()
    # where the rocker would have to go beyond its limit, no answer is claimed unless it truly reaches
    reach = np.linalg.norm(fk(model, result.q)[:, :3, 3] - X[:, :3, 3], axis=1)
    assert (reach[result.ok] <= 1.1e-6).all() and not result.ok[~can].all()


def test_other_methods_refuse_a_tied_chain_by_name():
    model = mimic_arm(True)
    with pytest.raises(InputError, match="method 'dls' does not hold couplings and loops, and they tie j2, j5"):
        ik(model, fk(model, model.q_home), method="dls")
