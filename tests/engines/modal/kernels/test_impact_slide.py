"""A step of a sliding collision: fifth order, increments in the cone, and the regular time against the normal impulse."""

import math

import numpy as np
from impact_reference import reference_gain
from scipy.integrate import solve_ivp

from carpal.engines.modal.kernels.impact_slide import slide_step, speeds

K = reference_gain()
SIX = (K[0, 0], K[1, 1], K[2, 2], K[0, 1], K[0, 2], K[1, 2])
U = (0.6, -0.2, -0.5)
MU = 0.5


def after(h, steps):
    y = (0.0, 0.0, 0.0, 0.0)
    for _ in range(steps):
        y = slide_step(SIX, U, MU, y, h / steps)[0]
    return np.array(y)


def test_the_order_is_five(figure):
    whole = 0.01
    exact = after(whole, 64)
    errors = [np.abs(after(whole, n) - exact).max() for n in (1, 2)]
    figure("sliding collision: observed order of a step", math.log2(errors[0] / errors[1]), 4.7, at_least=True)


def test_it_is_routh_in_the_normal_impulse(figure):
    y = after(0.02, 40)

    def rates(_, P):
        u = U + K @ P
        return np.array([*(-MU * u[:2] / np.hypot(*u[:2])), 1.0])

    P = solve_ivp(rates, (0, y[2]), np.zeros(3), rtol=1e-12, atol=1e-15, method="DOP853").y[:, -1]
    figure("sliding collision: impulse off Routh's equations [of it]", np.abs(P - y[:3]).max() / y[2], 1e-10)
    assert np.allclose(speeds(SIX, U, tuple(y[:3])), U + K @ y[:3], atol=1e-15)
    assert math.hypot(y[0], y[1]) <= MU * y[2]


def test_the_error_estimate_sees_the_error():
    y = (0.0, 0.0, 0.0, 0.0)
    z, impulse, work = slide_step(SIX, U, MU, y, 0.01)
    off = np.abs(np.array(z) - after(0.01, 64))
    assert 0.1 * off[:3].max() < impulse < 1e4 * off[:3].max() and work > 0.1 * off[3]
