"""Poses, twists and wrenches against matrix exponentials and definitions."""

import numpy as np
import pytest
from random_models import random_pose
from scipy.linalg import expm

from carpal.spatial import adjoint, exp_twist, inverse, pose, pose_from_xyz_rpy, skew

RNG = np.random.default_rng(0)


def hat(V: np.ndarray) -> np.ndarray:
    out = np.zeros((4, 4))
    out[:3, :3], out[:3, 3] = skew(V[3:]), V[:3]
    return out


def test_parts_of_a_pose() -> None:
    X = pose(p=[1, 2, 3])
    assert np.array_equal(X[:3, :3], np.eye(3))
    assert np.array_equal(X[:, 3], [1, 2, 3, 1])
    assert pose(np.eye(3), np.zeros((5, 2, 3))).shape == (5, 2, 4, 4)
    assert np.array_equal(pose(), np.eye(4))


def test_urdf_origin_turns_about_z_last() -> None:
    X = pose_from_xyz_rpy([1, 0, 0], [np.pi / 2, 0, np.pi / 2])
    assert np.array_equal(X @ [0, 0, 1, 1], [2, 0, 0, 1])  # Rx takes z to -y, Rz then to x


def test_inverse() -> None:
    X = np.array([[random_pose(RNG) for _ in range(3)] for _ in range(2)])
    assert np.abs(inverse(X) @ X - np.eye(4)).max() < 1e-15 * 4


@pytest.mark.parametrize("turn", [0.0, 1e-300, 1e-12, 1e-10, 1e-8, 1e-6, 1e-3, 1.0, 3.0, 10.0])
def test_exp_twist_is_the_matrix_exponential(turn: float) -> None:
    """At every size: 1 - cos without care loses half of the digits around 1e-8 rad."""
    for _ in range(10):
        V = RNG.normal(size=6)
        V[3:] *= turn / np.linalg.norm(V[3:])
        assert np.abs(exp_twist(V) - expm(hat(V))).max() < 5e-14
        assert np.abs(exp_twist(V, -0.7) - expm(-0.7 * hat(V))).max() < 5e-14


def test_exp_twist_takes_batches_of_twists_and_amounts() -> None:
    V, amount = RNG.normal(size=(4, 6)), RNG.normal(size=(4,))
    V[2, 3:] = 0.0
    together = exp_twist(V, amount)
    assert np.array_equal(together, np.array([exp_twist(a, b) for a, b in zip(V, amount, strict=True)]))


def test_adjoint_moves_twists() -> None:
    """V_A = Ad V_B is the same motion: X hat(V_B) X^-1."""
    X, V = random_pose(RNG), RNG.normal(size=6)
    assert np.abs(hat(adjoint(X) @ V) - X @ hat(V) @ np.linalg.inv(X)).max() < 1e-14
    both = np.array([X, random_pose(RNG)])
    assert np.array_equal(adjoint(both)[0], adjoint(X))
