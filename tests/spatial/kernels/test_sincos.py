"""Sine and cosine against the 80-bit functions of the C library."""

import numpy as np
import pytest
from random_models import random_chain

from carpal._core.compile import kernel
from carpal.kinematics import fk
from carpal.spatial.kernels.sincos import sincos

EXTENDED = np.finfo(np.longdouble).nmant >= 63
needs_extended = pytest.mark.skipif(not EXTENDED, reason="long double is no better than double on this machine")


@kernel
def sincos_of_all(x, out):
    """The kernel over an array, as a compiled loop would call it."""
    for i in range(x.shape[0]):
        out[i, 0], out[i, 1] = sincos(x[i])


def ours(x: np.ndarray) -> np.ndarray:
    out = np.empty((len(x), 2))
    sincos_of_all(np.ascontiguousarray(x), out)
    return out


def error_in_ulp(x: np.ndarray) -> float:
    """Largest distance to the true value, in units of the last place of the true value."""
    wide = x.astype(np.longdouble)
    true = np.stack([np.sin(wide), np.cos(wide)], axis=-1)
    return float((np.abs(ours(x) - true) / np.spacing(np.abs(true).astype(float))).max())


def near_multiples(limit: float, rng: np.random.Generator) -> np.ndarray:
    """The doubles nearest to multiples of pi/4, and their neighbours: where reductions lose their digits."""
    k = rng.integers(-int(limit * 4 / np.pi) + 2, int(limit * 4 / np.pi) - 2, 20_000)
    x = (k * (np.longdouble(np.pi) + np.longdouble(1.2246467991473532e-16)) / 4).astype(float)
    return np.concatenate([x, np.nextafter(x, np.inf), np.nextafter(x, -np.inf)])


@needs_extended
def test_error_stays_within_what_the_docstring_says(figure) -> None:
    rng = np.random.default_rng(0)
    sets = {
        "200,000 numbers within one turn": (rng.uniform(-2 * np.pi, 2 * np.pi, 200_000), 1.6),
        "200,000 numbers below 1e5": (rng.uniform(-1e5, 1e5, 200_000), 2.5),
        "200,000 numbers of all sizes below 1e5": (np.exp(rng.uniform(-700, np.log(9.9e4), 200_000)), 2.5),
        "60,000 doubles around multiples of pi/4 below 1e5": (near_multiples(9.99e4, rng), 2.5),
    }
    for what, (x, bound) in sets.items():
        figure(f"sine and cosine, {what}: largest error [ulp]", error_in_ulp(x), bound)


@needs_extended
def test_huge_numbers_are_the_librarys(figure) -> None:
    rng = np.random.default_rng(1)
    x = np.exp(rng.uniform(np.log(1e5), np.log(1e17), 20_000)) * rng.choice([-1, 1], 20_000)
    figure("sine and cosine, 20,000 numbers from 1e5 to 1e17: largest error [ulp]", error_in_ulp(x), 1.0)
    most = np.array([1e200, 1.7e308, -3e250])
    assert np.abs(ours(most) - np.stack([np.sin(most), np.cos(most)], -1)).max() < 4e-16


def test_identities_hold_without_any_reference(figure) -> None:
    """sin^2 + cos^2 = 1 and oddness, on machines without a wider number too."""
    x = np.random.default_rng(2).uniform(-1e5, 1e5, 50_000)
    s, c = ours(x).T
    figure("sin^2 + cos^2 - 1, 50,000 numbers below 1e5", np.abs(s * s + c * c - 1).max(), 5e-16)
    assert np.array_equal(ours(-x), np.stack([-s, c], -1))


def test_special_values() -> None:
    assert sincos(0.0) == (0.0, 1.0)
    assert sincos(np.pi / 2)[0] == 1.0
    assert sincos(np.pi)[1] == -1.0
    for wild in (np.nan, np.inf, -np.inf):
        assert np.isnan(sincos(wild)).all()


def test_one_number_and_many_have_the_same_bits() -> None:
    x = np.random.default_rng(3).uniform(-2e5, 2e5, 500)  # both sides of the switch to the library
    assert np.array_equal(ours(x), np.array([sincos(value) for value in x]))
    arm = random_chain(1, 4, kinds=("revolute",))
    q = np.random.default_rng(4).uniform(-2e5, 2e5, (300, 4))
    assert np.array_equal(fk(arm, q), np.array([fk(arm, row) for row in q]))
