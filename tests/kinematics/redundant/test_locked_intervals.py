"""Intervals of a held joint: against dense sampling by the exact solver, and against the traced self-motion."""

import numpy as np
import pytest
from six_joint_robots import seven, wrap

import carpal
from carpal.errors import InputError, UnknownNameError
from carpal.kinematics import ik_all, joint_intervals, random_configurations
from carpal.kinematics.redundant.locked_arm import locked_arm
from carpal.kinematics.redundant.self_motion_curves import trace_self_motion


def against_sampling(name, poses, samples, seed, figure):
    model = seven(name)
    arm = locked_arm(model)
    low, high = model.q_min[arm.column], model.q_max[arm.column]
    if not high - low < 2 * np.pi:
        low, high = -np.pi, np.pi
    X = carpal.fk(model, random_configurations(model, poses, seed=seed))
    found = joint_intervals(model, X)
    assert found.ok.all()
    missed = false = 0
    for i in range(poses):
        x = np.random.default_rng(i).uniform(low, high, samples)
        solved = np.asarray(ik_all(model, np.broadcast_to(X[i], (samples, 4, 4)), locked={arm.name: x}).ok)
        claimed = found.contains(x, i)
        ends = np.array([end for one in found.found[i] for end in (one.low, one.high)])
        clear = np.abs(x[:, None] - ends).min(axis=1) > 1e-9
        missed += int((solved & ~claimed & clear).sum())
        false += int((claimed & ~solved & clear).sum())
    what = f"{name}, intervals of {arm.name}, {poses} poses by {samples} angles"
    figure(f"{what}: feasible angles missed", missed, 0)
    figure(f"{what}: angles claimed that are not feasible", false, 0)


@pytest.mark.parametrize("name", ["panda", "xarm7", "gen3"])
def test_dense_sampling_agrees(name, figure):
    against_sampling(name, 3, 4000, 3, figure)


@pytest.mark.full
@pytest.mark.parametrize("name", ["panda", "xarm7", "gen3"])
def test_dense_sampling_agrees_in_full(name, figure):
    against_sampling(name, 200, 20_000, 4, figure)


def test_ends_are_limits_or_folds():
    """At each end some joint stands at its limit, or there are fewer solutions 1e-7 rad further on."""
    model = carpal.load("panda")
    arm = locked_arm(model)
    X = carpal.fk(model, random_configurations(model, 1, seed=5)[0])
    found = joint_intervals(model, X)
    columns = arm.axes.columns
    for one in found:
        assert one.width > 0 and one.middle in one and one.margin > 0
        for end, way in ((one.low, -1), (one.high, 1)):
            row = ik_all(model, X, locked={arm.name: end})
            q = row.q[: len(row)][:, columns]
            margin = np.minimum(q - model.q_min[columns], model.q_max[columns] - q).min(axis=1)
            beyond = len(ik_all(model, X, locked={arm.name: end + way * 1e-7}))
            at_range = min(abs(end - model.q_min[arm.column]), abs(end - model.q_max[arm.column]))
            assert np.abs(margin).min() < 1e-8 or beyond < len(row) or at_range < 1e-12


def test_the_traced_self_motion_lies_on_the_exact_curves():
    """What continuation finds, the held joint's exact solution finds too, at the same angle."""
    model = carpal.load("panda")
    arm = locked_arm(model)
    q = random_configurations(model, 1, seed=6)[0]
    X = carpal.fk(model, q)
    motion = trace_self_motion(model, X)
    points = np.concatenate([curve.q for curve in motion.curves])[::25]
    angle = points[:, arm.column]
    found = ik_all(model, np.broadcast_to(X, (len(points), 4, 4)), locked={arm.name: angle})
    off = np.abs(wrap(found.q - points[:, None]))[..., arm.axes.columns].max(-1)
    assert np.nanmin(np.where(np.isnan(off), np.inf, off), axis=1).max() < 1e-5


def test_out_of_reach_and_what_makes_no_sense():
    model = carpal.load("panda")
    far = np.eye(4)
    far[0, 3] = 3.0
    found = joint_intervals(model, far)
    assert not found.ok and len(found) == 0 and str(found).startswith("no angle of panda_joint7")
    many = joint_intervals(model, np.stack([far, carpal.fk(model, np.asarray(model.q_home))]))
    assert many.ok.tolist() == [False, True] and len(many[1]) > 0 and "1 of 2 poses" in str(many)
    with pytest.raises(UnknownNameError, match="unknown joint at an end of the arm"):
        joint_intervals(model, far, "panda_joint3")
    with pytest.raises(InputError, match="needs poses"):
        joint_intervals(model, np.zeros(3))
    with pytest.raises(InputError, match="needs seven free revolute joints"):
        joint_intervals(carpal.load("ur5"), far)
