"""Steps and searches: limits hold, loops stay closed, a batch equals one at a time."""

from __future__ import annotations

import numpy as np
import pytest
from composed_inputs import two_arms
from constrained_models import five_bar, four_bar, mimic_arm

from carpal.kinematics import (
    IKProblem,
    JointLimit,
    PointTarget,
    PoseTarget,
    PostureTarget,
    constraint_residual,
    fk,
    integrate,
    random_configurations,
    satisfy_constraints,
)


def test_a_step_is_the_velocity_and_where_it_leads():
    model = two_arms()
    problem = IKProblem(model, [PoseTarget(frame="left_hand"), PostureTarget()])
    q = random_configurations(model, 50, seed=1)
    goals = {"left_hand": fk(model, random_configurations(model, 50, seed=2), "left_hand")}
    result = problem.step(q, 0.05, goals)
    assert result.ok.all() and (result.share == 1.0).all()
    np.testing.assert_allclose(result.q, integrate(model, q, result.v, 0.05), atol=1e-12)
    assert (np.abs(result.v) <= model.v_max * (1 + 1e-12)).all()
    assert (result.q >= model.q_min).all() and (result.q <= model.q_max).all()
    assert (np.abs(result.v) > model.v_max * 0.999).any(axis=1).all()  # goals are far: some joint is at its speed


def test_a_joint_beyond_its_limit_comes_back_as_fast_as_it_may():
    model = two_arms()
    problem = IKProblem(model, PointTarget(frame="left_hand"))
    q = np.zeros(model.nq)
    q[2] = 2.6
    result = problem.step(q, 0.01, {"left_hand": fk(model, q, "left_hand")[:3, 3]})
    assert result.ok and result.v[2] == pytest.approx(-2.0, abs=1e-9)


@pytest.mark.parametrize("make", [four_bar, five_bar, mimic_arm, lambda: mimic_arm(True)])
def test_couplings_and_loops_hold_after_every_step_and_search(make):
    model = make().assembled()
    problem = IKProblem(model, PointTarget(tolerance=1e-8))
    free = [model.q_index(name) for name in model.independent_joints]
    starts = np.tile(model.q_home, (40, 1))
    starts[:, free] += np.random.default_rng(0).uniform(-0.2, 0.2, (40, len(free)))
    closed = satisfy_constraints(model, starts)
    goals = {problem.names[0]: fk(model, closed.q[closed.ok])[:, :3, 3]}
    found = problem.solve(goals=goals)
    assert found.ok.mean() >= 0.9, found.status
    assert np.abs(constraint_residual(model, found.q)).max() < 1e-11
    assert (found.q >= model.q_min - 1e-11).all() and (found.q <= model.q_max + 1e-11).all()
    q = np.array(model.q_home)
    for _ in range(20):
        result = problem.step(q, 0.02, {problem.names[0]: goals[problem.names[0]][0]})
        assert np.abs(constraint_residual(model, result.q)).max() < 1e-11
        ahead = satisfy_constraints(model, integrate(model, q, result.v, 1e-6)).q
        np.testing.assert_allclose(ahead, integrate(model, q, result.v, 1e-6), atol=1e-10)  # v respects the ties
        q = result.q


def test_batches_threads_and_single_calls_give_the_same_bits():
    model = two_arms()
    problem = IKProblem(
        model,
        [PoseTarget(frame="left_hand"), PointTarget(frame="right_hand", priority=1), PostureTarget()],
        limits=JointLimit(0.05),
    )
    q, other = random_configurations(model, 12, seed=3), random_configurations(model, 12, seed=4)
    X = fk(model, other, "left_hand")
    p = fk(model, other, "right_hand")[:, :3, 3]
    together = problem.solve(q, {"left_hand": X, "right_hand": p}, threads=2)
    steps = problem.step(q, 0.01, {"left_hand": X, "right_hand": p}, threads=2)
    assert together.ok.any()
    for i in range(12):
        one = {"left_hand": X[i], "right_hand": p[i]}
        assert np.array_equal(problem.solve(q[i], one).q, together.q[i])
        assert np.array_equal(problem.step(q[i], 0.01, one).v, steps.v[i])
        assert np.array_equal(problem.step(q[i].tolist(), 0.01, one).q, steps.q[i])
