"""Inverse kinematics along a path: both solvers reach the target; rates are J^-1 x'; a singular arm is damped."""

import numpy as np
from catch_inputs import Q_START

from carpal.kinematics import fk, jacobian
from carpal.labs.catch.arm_tables import arm_chain
from carpal.labs.catch.kernels.arm_chain import FRAME_COLUMNS
from carpal.labs.catch.kernels.follow import (
    TOLERANCE,
    FollowScratch,
    damped_solve,
    follow_angles,
    follow_turn,
    rates_along,
    wrap,
)  # fmt: skip
from carpal.model import load
from carpal.spatial import rotation_from_zxz, zxz_from_rotation

RNG = np.random.default_rng(6)
ARM, CHAIN, LINKS = load("catcher_arm"), arm_chain(), np.zeros((6, 4))


def scratch(target, desired):
    n = np.zeros
    return FollowScratch(
        target, desired.copy(), n((1, 6)), n((1, 6, FRAME_COLUMNS)), n((1, 6, 6)), n((1, 6, 6)), n((1, 6))
    )


def a_target():
    q = Q_START + RNG.uniform(-0.4, 0.4, 6)
    X = fk(ARM, q)
    return q, np.r_[zxz_from_rotation(X[:3, :3]), X[:3, 3], RNG.normal(size=6)][None]


def test_both_reach_a_target_nearby(figure):
    worst, loose = 0.0, 0.0
    for _ in range(20):
        q, target = a_target()
        near = (q + RNG.uniform(-0.03, 0.03, 6))[None]
        turn, angles = scratch(target, near), scratch(target, near)
        residual, used = follow_turn(CHAIN, LINKS, turn, 0)
        assert used <= 4
        worst = max(worst, residual, np.abs(turn.desired[0] - q).max())
        residual, used = follow_angles(CHAIN, angles, 0)
        assert residual < TOLERANCE
        assert used <= 4
        loose = max(loose, np.abs(angles.desired[0] - q).max())
    figure("catch: rotation-vector Newton from 0.03 rad away, joint angles", worst, 1e-8)
    figure("catch: the thesis's Newton (tolerance 2.5e-4), joint angles", loose, 5e-3)


def test_rates_are_the_inverse_jacobian_times_the_velocity(figure):
    q, target = a_target()
    given = scratch(target, q[None])
    det = rates_along(CHAIN, LINKS, given, 0)
    J = jacobian(ARM, q)
    h = 1e-6
    ahead, behind = (rotation_from_zxz(target[0, :3] + s * h * target[0, 6:9]) for s in (1, -1))
    W = (ahead - behind) / (2 * h) @ rotation_from_zxz(target[0, :3]).T
    w = np.array([W[2, 1], W[0, 2], W[1, 0]])
    figure(
        "catch: wanted rates times J against the target's velocity",
        np.abs(J @ given.rates[0] - np.r_[target[0, 9:12], w]).max(),
        1e-8,
    )
    assert abs(det - abs(np.linalg.det(J))) < 1e-12


def test_a_nearly_singular_arm_is_damped():
    A = np.diag([1.0, 1, 1, 1, 1, 1e-9])[None].copy()
    x, y = np.ones((1, 6)), np.zeros((1, 6))
    assert damped_solve(A, np.zeros((1, 6, 6)), x, y, 0) < 1e-8
    assert np.abs(y[0, 5]) < 1.0  # undamped it would be 1e9
    np.testing.assert_allclose(y[0, :5], 1.0, atol=3e-3)


def test_angles_wrap():
    for angle in (-7.0, -np.pi, 0.0, 3.0, 9.0):
        assert -np.pi <= wrap(angle) <= np.pi
        assert abs(np.sin(wrap(angle)) - np.sin(angle)) < 1e-12
