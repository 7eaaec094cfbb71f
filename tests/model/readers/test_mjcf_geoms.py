"""Collision geoms of other people's MJCF: where MuJoCo puts them, hulls for meshes, pictures left out."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
import trimesh
from mesh_inputs import bumpy_ring

import carpal
from carpal.errors import ModelError
from carpal.model import Box, Capsule, ConvexMesh, Ellipsoid, Plane, Sphere, TriangleMesh
from carpal.model.readers.reading import read_file, read_text

TEXT = """<mujoco><compiler angle="degree" meshdir="parts"/><default><default class="c"><geom type="capsule" size="0.05" rgba="1 0 0 1"/></default></default>
<asset><mesh name="ring" file="ring.obj" scale="0.1 0.1 0.1"/></asset>
<worldbody><geom name="floor" type="plane" size="1 1 1"/><geom type="box" size="1 1 1" contype="0" conaffinity="0"/>
<body name="a" pos="0 0 1" euler="10 20 30"><joint name="j1"/><joint name="j2" axis="1 0 0"/><geom class="c" fromto="0 0 0 0.3 0.1 0"/>
<geom type="mesh" mesh="ring" pos="0.1 0 0" euler="0 30 0"/>
<frame pos="0 0.2 0"><body name="b"><joint name="j3" axis="0 1 0"/><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/><geom type="ellipsoid" size="0.1 0.2 0.3" pos="0.1 0 0"/></body></frame>
<body><freejoint/><geom type="box" size="0.1 0.2 0.3"/></body></body></worldbody><contact><exclude body1="a" body2="b"/></contact></mujoco>"""  # noqa: E501 - robot files stand in the text as they are


def folder(tmp_path):
    ring = bumpy_ring(12, 9, 0)
    (tmp_path / "parts").mkdir()
    trimesh.Trimesh(ring.points, ring.faces, process=False).export(tmp_path / "parts" / "ring.obj")
    (tmp_path / "r.xml").write_text(TEXT.replace("<body><freejoint/>", "<body>"))
    return tmp_path / "r.xml"


def test_geoms_stand_where_mujoco_puts_them(tmp_path, figure) -> None:
    file = folder(tmp_path)
    model = read_file(file)
    assert [shape.name for shape in model.shapes] == ["floor", "a_geom0", "a_geom1", "b_geom0", "body3_geom0"]
    assert [shape.body for shape in model.shapes] == [None, "a", "a", "b", "body3"]
    forms = [shape.shape for shape in model.shapes]
    assert forms[0] == Plane() and isinstance(forms[1], Capsule) and isinstance(forms[2], ConvexMesh)
    assert forms[3] == Ellipsoid((0.1, 0.2, 0.3)) and forms[4] == Box((0.2, 0.4, 0.6))
    assert model.shapes[1].rgba == (1, 0, 0, 1) and model.exclusions == (("a", "b"),)
    there = mujoco.MjModel.from_xml_path(str(file))
    data = mujoco.MjData(there)
    data.qpos[:] = q = np.array([0.3, -0.4, 0.5])
    mujoco.mj_forward(there, data)
    solid = [i for i in range(there.ngeom) if there.geom_contype[i]]
    worst = 0.0
    for mine, i in zip(model.shapes, solid, strict=True):
        X = np.eye(4) if mine.body is None else carpal.fk(model, q, mine.body)
        X = X @ mine.X_BS
        worst = max(
            worst, np.abs(X[:3, :3] - data.geom_xmat[i].reshape(3, 3)).max(), np.abs(X[:3, 3] - data.geom_xpos[i]).max()
        )
    figure("poses of an MJCF's geoms against MuJoCo", worst, 1e-12)
    corners = (
        carpal.fk(model, q, "a") @ model.shapes[2].X_BS @ np.c_[forms[2].points, np.ones(len(forms[2].points))].T
    ).T
    vertices = there.mesh_vert @ data.geom_xmat[solid[2]].reshape(3, 3).T + data.geom_xpos[solid[2]]
    off = np.linalg.norm(corners[:, None, :3] - vertices[None], axis=2).min(axis=1).max()
    figure("corners of a mesh's hull against MuJoCo's vertices [m]", off, 1e-12)


def test_concave_meshes_as_asked(tmp_path) -> None:
    file = folder(tmp_path)
    assert isinstance(read_file(file, concave="triangles").shapes[2].shape, TriangleMesh)
    with pytest.warns(UserWarning, match="1 of 5 collision geoms are not kept: geom 'a_geom1': it is concave"):
        assert len(read_file(file, concave="refuse").shapes) == 4


def test_what_cannot_be_kept_is_said(tmp_path) -> None:
    text = TEXT.replace("<body><freejoint/>", "<body>")
    with pytest.warns(UserWarning, match="1 mesh file was not found"):
        model = read_text(text)
    assert [shape.name for shape in model.shapes] == ["floor", "a_geom0", "b_geom0", "body3_geom0"]


def test_an_exclude_of_an_unknown_body_is_refused(tmp_path) -> None:
    body = '<body name="a"><joint name="j" axis="0 0 1"/><geom size=".1" mass="1"/></body><body name="bare"/>'
    text = '<mujoco><worldbody>{}</worldbody><contact><exclude body1="a" body2="{}"/></contact></mujoco>'
    for known in ("bare", "world"):
        (tmp_path / "r.xml").write_text(text.format(body, known))
        assert len(carpal.load(tmp_path / "r.xml").shapes) == 1
    (tmp_path / "r.xml").write_text(text.format(body, "zz"))
    with pytest.raises(ModelError, match=r"body of 'r.xml', named by an <exclude>, 'zz'; valid: a, bare"):
        carpal.load(tmp_path / "r.xml")


def test_colours_come_from_materials(tmp_path) -> None:
    text = """<mujoco><default><material rgba="0 1 0 1"/><default class="m"><geom material="red"/></default></default>
    <asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/><material name="red" rgba="1 0 0 1" texture="t"/><material name="green"/></asset>
    <worldbody><body name="b"><joint/><geom class="m" size="1"/><geom material="green" size="1"/><geom material="red" rgba="0 0 1 0.5" size="1"/>
    <geom size="1"/></body></worldbody></mujoco>"""  # noqa: E501 - a robot file
    colours = [shape.rgba for shape in read_text(text).shapes]
    assert colours == [(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 0.5), (0.5, 0.5, 0.5, 1)]


def test_a_mesh_that_mujoco_refuses_is_left_out_by_name(tmp_path) -> None:
    text = """<mujoco><asset><mesh name="flat" vertex="0 0 0 1 0 0 0 1 0 1 1 0"/></asset><worldbody><body name="b"><joint/>
    <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom type="mesh" mesh="flat"/><geom size="1"/>
    </body></worldbody></mujoco>"""
    with pytest.warns(UserWarning, match="'flat'"):
        model = read_text(text)
    assert [shape.shape for shape in model.shapes] == [Sphere(1.0)]
