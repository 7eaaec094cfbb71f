"""Options: what is below zero is the example's, shapes keep their widths, what cannot be is refused."""

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.dexterity.options import DexterityOptions
from carpal.tasks.options import read_options


def made(**given):
    return read_options(DexterityOptions, given, "dexterity").changed_example()


def test_the_examples_own():
    example = made(example=5)
    assert (example.mass, example.friction, example.gravity, example.duration) == (0.01, 0.6, 0.0, 0.22)


def test_what_is_chosen():
    example = made(example=5, mass=0.2, friction=0, restitution=0.3, gravity=1, length=0.1, dt=5e-4)
    assert (example.mass, example.friction, example.restitution) == (0.2, 0.0, 0.3)
    assert (example.gravity, example.duration, example.dt) == (1.0, 0.1, 5e-4)


@pytest.mark.parametrize(
    ("shape", "kind", "width"),
    [
        ("sphere", "sphere", 0.06),
        ("cylinder", "cylinder", 0.06),
        ("capsule", "capsule", 0.06),
        ("ellipsoid", "ellipsoid", 0.06),
    ],
)
def test_other_shapes(shape, kind, width):
    example = made(example=5, shape=shape)
    assert example.shape.kind == kind
    assert 2 * (example.shape.radius if hasattr(example.shape, "radius") else example.shape.radii[0]) == pytest.approx(
        width
    )


def test_sizes_and_joints():
    assert tuple(made(example=5, size=(0.05, 0.06, 0.07)).shape.size) == (0.05, 0.06, 0.07)
    example = made(example=5, joints=tuple(range(15)))
    assert np.allclose(np.degrees(example.fingers["little"].start), [12, 13, 14])


@pytest.mark.parametrize(
    "given",
    [
        {"example": 11}, {"scene": "a.toml", "example": 2}, {"scene": "nothing.toml"}, {"example": 5, "size": (0.1,)},
        {"example": 5, "restitution": 1.5}, {"joints": (1.0, 2.0)}, {"engine": "bullet"}, {"feedback_rate": 100},
    ],
)  # fmt: skip
def test_refusals(given):
    with pytest.raises(CarpalError):
        made(**given)
