"""Collision shapes of URDFs: where Pinocchio puts them, with the sizes that the file gives."""

from __future__ import annotations

import numpy as np
import pinocchio
import pytest
import trimesh
from mesh_inputs import bumpy_ring

import carpal
import carpal.model.readers.collision_meshes as collision_meshes
from carpal.model import Box, Capsule, ConvexMesh, Cylinder, Sphere, TriangleMesh
from carpal.model.readers.reading import read_file, read_text
from carpal.model.readers.sandbox import read_untrusted

LINKS = """<robot name="r"><link name="base"><collision><origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/><geometry><box size="0.2 0.3 0.4"/></geometry></collision>
<collision name="knob"><geometry><sphere radius="0.05"/></geometry></collision></link>
<link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><origin rpy="0 1.57 0"/><geometry><cylinder radius="0.04" length="0.5"/></geometry></collision>{more}</link>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 0.5" rpy="0.1 0.2 0.3"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""  # noqa: E501 - robot files stand in the text as they are


def test_shapes_stand_where_pinocchio_puts_them(tmp_path, figure) -> None:
    file = tmp_path / "r.urdf"
    file.write_text(LINKS.format(more=""))
    model = read_file(file)
    assert [shape.shape for shape in model.shapes] == [Box((0.2, 0.3, 0.4)), Sphere(0.05), Cylinder(0.04, 0.5)]
    assert [(s.name, s.body) for s in model.shapes] == [
        ("base_collision0", "base"),
        ("knob", "base"),
        ("arm_collision0", "arm"),
    ]
    there = pinocchio.buildModelFromUrdf(str(file))
    geometry = pinocchio.buildGeomFromUrdf(there, str(file), pinocchio.GeometryType.COLLISION)
    data, geometry_data = there.createData(), geometry.createData()
    q = np.array([0.7])
    pinocchio.updateGeometryPlacements(there, data, geometry, geometry_data, q)
    worst = 0.0
    for mine, theirs in zip(model.shapes, geometry_data.oMg, strict=True):
        worst = max(worst, np.abs(carpal.fk(model, q, mine.body) @ mine.X_BS - theirs.homogeneous).max())
    figure("poses of a URDF's collision shapes against Pinocchio", worst, 1e-12)


def test_meshes_by_what_they_are(tmp_path, monkeypatch) -> None:
    halves = [ConvexMesh(np.eye(4)[:, :3]), ConvexMesh(2 * np.eye(4)[:, :3])]
    monkeypatch.setattr(collision_meshes, "convex_pieces", lambda mesh: halves)  # which has its own, slow test
    trimesh.creation.box((0.2, 0.3, 0.4)).export(tmp_path / "box.stl")
    ring = bumpy_ring(12, 9, 0)
    trimesh.Trimesh(ring.points, ring.faces, process=False).export(tmp_path / "ring.obj")
    mesh = '<collision><geometry><mesh filename="{}" scale="0.1 0.1 0.1"/></geometry></collision>'
    file = tmp_path / "r.urdf"
    file.write_text(LINKS.format(more=mesh.format("box.stl") + mesh.format("ring.obj")))
    with pytest.warns(
        UserWarning, match=r"1 of 5 collision shapes are not kept: link 'arm': mesh 'ring.obj': it is concave"
    ):
        model = read_file(file, concave="refuse")
    assert isinstance(model.shapes[-1].shape, ConvexMesh) and len(model.shapes) == 4
    assert model.shapes[-1].shape.volume == pytest.approx(0.024e-3, rel=1e-5)
    assert isinstance(carpal.load(file, concave="triangles").shapes[-1].shape, TriangleMesh)
    default = carpal.load(file)
    assert default.shapes[-1].shape == carpal.load(file, concave="hull").shapes[-1].shape
    assert isinstance(default.shapes[-1].shape, ConvexMesh)
    assert any("2 collision meshes stand as their convex hulls" in note for note in default.notes)
    pieces = carpal.load(file, concave="split").shapes
    assert [piece.shape for piece in pieces[4:]] == halves and {piece.body for piece in pieces[4:]} == {"arm"}
    assert [piece.name for piece in pieces[4:]] == ["arm_collision2_0", "arm_collision2_1"]
    stranger = read_untrusted(file, concave="hull")
    assert stranger.shapes[-1].shape == carpal.load(file, concave="hull").shapes[-1].shape


@pytest.mark.parametrize(
    ("geometry", "match"),
    [
        ('<box size="1 2"/>', "<box> needs 3 finite numbers in size; got '1 2'"),
        ('<sphere radius="-1"/>', "the radius of a sphere must be a finite length"),
        ('<cylinder radius="1"/>', "<cylinder> needs 1 finite number in length; got 'nothing'"),
        ("<cone/>", "a collision without box"),
    ],
)
def test_a_bad_shape_does_not_spoil_the_robot(geometry: str, match: str) -> None:
    more = f"<collision><geometry>{geometry}</geometry></collision>"
    with pytest.warns(UserWarning, match=match):
        model = read_text(LINKS.format(more=more))
    assert len(model.shapes) == 3 and any("not kept" in note for note in model.notes)


def test_capsules_and_names_that_repeat() -> None:
    more = '<collision name="knob"><geometry><capsule radius="0.1" length="0.3"/></geometry></collision>'
    model = read_text(LINKS.format(more=more))
    assert model.shapes[-1].shape == Capsule(0.1, 0.3) and len({shape.name for shape in model.shapes}) == 4
    with pytest.raises(carpal.errors.CarpalError, match="concave is for robot files"):
        carpal.load("sawyer", concave="hull")
