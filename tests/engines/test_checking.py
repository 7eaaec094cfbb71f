"""Certificates against their bounds: what passes, what fails, what is refused."""

import numpy as np
import pytest

from carpal.engines.checking import BOUNDS, check_certificates
from carpal.errors import CarpalError


def test_a_run_within_its_bounds_passes_and_says_so():
    found = check_certificates(np.arange(3.0), {"cone": np.array([0.0, 1e-12, 2e-12]), "energy": np.zeros(3)})
    assert found.ok
    assert found
    assert "2.0e-12" in str(found)
    assert found.bounds["cone"] == BOUNDS["cone"]


def test_one_residual_above_its_bound_fails_with_its_time_and_name():
    found = check_certificates(np.array([0.0, 0.1, 0.2]), {"cone": np.array([0.0, 1e-3, 0.0]), "drift": np.ones(3)})
    assert not found
    assert "cone" in found.status
    assert "t = 0.1 s" in found.status
    assert "drift" in found.status


def test_nan_is_no_pass():
    assert not check_certificates(np.zeros(2), {"cone": np.array([0.0, np.nan])})


def test_other_bounds_can_be_given_and_are_checked():
    certificates = {"cone": np.array([1e-3])}
    assert check_certificates(np.zeros(1), certificates, {"cone": 1e-2})
    with pytest.raises(CarpalError, match="unknown residual 'kone'"):
        check_certificates(np.zeros(1), certificates, {"kone": 1.0})
    with pytest.raises(CarpalError, match="must be a number"):
        check_certificates(np.zeros(1), certificates, {"cone": float("nan")})
    with pytest.raises(CarpalError, match="no certificates"):
        check_certificates(np.zeros(1), {})
