"""The balance kernel: torques against finite differences of the energy, one at a time equal to many."""

import numpy as np
import pytest
from sign_robots import hand, random_touches

from carpal.labs.sign import tendon_angles
from carpal.labs.sign.kernels.tendon_balance import unbalance


def energy(finger, theta, travel, loads):
    """Springs, tendon and touching forces, written anew with NumPy."""
    a = np.cumsum(theta)
    ends = np.vstack([[0.0, 0.0], np.cumsum(finger.lengths[:, None] * np.c_[np.cos(a), np.sin(a)], axis=0)])
    total = 0.5 * finger.springs @ (theta - finger.rest) ** 2
    total += 0.5 * finger.stiffness * max(0.0, travel - finger.pulleys @ theta) ** 2
    for phalanx, along, fx, fy in loads:
        j = int(phalanx)
        p = ends[j] + along * np.array([np.cos(a[j]), np.sin(a[j])])
        total -= fx * p[0] + fy * p[1]
    return total


def test_torques_and_slopes_are_the_energy_s_derivatives(figure):
    finger = hand().fingers["middle"]
    travel, loads = random_touches(finger, 40, seed=3)
    rng = np.random.default_rng(4)
    worst = worst_slope = 0.0
    for s, touch in zip(travel, loads, strict=True):
        theta = rng.uniform(0.1, 1.0, 3)
        if abs(s - finger.pulleys @ theta) < 1e-4:
            continue  # at the kink there is no slope
        torque, slope = np.zeros((1, 3)), np.zeros((1, 3, 3))

        def at(t, s=s, touch=touch):
            f, m = np.zeros((1, 3)), np.zeros((1, 3, 3))
            unbalance(finger.rows()[None], np.array([[s]]), touch[None], 1.0, t[None].copy(), f, m, 0, 0)
            return f[0]

        unbalance(finger.rows()[None], np.array([[s]]), touch[None], 1.0, theta[None].copy(), torque, slope, 0, 0)
        h = 1e-6
        for i in range(3):
            d = h * np.eye(3)[i]
            numeric = (energy(finger, theta + d, s, touch) - energy(finger, theta - d, s, touch)) / (2 * h)
            worst = max(worst, abs(numeric - torque[0, i]) / (1.0 + abs(torque[0, i])))
            worst_slope = max(worst_slope, np.abs((at(theta + d) - at(theta - d)) / (2 * h) - slope[0, :, i]).max())
    figure("tendon balance: torque against the energy's difference quotient", worst, 1e-7)
    figure("tendon balance: slope against the torque's difference quotient", worst_slope, 1e-6)


@pytest.mark.parametrize("threads", [1, 2])
def test_many_at_once_are_the_same_bits_as_one_at_a_time(threads):
    finger = hand().fingers["index"]
    travel, loads = random_touches(finger, 60, seed=5)
    many = tendon_angles(finger, travel, loads, threads=threads)
    one = np.array([tendon_angles(finger, s, touch).angles for s, touch in zip(travel, loads, strict=True)])
    assert np.array_equal(many.angles, one)
