"""Quaternion kernels against SciPy."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from carpal.spatial.kernels.quaternion import (
    rotation_from_wxyz,
    rotation_vector,
    rotation_vector_between,
    turn_between,
    wxyz_turned,
)

ANGLES = [0.0, 1e-300, 1e-15, 1e-9, 1e-8, 1e-4, 0.3, 1.6, 3.0, np.pi - 1e-4, np.pi - 1e-9, np.pi - 1e-14]
AXES = [*np.eye(3), *-np.eye(3), *(a / np.linalg.norm(a) for a in np.random.default_rng(8).normal(size=(20, 3)))]


def test_matrix_equals_scipy_for_any_length() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        wxyz = rng.normal(size=4) * 10.0 ** rng.uniform(-60, 60)
        expected = Rotation.from_quat(wxyz / np.linalg.norm(wxyz), scalar_first=True).as_matrix()
        assert np.allclose(np.reshape(rotation_from_wxyz(*wxyz), (3, 3)), expected, rtol=0, atol=1e-14)


def test_zero_length_gives_nan_and_no_error() -> None:
    assert np.isnan(rotation_from_wxyz(0.0, 0.0, 0.0, 0.0)).any()
    assert np.isnan(wxyz_turned(0.0, 0.0, 0.0, 0.0, 0.1, 0.2, 0.3)).any()


@pytest.mark.parametrize("angle", [0.0, 1e-12, 0.99e-4, 1.01e-4, 0.3, 3.0, 40.0])
def test_turning_is_from_the_left_and_exact_at_every_size(angle: float) -> None:
    """On both sides of the switch to the series at 1e-4 rad."""
    rng = np.random.default_rng(1)
    wxyz, direction = rng.normal(size=4), rng.normal(size=3)
    vector = angle * direction / np.linalg.norm(direction)
    start = Rotation.from_quat(wxyz, scalar_first=True)
    got = np.array(wxyz_turned(*wxyz, *vector))
    expected = (Rotation.from_rotvec(vector) * start).as_quat(scalar_first=True)
    assert abs(np.linalg.norm(got) - 1) < 1e-15
    assert np.abs(got * np.sign(got @ expected) - expected).max() < 4e-15


@pytest.mark.parametrize("angle", ANGLES)
def test_rotation_vector_is_the_logarithm(angle: float) -> None:
    """At every size and with each of the four components largest, up to half a turn."""
    for axis in AXES:
        R = Rotation.from_rotvec(angle * axis).as_matrix()
        got = np.array(rotation_vector(tuple(R.ravel())))
        assert np.linalg.norm(got) == pytest.approx(angle, abs=4e-15)
        assert np.abs(got - angle * axis).max() < 4e-15 or angle > np.pi - 1e-13, (axis, got)
        assert np.abs(Rotation.from_rotvec(got).as_matrix() - R).max() < 4e-15


def test_half_turns_keep_their_axis() -> None:
    for axis in AXES:
        R = 2 * np.outer(axis, axis) - np.eye(3)
        got = np.array(rotation_vector(tuple(R.ravel())))
        assert np.linalg.norm(got) == pytest.approx(np.pi, abs=1e-15)
        assert abs(abs(got @ axis) - np.pi) < 4e-15


def test_between_is_in_world_axes_from_a_to_b() -> None:
    A, B = Rotation.random(200, random_state=1), Rotation.random(200, random_state=2)
    for a, b in zip(A, B, strict=True):
        got = rotation_vector_between(tuple(a.as_matrix().ravel()), tuple(b.as_matrix().ravel()))
        assert np.abs(np.array(got) - (b * a.inv()).as_rotvec()).max() < 2e-14
        assert rotation_vector_between(tuple(a.as_matrix().ravel()), tuple(a.as_matrix().ravel())) == pytest.approx(
            (0, 0, 0), abs=1e-15
        )


def across(axis: np.ndarray) -> np.ndarray:
    other = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    return other / np.linalg.norm(other)


@pytest.mark.parametrize("angle", [*ANGLES, np.pi - 1e-11, np.pi - 1e-12, np.pi])
def test_turn_between_is_shortest_and_arrives(angle: float) -> None:
    """Near opposite vectors the cross product is small while the angle is not: 1e-11 off must not read as reached."""
    for a in AXES:
        b = np.cos(angle) * a + np.sin(angle) * across(a)
        b /= np.linalg.norm(b)
        turn = np.array(turn_between(tuple(a), tuple(b)))
        assert np.linalg.norm(turn) == pytest.approx(angle, abs=1e-14 if angle < 3.14 else 1.1e-12)
        assert abs(turn @ a) < 4e-15 * max(1, angle) or angle > 3.14
        # the axis comes from a cross product of length sin(angle): it has so many digits less
        digits = 1e-15 / max(np.sin(angle), 1e-13) if angle > 3 else 0.0
        assert np.abs(Rotation.from_rotvec(turn).apply(a) - b).max() < 4e-15 + 10 * digits


def test_opposite_vectors_turn_half_a_turn_about_something_across() -> None:
    for a in AXES:
        turn = np.array(turn_between(tuple(a), tuple(-a)))
        assert np.linalg.norm(turn) == pytest.approx(np.pi, abs=1e-15)
        assert abs(turn @ a) < 1e-15
