"""Visuals of MJCF files: a mesh file's own points, moved by pose and scale, are MuJoCo's vertices."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
import trimesh

import carpal
from carpal.model import Box, Cylinder, TriangleMesh
from carpal.model.readers.reading import read_file, read_text
from carpal.model.readers.sandbox import read_untrusted

HEAD = """<mujoco><compiler angle="degree" meshdir="parts"/><asset><material name="red" rgba="0.8 0 0 1"/>
<mesh name="plain" file="part.obj"/><mesh name="scaled" file="part.obj" scale="0.1 -0.2 0.3"/>
<mesh name="shifted" file="part.obj" refpos="1 2 3" refquat="1 1 0 0.5" scale="0.2 0.2 0.2"/><mesh name="moved" file="part.obj" refpos="1 2 3" scale="0.2 1 2"/>
<mesh name="skewed" file="part.obj" refpos="1 2 3" refquat="1 1 0 0.5" scale="0.2 0.3 0.4"/></asset>"""  # noqa: E501 - a robot file
GEOMS = "".join(
    f'<geom name="{mesh}" type="mesh" mesh="{mesh}" pos="0.1 {i} 0.2" euler="10 {20 * i} 30" contype="0" conaffinity="0"'
    f" {'material=' + chr(34) + 'red' + chr(34) if i else ''}/>"
    for i, mesh in enumerate(("plain", "scaled", "shifted", "moved", "skewed"))
)
BODY = f"""<worldbody><geom name="floor" type="plane" size="1 1 1"/><body name="a" pos="0 0 1" euler="5 6 7"><joint name="j"/><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>
{GEOMS}<geom type="cylinder" size="0.1 0.2" group="3"/><body name="b"><joint/><geom name="own" type="box" size="0.1 0.2 0.3"/></body>
<body name="c"><joint/><geom name="mark" type="cylinder" size="0.1 0.2" contype="0" conaffinity="0" rgba="0 1 0 1"/>
<geom name="solid" type="box" size="0.1 0.2 0.3"/><geom type="box" size="1 1 1" rgba="1 1 1 0" contype="0" conaffinity="0"/></body></body></worldbody></mujoco>"""  # noqa: E501 - a robot file


def folder(tmp_path):
    (tmp_path / "parts").mkdir()
    part = trimesh.creation.box((0.4, 0.7, 1.1))
    part.vertices = part.vertices + np.array([0.3, -0.2, 0.5]) + 0.1 * part.vertices[:, [1, 2, 0]]
    part.export(tmp_path / "parts" / "part.obj")
    (tmp_path / "r.xml").write_text(HEAD + BODY)
    return tmp_path / "r.xml"


def mujoco_points(there, data, geom: int) -> np.ndarray:
    mesh = int(there.geom_dataid[geom])
    first, count = int(there.mesh_vertadr[mesh]), int(there.mesh_vertnum[mesh])
    return there.mesh_vert[first : first + count] @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]


def test_file_points_are_mujocos_vertices(tmp_path, figure) -> None:
    file = folder(tmp_path)
    model = read_file(file)
    there = mujoco.MjModel.from_xml_path(str(file))
    data = mujoco.MjData(there)
    data.qpos[:] = q = np.array([0.3, -0.4, 0.5])
    mujoco.mj_forward(there, data)
    raw = np.asarray(trimesh.load(file.parent / "parts" / "part.obj", force="mesh", process=False).vertices)
    worst = 0.0
    for seen in model.visuals[:5]:
        if seen.name == "skewed":  # turned and scaled unevenly: kept as the surface itself
            assert isinstance(seen.shape, TriangleMesh)
            points = seen.shape.points
        else:
            assert seen.mesh == str((file.parent / "parts" / "part.obj").resolve())
            points = raw * np.array(seen.scale)
        X = carpal.fk(model, q, seen.body) @ seen.X_BV
        mine = points @ X[:3, :3].T + X[:3, 3]
        theirs = mujoco_points(there, data, there.geom(seen.name).id)
        apart = np.linalg.norm(mine[:, None] - theirs[None], axis=2)
        worst = max(worst, apart.min(axis=0).max(), apart.min(axis=1).max())
    figure("points of an MJCF's visual meshes against MuJoCo's vertices [m]", worst, 2e-6)


def test_what_is_drawn(tmp_path) -> None:
    model = read_file(folder(tmp_path))
    seen = {visual.name: visual for visual in model.visuals}
    # b shows its own collision shape, the group 3 of a is hidden, and so is what has no opacity
    assert list(seen) == ["plain", "scaled", "shifted", "moved", "skewed", "mark", "solid"]
    assert seen["plain"].rgba == (0.5, 0.5, 0.5, 1.0) and seen["scaled"].rgba == pytest.approx((0.8, 0, 0, 1), abs=1e-6)
    assert seen["mark"].shape == Cylinder(0.1, 0.4) and seen["mark"].rgba == (0, 1, 0, 1)
    assert seen["solid"].shape == Box((0.2, 0.4, 0.6)) and seen["mark"].body == "c"
    assert [shape.name for shape in model.shapes] == ["floor", "a_geom5", "own", "solid"]


def test_strangers_have_visuals_too_and_meshes_in_the_file_are_surfaces(tmp_path) -> None:
    file = folder(tmp_path)
    assert [v.mesh for v in read_untrusted(file).visuals] == [v.mesh for v in read_file(file).visuals]
    text = """<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody><body name="a"><joint/>
    <inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/><geom name="g" type="mesh" mesh="m" group="2"/></body>
    </worldbody></mujoco>"""
    (seen,) = read_text(text).visuals
    assert seen.name == "g" and isinstance(seen.shape, TriangleMesh) and seen.shape.volume == pytest.approx(1 / 6)


def test_visuals_survive_the_written_file_but_a_strangers_paths_do_not(tmp_path) -> None:
    model = read_file(folder(tmp_path))
    (tmp_path / "elsewhere").mkdir()
    for place, kept in ((tmp_path / "again.xml", 7), (tmp_path / "elsewhere" / "again.xml", 3)):
        place.write_text(model.to_mjcf())
        again, stranger = read_file(place), read_file(place, confined=True)
        assert [(v.name, v.body, v.mesh, v.scale, v.rgba) for v in again.visuals] == [
            (v.name, v.body, v.mesh, v.scale, v.rgba) for v in model.visuals
        ]
        assert all(np.array_equal(a.X_BV, b.X_BV) for a, b in zip(again.visuals, model.visuals, strict=True))
        assert len(stranger.visuals) == kept  # meshes outside its folder are not a stranger's to name
