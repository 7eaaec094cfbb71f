"""Readers of configurations and velocities."""

import numpy as np
import pytest

from carpal.kinematics.kernels.state import all_finite, freedoms, vector_of
from carpal.model import NV
from carpal.model.tables import KINDS


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "ball", "free"])
def test_freedoms(kind: str) -> None:
    assert freedoms(KINDS.index(kind)) == NV[kind]


def test_vector_of() -> None:
    assert vector_of(np.arange(10.0).reshape(2, 5), 1, 1) == (6, 7, 8)


@pytest.mark.parametrize("wild", [np.nan, np.inf, -np.inf])
def test_all_finite_sees_every_column_of_its_own_row_only(wild: float) -> None:
    """The check multiplies by zero; a compiler that assumes finite numbers would fold it away."""
    for column in range(4):
        array = np.full((3, 4), 1e308)
        array[1, column] = wild
        assert not all_finite(array, 1)
        assert all_finite(array, 0)
        assert all_finite(array, 2)
