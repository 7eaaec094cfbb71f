"""Cyclic coordinate descent: each joint takes its best angle, so no pass makes it worse."""

import numpy as np
import pytest
from ik_inputs import SLOT, WORLD, problem

import carpal
from carpal.kinematics.inverse.kernels.ik_ccd import descend_ccd
from carpal.model import Body, Frame, Joint, Model

ARM = carpal.load("sawyer")
GOAL = np.array([0.3, -0.6, 0.2, 1.1, -0.3, 0.7, 0.4])


def one_joint(kind: str = "revolute", **limits: float) -> Model:
    """A link 0.5 m long on a joint whose axis is neither vertical nor through the origin."""
    X, tool = np.eye(4), np.eye(4)
    X[:3, :3] = carpal.spatial.rotation_from_rpy([0.4, -0.7, 1.1])
    X[:3, 3] = 0.2, -0.1, 0.3
    tool[:3, 3] = 0.5, 0.05, 0.1
    body = Body("link", None, Joint("joint", kind, X_PJ=X, **limits))
    return Model("one", (body,), extra_frames=(Frame("tip", "link", tool),), tool="tip")


def best_by_scan(model: Model, X: np.ndarray, grid: np.ndarray, task: int) -> float:
    """Where on a fine grid the tool is nearest to its target: position, and attitude with a radian as 0.2 m."""
    off = carpal.fk(model, grid[:, None]) - X
    cost = (off[:, :3, 3] ** 2).sum(-1)
    if task == 0:
        cost = cost + 0.04 * (off[:, :3, :3] ** 2).sum((-1, -2))
    elif task == 2:
        cost = cost + 0.04 * ((off[:, :3, :3] @ model.tool_axis) ** 2).sum(-1)
    return float(grid[np.argmin(cost)])


@pytest.mark.parametrize("task", [0, 1, 2], ids=["pose", "point", "pointing"])
def test_one_joint_takes_its_best_angle(task: int) -> None:
    """The target is off the joint's circle, so that position and attitude pull differently."""
    model, grid = one_joint(), np.linspace(-np.pi, np.pi, 200_001)
    arm, goal, work = problem(model, np.array([1.9]), np.array([-0.4]), task)
    other = carpal.spatial.rotation_from_rpy([0.3, 0.2, -0.9])
    X = carpal.fk(model, np.array([1.9]))
    X[:3, :3], X[:3, 3] = X[:3, :3] @ other, X[:3, 3] + (0.1, -0.2, 0.15)
    goal.target[WORLD, 9:] = X[:3, 3]
    if task == 0:
        goal.target[WORLD, :9] = X[:3, :3].ravel()
    elif task == 2:
        goal.target[WORLD, :3] = X[:3, :3] @ model.tool_axis
    descend_ccd(arm, goal, work, 1, WORLD, SLOT)
    apart = work.q[SLOT, 0] - best_by_scan(model, X, grid, task)
    assert abs((apart + np.pi) % (2 * np.pi) - np.pi) < 1e-4


def test_limits_stop_it() -> None:
    arm, goal, work = problem(one_joint(q_min=-0.5, q_max=0.5), np.array([0.5]), np.array([0.0]), 1)
    goal.target[WORLD, 9:] = carpal.fk(one_joint(), np.array([1.2]))[:3, 3]
    descend_ccd(arm, goal, work, 3, WORLD, SLOT)
    assert work.q[SLOT, 0] == 0.5


def test_a_slide_goes_as_near_as_it_can() -> None:
    model = one_joint("prismatic", q_min=-1.0, q_max=1.0)
    arm, goal, work = problem(model, np.array([0.7]), np.array([-0.2]), 1)
    across = np.cross(carpal.fk(model, np.array([0.0]))[:3, 2], (1.0, 0.0, 0.0))
    goal.target[WORLD, 9:] += 0.3 * across  # beside the line on which the tool moves
    p, _, _ = descend_ccd(arm, goal, work, 1, WORLD, SLOT)
    assert work.q[SLOT, 0] == pytest.approx(0.7, abs=1e-12)
    assert p == pytest.approx(0.3 * np.linalg.norm(across), abs=1e-12)


def test_no_pass_makes_it_worse_and_it_arrives() -> None:
    arm, goal, work = problem(ARM, GOAL, GOAL + 0.3, 1)
    before = np.inf
    for _ in range(300):
        p, _, taken = descend_ccd(arm, goal, work, 1, WORLD, SLOT)
        assert p <= before + 1e-12
        before = p
        if not taken:
            break
    assert before <= 1e-9
    assert np.abs(carpal.fk(ARM, work.q[SLOT])[:3, 3] - carpal.fk(ARM, GOAL)[:3, 3]).max() <= 1e-9
