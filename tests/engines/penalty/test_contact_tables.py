"""Who may touch whom."""

from dataclasses import replace

import numpy as np
import penalty_inputs as inputs
import pytest

from carpal.engines import ContactLaw
from carpal.engines.penalty.contact_tables import contact_pairs
from carpal.errors import ModelError, UnknownNameError
from carpal.model import Box, Capsule, ConvexMesh, Mechanism, PlacedShape, Sphere, TriangleMesh


def _with(shape, name="thing", z=0.0, **more):
    return inputs.body(name, X_WB=inputs.pose((0, 0, z)), shapes=(PlacedShape(f"{name}/s", name, shape),), **more)


TETRA = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    ("shape", "feet"), [(Box((1, 1, 1)), 8), (Capsule(0.1, 0.5), 2), (ConvexMesh(TETRA), 4), (Sphere(0.1), 1)]
)
def test_shapes_stand_on_a_plane_with_all_their_feet(shape, feet):
    pairs = contact_pairs(Mechanism("stand", (_with(shape),), fixed=inputs.floor()), ContactLaw())
    assert len(pairs.pairs) == feet and pairs.bodies == [(0, -1)] * feet
    if feet == 8:
        low = pairs.shapes[pairs.pairs[:, 0].astype(int), 14:17]
        assert np.abs(low).max() == np.abs(low).min() == 0.5


def test_points_take_the_place_of_shapes_and_the_first_listed_is_the_master():
    dots = {"points": np.zeros((3, 3)), "areas": np.ones(3)}
    two = (_with(Sphere(0.1), "a", **dots), _with(Sphere(0.1), "b", 1.0, **dots))
    pairs = contact_pairs(Mechanism("two", two), ContactLaw())
    assert pairs.bodies == [(0, 1)] * 3
    assert pairs.pairs[:, 2].tolist() == [1.0] * 3


def test_what_cannot_touch_is_refused_with_a_sentence():
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    solid, sheet = TriangleMesh(TETRA, faces), TriangleMesh(TETRA, faces[:3])
    with pytest.raises(ModelError, match="open sheet"):
        contact_pairs(Mechanism("sheet", (_with(Sphere(0.1), "a"), _with(sheet, "b"))), ContactLaw())
    with pytest.raises(ModelError, match="only spheres and surface points"):
        contact_pairs(Mechanism("solid", (_with(Box((1, 1, 1)), "a"), _with(solid, "b"))), ContactLaw())
    assert len(contact_pairs(Mechanism("fine", (_with(Sphere(0.1), "a"), _with(solid, "b"))), ContactLaw()).pairs) == 1


def test_shapes_that_are_kept_apart_make_no_pair():
    bodies = tuple(
        replace(
            inputs.body(name),
            shapes=(PlacedShape(f"{name}0", name, Sphere(0.1)), PlacedShape(f"{name}1", name, Sphere(0.2))),
        )
        for name in ("a", "b")
    )
    free = Mechanism("two", bodies)
    assert len(contact_pairs(free, ContactLaw()).pairs) == 4
    apart = replace(free, untouched_shapes=(("a0", "b1"), ("b0", "a1")))
    assert len(contact_pairs(apart, ContactLaw()).pairs) == 2
    assert Mechanism.from_dict(apart.to_dict()).untouched_shapes == apart.untouched_shapes
    assert Mechanism.from_toml(apart.to_toml()).untouched_shapes == apart.untouched_shapes
    pointed = replace(bodies[0], points=np.array([[0.1, 0, 0]]), areas=np.ones(1))
    with pytest.raises(ModelError, match="some shapes of body 'a' may touch shape 'b0' and some may not"):
        contact_pairs(replace(apart, bodies=(pointed, bodies[1])), ContactLaw())
    none = replace(apart, bodies=(pointed, bodies[1]), untouched_shapes=(("a0", "b1"), ("a1", "b1")))
    assert len(contact_pairs(none, ContactLaw()).pairs) == 1
    with pytest.raises(UnknownNameError, match="unknown shape of an untouched pair in mechanism 'two' 'c'"):
        replace(free, untouched_shapes=(("a0", "c"),))
