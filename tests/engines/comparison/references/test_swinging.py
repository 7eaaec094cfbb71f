"""Pendulums: the elliptic functions against an integration, energies, normal modes."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from carpal.engines.comparison.references import swinging

T = np.linspace(0, 2, 201)


def test_elliptic_functions_solve_the_pendulum():
    run = solve_ivp(
        lambda t, y: [y[1], -1.5 * 9.81 / 0.5 * np.sin(y[0])], (0, 2), [1.2, 0], "DOP853", T, rtol=1e-11, atol=1e-12
    )
    assert swinging.pendulum_angle(T, 1.2) == pytest.approx(run.y[0], abs=1e-8)


def test_a_double_pendulum_keeps_its_energy():
    a, b = swinging.double_angles(T, 1.0, 1.5)
    da, db = np.gradient(a, T), np.gradient(b, T)
    kinetic = 0.25 * (4 / 3 * da**2 + db**2 / 3 + np.cos(a - b) * da * db) / 2
    potential = -9.81 * 0.5 * (1.5 * np.cos(a) + 0.5 * np.cos(b))
    assert (kinetic + potential)[3:-3] == pytest.approx(potential[0], abs=2e-2 * abs(potential).max())


def test_small_coupled_swings_beat_at_the_difference_of_the_modes():
    made = swinging.coupled_pendulums(np.linspace(0, 20, 2001))
    first = np.linalg.norm(made.paths["arm/rod_0"] - [0, 0, -0.5], axis=1)
    second = np.linalg.norm(made.paths["arm/rod_1"] - [0.4, 0, -0.5], axis=1)
    assert second.max() > 0.9 * first[:50].max(), "the energy goes over"


def test_a_held_object_swings_about_its_rest():
    z = swinging.shaken_pinch(T).paths["object"][:, 2] - 0.5
    assert z[0] == pytest.approx(0.05) and (z.max() + z.min()) / 2 == pytest.approx(-1.4 * 9.81 / 200, rel=1e-3)
