"""Closed forms of bounces and collisions: energy, momentum, geometric series."""

import numpy as np
import pytest

from carpal.engines.comparison.references import bouncing


def test_heights_of_bounces_are_a_geometric_series():
    fine = np.linspace(0, 3, 300_001)
    z = bouncing.bounce_heights(fine, 0.5, 0.8)
    tops = z[1:-1][(z[1:-1] > z[:-2]) & (z[1:-1] >= z[2:]) & (z[1:-1] > 1e-3)]
    assert tops[:5] == pytest.approx(0.5 * 0.64 ** np.arange(1, 6), rel=1e-4) and z.min() >= 0
    end = np.sqrt(2 * 0.5 / 9.81) * (1 + 0.8) / (1 - 0.8)
    assert bouncing.bounce_heights(np.array([end + 0.01]), 0.5, 0.8)[0] == 0.0


def test_balls_keep_momentum_and_energy():
    t = np.array([0.0, 0.1, 0.6, 0.7])
    made = bouncing.billiard_collision(t)
    v = [(made.paths[f"ball_{i}"][3] - made.paths[f"ball_{i}"][2]) / 0.1 for i in range(2)]
    assert v[0] + v[1] == pytest.approx([1, 0, 0]) and v[0] @ v[0] + v[1] @ v[1] == pytest.approx(1)
    assert v[0] @ v[1] == pytest.approx(0, abs=1e-12)
    hit = 0.4 - 0.1 * np.sqrt(0.75)
    at = bouncing.billiard_collision(np.array([hit]))
    assert np.linalg.norm(at.paths["ball_0"] - at.paths["ball_1"]) == pytest.approx(0.1)


def test_the_last_ball_of_a_cradle_leaves():
    t = np.array([0.0, 0.5, 0.6])
    made = bouncing.newtons_cradle(t)
    speeds = [(p[2, 0] - p[1, 0]) / 0.1 for p in made.paths.values()]
    assert speeds == pytest.approx([0, 0, 0, 0, 0, 1])
    later = [p[2, 0] for p in made.paths.values()]
    assert np.diff(later)[:-1] == pytest.approx([0.101, 0.101, 0.101, 0.101], abs=1.1e-3)


def test_an_oblique_bounce_keeps_five_sevenths():
    made = bouncing.oblique_bounce(np.array([0.5, 0.6]))
    assert (made.paths["ball"][1, 0] - made.paths["ball"][0, 0]) / 0.1 == pytest.approx(5 / 7)
