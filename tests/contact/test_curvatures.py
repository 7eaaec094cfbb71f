"""Curvatures through the public edge."""

import numpy as np
import pytest

from carpal.contact import principal_curvatures
from carpal.errors import CarpalError
from carpal.model import Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere

EGG = Ellipsoid((0.9, 0.5, 0.3))


def egg_points(shape, seed=0):
    e = np.random.default_rng(seed).normal(size=(*shape, 3))
    return np.array(EGG.radii) * e / np.linalg.norm(e, axis=-1, keepdims=True)


def test_full_lengths_of_the_shapes_are_understood():
    assert np.allclose(principal_curvatures(Sphere(0.5), [0, 0, 0.5]).values, 2)
    assert np.allclose(principal_curvatures(Cylinder(0.5, 2), [0.5, 0, 0.9]).values, [2, 0])
    assert np.allclose(principal_curvatures(Cylinder(0.5, 2), [0.1, 0, 1]).values, 0)
    assert np.allclose(principal_curvatures(Capsule(0.5, 2), [0, 0, 1.5]).values, 2)
    assert np.allclose(principal_curvatures(Box((1, 2, 3)), [0.5, 0.9, 1.4]).values, 0)
    assert np.allclose(principal_curvatures(Plane(), [7, 8, 0]).values, 0)
    # tips of an ellipsoid: a / b^2, a / c^2
    assert np.allclose(principal_curvatures(EGG, [0.9, 0, 0]).values, [0.9 / 0.3**2, 0.9 / 0.5**2])


def test_the_osculating_circle_fits_the_surface_to_third_order(figure):
    """Walk from p along a direction, drop to the surface: the height below the tangent plane is k s^2 / 2."""
    p = egg_points((100,))
    found = principal_curvatures(EGG, p)
    worst, s = 0.0, 1e-4
    for i in (0, 1):
        heights = []
        for sign in (1, -1):
            q = p + sign * s * found.directions[:, i]
            # drop along the normal: the quadratic's smaller root
            w = 1 / np.array(EGG.radii) ** 2
            a, b, c = (w * found.normal**2).sum(1), (w * q * found.normal).sum(1), (w * q * q).sum(1) - 1
            heights.append(c / (b + np.sqrt(b * b - a * c)))
        k = (heights[0] + heights[1]) / s**2
        worst = max(worst, np.abs(k / found.values[:, i] - 1).max())
    figure("ellipsoid: curvature off the surface's own bending, relative", worst, 1e-4)


def test_batches_radii_and_edges():
    p = egg_points((3, 4))
    found = principal_curvatures(EGG, p)
    assert found.values.shape == (3, 4, 2) and found.directions.shape == (3, 4, 2, 3) and found.smooth.all()
    one = principal_curvatures(EGG, p[1, 2])
    assert np.array_equal(one.values, found.values[1, 2]) and np.array_equal(one.normal, found.normal[1, 2])
    assert np.array_equal(found.values, principal_curvatures(EGG, p, threads=2).values)
    edge = principal_curvatures(Box((1, 1, 1)), [[0.5, 0.5, 0], [0.5, 0, 0]])
    assert edge.smooth.tolist() == [False, True]
    assert np.array_equal(edge.values, [[np.inf, np.inf], [0, 0]]) and np.array_equal(edge.radii[0], [0, 0])


@pytest.mark.parametrize(
    ("shape", "p", "sentence"),
    [
        (Sphere(0.5), [0, 0, 0.6], "lies 0.1 m off the surface of the sphere"),
        (EGG, [0, 0, 0], "off the surface of the ellipsoid"),
        (EGG, [0, 0, 0.31], "0.01 m off"),
        (Capsule(0.5, 1), [0, 0, 0.7], "off the surface of the capsule"),
        (Cylinder(0.5, 1), [0.5, 0, 0.6], "0.1 m off the surface of the cylinder"),
        (Box((1, 1, 1)), [[0.5, 0, 0], [0.6, 0, 0]], r"at batch index \(1,\) lies 0.1 m off"),
        (Plane(), [0, 0, -1], "1 m off the surface of the plane"),
        (Sphere(1), [np.nan, 0, 0], r"p_S\[0\] is nan"),
        (Sphere(1), [0, 0], r"p_S needs shape \(\*batch, 3\)"),
    ],
)
def test_bad_points_are_one_sentence(shape, p, sentence):
    with pytest.raises(CarpalError, match=sentence):
        principal_curvatures(shape, p)
