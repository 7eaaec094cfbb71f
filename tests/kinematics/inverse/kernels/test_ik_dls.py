"""Damped least squares: the printed formula, bounded steps, limits kept."""

import numpy as np
import pytest
from ik_inputs import SLOT, WORLD, missed, problem

import carpal
from carpal.kinematics.inverse.kernels.ik_dls import descend_dls
from carpal.spatial import rotation_vector

ARM = carpal.load("sawyer")
GOAL = np.array([0.3, -0.6, 0.2, 1.1, -0.3, 0.7, 0.4])


@pytest.mark.parametrize("damping", [0.01, 0.3])
def test_one_step_is_alkires_formula(damping: float) -> None:
    """dq = J^T (J J^T + a^2)^-1 e by numpy, rotation rows in metres."""
    start = GOAL + 0.03
    arm, goal, work = problem(ARM, GOAL, start, damping=damping)
    _, _, taken = descend_dls(arm, goal, work, 1, WORLD, SLOT)
    X, Y = carpal.fk(ARM, start), carpal.fk(ARM, GOAL)
    J, scale = carpal.jacobian(ARM, start), np.array([1, 1, 1, 0.2, 0.2, 0.2])
    e = scale * np.concatenate([(Y - X)[:3, 3], rotation_vector(Y[:3, :3] @ X[:3, :3].T)])
    J = scale[:, None] * J
    expected = start + J.T @ np.linalg.solve(J @ J.T + damping**2 * np.eye(6), e)
    assert taken == 1
    assert np.abs(work.q[SLOT] - expected).max() < 1e-12


@pytest.mark.parametrize("damping", [0.05, 0.5])
def test_a_fixed_target_is_reached_whatever_the_damping(damping: float) -> None:
    """Erratum E13: damping slows, it leaves no steady error."""
    arm, goal, work = problem(ARM, GOAL, GOAL + 0.2, damping=damping)
    p, r, taken = descend_dls(arm, goal, work, 20_000, WORLD, SLOT)
    assert p <= 1e-9 and r <= 1e-9
    assert missed(ARM, work, GOAL) < 3e-9
    assert taken < 20_000


def test_no_joint_moves_farther_than_allowed() -> None:
    far = GOAL + np.array([1.5, 1.0, -1.0, -1.5, 1.0, 1.0, -2.0])
    arm, goal, work = problem(ARM, GOAL, far, damping=1e-3, longest=0.05)
    descend_dls(arm, goal, work, 1, WORLD, SLOT)
    assert np.abs(work.q[SLOT] - far).max() == pytest.approx(0.05, rel=1e-12)


def test_limits_are_kept() -> None:
    start = ARM.q_max - 0.01
    arm, goal, work = problem(ARM, GOAL, start, 1, damping=0.1)
    for _ in range(30):
        descend_dls(arm, goal, work, 1, WORLD, SLOT)
        assert ((work.q[SLOT] >= ARM.q_min) & (work.q[SLOT] <= ARM.q_max)).all()
