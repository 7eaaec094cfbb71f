"""Surfaces: what they hand to the kernels, and what they refuse."""

import pytest

from carpal.engines import Restitution, Surface
from carpal.errors import CarpalError


def test_numbers_of_each_tip():
    assert Surface(mu=0.4).numbers[:2] == (0.4, 0.0)
    assert Surface(mu=0.4, tip="frictionless").numbers[0] == 0.0
    assert Surface(mu=0.4, tip="soft", torsion=0.003).numbers[:2] == (0.4, 0.003)
    assert Surface(restitution=0.5).restitution == Restitution.constant(0.5)
    assert Surface().to_dict()["mu"] == 0.6
    assert Surface(mu=0.4).numbers[-1] == 0.4 and Surface(mu=0.4, mu_static=0.5).numbers[-1] == 0.5


def test_plain_data_and_back():
    for surface in (Surface(), Surface(0.3, Restitution.exponential(), "soft", 0.002), Surface(0.3, 0.7)):
        assert Surface.from_dict(surface.to_dict()) == surface
    assert Surface.from_dict({"restitution": 1}) == Surface(restitution=1.0)
    with pytest.raises(CarpalError, match="unknown entry of a surface 'nu'; did you mean 'mu'"):
        Surface.from_dict({"nu": 0.3})


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"mu": -0.1}, "mu of a Surface must be finite and zero or above; got -0.1"),
        ({"mu": float("nan")}, "mu of a Surface"),
        ({"mu": "rough"}, "mu of a Surface"),
        ({"tip": "sharp"}, "unknown tip of a Surface 'sharp'"),
        ({"tip": "soft"}, "torsion belongs to a soft tip"),
        ({"torsion": 0.01}, "torsion belongs to a soft tip"),
        ({"mu": 0.5, "mu_static": 0.4}, "mu_static of a Surface must be at least its mu"),
        ({"tip": "frictionless", "mu_static": 0.9}, "mu_static of a Surface"),
        ({"rolling": -1.0}, "rolling of a Surface must be finite and zero or above"),
        ({"restitution": 1.5}, "restitution"),
    ],
)
def test_bad_surfaces_get_one_sentence(options, text):
    with pytest.raises(CarpalError, match=text):
        Surface(**options)
