"""Shapes as numbers: half lengths, and boxes and balls that hold them."""

import numpy as np
import pytest

from carpal.contact.kernels import kinds
from carpal.contact.shape_numbers import packed_shape
from carpal.errors import InputError
from carpal.model import Box, Capsule, ConvexMesh, Cylinder, Ellipsoid, Plane, Shape, Sphere, TriangleMesh

POINTS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]])
FACES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]


@pytest.mark.parametrize(
    ("shape", "kind", "size", "extent", "radius"),
    [
        (Sphere(0.2), kinds.SPHERE, (0.2, 0, 0), (0.2, 0.2, 0.2), 0.2),
        (Capsule(0.1, 0.6), kinds.CAPSULE, (0.1, 0.3, 0), (0.1, 0.1, 0.4), 0.4),
        (Cylinder(0.3, 0.8), kinds.CYLINDER, (0.3, 0.4, 0), (0.3, 0.3, 0.4), 0.5),
        (Box((2, 4, 4)), kinds.BOX, (1, 2, 2), (1, 2, 2), 3.0),
        (Ellipsoid((1, 2, 3)), kinds.ELLIPSOID, (1, 2, 3), (1, 2, 3), 3.0),
        (ConvexMesh(POINTS), kinds.CONVEX, (0, 0, 0), (0.5, 1, 1.5), np.sqrt(3.5)),
        (TriangleMesh(POINTS, FACES), kinds.TRIANGLES, (0, 0, 0), (0.5, 1, 1.5), np.sqrt(3.5)),
    ],
    ids=lambda x: x.kind if isinstance(x, Shape) else "",
)
def test_numbers_of_a_shape(shape, kind, size, extent, radius):
    packed = packed_shape(shape)
    assert packed.kind == kind
    assert np.allclose(packed.size, size, rtol=0, atol=1e-15)
    assert np.allclose(packed.core + packed.rounding, extent, rtol=0, atol=1e-15)
    assert abs(packed.radius - radius) < 1e-12
    assert np.allclose(packed.centre, (0.5, 1, 1.5) if packed.mesh is not None else 0)


def test_a_plane_is_without_end():
    assert packed_shape(Plane()).kind == kinds.PLANE and np.isinf(packed_shape(Plane()).radius)


def test_an_unknown_shape_is_refused():
    class Blob(Shape):
        kind = "blob"
        volume = 1.0

        def _moments(self):
            return 1.0, 1.0, 1.0

    with pytest.raises(InputError, match="a blob cannot be packed"):
        packed_shape(Blob())
