"""Couplings and loops: what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.model import Coupling, Loop


def test_coefficients_are_kept_as_numbers() -> None:
    assert Coupling("c", "a", "b", np.array([0, 1])).coefficients == (0.0, 1.0)
    assert Loop("l", "connect", "a", None).rows == 3 and Loop("l", "weld", "a", "b").rows == 6


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Coupling("c", "a", "b", ()), "1 to 5 finite coefficients"),
        (lambda: Coupling("c", "a", "b", (0, 1, 2, 3, 4, 5)), "1 to 5 finite coefficients"),
        (lambda: Coupling("c", "a", "b", (np.nan,)), "1 to 5 finite coefficients"),
        (lambda: Coupling("c", "a", "a", (0, 1)), "follow itself"),
        (lambda: Coupling("c", "a", "b", (0, 1), np.inf), "follower_ref"),
        (lambda: Loop("l", "hinge", "a", "b"), "connect"),
        (lambda: Loop("l", "weld", "a", "a"), "to itself"),
        (lambda: Loop("l", "weld", "a", "b", 2 * np.eye(4)), "not a rigid motion"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(make, said: str) -> None:
    with pytest.raises(CarpalError, match=said):
        make()
