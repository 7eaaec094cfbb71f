"""Shapes in MJCF: MuJoCo sees them with the right sizes, and our own files give them back."""

from __future__ import annotations

import dataclasses
import xml.etree.ElementTree as ET

import mujoco
import numpy as np
import pytest
from random_models import random_pose, random_q, random_tree

from carpal.dynamics import mass_matrix
from carpal.errors import ModelError
from carpal.model import Box, Capsule, Cylinder, Ellipsoid, Model, PlacedShape, Plane, Sphere
from carpal.model.readers.reading import read_text
from carpal.model.writers.mjcf_shapes import placed_shapes

FORMS = [Sphere(0.3), Box((0.2, 0.5, 0.9)), Capsule(0.2, 0.7), Cylinder(0.3, 0.8), Ellipsoid((0.2, 0.4, 0.7))]


def dressed(seed: int) -> Model:
    """A tree of any joints with a shape of every kind, on bodies and in the world."""
    rng = np.random.default_rng(seed)
    model = random_tree(seed, free="anywhere", joints=10)
    owners = [None, *(body.name for body in model.bodies)]
    shapes = [
        PlacedShape(f"shape {i}", owners[rng.integers(len(owners))], FORMS[i % 5], random_pose(rng), rng.uniform(size=4),
                    bool(rng.integers(2)))
        for i in range(12)
    ]  # fmt: skip
    return model.replace(shapes=(*shapes, PlacedShape("floor", None, Plane())))


@pytest.mark.parametrize("seed", range(10))
def test_our_own_files_give_the_shapes_back(seed: int) -> None:
    model = dressed(seed)
    text = model.to_mjcf()
    back = read_text(text)
    assert [shape.name for shape in back.shapes] == [shape.name for shape in model.shapes]
    for a, b in zip(model.shapes, back.shapes, strict=True):
        assert (a.body, a.shape, a.rgba, a.collides) == (b.body, b.shape, b.rgba, b.collides)
        assert np.abs(a.X_BS - b.X_BS).max() < 1e-15
    q = random_q(model, np.random.default_rng(seed))
    assert np.allclose(mass_matrix(back, q), mass_matrix(model, q), rtol=1e-10, atol=1e-12)  # shapes carry no mass
    assert read_text(back.to_mjcf()).shapes[3].shape == model.shapes[3].shape


def test_mujoco_sees_the_same_solids() -> None:
    model = dressed(1)
    there = mujoco.MjModel.from_xml_string(model.to_mjcf())
    assert there.ngeom == len(model.shapes)
    for shape in model.shapes:
        geom = there.geom(shape.name)
        assert bool(geom.contype[0] or geom.conaffinity[0]) == shape.collides
        if shape.shape.kind != "plane":
            kind = mujoco.mjtGeom(int(geom.type[0])).name.removeprefix("mjGEOM_").lower()
            assert kind == shape.shape.kind
            spec = mujoco.MjSpec()
            body = spec.worldbody.add_body()
            body.add_geom(type=geom.type[0], size=geom.size, density=1.0)
            body.add_freejoint()
            assert spec.compile().body_mass[1] == pytest.approx(shape.shape.volume, rel=1e-9)


def test_a_body_named_world_keeps_its_shape() -> None:
    model = random_tree(3, joints=3)
    first, *rest = model.bodies
    bodies = [dataclasses.replace(first, name="world")]
    bodies += [dataclasses.replace(b, parent="world" if b.parent == first.name else b.parent) for b in rest]
    model = Model(name="odd", bodies=tuple(bodies), shapes=(PlacedShape("s", "world", Sphere(0.1)),))
    assert read_text(model.to_mjcf()).shapes[0].body == "world"


def test_other_peoples_files_are_not_read_here() -> None:
    text = '<mujoco><worldbody><body name="b"><geom size="1"/><joint/></body></worldbody></mujoco>'
    assert placed_shapes(ET.fromstring(text), {"model": {}, "bodies": {}}, "f") == ()  # but by readers/mjcf_geoms
    assert read_text(text).shapes[0].shape == Sphere(1.0)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('type="sphere" size="0.3"', 'type="sphere" size="-0.3"'),
        ('type="sphere" size="0.3"', 'type="sphere" size="x"'),
        ('type="sphere" size="0.3"', 'type="sphere"'),
        ('type="sphere"', 'type="mesh"'),
        ('name="b"', 'name="a"'),
    ],
)
def test_damaged_geoms_are_one_sentence(old: str, new: str) -> None:
    model = random_tree(1, joints=3).replace(shapes=[PlacedShape(name, None, Sphere(0.3)) for name in "ab"])
    text = model.to_mjcf()
    assert old in text
    with pytest.raises(ModelError) as caught:
        read_text(text.replace(old, new))
    assert "\n" not in str(caught.value) and "geom" in str(caught.value)
