"""Paden and Kahan's subproblems put back into the equations that they solve, folds and impossible ones included."""

import numpy as np
import pytest

from carpal.kinematics.inverse.kernels.subproblems import (
    apart,
    component,
    linear_turn,
    moved,
    turn_to,
    turned_by,
    two_turns,
)
from carpal.spatial import rotation_about


def unit(rng):
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def test_one_turn_and_moving_a_point():
    rng = np.random.default_rng(0)
    for _ in range(20):
        u, c, v, x = unit(rng), rng.normal(size=3), rng.normal(size=3), rng.uniform(-3, 3)
        R = rotation_about(u, x)
        assert np.allclose(turned_by(tuple(u), x, tuple(v)), R @ v, atol=1e-14)
        assert np.allclose(moved(tuple(u), tuple(c), x, tuple(v)), c + R @ (v - c), atol=1e-14)
        assert abs(turn_to(tuple(u), tuple(v), tuple(R @ v + 0.7 * u)) - x) < 1e-12


def test_one_turn_of_a_vector_that_is_all_but_along_the_axis():
    u, thin = np.array([0.0, 0.0, 1.0]), 1e-9
    v, w = np.array([thin, 0.0, 1.0]), np.array([0.0, thin, 1.0])
    assert abs(turn_to(tuple(u), tuple(v), tuple(w)) - np.pi / 2) < 1e-6


def test_a_linear_equation_of_one_angle():
    rng = np.random.default_rng(1)
    for _ in range(20):
        a, b, x = rng.normal(), rng.normal(), rng.uniform(-3, 3)
        c = a * np.cos(x) + b * np.sin(x)
        middle, half, excess = linear_turn(a, b, c, 0.0)
        assert excess == 0.0
        for y in (middle + half, middle - half):
            assert abs(a * np.cos(y) + b * np.sin(y) - c) < 1e-12
    assert linear_turn(3.0, 4.0, 6.0, 0.0)[2] == pytest.approx(1.0)
    assert linear_turn(3.0, 4.0, -5.5, 0.0)[2] == pytest.approx(-0.5)
    assert linear_turn(0.0, 0.0, 0.0, 0.0)[2] == 0.0
    assert apart(0.0, 1e-4) == 0.01 and apart(np.pi, 1e-4) == np.pi - 0.01 and apart(0.3, 0.0) == 0.3


def test_a_component_of_a_turned_vector():
    rng = np.random.default_rng(2)
    u, v, w, x = unit(rng), rng.normal(size=3), rng.normal(size=3), 0.7
    a, b, c = component(tuple(u), tuple(v), tuple(w))
    assert abs(a * np.cos(x) + b * np.sin(x) + c - w @ rotation_about(u, x) @ v) < 1e-13


@pytest.mark.parametrize("right", [False, True])
def test_two_turns(right):
    rng = np.random.default_rng(3)
    for _ in range(50):
        u, w, v = unit(rng), unit(rng), rng.normal(size=3)
        if right:
            w = np.cross(u, w) / np.linalg.norm(np.cross(u, w))
            v = v - w * (w @ v)
        m = rotation_about(u, rng.uniform(-3, 3)) @ rotation_about(w, rng.uniform(-3, 3)) @ v
        middle, half, excess, free = two_turns(tuple(u), tuple(w), tuple(v), tuple(m), 0.0)
        assert excess == 0.0 and not free
        for y in (middle + half, middle - half):
            turned = rotation_about(w, y) @ v
            x = turn_to(tuple(u), tuple(turned), tuple(m))
            assert np.abs(rotation_about(u, x) @ turned - m).max() < 1e-12


@pytest.mark.parametrize("sine", [0.0, 1e-12, 1e-9, 1e-7])
def test_two_turns_of_a_wrist_that_is_all_but_straight(sine):
    u, w = (0.0, 0.0, 1.0), (0.0, 1.0, 0.0)
    m = np.array([sine * np.cos(0.4), sine * np.sin(0.4), np.sqrt(1 - sine * sine)])
    middle, half, excess, free = two_turns(u, w, u, tuple(m), 0.0)
    assert excess == 0.0 and free == (sine < 1e-10)
    turned = rotation_about(w, middle + half) @ np.array(u)
    x = 0.4 if free else turn_to(u, tuple(turned), tuple(m))
    assert np.abs(rotation_about(u, x) @ turned - m).max() < 1e-15 + 2 * sine * (sine < 1e-10)


def test_two_turns_that_are_impossible():
    u, w = (0.0, 0.0, 1.0), (0.0, np.sin(0.3), np.cos(0.3))
    v = rotation_about([1.0, 0.0, 0.0], -0.5) @ np.array(u)  # 0.2 from w: reaches 0.1 to 0.5 from u
    far = (np.sin(0.7), 0.0, np.cos(0.7))
    near = (np.sin(0.05), 0.0, np.cos(0.05))
    assert two_turns(u, w, tuple(v), far, 0.0)[2] == pytest.approx(0.2)
    assert two_turns(u, w, tuple(v), near, 0.0)[2] == pytest.approx(-0.05)
