"""The reference: its velocity is its derivative, and it is the quintic of least jerk."""

import numpy as np

from carpal.tasks.reach.kernels.run import reference_batch


def at(time, moving=1.5):
    start, goal = np.array([[0.3, -1.0], [0.0, 2.0]]), np.array([1.0, -2.0])
    q, v = np.empty((2, 2, 2))
    assert reference_batch(goal, moving, time, start, q, v, 0, 2, 1, 0) == 0
    return start, goal, q, v


def test_velocity_is_the_derivative():
    for time in np.linspace(0.01, 1.6, 40):
        h = 1e-5
        *_, before, _ = at(time - h)
        *_, after, _ = at(time + h)
        assert np.allclose(at(time)[3], (after - before) / (2 * h), atol=1e-8)


def test_it_is_the_minimum_jerk_polynomial():
    for s in (0.0, 0.2, 0.7, 1.0):
        start, goal, q, _ = at(1.5 * s)
        assert np.allclose(q, start + (10 * s**3 - 15 * s**4 + 6 * s**5) * (goal - start), atol=1e-14)
