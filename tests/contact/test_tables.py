"""The packed tables: order, groups, planes, meshes."""

import numpy as np
import pytest
from collision_scenes import boxed_arm, capsule_arm, zoo

from carpal.contact import contact_tables
from carpal.contact.kernels import kinds
from carpal.contact.tables import STANDING_GROUP
from carpal.errors import InputError
from carpal.model import ConvexMesh, PlacedShape, Plane, Scene, Sphere
from carpal.spatial import pose


def test_moving_shapes_come_first_by_body_and_every_shape_is_in_one_group():
    tables = contact_tables(zoo(7).build())
    rows = tables.shapes[:, kinds.SHAPE_ROW]
    moving = rows > 0
    assert not (np.diff(moving.astype(int)) > 0).any() and (np.diff(rows[moving]) >= 0).all()
    covered = [i for g in tables.groups for i in range(int(g[kinds.GROUP_FIRST]), int(g[kinds.GROUP_END]))]
    assert covered == list(range(len(tables.names)))
    placed = tables.shapes[moving, kinds.SHAPE_PLACED]
    groups = tables.groups[tables.groups[:, kinds.GROUP_PLACED] >= 0, kinds.GROUP_PLACED]
    bodies = np.arange(len(tables.model.tables.joints))
    assert sorted([*bodies, *groups, *placed]) == list(range(tables.placed_rows)), "no row of scratch is shared"


def test_standing_shapes_are_grouped_by_neighbourhood():
    tables = contact_tables(boxed_arm(boxes=40).build())
    standing = tables.groups[tables.groups[:, kinds.GROUP_PLACED] < 0]
    sizes = standing[:, kinds.GROUP_END] - standing[:, kinds.GROUP_FIRST]
    assert sizes.sum() == 40 and sizes.max() <= STANDING_GROUP
    assert len(tables.blocks) < len(tables.pairs)
    for group in standing:
        inside = tables.shapes[int(group[kinds.GROUP_FIRST]) : int(group[kinds.GROUP_END])]
        assert np.array_equal(group[kinds.GROUP_LOW :][:3], inside[:, kinds.SHAPE_LOW :][:, :3].min(axis=0))
        assert np.array_equal(group[kinds.GROUP_HIGH :][:3], inside[:, kinds.SHAPE_HIGH :][:, :3].max(axis=0))


def test_pairs_and_blocks_name_the_same_groups():
    tables = contact_tables(zoo(8).build())
    group = np.empty(len(tables.names), int)
    for g, row in enumerate(tables.groups):
        group[int(row[kinds.GROUP_FIRST]) : int(row[kinds.GROUP_END])] = g
    for a, b, row_a, row_b, first, end in tables.blocks:
        assert first < end
        assert (group[tables.pairs[first:end, :2]] == (a, b)).all()
        assert (row_a, row_b) == tuple(tables.groups[[a, b], kinds.GROUP_PLACED]) and row_a >= 0
    for a, b, row_a, row_b in tables.pairs:
        assert (row_a, row_b) == tuple(tables.shapes[[a, b], kinds.SHAPE_PLACED]) and row_a >= 0
    assert (tables.pairs[:, 0] < tables.pairs[:, 1]).all(), "planes, which come last, are always second"


def test_a_plane_on_a_moving_body_is_refused():
    arm = capsule_arm()
    arm = arm.replace(shapes=(*arm.shapes, PlacedShape("blade", "link_3", Plane())))
    with pytest.raises(InputError, match="shape 'blade' is a plane on the moving body 'link_3'"):
        contact_tables(arm)


def test_a_mesh_has_its_points_and_its_tree():
    hull = ConvexMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    scene = Scene("hulls").add_object("a", hull, mass=1.0).add_object("b", hull, mass=1.0, pose=[3, 0, 0])
    tables = contact_tables(scene.add_fixed("c", Sphere(0.1), pose=pose(p=[5, 0, 0])).build())
    first, count = (tables.shapes[:, c].astype(int) for c in (kinds.SHAPE_POINTS, kinds.SHAPE_POINT_COUNT))
    for name in ("a", "b"):
        i = tables.names.index(name)
        assert np.array_equal(tables.points[first[i] : first[i] + count[i]], hull.points)
    assert tables.names[-1] == "c" and count[-1] == 0
