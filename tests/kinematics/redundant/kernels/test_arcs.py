"""Sets of directions: compared with a fine grid of angles, and with the formulas for their ends."""

import numpy as np
import pytest

from carpal.kinematics.redundant.kernels.arcs import (
    ALL,
    FULL,
    NONE,
    SOME,
    below_zero,
    cut,
    cut_arc,
    cut_common,
    diamond,
    diamond_angle,
    keep_all,
    negated,
)

GRID = np.linspace(-np.pi, np.pi, 20_001)[1:-1] + 1e-7
SLOT, ROW = 1, 2


def fresh():
    pieces = np.full((2, 3, 28), np.nan)
    return pieces, keep_all(pieces, SLOT, ROW)


def member(pieces, count):
    """Which angles of the grid are left."""
    place = np.array([diamond(np.cos(a), np.sin(a)) for a in GRID[::20]])
    ends = pieces[SLOT, ROW, : 2 * count].reshape(-1, 2)
    assert (np.diff(ends.ravel()) > 0).all()
    assert np.isnan(pieces[0]).all() and np.isnan(pieces[SLOT, :ROW]).all()
    return ((place[:, None] >= ends[:, 0]) & (place[:, None] <= ends[:, 1])).any(axis=1)


def test_the_diamond_is_monotone_and_turns_back_into_the_angle():
    places = np.array([diamond(3 * np.cos(a), 3 * np.sin(a)) for a in GRID])
    assert (np.diff(places) > 0).all()
    assert max(abs(diamond_angle(d) - a) for d, a in zip(places[::7], GRID[::7], strict=True)) < 1e-15 * 8
    assert diamond_angle(FULL) == np.pi and diamond_angle(-FULL) == -np.pi
    assert diamond(-1.0, 0.0) == FULL and diamond(1.0, 0.0) == 0.0 and diamond(0.0, -1.0) == -1.0


@pytest.mark.parametrize("seed", range(30))
def test_where_a_wave_is_below_zero(seed):
    fc, fs, f0 = np.random.default_rng(seed).normal(size=3)
    state, a, b = below_zero(fc, fs, f0)
    pieces, count = fresh()
    count = cut_arc(pieces, SLOT, ROW, count, state, a, b)
    wave = fc * np.cos(GRID[::20]) + fs * np.sin(GRID[::20]) + f0
    assert np.array_equal(member(pieces, count), wave >= 0)
    if state == SOME:
        for d in (a, b):
            psi = diamond_angle(d)
            assert abs(fc * np.cos(psi) + fs * np.sin(psi) + f0) < 1e-15 * 8
    other, a2, b2 = negated(state, a, b)
    pieces, count = fresh()
    count = cut_arc(pieces, SLOT, ROW, count, other, a2, b2)
    assert np.array_equal(member(pieces, count), wave <= 0)


def test_waves_that_do_not_cross():
    assert below_zero(1.0, 1.0, 2.0)[0] == NONE
    assert below_zero(1.0, 1.0, -2.0)[0] == ALL
    assert below_zero(0.0, 0.0, -1.0)[0] == ALL
    assert below_zero(0.0, 0.0, 0.0)[0] == NONE


@pytest.mark.parametrize("seed", range(30))
def test_what_two_arcs_have_in_common(seed):
    waves = np.random.default_rng([1, seed]).normal(size=(2, 3)) * (1, 1, 0.7)
    pieces, count = fresh()
    arcs = [below_zero(*wave) for wave in waves]
    count = cut_common(pieces, SLOT, ROW, count, *arcs[0], *arcs[1])
    at = GRID[::20]
    values = waves[:, :1] * np.cos(at) + waves[:, 1:2] * np.sin(at) + waves[:, 2:]
    assert np.array_equal(member(pieces, count), (values >= 0).any(axis=0))


@pytest.mark.parametrize("seed", range(10))
def test_many_cuts(seed):
    rng = np.random.default_rng([2, seed])
    pieces, count = fresh()
    left = np.ones(len(GRID[::20]), bool)
    for _ in range(8):
        wave = rng.normal(size=3) * (1, 1, 0.3) + (0, 0, 1.0)
        count = cut_arc(pieces, SLOT, ROW, count, *below_zero(*wave))
        left &= wave[0] * np.cos(GRID[::20]) + wave[1] * np.sin(GRID[::20]) + wave[2] >= 0
        assert np.array_equal(member(pieces, count), left)


def test_nothing_of_length_zero_is_left():
    pieces, count = fresh()
    assert cut(pieces, SLOT, ROW, count, -3.0, 0.5) == 1
    assert cut(pieces, SLOT, ROW, 1, 0.5, 3.0) == 0
    pieces, count = fresh()
    assert cut(pieces, SLOT, ROW, count, 0.5, 0.5) == 1  # an empty piece takes nothing
    count = cut(pieces, SLOT, ROW, count, -1.0, 0.0)
    assert cut(pieces, SLOT, ROW, count, 0.0, 1.0) == 2
    assert pieces[SLOT, ROW, :4].tolist() == [-2.0, -1.0, 1.0, 2.0]
