"""Free turning: energy and momentum stay, and it is Euler's equations to second order."""

import numpy as np
from scipy.integrate import solve_ivp

from carpal.engines.modal.kernels.gyroscopic import free_turn, solve_three, spun

INERTIA = np.diag([1.0, 2.0, 2.7]) * 1e-4


def _packed(I):
    return (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])


def test_energy_and_momentum_stay_at_sixty_radians_a_second():
    R = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
    I = R @ INERTIA @ R.T
    w = np.array([60.0, 1.0, -3.0])
    first = w
    for _ in range(1000):
        w, _ = spun(_packed(I), tuple(w), 1e-3)
        w = np.array(w)
    assert abs(w @ I @ w / (first @ I @ first) - 1) < 1e-12
    assert abs(np.linalg.norm(I @ w) / np.linalg.norm(I @ first) - 1) < 1e-12


def test_it_is_eulers_equations_to_second_order():
    def euler(_, w):
        return np.linalg.solve(INERTIA, -np.cross(w, INERTIA @ w))

    start = np.array([3.0, 8.0, -2.0])
    truth = solve_ivp(euler, (0, 0.5), start, rtol=1e-12, atol=1e-12).y[:, -1]
    errors = []
    for steps in (100, 200, 400):
        w = tuple(start)
        for _ in range(steps):
            w, middle = spun(_packed(INERTIA), w, 0.5 / steps)
        errors.append(np.abs(np.array(w) - truth).max())
        assert np.all(np.isfinite(middle))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert (orders > 1.9).all(), orders


def test_three_equations():
    rng = np.random.default_rng(1)
    A, b = rng.normal(size=(3, 3)), rng.normal(size=3)
    assert np.allclose(A @ np.array(solve_three(tuple(A.ravel()), tuple(b))), b)


def test_the_momentum_stays_in_space_and_the_attitude_is_the_tops_to_second_order(figure):
    """Euler's top with its attitude, integrated by SciPy at 1e-12, as oracle."""

    def rates(_, y):
        w = y[9:]
        cross = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        return np.r_[(y[:9].reshape(3, 3) @ cross).ravel(), np.linalg.solve(INERTIA, -np.cross(w, INERTIA @ w))]

    start = np.array([60.0, 3.0, -20.0])
    truth = solve_ivp(rates, (0, 0.2), np.r_[np.eye(3).ravel(), start], method="DOP853", rtol=1e-12, atol=1e-12).y[
        :, -1
    ]
    errors, drift = [], 0.0
    for steps in (400, 800):
        R, w = np.eye(3), start
        for _ in range(steps):
            after, _, turn = free_turn(_packed(INERTIA), tuple(R.ravel()), tuple(w), 0.2 / steps)
            R, w = np.array(turn).reshape(3, 3) @ R, np.array(after)
        drift = max(drift, np.abs(R @ INERTIA @ R.T @ w - INERTIA @ start).max() / np.abs(INERTIA @ start).max())
        errors.append(np.abs(R - truth[:9].reshape(3, 3)).max())
    figure("free top, 60 rad/s, 400 steps: momentum off in space [of it]", drift, 1e-11)
    assert np.log2(errors[0] / errors[1]) > 1.9, errors
