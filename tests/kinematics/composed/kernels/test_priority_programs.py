"""A step of two priorities against bounded least squares, and against the optimality conditions of the lower one."""

from __future__ import annotations

import numpy as np
from composed_inputs import check_optimal, two_arms
from scipy.optimize import lsq_linear

from carpal.kinematics import IKProblem, PointTarget, fk, jacobian, random_configurations

DT = 0.1


def point_rows(model, q, frame, goal):
    return jacobian(model, q, frame)[:3], goal - fk(model, q, frame)[:3, 3]


def bounds_of(model, q):
    low = np.clip(model.q_min - q, -model.v_max * DT, model.v_max * DT)
    return low, np.clip(model.q_max - q, -model.v_max * DT, model.v_max * DT)


def test_two_priorities_are_solved_one_after_the_other_inside_the_limits():
    model = two_arms()
    problem = IKProblem(
        model, [PointTarget(frame="left_hand"), PointTarget(frame="right_hand", priority=3)], damping=0.0
    )
    goals, held = random_configurations(model, 40, seed=3), 0
    for q, other in zip(random_configurations(model, 40, seed=1), goals, strict=True):
        left, right = fk(model, other, "left_hand")[:3, 3], fk(model, q, "right_hand")[:3, 3] + [0.05, -0.04, 0.02]
        result = problem.step(q, DT, {"left_hand": left, "right_hand": right})
        assert result.ok
        (J0, e0), (J1, e1) = point_rows(model, q, "left_hand", left), point_rows(model, q, "right_hand", right)
        low, high = bounds_of(model, q)
        root = 1e-3 * np.eye(model.nv)  # the least damping of a step
        first = lsq_linear(
            np.concatenate([J0, root]), np.append(e0, np.zeros(model.nv)), (low - 1e-13, high + 1e-13), tol=1e-14
        )
        x = result.v * DT
        np.testing.assert_allclose(J0 @ x, J0 @ first.x, atol=2e-7)
        H = J1.T @ J1 + 1e-6 * np.eye(model.nv)
        bounds = np.stack([low, high], axis=1)
        check_optimal(H, J1.T @ e1 + 1e-6 * first.x, np.eye(model.nv), bounds, x, 1e-6, free=J0)
        held += int((np.minimum(x - low, high - x) < 1e-12).sum())
    assert held > 40


def test_a_lower_priority_costs_a_higher_one_nothing():
    model = two_arms()
    q, other = random_configurations(model, 2, seed=7)
    goal = fk(model, q, "left_hand")[:3, 3] + [0.01, 0.0, 0.02]
    alone = IKProblem(model, PointTarget(goal, frame="left_hand")).step(q, DT)
    pulled = IKProblem(
        model,
        [
            PointTarget(goal, frame="left_hand"),
            PointTarget(fk(model, other, "right_hand")[:3, 3], frame="right_hand", priority=1),
        ],
    ).step(q, DT)
    J = jacobian(model, q, "left_hand")[:3]
    np.testing.assert_allclose(J @ pulled.v, J @ alone.v, atol=1e-12)
    assert np.abs(pulled.v - alone.v).max() > 0.1
