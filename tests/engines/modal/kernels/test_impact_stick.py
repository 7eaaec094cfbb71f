"""Stick within a collision: the test of stability against the inverse of K, the one diverging ray against a grid."""

import numpy as np
import pytest
from impact_reference import random_hits, rays, stick_is_stable

from carpal.engines.modal.kernels.impact_stick import diverging_ray, normal_gain, stick_ratio


def six(K):
    return tuple(float(K[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))


def test_stick_keeps_the_slip_and_gains_the_schur_complement(figure):
    """E15: 1 / (K^-1)_33, not k_33."""
    off = 0.0
    for K in random_hits(200, 1)[0]:
        x, y = stick_ratio(six(K))
        k = K @ [x, y, 1.0]
        gain = 1 / np.linalg.inv(K)[2, 2]
        off = max(
            off, np.abs(k[:2]).max() / np.abs(K).max(), abs(k[2] - gain) / gain, abs(normal_gain(six(K), x, y) - k[2])
        )
    figure("stick: slip per impulse, and gain off 1/(K^-1)_33", off, 1e-12)


def test_a_singular_k_sticks_along_what_can_move():
    a = np.array([0.6, -0.2, 0.5])
    K = np.outer(a, a)
    k = K @ [*stick_ratio(six(K)), 1.0]
    assert np.abs(k).max() < 1e-15
    assert stick_ratio((0.0, 0.0, 1.0, 0.0, 0.0, 0.0)) == (0.0, 0.0)


def check_rays(count, seed, figure, grid=20_001):
    K, _, mu, _ = random_hits(count, seed)
    unstable, off, wrong = 0, 0.0, 0
    for matrix, friction in zip(K, mu, strict=True):
        x, y = stick_ratio(six(matrix))
        stable = x * x + y * y <= friction**2
        wrong += stable != stick_is_stable(matrix, friction)
        found = rays(matrix, friction, grid)
        wrong += len(found) != (0 if stable else 1)
        if not stable and len(found) == 1:
            unstable += 1
            r = np.array(diverging_ray(six(matrix), friction))
            off = max(off, np.linalg.norm(r - [np.cos(found[0]), np.sin(found[0])]))
            assert (matrix @ [*(-friction * r), 1.0])[2] > 0  # the normal speed grows on it
    assert unstable > count / 10
    figure(f"{count} random K: stability or number of rays different from the grid's", wrong, 0)
    figure(f"{count} random K: direction of the diverging ray off the grid's root [rad]", off, 1e-9)


def test_exactly_one_ray_where_stick_is_not_stable_and_none_where_it_is(figure):
    check_rays(150, 2, figure)


@pytest.mark.full
def test_exactly_one_ray_full_count(figure):
    check_rays(6000, 3, figure)


def test_the_ray_of_a_rank_one_tangent():
    K = np.array([[4.0, 0, 3.0], [0, 0, 0], [3.0, 0, 5.0]])
    assert diverging_ray(six(K), 0.3) == pytest.approx((1.0, 0.0))
    K = np.array([[1.0, 0, 0], [0, 1e-14, 1e-8], [0, 1e-8, 1.0]])
    assert diverging_ray(six(K), 0.5) == pytest.approx((0.0, 1.0), abs=1e-12)  # (mu K_tt + g) r = k_t, g = 1e-8
