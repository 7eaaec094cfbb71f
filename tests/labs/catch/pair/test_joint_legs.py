"""Quintic legs: their ends, their derivatives, and what they ask of an arm."""

import numpy as np
import pytest

import carpal
from carpal.labs.catch.pair.joint_legs import Limits, asked_of, driving_torque, quintic_leg

ARM = carpal.load("ur5")
A = (np.array([0.1, -1.0, 0.5, 0.0, 0.2, 0.0]), np.zeros(6))
B = (A[0] + 0.4, np.array([1.0, -0.5, 0.0, 0.3, 0.0, 0.2]))


def test_a_leg_meets_both_ends_and_its_rates_are_its_derivative():
    leg = quintic_leg(0.2, 0.9, A, B)
    for time, (q, v) in ((0.2, A), (0.9, B)):
        found = leg.at(time)
        np.testing.assert_allclose(found[0], q, atol=1e-12)
        np.testing.assert_allclose(found[1], v, atol=1e-11)
        np.testing.assert_allclose(found[2], 0.0, atol=1e-9)
    t, h = np.linspace(0.3, 0.8, 7), 1e-5
    q, v, vdot = leg.at(t)
    np.testing.assert_allclose(v, (leg.at(t + h)[0] - leg.at(t - h)[0]) / (2 * h), atol=1e-7)
    np.testing.assert_allclose(vdot, (leg.at(t + h)[1] - leg.at(t - h)[1]) / (2 * h), atol=1e-6)


def test_what_a_leg_asks_for():
    leg = quintic_leg(0.0, 0.5, A, B)
    limits = Limits(np.full(6, -3.0), np.full(6, 3.0), np.full(6, 2.0), np.full(6, 100.0))
    fast, hard, out = asked_of(ARM, leg, limits)
    t = np.linspace(0.0, 0.5, 2001)
    q, v, vdot = leg.at(t)
    assert fast == pytest.approx(np.abs(v).max() / 2.0, rel=1e-2)
    assert hard == pytest.approx(np.abs(carpal.inverse_dynamics(ARM, q, v, vdot)).max() / 100.0, rel=2e-2)
    assert out < 0 < asked_of(ARM, leg, Limits(np.full(6, -0.5), np.full(6, 3.0), np.ones(6), np.ones(6)))[2]


def test_joint_friction_is_paid_for():
    from dataclasses import replace

    rough = ARM.replace(
        bodies=tuple(
            replace(b, joint=replace(b.joint, damping=2.0, friction=0.5)) if b.joint.kind == "revolute" else b
            for b in ARM.bodies
        )
    )
    v = np.array([0.5, -0.5, 0.2, 0.2, 0.2, 0.2])
    more = driving_torque(rough, A[0], v, np.zeros(6)) - driving_torque(ARM, A[0], v, np.zeros(6))
    np.testing.assert_allclose(more, 2.0 * v + 0.5 * np.sign(v), atol=1e-9)
