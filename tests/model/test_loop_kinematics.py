"""Couplings and loops in NumPy: derivatives by finite differences, order of couplings."""

from __future__ import annotations

import numpy as np
from constrained_models import mimic_arm, rod_model
from extended_models import extended_model

from carpal.model import Coupling
from carpal.model.loop_kinematics import coupling_map, follow_leaders, loop_rows, moved, ordered_couplings


def test_the_loops_jacobian_is_the_residuals_derivative():
    rng = np.random.default_rng(0)
    for model in (extended_model(), rod_model("connect"), rod_model("weld")):
        q = moved(model, np.asarray(model.q_home), rng.uniform(-1, 1, model.nv))
        v, h = rng.normal(size=model.nv), 1e-6
        slope = (loop_rows(model, moved(model, q, h * v))[0] - loop_rows(model, moved(model, q, -h * v))[0]) / (2 * h)
        np.testing.assert_allclose(loop_rows(model, q)[1] @ v, slope, atol=1e-8)


def test_followers_move_as_the_coupling_map_says():
    model = mimic_arm(True)
    q, v, h = follow_leaders(model, model.q_home), np.random.default_rng(1).normal(size=model.nv), 1e-6
    slope = (follow_leaders(model, q + h * v) - follow_leaders(model, q - h * v)) / (2 * h)
    np.testing.assert_allclose(coupling_map(model, q) @ v, slope, atol=1e-8)


def test_leaders_come_before_their_followers():
    chain = tuple(Coupling(f"c{i}", f"j{i}", f"j{i + 1}", (0.0, 1.0)) for i in range(3000))
    order = ordered_couplings(chain)
    assert order == list(range(2999, -1, -1))
