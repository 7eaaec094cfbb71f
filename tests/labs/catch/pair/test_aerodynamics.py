"""Flight through air against closed forms: parabola, terminal speed, Stokes' drag, the Magnus force's direction and size."""

import numpy as np
import pytest

from carpal.labs.catch.pair.aerodynamics import DENSITY, STEP, VISCOSITY, Air, sphere_drag


def test_without_air_it_is_a_parabola(figure):
    t, p, v = Air(0.03, 0.05, 0.0).flight([0, 0, 1], [1, 2, 3], [0, 0, 0], 1.0)
    exact = np.array([0, 0, 1]) + t[:, None] * [1, 2, 3] + 0.5 * t[:, None] ** 2 * [0, 0, -9.81]
    figure("pair catch: flight without air against the parabola [m]", np.abs(p - exact).max(), 1e-12)
    assert t[1] == STEP and v[-1, 2] == pytest.approx(3 - 9.81 * t[-1])


def test_a_fall_reaches_its_terminal_speed(figure):
    air = Air(0.03, 0.005, 0.47)
    wanted = np.sqrt(2 * 0.005 * 9.81 / (DENSITY * 0.47 * np.pi * 0.03**2))
    _, _, v = air.flight([0, 0, 0], [0, 0, 0], [0, 0, 0], 6.0)
    figure("pair catch: terminal speed against its closed form, relative", abs(-v[-1, 2] / wanted - 1), 1e-6)
    windy = Air(0.03, 0.005, 0.47, wind=(2.0, 0.0, 0.0)).flight([0, 0, 0], [0, 0, 0], [0, 0, 0], 8.0)[2]
    assert windy[-1, 0] == pytest.approx(2.0, abs=1e-3)


def test_a_spheres_drag_depends_on_speed():
    assert sphere_drag(1e-3) == pytest.approx(24e3, rel=1e-2)  # Stokes
    assert 0.38 < sphere_drag(1e5) < 0.5 and sphere_drag(0.0) == 0.0
    air, v = Air(0.03, 0.05, -1.0), np.array([5.0, 0.0, 0.0])
    re = 2 * 0.03 * 5.0 / VISCOSITY
    assert air.force(v, np.zeros(3))[0] == pytest.approx(-0.5 * DENSITY * np.pi * 0.03**2 * 25 * float(sphere_drag(re)))


def test_the_magnus_force_stands_on_velocity_and_spin():
    air, v, w = Air(0.03, 0.05, 0.0), np.array([5.0, 1.0, 0.0]), np.array([0.0, -60.0, 20.0])
    lift = air.force(v, w)
    assert abs(lift @ v) < 1e-12 and abs(lift @ w) < 1e-12 and lift @ np.cross(w, v) > 0
    cl = 1 / (2 + np.linalg.norm(v) / (0.03 * np.linalg.norm(w)))
    assert np.linalg.norm(lift) == pytest.approx(0.5 * DENSITY * np.pi * 0.03**2 * (v @ v) * cl)
    high, low = (air.flight([0, 0, 0], [8, 0, 0], [0, s * 80.0, 0], 0.5)[1][-1, 2] for s in (-1, 1))
    assert high > low  # backspin lifts
