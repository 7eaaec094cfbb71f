"""The wrench ball: closed forms of textbook grasps, and linear programs along its worst direction and along others."""

from __future__ import annotations

import numpy as np
import pytest
from grasp_oracles import pyramid_wrenches, random_grasp, reach_by_lp

from carpal.contact import Grasp, wrench_ball
from carpal.errors import CarpalError

a, mu, torsion = 0.03, 0.6, 0.004
PAIR = Grasp([[-a, 0, 0], [a, 0, 0]], [[1, 0, 0], [-1, 0, 0]], mu=mu, tip="soft", torsion=torsion)


@pytest.mark.parametrize("length", [0.001, 0.005, 0.02, 0.03, 0.1])
def test_two_soft_fingers(figure, length):
    """The worst wrench spins about the line between them, or makes one finger rub while the other is only pushed away.

    With t1 = y + a z / L and t2 = y - a z / L across and x along the line, h = max(x + mu |t1|, -x + mu |t2|); least for
    t2 = 0 and x = -mu |t1| / 2, which leaves h = mu y at a length of y sqrt(1 + (L / a)^2 + mu^2).
    """
    wanted = min(torsion / length, mu / np.sqrt(1 + (length / a) ** 2 + mu**2))
    figure("wrench ball of two soft fingers", abs(wrench_ball(PAIR, length=length).radius - wanted), 1e-9)


def test_each_finger_of_two():
    """Both spin, and a push along the line takes the spin of one finger away: 2 s / sqrt(1 + s^2), s = torsion / L."""
    s = torsion / 0.02
    wanted = 2 * s / np.sqrt(1 + s**2)
    assert abs(wrench_ball(PAIR, length=0.02, limit="each").radius - wanted) < 1e-9


def test_six_soft_fingers_on_a_cube(figure):
    """One in the middle of each face. Along a force axis 1; along a torque axis the side fingers, mu a / L, or the spin."""
    faces = np.vstack([np.eye(3), -np.eye(3)])
    for length in (0.01, 0.05):
        ball = wrench_ball(
            Grasp(a * faces, -faces, mu=mu, tip="soft", torsion=torsion, centre=[0, 0, 0]), length=length
        )
        # worst over all directions, by brute force on the support function written out
        rng = np.random.default_rng(0)
        d = rng.normal(size=(200_000, 6))
        d /= np.linalg.norm(d, axis=1, keepdims=True)
        h = np.full(len(d), -np.inf)
        for n in -faces:
            f, m = d[:, :3], d[:, 3:] / length
            pulled = f + np.cross(m, -a * n)  # what a force at the contact does along d
            along, across = pulled @ n, np.linalg.norm(np.cross(pulled, n), axis=1)
            h = np.maximum(h, along + mu * across + torsion * np.abs(m @ n))
        assert ball.radius <= h.min() + 1e-9
        figure("wrench ball of six fingers against sampled directions, relative", h.min() / ball.radius - 1, 0.2)


def _compare(seeds, figure, tolerance):
    worst_low, worst_high, width, missed = 0.0, 0.0, 0.0, 0
    for seed in seeds:
        rng = np.random.default_rng(seed)
        points, normals, friction = random_grasp(rng, int(rng.integers(4, 7)))
        ball = wrench_ball(Grasp(points, normals, mu=friction, centre=[0, 0, 0]), length=1.0)
        if not ball.radius > 1e-3:
            continue
        inner = pyramid_wrenches(points, normals, friction, edges=32)
        outer = pyramid_wrenches(points, normals, friction, edges=32, outside=True)
        low, high = reach_by_lp(inner, ball.direction), reach_by_lp(outer, ball.direction)
        worst_low = max(worst_low, low / ball.radius - 1)
        worst_high = max(worst_high, 1 - high / ball.radius)
        width = max(width, 1 - ball.lower / ball.radius)
        for _ in range(6):
            d = rng.normal(size=6)
            missed += reach_by_lp(outer, d / np.linalg.norm(d)) < ball.radius * (1 - 1e-9)
    figure(f"wrench ball of {len(seeds)} random grasps beyond pyramids outside the cones, relative", worst_high, 1e-9)
    figure("the same short of pyramids inside the cones", worst_low, 1e-9)
    figure("directions along which the grasp reaches less than the ball", missed, 0)
    figure("widest distance of the certified bounds, relative", width, tolerance)


def test_random_grasps_against_linear_programs(figure):
    _compare(range(12), figure, 0.011)


@pytest.mark.full
def test_five_hundred_grasps_against_linear_programs(figure):
    _compare(range(1000, 1500), figure, 0.03)


def test_no_closure_no_ball():
    ball = wrench_ball(Grasp([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 0, 1]] * 3))
    assert ball.radius == 0.0
    assert np.isnan(ball.direction).all()


@pytest.mark.parametrize("given", [{"limit": "all"}, {"length": 0.0}, {"tolerance": 2.0}])
def test_bad_input(given):
    with pytest.raises(CarpalError):
        wrench_ball(PAIR, **given)
