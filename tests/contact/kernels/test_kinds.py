"""The columns of the tables do not overlap, and the readers read them."""

import numpy as np

from carpal.contact.kernels import kinds


def test_columns_do_not_overlap():
    widths = {"ROTATION": 9, "SIZE": 3, "POSITION": 3, "CENTRE": 3, "CORE": 3, "LOW": 3, "HIGH": 3}
    for table in ("SHAPE", "GROUP", "PLACED"):
        used = []
        for name, first in vars(kinds).items():
            if name.startswith(f"{table}_") and name != f"{table}_COLUMNS":
                used += range(first, first + widths.get(name.removeprefix(f"{table}_"), 1))
        assert sorted(used) == list(range(getattr(kinds, f"{table}_COLUMNS")))


def test_readers():
    shapes = np.arange(2.0 * kinds.SHAPE_COLUMNS).reshape(2, -1)
    row = shapes[1]
    assert kinds.kind_of(shapes, 1) == row[kinds.SHAPE_KIND]
    assert kinds.size_of(shapes, 1) == tuple(row[kinds.SHAPE_SIZE : kinds.SHAPE_SIZE + 3])
    assert kinds.points_of(shapes, 1) == (row[kinds.SHAPE_POINTS], row[kinds.SHAPE_POINT_COUNT])
    assert kinds.mesh_of(shapes, 1) == row[kinds.SHAPE_MESH]
    R, p = kinds.pose_of(shapes, 1)
    assert tuple(row[kinds.SHAPE_ROTATION : kinds.SHAPE_ROTATION + 9]) == R
    assert p == tuple(row[kinds.SHAPE_POSITION : kinds.SHAPE_POSITION + 3])


def test_every_kind_has_its_number():
    numbers = [kinds.SPHERE, kinds.CAPSULE, kinds.CYLINDER, kinds.BOX, kinds.ELLIPSOID, kinds.PLANE, kinds.CONVEX]
    assert [*numbers, kinds.TRIANGLES] == list(range(kinds.KIND_COUNT))
