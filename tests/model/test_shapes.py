"""Shapes: volumes and inertias against sampled solids, plain data and back, and what is refused."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable

import numpy as np
import pytest
from random_models import random_pose

import carpal
from carpal.errors import CarpalError, InputError, ModelError, UnknownNameError
from carpal.model import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    PlacedShape,
    Plane,
    Shape,
    Sphere,
    shape_from_dict,
    shape_to_dict,
)
from carpal.model.serialise import model_from_json, model_to_json
from carpal.model.shapes import SHAPES

Figure = Callable[..., None]
SOLIDS: list[Shape] = [
    Sphere(0.3),
    Box((0.2, 0.5, 0.9)),
    Capsule(0.2, 0.7),
    Cylinder(0.3, 0.8),
    Ellipsoid((0.2, 0.4, 0.7)),
]


def inside(shape: Shape, p: np.ndarray) -> np.ndarray:
    """Whether points (n, 3) are in the solid, straight from its definition."""
    x, y, z = p.T
    match shape:
        case Sphere():
            return x**2 + y**2 + z**2 < shape.radius**2
        case Box():
            return (np.abs(p) < np.array(shape.size) / 2).all(axis=1)
        case Cylinder():
            return (x**2 + y**2 < shape.radius**2) & (np.abs(z) < shape.length / 2)
        case Capsule():
            beyond = np.maximum(np.abs(z) - shape.length / 2, 0.0)
            return x**2 + y**2 + beyond**2 < shape.radius**2
        case Ellipsoid():
            return ((p / np.array(shape.radii)) ** 2).sum(axis=1) < 1
    raise AssertionError


@pytest.mark.parametrize("shape", SOLIDS, ids=lambda shape: shape.kind)
def test_volume_and_inertia_are_those_of_the_solid(shape: Shape, figure: Figure) -> None:
    """By a grid of small cells."""
    n, half = 160, 0.72
    axis = (np.arange(n) + 0.5) / n * 2 * half - half
    grid = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), -1).reshape(-1, 3)
    points, cell = grid[inside(shape, grid)], (2 * half / n) ** 3
    figure(f"{shape.kind}: volume off a grid of cells, relative", abs(len(points) * cell / shape.volume - 1), 0.02)
    mass = 2.5
    squares = (points**2).mean(axis=0) * mass
    expected = np.diag([squares[1] + squares[2], squares[0] + squares[2], squares[0] + squares[1]])
    inertia = shape.inertia(mass)
    figure(f"{shape.kind}: inertia off a grid of cells, relative",
           np.abs(inertia.about_com - expected).max() / expected.max(), 0.02)  # fmt: skip
    assert inertia.mass == mass and not inertia.com.any() and inertia.is_physical()


def test_limits_between_shapes_are_exact() -> None:
    assert Ellipsoid((0.3, 0.3, 0.3)).inertia(2.0).about_com == pytest.approx(Sphere(0.3).inertia(2.0).about_com)
    assert Capsule(0.3, 1e-12).inertia(2.0).about_com == pytest.approx(Sphere(0.3).inertia(2.0).about_com)
    assert Capsule(0.3, 1e-12).volume == pytest.approx(Sphere(0.3).volume)
    assert math.isinf(Plane().volume)


@pytest.mark.parametrize("shape", [*SOLIDS, Plane()], ids=lambda shape: shape.kind)
def test_plain_data_and_back(shape: Shape) -> None:
    assert shape_from_dict(json.loads(json.dumps(shape_to_dict(shape)))) == shape
    assert dataclasses.is_dataclass(shape) and SHAPES[shape.kind] is type(shape)


def test_models_keep_their_shapes_bit_for_bit() -> None:
    rng = np.random.default_rng(0)
    arm = carpal.load("so101_old")
    shapes = tuple(
        PlacedShape(f"s{i}", [None, "gripper"][i % 2], shape, random_pose(rng), (0.1, 0.2, 0.3, 0.4), bool(i % 3))
        for i, shape in enumerate([*SOLIDS, Plane()])
    )
    back = model_from_json(model_to_json(arm.replace(shapes=shapes))).shapes
    for a, b in zip(shapes, back, strict=True):
        assert (a.name, a.body, a.shape, a.rgba, a.collides) == (b.name, b.body, b.shape, b.rgba, b.collides)
        assert a.X_BS.tobytes() == b.X_BS.tobytes()
    X = random_pose(rng)
    moved = arm.replace(shapes=shapes).mounted(X).shapes
    assert np.array_equal(moved[0].X_BS, X @ shapes[0].X_BS) and moved[1].X_BS is not None
    assert np.array_equal(moved[1].X_BS, shapes[1].X_BS)


def test_bad_shapes_are_one_sentence() -> None:
    arm, floor = carpal.load("so101_old"), PlacedShape("s", None, Plane())
    lost = PlacedShape("s", "gripperr", Plane())
    for error, match, call in [
        (InputError, "the radius of a sphere must be a finite length above zero", lambda: Sphere(-1)),
        (InputError, "the radius of a sphere", lambda: Sphere(np.nan)),
        (InputError, "the radius of a sphere must be real numbers", lambda: Sphere("big")),
        (InputError, "the size of a box must be 3 finite lengths", lambda: Box((1, 2))),
        (InputError, "the size of a box must be 3 finite lengths", lambda: Box((1, 2, 0))),
        (InputError, "the radii of an ellipsoid", lambda: Ellipsoid((1, 2, np.inf))),
        (InputError, "the length of a capsule", lambda: Capsule(1, 0)),
        (InputError, "the mass of a sphere must be finite and above zero [^;]*; got -1", lambda: Sphere(1).inertia(-1)),
        (InputError, "a plane has no inertia", lambda: Plane().inertia(1)),
        (InputError, "rgba of shape 's' must be 4 numbers from 0 to 1", lambda: dataclasses.replace(floor, rgba=(1, 2, 3, 4))),
        (InputError, "X_BS of shape 's'", lambda: PlacedShape("s", None, Plane(), X_BS=np.zeros((4, 4)))),
        (InputError, "shape 's' must be one of sphere, box", lambda: PlacedShape("s", None, "ball")),
        (UnknownNameError, "unknown kind of shape 'bal'", lambda: shape_from_dict({"kind": "bal"})),
        (UnknownNameError, "unknown length of a sphere 'radios'; did you mean 'radius'",
         lambda: shape_from_dict({"kind": "sphere", "radios": 1})),
        (InputError, "a capsule needs radius and length", lambda: shape_from_dict({"kind": "capsule"})),
        (InputError, "must be a dict with a kind", lambda: shape_from_dict("sphere")),
        (UnknownNameError, "unknown body of shape 's' 'gripperr'; did you mean 'gripper'", lambda: arm.replace(shapes=[lost])),
        (ModelError, "two shapes named 's'", lambda: arm.replace(shapes=[floor] * 2)),
    ]:  # fmt: skip
        with pytest.raises(error, match=match) as caught:
            call()
        assert isinstance(caught.value, CarpalError) and "\n" not in str(caught.value)
