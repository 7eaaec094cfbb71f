"""Levenberg-Marquardt: quadratic at the end, never uphill, and joints at a limit slide along it."""

from itertools import pairwise

import numpy as np
import pytest
from ik_inputs import SLOT, WORLD, missed, problem
from random_models import random_chain

import carpal
from carpal.kinematics.inverse.kernels.ik_lm import descend_lm

ARM = carpal.load("sawyer")
GOAL = np.array([0.3, -0.6, 0.2, 1.1, -0.3, 0.7, 0.4])


@pytest.mark.parametrize("task", [0, 1, 2], ids=["pose", "point", "pointing"])
def test_it_arrives_and_reports_true_errors(task: int) -> None:
    arm, goal, work = problem(ARM, GOAL, GOAL + 0.2, task)
    p, r, taken = descend_lm(arm, goal, work, 50, WORLD, SLOT)
    X, Y = carpal.fk(ARM, GOAL), carpal.fk(ARM, work.q[SLOT])
    assert np.linalg.norm((X - Y)[:3, 3]) == pytest.approx(p, abs=1e-14)
    assert p <= 1e-9 and r <= 1e-9
    assert 1 <= taken < 12
    assert np.isnan(work.q[0]).all()
    if task != 1:
        assert np.abs((X - Y)[:3, :3] @ ARM.tool_axis).max() < 2e-9
    if task == 0:
        assert missed(ARM, work, GOAL) < 2e-9


def test_the_last_steps_are_quadratic() -> None:
    """Damping goes with the squared error, so the number of right digits doubles."""
    errors = []
    for steps in range(8):
        arm, goal, work = problem(ARM, GOAL, GOAL + 0.1, tol=1e-15)
        p, r, _ = descend_lm(arm, goal, work, steps, WORLD, SLOT)
        errors.append(np.hypot(p, r))
    pairs = [(a, b) for a, b in pairwise(errors) if 1e-7 < a < 0.1]
    assert len(pairs) >= 3
    assert all(after < 3 * before**2 for before, after in pairs), errors


def test_no_step_makes_it_worse() -> None:
    """From far away the first guess is often rejected; the error of the kept point never grows."""
    far = np.array([-2.0, 1.5, -2.5, -2.0, 2.5, 2.0, -3.0])
    before = np.inf
    for steps in range(30):
        arm, goal, work = problem(ARM, GOAL, far)
        p, r, _ = descend_lm(arm, goal, work, steps, WORLD, SLOT)
        cost = p * p + (0.2 * r) ** 2
        assert cost <= before
        before = cost
    assert before < 0.5


def test_limits_hold_a_joint_and_the_others_go_on() -> None:
    """The elbow starts at a limit and is pulled beyond it; a point asks for three freedoms and six are left."""
    start = GOAL.copy()
    start[3] = ARM.q_max[3]
    arm, goal, work = problem(ARM, GOAL, start, 1)
    p, _, _ = descend_lm(arm, goal, work, 200, WORLD, SLOT)
    assert p <= 1e-9
    tight = ARM.q_max.copy()
    tight[3] = 0.9  # the goal's own elbow angle is now forbidden
    start[3] = 0.9
    arm, goal, work = problem(ARM, GOAL, start, 1)
    arm = arm._replace(q_max=tight)
    p, _, _ = descend_lm(arm, goal, work, 200, WORLD, SLOT)
    assert (work.q[SLOT] <= tight).all()
    assert p <= 1e-9


def test_nothing_left_to_move_ends_at_once() -> None:
    model = carpal.Model.from_dh([carpal.model.DHRow(a=0.3, q_min=-0.5, q_max=0.5)])
    arm, goal, work = problem(model, np.array([2.0]), np.array([0.5]), 1)
    _, _, taken = descend_lm(arm, goal, work, 50, WORLD, SLOT)
    assert taken == 1
    assert work.q[SLOT, 0] == 0.5


def test_ball_joints_keep_unit_quaternions() -> None:
    model = random_chain(1, 5, kinds=("revolute", "ball"))
    assert any(kind == "ball" for kind, _ in model.joint_slices())
    q_goal, start = carpal.kinematics.random_configurations(model, 2, seed=3)
    arm, goal, work = problem(model, q_goal, start, 1)
    p, _, taken = descend_lm(arm, goal, work, 100, WORLD, SLOT)
    assert p <= 1e-9
    assert taken > 0
    for kind, first in model.joint_slices():
        if kind == "ball":
            assert abs(np.linalg.norm(work.q[SLOT, first : first + 4]) - 1) < 1e-14
