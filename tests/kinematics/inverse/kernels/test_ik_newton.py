"""Newton-Raphson on ZXZ angles: the angles themselves, wrapping, both Jacobians, and singular attitudes."""

import numpy as np
import pytest
from ik_inputs import SLOT, WORLD, missed, problem
from random_models import random_rotation

import carpal
from carpal.kinematics.inverse.kernels.ik_newton import descend_newton, wrapped, zxz_angles
from carpal.kinematics.inverse.kernels.ik_task import DIFFERENCE
from carpal.spatial import rotation_from_zxz

ARM = carpal.load("catcher_arm")


def test_angles_give_the_rotation_back() -> None:
    for seed in range(200):
        R = random_rotation(np.random.default_rng(seed))
        assert np.abs(rotation_from_zxz(np.array(zxz_angles(tuple(R.ravel())))) - R).max() < 1e-14


@pytest.mark.parametrize("theta", [0.0, np.pi])
@pytest.mark.parametrize("psi", [0.0, 0.7, -2.5])
def test_singular_attitudes_have_no_phi(theta: float, psi: float) -> None:
    """Erratum E3: |A33| = 1 is the singular attitude, A33 = 0 is an ordinary one."""
    R = rotation_from_zxz([theta, 0.0, psi])
    angles = zxz_angles(tuple(R.ravel()))
    assert angles[1] == 0.0
    assert angles == pytest.approx((theta, 0.0, psi), abs=1e-15)
    ordinary = zxz_angles(tuple(rotation_from_zxz([np.pi / 2, -1.2, psi]).ravel()))
    assert ordinary == pytest.approx((np.pi / 2, -1.2, psi), abs=1e-15)


@pytest.mark.parametrize(("angle", "same"), [(0.0, 0.0), (np.pi, np.pi), (-np.pi, np.pi), (4.0, 4.0 - 2 * np.pi)])
def test_wrapping_is_to_the_half_open_turn(angle: float, same: float) -> None:
    assert wrapped(angle) == pytest.approx(same, abs=1e-15)
    for turns in (-3, 1, 20):
        assert abs(np.exp(1j * wrapped(angle + 2 * np.pi * turns)) - np.exp(1j * angle)) < 1e-13
        assert abs(wrapped(angle + 2 * np.pi * turns)) <= np.pi


@pytest.mark.parametrize("difference", [0.0, 1e-4, 0.12])
def test_it_arrives_with_either_jacobian(difference: float) -> None:
    q_goal = ARM.q_home + np.array([0.1, -0.05, 0.08, 0.1, 0.06, -0.1])
    arm, goal, work = problem(ARM, q_goal, ARM.q_home)
    goal.numbers[DIFFERENCE] = difference
    p, r, taken = descend_newton(arm, goal, work, 50, WORLD, SLOT)
    assert p <= 1e-9 and r <= 1e-9
    assert missed(ARM, work, q_goal) < 2e-9
    assert taken <= (6 if difference < 0.1 else 30)


def test_the_first_step_is_minus_the_inverse_jacobian_times_the_residual() -> None:
    """Erratum E1, by numpy, with the 0.12 rad Jacobian; psi passes through +-pi on the path, so it must be wrapped."""
    q_goal = ARM.q_home + np.array([0.02, 0.03, -0.02, 0.05, -0.04, 0.03])

    def coordinates(q: np.ndarray) -> np.ndarray:
        X = carpal.fk(ARM, q)
        return np.concatenate([carpal.spatial.zxz_from_rotation(X[..., :3, :3]), X[..., :3, 3]], -1)

    def wrap(f: np.ndarray) -> np.ndarray:
        out = f.copy()
        out[..., :3] = (out[..., :3] + np.pi) % (2 * np.pi) - np.pi
        return out

    q, h = ARM.q_home, 0.12
    psi = coordinates(q + h * np.eye(6))[:, 2]
    assert np.ptp(psi) > np.pi, "this start is meant to straddle the cut"
    f = wrap(coordinates(q) - coordinates(q_goal))
    J = wrap(coordinates(q + h * np.eye(6)) - coordinates(q)).T / h
    arm, goal, work = problem(ARM, q_goal, q)
    goal.numbers[DIFFERENCE] = h
    descend_newton(arm, goal, work, 1, WORLD, SLOT)
    assert np.abs(work.q[SLOT] - (q - np.linalg.solve(J, f))).max() < 1e-12


def test_a_singular_arm_stops_where_it_is() -> None:
    """Three parallel axes and three more: no step exists, and nothing may become NaN."""
    model = carpal.Model.from_dh([carpal.model.DHRow(a=0.2) for _ in range(6)])
    arm, goal, work = problem(model, np.full(6, 0.3), np.full(6, 0.1))
    goal.target[WORLD, 11] += 0.5
    p, r, taken = descend_newton(arm, goal, work, 50, WORLD, SLOT)
    assert taken == 1
    assert np.array_equal(work.q[SLOT], np.full(6, 0.1))
    assert np.isfinite([p, r]).all()
