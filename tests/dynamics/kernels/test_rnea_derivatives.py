"""The gyroscopic block of one body: D x is what the angular part of its momentum's rate changes by with the twist."""

import numpy as np

from carpal.dynamics.kernels.rnea_derivatives import _gyroscopic, rnea_derivatives
from carpal.spatial import skew


def test_the_gyroscopic_block():
    rng = np.random.default_rng(0)
    h, v, w, x = rng.normal(size=(4, 3))
    S = rng.normal(size=(3, 3))
    S = S @ S.T
    J = (S[0, 0], S[1, 1], S[2, 2], S[0, 1], S[0, 2], S[1, 2])
    D = np.reshape(_gyroscopic.py_func(tuple(h), J, tuple(v), tuple(w)), (3, 3))
    expected = np.cross(w, S @ x) - S @ np.cross(w, x) + np.cross(x, S @ w) - 2 * np.cross(h, np.cross(v, x))
    assert np.allclose(D @ x, expected, atol=1e-12)
    matrix = skew(w) @ S - S @ skew(w) - skew(S @ w) - 2 * skew(h) @ skew(v)
    assert np.allclose(D, matrix, atol=1e-12) and callable(rnea_derivatives)
