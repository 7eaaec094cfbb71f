"""What a target asks: errors, Jacobian rows and moves of every task, against numpy."""

import numpy as np
import pytest
from ik_inputs import SLOT, WORLD, arm_of, numbers, problem, twelve, work_for
from random_models import random_chain

import carpal
from carpal.kinematics import integrate, random_configurations
from carpal.kinematics.inverse.kernels.ik_task import (
    POINTING,
    POSE,
    POSITION_ONLY,
    Goal,
    fill_task_jacobian,
    length,
    move_chain,
    place_tool,
    reached,
    squared_cost,
    task_error,
)
from carpal.spatial import rotation_vector

TASKS = {"pose": POSE, "point": POSITION_ONLY, "pointing": POINTING}
# every joint kind that a chain may have, one of them on the world itself
MODELS = [random_chain(seed, 6, kinds=("revolute", "prismatic", "ball")) for seed in range(4)]
MODELS += [random_chain(9, 3, kinds=("free", "ball")), carpal.load("sawyer"), carpal.load("cuhk_hand")]
IDS = [model.name for model in MODELS]


def setting(model: carpal.Model, task: int, seed: int = 0):
    q_goal, q = random_configurations(model, 2, seed=seed, unlimited=1.5)
    arm, goal, work = problem(model, q_goal, q, task)
    R, p = place_tool(arm, work.q, work.scratch, SLOT)
    return q_goal, q, arm, goal, work, R, p


def expected_error(model: carpal.Model, q_goal: np.ndarray, q: np.ndarray, task: int) -> tuple[np.ndarray, np.ndarray]:
    X, Y = carpal.fk(model, q), carpal.fk(model, q_goal)
    d = (Y - X)[:3, 3]
    if task == POSITION_ONLY:
        return d, np.zeros(3)
    if task == POSE:
        return d, rotation_vector(Y[:3, :3] @ X[:3, :3].T)
    have, want = X[:3, :3] @ model.tool_axis, Y[:3, :3] @ model.tool_axis
    across = np.cross(have, want)
    return d, across / np.linalg.norm(across) * np.arccos(have @ want)


@pytest.mark.parametrize("model", MODELS, ids=IDS)
def test_the_tool_is_where_fk_says(model: carpal.Model) -> None:
    _, q, _, _, _, R, p = setting(model, POSE)
    assert np.abs(np.array([*R, *p]) - twelve(carpal.fk(model, q))).max() < 1e-14


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
@pytest.mark.parametrize("model", MODELS, ids=IDS)
def test_errors(model: carpal.Model, task: int) -> None:
    q_goal, q, _, goal, _, R, p = setting(model, task)
    d, r = task_error(goal, R, p, WORLD)
    d_expected, r_expected = expected_error(model, q_goal, q, task)
    assert np.abs(np.subtract(d, d_expected)).max() < 1e-14
    assert np.abs(np.subtract(r, r_expected)).max() < 1e-12
    assert squared_cost(goal, d, r) == pytest.approx(
        d_expected @ d_expected + 0.04 * r_expected @ r_expected, rel=1e-12
    )
    assert length(d) == pytest.approx(np.linalg.norm(d_expected), rel=1e-14)
    assert not reached(goal, d, r)
    assert reached(goal, (0.9e-9, 0.0, 0.0), (0.0, 0.9e-9, 0.0))
    assert not reached(goal, (0.0, 0.0, 1.1e-9), (0.0, 0.0, 0.0))
    assert not reached(goal, (0.0, 0.0, 0.0), (1.1e-9, 0.0, 0.0))
    assert not reached(goal, (np.nan, 0.0, 0.0), (0.0, 0.0, 0.0))


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
@pytest.mark.parametrize("model", MODELS, ids=IDS)
def test_jacobian_rows_are_of_the_task(model: carpal.Model, task: int) -> None:
    _, q, arm, goal, work, R, p = setting(model, task)
    fill_task_jacobian(arm, goal, R, p, work.J, work.scratch, SLOT)
    J = carpal.jacobian(model, q)
    J = J[:, [i for body in arm.chain for i in columns(model, body)]]
    if task == POSITION_ONLY:
        J[3:] = 0
    elif task == POINTING:
        axis = carpal.fk(model, q)[:3, :3] @ model.tool_axis
        J[3:] = (np.eye(3) - np.outer(axis, axis)) @ J[3:]
    assert np.abs(work.J[SLOT] - J).max() < 1e-13
    assert np.isnan(work.J[0]).all()


def columns(model: carpal.Model, body: int) -> range:
    first = int(model.tables.joints[body, 3])
    return range(first, first + {1: 1, 2: 1, 3: 3, 4: 6}[int(model.tables.joints[body, 0])])


@pytest.mark.parametrize("model", MODELS, ids=IDS)
def test_a_move_is_an_integration_of_the_chain_s_joints(model: carpal.Model) -> None:
    rng = np.random.default_rng(3)
    q = random_configurations(model, 1, seed=4, unlimited=1.0)[0]
    arm = arm_of(model)
    work = work_for(model, arm, q)
    work.dq[SLOT] = 0.1 * rng.normal(size=work.dq.shape[1])
    v = np.zeros(model.nv)
    v[[i for body in arm.chain for i in columns(model, body)]] = work.dq[SLOT]
    move_chain(arm, work.q, work.dq, np.inf, False, work.q_try, SLOT)
    assert np.abs(work.q_try[SLOT] - integrate(model, q, v)).max() < 1e-15
    longest = 0.5 * np.abs(work.dq[SLOT]).max()
    move_chain(arm, work.q, work.dq, longest, False, work.q_try, SLOT)
    assert np.abs(work.q_try[SLOT] - integrate(model, q, v, 0.5)).max() < 1e-15
    assert np.array_equal(work.q[SLOT], q)


def test_moves_stop_at_limits_only_if_asked() -> None:
    model = carpal.load("sawyer")
    arm = arm_of(model)
    work = work_for(model, arm, model.q_max - 0.01)
    work.dq[SLOT] = 0.5
    move_chain(arm, work.q, work.dq, 1.0, True, work.q_try, SLOT)
    assert np.array_equal(work.q_try[SLOT], model.q_max)
    move_chain(arm, work.q, work.dq, 1.0, False, work.q_try, SLOT)
    assert np.abs(work.q_try[SLOT] - (model.q_max + 0.49)).max() < 1e-15


def test_opposite_directions_are_half_a_turn_apart() -> None:
    """Also when they miss being opposite by less than 1e-8: a cross product alone would call that reached."""
    model = carpal.load("srs7")
    for miss in (0.0, 1e-13, 1e-11, 1e-9, 1e-7):
        R = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
        target = np.zeros((2, 12))
        target[WORLD, :3] = np.array([miss, 0.0, -1.0]) / np.hypot(miss, 1.0)
        _, r = task_error(Goal(POINTING, numbers(model), target), R, (0.0, 0.0, 0.0), WORLD)
        assert length(r) == pytest.approx(np.pi, abs=2e-7)
