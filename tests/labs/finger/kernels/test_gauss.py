"""Gauss's step: order six, reversible, symplectic, clean scratch, and an honest refusal."""

import numpy as np
import pytest
from finger_inputs import facts_finger, random_finger, random_load

from carpal.labs.finger.kernels import terms
from carpal.labs.finger.kernels.gauss import STAGE, A, B, C, gauss_step

NONE = (0.0,) * 8
START = (np.array([0.6, 1.0, 1.3]), np.array([3e-4, -1e-4, 5e-5]))


def scratch():
    return tuple(np.full((2, *shape), np.nan) for shape in ((9, 9), (9,), (9,), (9, STAGE)))


def step(finger, theta, p, h, load0=NONE, load1=NONE, work=None):
    theta, p, gained, lost, rounds = gauss_step(
        finger.row[None], 0, tuple(theta), tuple(p), load0, load1, h, *(work or scratch()), 1
    )
    return np.array(theta), np.array(p), gained, lost, rounds


def test_the_coefficients_integrate_polynomials():
    a, b, c = np.array(A), np.array(B), np.array(C)
    for k in range(6):
        assert b @ c**k == pytest.approx(1 / (k + 1), abs=1e-15)
    for k in range(3):
        assert np.allclose(a @ c**k, c ** (k + 1) / (k + 1), atol=1e-15)


def test_order_six():
    finger = facts_finger(damping=(2e-5, 1e-5, 1e-5))
    load0, load1 = (
        tuple(random_load(np.random.default_rng(1)).rows()),
        tuple(random_load(np.random.default_rng(2)).rows()),
    )

    def end(steps):
        theta, p = START
        for k in range(steps):
            a, b = k / steps, (k + 1) / steps
            theta, p, *_ = step(
                finger, theta, p, 0.012 / steps, terms.between(load0, load1, a), terms.between(load0, load1, b)
            )
        return theta

    exact = end(160)
    errors = [np.abs(end(n) - exact).max() for n in (8, 16, 32)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert (orders > 5.6).all() and (orders < 6.6).all(), (errors, orders)


def test_backwards_is_the_way_back():
    finger = facts_finger()
    theta, p, *_ = step(finger, *START, 1e-3)
    back, q, *_ = step(finger, theta, p, -1e-3)
    assert np.abs(back - START[0]).max() < 1e-14 and np.abs(q - START[1]).max() < 1e-17


def test_the_step_is_symplectic():
    """J' W J = W for the derivative of the map, which only canonical variables give."""
    finger, h = facts_finger(), 4e-3  # long on purpose: a method that is only accurate would fail
    size = np.r_[np.full(3, 1e-4), np.full(3, 1e-7)]
    x = np.concatenate(START)
    columns = []
    for i in range(6):
        d = np.zeros(6)
        d[i] = size[i]

        def at(y):
            return np.concatenate(step(finger, y[:3], y[3:], h)[:2])

        fine = (8 * (at(x + d) - at(x - d)) - (at(x + 2 * d) - at(x - 2 * d))) / (12 * size[i])
        columns.append(fine)
    J = np.stack(columns, -1)
    W = np.block([[np.zeros((3, 3)), np.eye(3)], [-np.eye(3), np.zeros((3, 3))]])
    scale = np.r_[np.ones(3), np.full(3, 1e-3)]  # angles and momenta differ by that much
    off = (J.T @ W @ J - W) * np.outer(scale, scale) / 1e-3
    assert np.abs(off).max() < 1e-8
    assert np.abs(J - np.eye(6)).max() > 0.3


def test_books_balance_with_loads_and_dampers():
    finger = random_finger(np.random.default_rng(3))
    load = tuple(random_load(np.random.default_rng(4)).rows())

    def energy(theta, p):
        s, c = terms.sines(tuple(theta))
        M = terms.mass_entries(finger.row[None], 0, s, c)
        U = terms.gravity_energy(finger.row[None], 0, s, c)
        return (
            terms.kinetic(M, terms.solved(M, tuple(p)))
            + U
            + terms.spring_energy(finger.row[None], 0, terms.relative(tuple(theta)))
        )

    theta, p, gained, lost, rounds = step(finger, *START, 1e-4, load, load)
    assert energy(theta, p) - energy(*START) == pytest.approx(gained - lost, rel=1e-7)
    assert lost > 0 and 2 <= rounds <= 12


def test_only_its_own_slot_is_used():
    work = scratch()
    first = step(facts_finger(), *START, 1e-3, work=work)
    assert all(np.isnan(part[0]).all() for part in work)
    again = step(facts_finger(), *START, 1e-3, work=work)
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))


def test_a_step_that_does_not_close_says_so():
    *_, rounds = step(facts_finger(), START[0], (10.0, -20.0, 30.0), 0.5)
    assert rounds == -1
    *_, rounds = step(facts_finger(), (np.nan, 0.0, 0.0), START[1], 1e-3)
    assert rounds == -1
