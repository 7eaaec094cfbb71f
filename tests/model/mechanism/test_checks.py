"""The checks that every part of a mechanism shares."""

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.model.mechanism.checks import finite, index_or_none
from carpal.model.mechanism.joints import angle_lines


def test_finite_takes_the_given_shape():
    assert finite(3, (), "x") == 3.0
    assert finite([[1, 2, 3]], (None, 3), "x").shape == (1, 3)
    for bad, shape in (([1, 2], (3,)), (np.nan, ()), ("1", ()), ([[1], [1, 2]], (None, 2)), (True, ())):
        with pytest.raises(InputError, match="x "):
            finite(bad, shape, "x")


def test_index_or_none():
    assert index_or_none(None, "x") is None and index_or_none(np.int64(3), "x") == 3
    for bad in (True, 1.0, "1", -1):
        with pytest.raises(InputError, match="index from 0"):
            index_or_none(bad, "x")


def test_a_zero_axis_is_refused():
    with pytest.raises(InputError, match="must not be zero"):
        angle_lines(None, None, (0, 0, 0))
