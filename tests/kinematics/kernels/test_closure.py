"""Closing loops in kernels: repeated equations, ball joints, and batches."""

from __future__ import annotations

import numpy as np
from constrained_models import five_bar, rod_model

from carpal.kinematics import constraint_residual, satisfy_constraints


def test_a_rod_on_a_ball_joint_closes_as_its_crank_turns():
    model = rod_model().assembled()
    free = model.q_index(model.independent_joints[0])
    q = np.array(model.q_home)
    for _ in range(40):
        q[free] += 0.01
        result = satisfy_constraints(model, q)
        assert result.ok and np.abs(constraint_residual(model, result.q)).max() <= 1e-12
        assert result.q[free] == q[free]
        q = result.q


def test_threads_and_batches_give_the_same_bits():
    model = five_bar()
    q = np.tile(model.q_home, (64, 1)) + np.random.default_rng(0).uniform(-0.2, 0.2, (64, 4))
    a, b = satisfy_constraints(model, q, threads=1), satisfy_constraints(model, q, threads=2)
    assert a.ok.all() and np.array_equal(a.q, b.q)
    assert all(np.array_equal(satisfy_constraints(model, row).q, found) for row, found in zip(q[:8], a.q, strict=False))
