"""Postures to start with reach their target inside the limits: all of a closed form, several by search."""

import numpy as np
import pytest
from motion_inputs import k10_postures

import carpal
from carpal.errors import InputError
from carpal.kinematics import random_configurations
from carpal.planning.trajectories.kernels.line_following import TASKS
from carpal.planning.trajectories.start_postures import start_postures


def target_of(model, q, task):
    X = carpal.fk(model, q)
    out = np.zeros(12)
    out[9:] = X[:3, 3]
    if task == "pose":
        out[:9] = X[:3, :3].ravel()
    elif task != "point":
        out[:3] = X[:3, :3] @ model.tool_axis
    return out


def test_every_branch_of_the_k10():
    arm = carpal.load("k10")
    for seed in range(20):
        q = random_configurations(arm, 1, seed=seed)[0]
        target = target_of(arm, q, "point and direction")
        found = start_postures(arm, arm.tool, TASKS["point and direction"], target, None, 0)
        expected = k10_postures(target[9:], target[:3], arm)
        assert len(found) == len(expected)
        assert all(np.abs(expected - row).max(axis=1).min() < 1e-6 for row in found)


@pytest.mark.parametrize("task", ["pose", "point"])
def test_searched_postures_reach(task):
    arm = carpal.load("sawyer")
    q = random_configurations(arm, 1, seed=4)[0]
    target = target_of(arm, q, task)
    found = start_postures(arm, arm.tool, TASKS[task], target, None, 0)
    assert 1 <= len(found) <= 16 and (found >= arm.q_min).all() and (found <= arm.q_max).all()
    X = carpal.fk(arm, found)
    assert np.abs(X[:, :3, 3] - target[9:]).max() < 1e-8
    assert task == "point" or np.abs(X[:, :3, :3].reshape(-1, 9) - target[:9]).max() < 1e-7
    away = np.linalg.norm(found - arm.q_home, axis=1)
    assert (np.diff(away) >= 0).all()


def test_a_given_posture_must_be_there():
    arm = carpal.load("k10")
    q = random_configurations(arm, 1, seed=1)[0]
    target = target_of(arm, q, "point and direction")
    task = TASKS["point and direction"]
    assert np.array_equal(start_postures(arm, arm.tool, task, target, q, 0), q[None])
    for given, says in (
        (q[:4], "5 finite numbers"),
        (q * np.nan, "5 finite numbers"),
        (q + 10, "out of limits"),
        (np.clip(q + 0.1, arm.q_min, arm.q_max), "misses by"),
    ):
        with pytest.raises(InputError, match=says):
            start_postures(arm, arm.tool, task, target, given, 0)
    with pytest.raises(InputError, match="seed"):
        start_postures(arm, arm.tool, task, target, None, -1)
