"""Rotations against SciPy, and exactness where people check the numbers."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from carpal.errors import InputError
from carpal.spatial import (
    align_z,
    exact_sincos,
    rotation_about,
    rotation_from_rpy,
    rotation_from_wxyz,
    rotation_from_zxz,
    rotation_vector,
    skew,
    wxyz_from_rotation,
    zxz_from_rotation,
)

RNG = np.random.default_rng(0)
MANY = Rotation.random(200, random_state=1)
HALF_TURNS = Rotation.from_rotvec(np.pi * np.vstack([np.eye(3), RNG.normal(size=(1, 3)) / 1.7]))


def test_roll_pitch_yaw_is_fixed_axes_xyz() -> None:
    rpy = RNG.uniform(-4, 4, (5, 40, 3))
    expected = Rotation.from_euler("xyz", rpy.reshape(-1, 3)).as_matrix().reshape(5, 40, 3, 3)
    assert np.abs(rotation_from_rpy(rpy) - expected).max() < 1e-15 * 4


def test_rotation_about_an_axis() -> None:
    axes = RNG.normal(size=(50, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    angles = RNG.uniform(-7, 7, 50)
    expected = Rotation.from_rotvec(angles[:, None] * axes).as_matrix()
    assert np.abs(rotation_about(axes, angles) - expected).max() < 2e-15


def test_right_angles_are_exact() -> None:
    """A pose printed for people must not show 6.1e-17."""
    R = rotation_from_rpy([np.pi / 2, np.pi, -np.pi / 2])
    assert set(np.unique(R)) <= {-1.0, 0.0, 1.0}
    s, c = exact_sincos([0.0, np.pi / 2, np.pi, 1e-3])
    assert (s[2], c[1]) == (0.0, 0.0)
    assert (s[3], c[3]) == (np.sin(1e-3), np.cos(1e-3))


@pytest.mark.parametrize("rotations", [MANY, HALF_TURNS], ids=["random", "half turns"])
def test_quaternions_there_and_back(rotations: Rotation) -> None:
    R = rotations.as_matrix()
    wxyz = wxyz_from_rotation(R)
    assert (wxyz[:, 0] >= 0).all()
    assert np.abs(np.linalg.norm(wxyz, axis=1) - 1).max() < 4e-16
    assert np.abs(rotation_from_wxyz(wxyz) - R).max() < 2e-15
    assert np.abs(rotation_from_wxyz(-5 * wxyz) - R).max() < 2e-15
    assert np.abs(np.abs(np.sum(wxyz * rotations.as_quat(scalar_first=True), axis=1)) - 1).max() < 1e-15


def test_zero_quaternions_are_refused() -> None:
    with pytest.raises(InputError, match=r"must be finite and not zero; got \[0.0, 0.0, 0.0, 0.0\]"):
        rotation_from_wxyz(np.zeros(4))
    with pytest.raises(InputError, match="must be finite and not zero"):
        rotation_from_wxyz([[1, 0, 0, 0], [np.nan, 0, 0, 0]])


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-9, 1e-8, 1e-4, 1.0, 3.0, np.pi - 1e-9])
def test_rotation_vector_is_the_logarithm(angle: float) -> None:
    axis = np.array([2.0, -3.0, 6.0]) / 7
    R = Rotation.from_rotvec(angle * axis).as_matrix()
    assert np.abs(rotation_vector(R) - angle * axis).max() < 1e-15 * max(1, 8 * angle)
    assert np.linalg.norm(rotation_vector(HALF_TURNS.as_matrix()), axis=1) == pytest.approx(
        np.linalg.norm(HALF_TURNS.as_rotvec(), axis=1), rel=1e-12
    )


def test_zxz_angles_there_and_back() -> None:
    R = MANY.as_matrix()
    angles = zxz_from_rotation(R)
    assert np.abs(rotation_from_zxz(angles) - R).max() < 2e-15
    theta, phi, psi = angles.T
    assert ((theta >= 0) & (theta <= np.pi)).all()
    expected = Rotation.from_euler("ZXZ", np.stack([psi, theta, phi], -1)).as_matrix()
    assert np.abs(rotation_from_zxz(angles) - expected).max() < 2e-15
    assert zxz_from_rotation(R.reshape(20, 10, 3, 3)).shape == (20, 10, 3)


def test_zxz_psi_as_printed_is_off_by_half_a_turn() -> None:
    """Yesmunt 2014, erratum E2: psi = -atan2(A13, A23) on random rotations, against the angle that gives R back."""
    R = MANY.as_matrix()
    printed, psi = -np.arctan2(R[:, 0, 2], R[:, 1, 2]), zxz_from_rotation(R)[:, 2]
    assert np.abs(np.exp(1j * (printed - psi)) + 1).max() < 1e-14


@pytest.mark.parametrize("theta", [0.0, np.pi])
@pytest.mark.parametrize("psi", [0.0, 1.1, -3.0])
def test_zxz_at_singular_attitudes(theta: float, psi: float) -> None:
    """Only psi +- phi is left there; phi is zero by choice (E3)."""
    R = rotation_from_zxz([theta, 0.4, psi])
    angles = zxz_from_rotation(R)
    assert angles[:2] == pytest.approx([theta, 0.0], abs=1e-15)
    assert np.abs(rotation_from_zxz(angles) - R).max() < 1e-15
    # A33 = 0, where the thesis prints its singular branch, is an ordinary attitude
    assert zxz_from_rotation(rotation_from_zxz([np.pi / 2, 0.4, psi])) == pytest.approx([np.pi / 2, 0.4, psi])


def test_skew_is_the_cross_product() -> None:
    a, b = RNG.normal(size=(2, 6, 3))
    assert np.array_equal((skew(a) @ b[..., None])[..., 0].round(13), np.cross(a, b).round(13))


@pytest.mark.parametrize("axis", [*np.eye(3), *-np.eye(3), *(v / np.linalg.norm(v) for v in RNG.normal(size=(20, 3)))])
def test_align_z_turns_z_to_the_axis(axis: np.ndarray) -> None:
    R = align_z(axis)
    assert np.abs(R[:, 2] - axis).max() == 0.0
    assert np.abs(R @ R.T - np.eye(3)).max() < 1e-15 * 2
    assert np.linalg.det(R) == pytest.approx(1.0)
    if np.abs(axis).max() == 1.0:
        assert set(np.unique(R)) <= {-1.0, 0.0, 1.0}


def test_one_equals_many_bit_for_bit() -> None:
    R, wxyz, rpy = MANY.as_matrix(), RNG.normal(size=(200, 4)), RNG.normal(size=(200, 3))
    for function, given in (
        (wxyz_from_rotation, R),
        (rotation_vector, R),
        (rotation_from_wxyz, wxyz),
        (rotation_from_rpy, rpy),
        (rotation_from_zxz, rpy),
        (zxz_from_rotation, R),
        (skew, rpy),
    ):
        assert np.array_equal(function(given), np.array([function(row) for row in given])), function.__name__
