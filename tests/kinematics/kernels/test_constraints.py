"""Kernels of couplings and loops agree with their NumPy twins in the model's room."""

from __future__ import annotations

import numpy as np
from constrained_models import mimic_arm, rod_model
from extended_models import extended_model

from carpal.kinematics import constraint_jacobian, constraint_residual, random_configurations
from carpal.kinematics.kernels.constraints import fold_followers, put_followers
from carpal.model.loop_kinematics import coupling_map, follow_leaders, loop_rows


def test_loops_have_the_rows_of_the_numpy_form():
    for model in (extended_model(), rod_model("connect"), rod_model("weld")):
        for q in random_configurations(model.replace(couplings=(), loops=()), 3, seed=4):
            r, G = loop_rows(model, q)
            n = len(model.couplings)
            np.testing.assert_allclose(constraint_residual(model, q)[n:], r, atol=1e-14)
            np.testing.assert_allclose(constraint_jacobian(model, q)[n:], G, atol=1e-14)


def test_followers_are_put_and_eliminated():
    model = mimic_arm(True)
    q = random_configurations(model, 1, seed=5)
    put_followers(model.constraint_tables.couplings, q, 0)
    np.testing.assert_allclose(q[0], follow_leaders(model, q[0]), rtol=1e-14)
    G = np.random.default_rng(0).normal(size=(1, 4, model.nv))
    expected = G[0] @ coupling_map(model, q[0])
    fold_followers(model.constraint_tables.couplings, q, 0, G, 4, 0)
    np.testing.assert_allclose(G[0], expected, atol=1e-14)


def test_a_follower_that_rounding_puts_beyond_a_limit_is_on_it():
    model = mimic_arm()
    q = np.array(model.q_home)[None]
    q[0, 6] = 0.04 + 3e-17 + 1e-15
    put_followers(model.constraint_tables.couplings, q, 0)
    assert q[0, 7] == 0.04
    q[0, 6] = 0.05
    put_followers(model.constraint_tables.couplings, q, 0)
    assert q[0, 7] == 0.05
