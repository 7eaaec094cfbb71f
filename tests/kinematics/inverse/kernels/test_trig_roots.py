"""All roots of trigonometric polynomials, against NumPy's companion matrix."""

import numpy as np
import pytest

from carpal.kinematics.inverse.kernels.trig_roots import fit_trig, trig_roots


def solve(values, degree):
    samples = len(values)
    held, spectrum, roots = np.zeros((2, samples)), np.zeros((2, degree + 1, 2)), np.zeros((2, 2 * degree, 2))
    held[1] = values
    fit_trig(held, spectrum, 1, samples, degree)
    count = trig_roots(spectrum, roots, 1, degree)
    return spectrum[1], roots[1, :count, 0] + 1j * roots[1, :count, 1]


@pytest.mark.parametrize("seed", range(10))
def test_every_root_is_found(seed):
    rng = np.random.default_rng(seed)
    degree = int(rng.integers(1, 9))
    c = (rng.normal(size=degree + 1) + 1j * rng.normal(size=degree + 1)) * 0.3 ** np.arange(degree + 1)
    c[0] = c[0].real
    x = 2 * np.pi * np.arange(24) / 24
    values = sum((c[k] * np.exp(1j * k * x)).real * (1 if k == 0 else 2) for k in range(degree + 1))
    spectrum, z = solve(values, 8)
    assert np.abs(spectrum[: degree + 1, 0] + 1j * spectrum[: degree + 1, 1] - c).max() < 1e-15
    expected = np.roots(np.concatenate([c[:0:-1], c[:1], c[1:].conj()]))
    assert len(z) == 2 * degree
    assert np.abs(z[:, None] - expected).min(axis=1).max() < 1e-8 * np.abs(expected).max()
    assert np.abs(expected[:, None] - z).min(axis=1).max() < 1e-8 * np.abs(expected).max()


def test_known_angles():
    x = 2 * np.pi * np.arange(24) / 24
    wanted = np.array([0.3, 1.1, 2.0, 2.1])
    values = np.prod([np.sin((x - a) / 2) for a in wanted], axis=0)
    _, z = solve(values, 8)
    assert np.allclose(np.sort(np.angle(z)), wanted, atol=1e-9) and np.allclose(np.abs(z), 1.0, atol=1e-9)


def test_a_constant_has_none():
    assert len(solve(np.ones(24), 8)[1]) == 0
