"""Integrations of rolling and turning solids: energy, contact, momentum, known precession."""

import itertools

import numpy as np
import pytest

from carpal.engines.comparison.references import rolling

T = np.linspace(0, 1, 201)


def _energy(states, mass, inertia):
    out = []
    v = np.gradient(states[:, :3], T, axis=0)
    for row, speed in zip(states, v, strict=True):
        R, w = rolling.rotation(row[3:7]), row[7:]
        out.append(0.5 * mass * speed @ speed + 0.5 * w @ R @ inertia @ R.T @ w + mass * 9.81 * row[2])
    return np.array(out)


def test_a_rolling_ellipsoid_keeps_energy_and_touches_the_plane():
    axes, m = np.array([0.06, 0.04, 0.04]), 0.3
    inertia = np.diag(m / 5 * ((axes**2).sum() - axes**2))
    support, q = rolling.ellipsoid_support(axes), rolling.about_y(0.3)
    place = np.array([0, 0, rolling._height(support, q)])
    states = rolling.rolling(T, m, inertia, support, place, q, np.array([5.0, 0, 1.0]))
    energy = _energy(states, m, inertia)[2:-2]
    assert energy == pytest.approx(energy[0], rel=2e-4)  # speeds are differences of places
    for row in states[::20]:
        assert row[2] == pytest.approx(rolling._height(support, row[3:7]), abs=1e-9)


def test_supports_have_the_rates_of_their_places():
    n, rate, h = np.array([0.3, -0.5, -0.81]), np.array([0.2, 0.4, -0.1]), 1e-6
    for support in (rolling.ellipsoid_support([0.06, 0.04, 0.03]), rolling.rim_support(0.03, 0.06)):
        slope = (support(n + h * rate, rate)[0] - support(n - h * rate, rate)[0]) / (2 * h)
        assert support(n, rate)[1] == pytest.approx(slope, abs=1e-8)


def test_an_euler_disc_precesses_at_the_known_rate():
    """Moffatt 2000: the centre of a thin disc stands nearly still while the tilt is constant."""
    made = rolling.euler_disc(np.linspace(0, 0.5, 51)).paths["solid"]
    assert np.ptp(made[:, 2]) < 2e-3 and np.linalg.norm(made[:, :2], axis=1).max() < 5e-3


def test_a_rattleback_turns_back_one_way_only():
    t = np.linspace(0, 1.3, 66)
    assert rolling.rattleback_states(t)[:, 9].max() > 0.5, "it reverses"
    assert rolling.rattleback_states(t, -0.1)[:, 9].max() < -2.5, "its mirror image does not"


def test_a_top_keeps_its_momentum_about_the_vertical_and_the_axis():
    inertia, up = rolling.cone_inertia()
    q = rolling.about_y(0.3)
    states = rolling.turning(T, inertia, np.array([0, 0, up]), 0.1, q, 200.0 * rolling.rotation(q)[:, 2])
    kept = []
    for row in states:
        R, w = rolling.rotation(row[:4]), row[4:]
        L = R @ inertia @ R.T @ w
        kept.append([L[2], L @ R[:, 2], 0.5 * w @ L + 0.1 * 9.81 * up * R[2, 2]])
    kept = np.array(kept)
    assert kept == pytest.approx(np.tile(kept[0], (len(kept), 1)), rel=1e-8)


def test_the_cone_of_24_sides_is_the_pyramid():
    """Against tetrahedra from the tip, one for each side."""
    turn = 2 * np.pi * np.arange(25) / 24
    rim = np.stack([0.04 * np.cos(turn), 0.04 * np.sin(turn), np.full(25, 0.05)], 1)
    total, second, first = 0.0, np.zeros((3, 3)), np.zeros(3)
    for a, b in itertools.pairwise(rim):
        c = np.array([0, 0, 0.05])
        volume = abs(np.dot(a, np.cross(b, c))) / 6
        corners = np.array([np.zeros(3), a, b, c])
        s = corners.sum(0)
        second += volume / 20 * (np.outer(s, s) + sum(np.outer(x, x) for x in corners))
        first += volume * s / 4
        total += volume
    moment = 0.1 / total * (np.trace(second) * np.eye(3) - second)
    inertia, up = rolling.cone_inertia()
    assert inertia == pytest.approx(moment, rel=1e-12, abs=1e-18) and up == pytest.approx(first[2] / total)


def test_a_free_rotor_flips_over():
    t = np.linspace(0, 5, 501)
    made = rolling.free_rotor(t).paths["box"]
    assert np.linalg.norm(made, axis=1) == pytest.approx(np.hypot(0.1, 0.1), rel=1e-9)
