"""Limits of one's own: a hand that stays out of a ball, in steps and in searches."""

from __future__ import annotations

import numpy as np
import pytest
from composed_inputs import two_arms

from carpal.errors import InputError
from carpal.kinematics import IKProblem, JointLimit, PointTarget, PostureTarget, RowLimit, SpeedLimit, fk, jacobian


class OutOfTheBall(RowLimit):
    """A hand stays at least a radius from a centre."""

    def __init__(self, model, center, radius):
        self.model, self.center, self.radius = model, np.array(center), radius

    def rows(self, q):
        away = fk(self.model, q)[..., :3, 3] - self.center
        size = np.linalg.norm(away, axis=-1)
        G = -np.einsum("...i,...ij->...j", away / size[..., None], jacobian(self.model, q)[..., :3, :])
        return G[..., None, :], 0.8 * (size - self.radius)[..., None]

    def slack(self, q):
        return np.linalg.norm(fk(self.model, q)[..., :3, 3] - self.center, axis=-1) - self.radius


def problem_with_ball():
    model = two_arms()
    here = fk(model, np.zeros(model.nq))[:3, 3]
    there = here + np.array([-0.2, 0.0, -0.4])
    ball = OutOfTheBall(model, 0.5 * (here + there), 0.08)
    return (
        model,
        ball,
        there,
        IKProblem(model, [PointTarget(there), PostureTarget()], limits=[JointLimit(), SpeedLimit(), ball]),
    )


def test_a_real_time_loop_goes_around_and_never_inside():
    model, ball, _, problem = problem_with_ball()
    q = np.zeros(model.nq)
    q[1] = 0.01
    least = np.inf
    for _ in range(150):
        result = problem.step(q, 0.02)
        assert result.ok
        q = result.q
        least = min(least, float(ball.slack(q)))
    assert -1e-9 <= least < 0.01


def test_a_search_ends_outside_and_says_when_it_cannot():
    model, ball, there, problem = problem_with_ball()
    q0 = np.zeros((3, model.nq))
    q0[1:, 0] = (0.3, -0.3)
    result = problem.solve(q0)
    assert result.ok.all() and (ball.slack(result.q) >= -1e-9).all(), result.status
    np.testing.assert_allclose(fk(model, result.q)[..., :3, 3], np.broadcast_to(there, (3, 3)), atol=2e-6)
    inside = problem.solve(q0, {"left_hand": ball.center}, attempts=1, steps=60)
    assert not inside.ok.any() and (ball.slack(inside.q) >= -1e-9).all()
    one = problem.solve(q0[1])
    assert np.array_equal(one.q, result.q[1])


def test_rows_of_the_wrong_shape_are_named():
    model, ball, there, _ = problem_with_ball()
    ball.rows = lambda q: (np.zeros(3), np.zeros(1))
    with pytest.raises(InputError, match="rows of OutOfTheBall must be G"):
        IKProblem(model, PointTarget(there), limits=ball).step(np.zeros(10))
