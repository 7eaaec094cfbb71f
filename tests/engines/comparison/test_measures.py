"""Measures on tracks whose answers are known."""

import math

import numpy as np
import pytest

from carpal.engines.comparison import measures
from carpal.engines.comparison.track import Track
from carpal.spatial import pose


def _track(x, energy=None, wall=1.0):
    time = np.linspace(0, 1, len(x))
    poses = np.stack([pose(p=[value, 0, 0]) for value in x])[:, None]
    kinetic = np.zeros(len(x)) if energy is None else np.asarray(energy, float)
    zero = np.zeros(len(x))
    book = {"kinetic": kinetic, "potential": zero, "work_in": zero, "residual": kinetic - kinetic[0]}
    return Track(time, ("a",), poses, book, zero, wall=wall)


def test_parting_is_the_first_moment_beyond_the_tolerance():
    apart = np.array([[0, 0], [0, 1e-3], [3e-3, 2e-3]])
    found = measures.parting("x", "y", apart, np.array([0, 0.5, 1.0]), ("a", "b"), 5e-4)
    assert (found.time, found.body, found.distance) == (0.5, "b", 3e-3)
    never = measures.parting("x", "y", apart, np.array([0, 0.5, 1.0]), ("a", "b"), 1.0)
    assert (never.time, never.body) == (None, "a")


@pytest.mark.parametrize("order", [1, 2, 4])
def test_order_and_error_of_a_power_law(order):
    t = np.linspace(0, 1, 5)
    tracks = {k: _track(t * (1 + 0.1 * k**-order)) for k in (1, 2, 4)}
    found = measures.convergence(tracks, np.zeros(1))
    assert found.order == pytest.approx(order, abs=1e-9) and found.error == pytest.approx(0.1, rel=1e-9)
    assert math.isnan(measures.convergence(dict.fromkeys((1, 2, 4), tracks[1]), np.zeros(1)).order)
    assert measures.convergence({1: tracks[1]}, np.zeros(1)) is None


def test_energy_creep_and_cost():
    assert measures.energy_gain(_track(np.zeros(4), [1, 1.5, 0.5, 0.2])) == pytest.approx(0.5)
    assert measures.energy_gain(_track(np.zeros(4), [1, 0.5, 0.2, 0.1])) == 0.0
    assert measures.ledger_residual(_track(np.zeros(4), [1, 1.5, 0.5, 0.2])) == pytest.approx(0.8)
    assert measures.creep(_track(1e-3 * np.linspace(0, 1, 11))) == pytest.approx(1e-3)
    assert math.isnan(measures.creep(_track(np.linspace(0, 1, 11)))), "what moves does not creep"
    assert measures.cost(_track(np.zeros(4), wall=3.0)) == pytest.approx(3.0)
