"""Visuals of URDFs: where Pinocchio puts them, with their colours, paths and scales."""

from __future__ import annotations

import numpy as np
import pinocchio
import pytest
import trimesh

import carpal
from carpal.model import Box, Sphere
from carpal.model.readers.reading import read_file, read_text
from carpal.model.readers.sandbox import read_untrusted

TEXT = """<robot name="r"><material name="blue"><color rgba="0 0 1 1"/></material><material name="bad"><color rgba="1 1"/></material>
<link name="base"><visual><origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/><geometry><box size="0.2 0.3 0.4"/></geometry><material name="blue"/></visual>
<visual name="knob"><geometry><sphere radius="0.05"/></geometry><material name="green"/></visual></link>
<link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><origin xyz="0 0 0.1" rpy="0 1.57 0"/><geometry><mesh filename="package://arm/meshes/a.stl" scale="0.1 0.2 -0.3"/></geometry>
<material name="green"><color rgba="0 1 0 0.5"/></material></visual>
<visual><geometry><mesh filename="package://arm/meshes/a.stl" scale="2"/></geometry></visual>
<visual><geometry><mesh filename="gone.stl"/></geometry></visual><visual><geometry><cone/></geometry></visual>
<visual><geometry><sphere radius="1"/></geometry><material name="bad"/></visual></link>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 0.5" rpy="0.1 0.2 0.3"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""  # noqa: E501 - robot files stand in the text as they are


def package(tmp_path):
    """A package in ROS's layout: arm/urdf/r.urdf, arm/meshes/a.stl."""
    for folder in ("urdf", "meshes"):
        (tmp_path / "arm" / folder).mkdir(parents=True)
    trimesh.creation.icosphere(subdivisions=1, radius=0.2).export(tmp_path / "arm" / "meshes" / "a.stl")
    file = tmp_path / "arm" / "urdf" / "r.urdf"
    file.write_text(TEXT)
    return file


@pytest.mark.filterwarnings("ignore:.*not found")
def test_visuals_are_kept_with_their_colours(tmp_path) -> None:
    file = package(tmp_path)
    model = read_file(file)
    seen = {visual.name: visual for visual in model.visuals}
    assert list(seen) == ["base_visual0", "knob", "arm_visual0", "arm_visual1", "arm_visual4"]
    assert seen["base_visual0"].shape == Box((0.2, 0.3, 0.4)) and seen["base_visual0"].rgba == (0, 0, 1, 1)
    assert seen["knob"].shape == Sphere(0.05) and seen["knob"].rgba == (0, 1, 0, 0.5)
    assert seen["arm_visual0"].mesh == str((file.parent.parent / "meshes" / "a.stl").resolve())
    assert seen["arm_visual0"].scale == (0.1, 0.2, -0.3) and seen["arm_visual0"].rgba == (0, 1, 0, 0.5)
    assert seen["arm_visual1"].scale == (2, 2, 2) and seen["arm_visual1"].rgba is None
    assert any("1 of 7 visuals are not kept: link 'arm': a visual without box" in note for note in model.notes)
    stranger = read_untrusted(file)
    assert [(v.name, v.mesh, v.rgba) for v in stranger.visuals] == [(v.name, v.mesh, v.rgba) for v in model.visuals]


def test_a_missing_mesh_is_named_and_left_out(tmp_path) -> None:
    with pytest.warns(UserWarning, match=r"2 mesh files were not found: 'gone.stl', 'package://arm/meshes/a.stl'"):
        assert len(read_text(TEXT).visuals) == 3


@pytest.mark.filterwarnings("ignore:.*not found")
def test_visuals_stand_where_pinocchio_puts_them(tmp_path, figure) -> None:
    file = package(tmp_path)
    text = TEXT.replace('<visual><geometry><mesh filename="gone.stl"/></geometry></visual>', "")
    file.write_text(text.replace("<visual><geometry><cone/></geometry></visual>", "").replace('scale="2"', ""))
    model = read_file(file)
    there = pinocchio.buildModelFromUrdf(str(file))
    geometry = pinocchio.buildGeomFromUrdf(
        there, str(file), pinocchio.GeometryType.VISUAL, package_dirs=[str(tmp_path)]
    )
    data, geometry_data = there.createData(), geometry.createData()
    q = np.array([0.7])
    pinocchio.updateGeometryPlacements(there, data, geometry, geometry_data, q)
    worst = 0.0
    for mine, theirs, placed in zip(model.visuals, geometry.geometryObjects, geometry_data.oMg, strict=True):
        worst = max(worst, np.abs(carpal.fk(model, q, mine.body) @ mine.X_BV - placed.homogeneous).max())
        if mine.mesh:
            assert np.array_equal(theirs.meshScale, mine.scale)
    figure("poses of a URDF's visuals against Pinocchio", worst, 1e-12)
