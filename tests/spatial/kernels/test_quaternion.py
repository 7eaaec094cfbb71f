"""Quaternion kernels against SciPy."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from carpal.spatial.kernels.quaternion import rotation_from_wxyz, wxyz_turned


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
