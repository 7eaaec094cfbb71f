"""The contact law's numbers are checked one by one."""

import numpy as np
import pytest

from carpal.engines import ContactLaw
from carpal.errors import InputError


def test_the_numbers_reach_the_kernels_in_order():
    law = ContactLaw(1.0, 2.0, 0.25, 0.3, 4.0, 5.0, 6.0)
    assert law.numbers.tolist() == [1.0, 2.0, 0.25, 0.3, 4.0, 5.0]
    assert ContactLaw(**law.to_dict()) == law


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("stiffness", 0.0),
        ("damping", -1.0),
        ("separation", 1.5),
        ("friction", np.nan),
        ("slip_speed", 0),
        ("area", "x"),
    ],
)
def test_bad_numbers_are_named(name, value):
    with pytest.raises(InputError, match=f"{name} of a ContactLaw"):
        ContactLaw(**{name: value})
