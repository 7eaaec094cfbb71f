"""How a body's inertia about a fixed point changes while it moves."""

import numpy as np

from carpal.dynamics.kernels.centroidal_matrix import _inertia_rate
from carpal.spatial import rotation_about, skew


def test_the_rate_of_an_inertia():
    rng = np.random.default_rng(0)
    mass, c, v, w = 1.7, *rng.normal(size=(3, 3))
    S = rng.normal(size=(3, 3))
    S = S @ S.T

    def about_origin(t):
        """After moving with the twist (v, w) for a short time."""
        angle = np.linalg.norm(w) * t
        R = rotation_about(w / np.linalg.norm(w), angle)
        place = R @ c + v * t
        return R @ S @ R.T - mass * skew(place) @ skew(place)

    J = about_origin(0.0)
    got = _inertia_rate.py_func(
        tuple(mass * c), (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]), tuple(v), tuple(w)
    )
    h = 1e-6
    rate = (about_origin(h) - about_origin(-h)) / (2 * h)
    assert np.allclose(got, [rate[0, 0], rate[1, 1], rate[2, 2], rate[0, 1], rate[0, 2], rate[1, 2]], atol=1e-7)
