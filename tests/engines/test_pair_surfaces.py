"""Which surface a pair of shapes has, and surfaces by names of shapes alone."""

import pytest

from carpal.engines import Surface
from carpal.engines.pair_surfaces import by_shape_names, stated, surfaces_of_pairs
from carpal.errors import InputError, UnknownNameError
from carpal.model import Box, Plane, Scene, Sphere

NAMES, BODIES = ["arm/pad", "ball", "floor"], ["arm/hand", "ball", None]
A, B, C = Surface(0.1), Surface(0.2), Surface(0.3)


def test_later_ones_go_before_earlier_ones():
    pairs = [(0, 1), (0, 2), (1, 2)]
    assert surfaces_of_pairs(NAMES, BODIES, pairs, A, {}) == [A, A, A]
    assert surfaces_of_pairs(NAMES, BODIES, pairs, A, {"arm": B}) == [B, B, A]
    assert surfaces_of_pairs(NAMES, BODIES, pairs, A, {"arm/hand": B, ("floor", "arm/pad"): C}) == [B, C, A]
    assert surfaces_of_pairs(NAMES, BODIES, pairs, A, {("floor", "arm/pad"): C, "arm/hand": B}) == [B, B, A]


def test_names_that_nothing_has_are_refused():
    with pytest.raises(UnknownNameError, match="unknown shape, body or robot in surfaces 'bal'; did you mean 'ball'"):
        surfaces_of_pairs(NAMES, BODIES, [(0, 1)], A, {"bal": B})
    with pytest.raises(InputError, match="must be a Surface"):
        surfaces_of_pairs(NAMES, BODIES, [(0, 1)], A, {"ball": 0.3})
    with pytest.raises(InputError, match="one name or a pair"):
        surfaces_of_pairs(NAMES, BODIES, [(0, 1)], A, {("ball", "floor", "arm"): B})


def test_bodies_become_their_shapes():
    scene = (
        Scene().add_object("ball", Sphere(0.1), mass=1.0).add_object("box", Box((1, 1, 1)), mass=1.0, pose=[3, 0, 0])
    )
    model = scene.add_fixed("floor", Plane(), pose=[0, 0, -1]).build()
    made = by_shape_names(model, {"ball": A, ("ball", "floor"): B, "box": C})
    assert list(made.items()) == [("ball", A), (("ball", "floor"), B), ("box", C)]
    assert stated(None, {}) == {} and stated(A, {("a", "b"): B})["surfaces"]["a+b"]["mu"] == 0.2
