"""Visuals: what they refuse."""

from __future__ import annotations

import pytest

from carpal.errors import CarpalError
from carpal.model import Sphere, Visual


def test_a_visual_is_a_mesh_or_a_shape() -> None:
    assert Visual("v", "b", mesh="link.obj", rgba=None).rgba is None
    assert Visual("v", None, shape=Sphere(0.1), scale=[2, 2, 2]).scale == (2.0, 2.0, 2.0)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Visual("v", "b"), "either a mesh file or a shape"),
        (lambda: Visual("v", "b", mesh="x", shape=Sphere(0.1)), "either a mesh file or a shape"),
        (lambda: Visual("v", "b", mesh="x", scale=(1, 0, 1)), "none zero"),
        (lambda: Visual("v", "b", mesh="x", rgba=(2, 0, 0, 1)), "from 0 to 1"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(make, said: str) -> None:
    with pytest.raises(CarpalError, match=said):
        make()
