"""The library's dynamics of the chain beside the corrected Lagrangian in absolute angles."""

import numpy as np
import pytest
from finger_inputs import kinetic, potential, random_finger, random_load

from carpal.errors import InputError
from carpal.labs.finger import FingerLoad, finger_acceleration, finger_energy
from carpal.labs.finger.kernels import terms


def lagrange(finger, q, v, load):
    """Accelerations and their moments by the Lagrangian in absolute angles, with the terms of the motion's kernels."""
    rows, theta, w = finger.row[None], np.cumsum(q), np.cumsum(v)
    s, c = terms.sines(tuple(theta))
    a, b, d = finger.row[3:6] * np.sin(theta[[1, 2, 2]] - theta[[0, 0, 1]])
    centrifugal = np.array(
        [a * w[1] ** 2 + b * w[2] ** 2, d * w[2] ** 2 - a * w[0] ** 2, -b * w[0] ** 2 - d * w[1] ** 2]
    )
    moments = np.array(terms.static_moments(rows, 0, tuple(theta), s, c, tuple(load.rows())))
    moments += terms.damping_moments(rows, 0, tuple(w))
    m = terms.mass_entries(rows, 0, s, c)
    M = np.array([[m[0], m[1], m[2]], [m[1], m[3], m[4]], [m[2], m[4], m[5]]])
    return np.diff(np.linalg.solve(M, moments + centrifugal), prepend=0.0)


def worst(count):
    rng, off = np.random.default_rng(11), 0.0
    for _ in range(count):
        finger, load = random_finger(rng), random_load(rng)
        q, v = rng.uniform(-np.pi, np.pi, 3), rng.normal(0, 10, 3)
        a = finger_acceleration(finger, q, v, load)
        off = max(off, np.abs(a - lagrange(finger, q, v, load)).max() / np.abs(a).max())
    return off


def test_equal_to_the_lagrangian(figure):
    figure(
        "finger: ABA on the chain beside the Lagrangian, random fingers, states and loads, relative", worst(60), 1e-10
    )


@pytest.mark.full
def test_equal_to_the_lagrangian_in_full(figure):
    figure("finger: ABA on the chain beside the Lagrangian, 5,000 random cases, relative", worst(5000), 1e-9)


def test_energies():
    rng = np.random.default_rng(3)
    finger = random_finger(rng)
    q, v = rng.uniform(-2, 2, (4, 3)), rng.normal(0, 5, (4, 3))
    energy = finger_energy(finger, q, v)
    for i in range(4):
        assert energy[i, 0] == pytest.approx(kinetic(finger, q[i], v[i]), rel=1e-12)
        assert energy[i, 1:].sum() == pytest.approx(potential(finger, q[i]), rel=1e-12)


def test_batches_and_threads_have_the_same_bits():
    rng = np.random.default_rng(4)
    finger = random_finger(rng)
    q, v = rng.uniform(-2, 2, (300, 3)), rng.normal(0, 5, (300, 3))
    load = FingerLoad(tension=rng.uniform(0, 3, 300))
    many = finger_acceleration(finger, q, v, load, threads=2)
    assert np.array_equal(many, finger_acceleration(finger, q, v, load, threads=1))
    for i in (0, 17, 299):
        assert np.array_equal(many[i], finger_acceleration(finger, q[i], v[i], FingerLoad(tension=load.tension[i])))


def test_bad_input():
    finger = random_finger(np.random.default_rng(0))
    with pytest.raises(InputError, match="has 3 angles"):
        finger_acceleration(finger, (1, 2), (0, 0, 0))
    with pytest.raises(InputError, match="v of a finger must be finite"):
        finger_acceleration(finger, (1, 2, 3), (0, np.nan, 0))
    with pytest.raises(InputError, match="do not fit together"):
        finger_energy(finger, np.zeros((2, 3)), np.zeros((3, 3)))
