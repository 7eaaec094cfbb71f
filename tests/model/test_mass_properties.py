from __future__ import annotations

import sys

import numpy as np
import pytest
import trimesh

from carpal.errors import CarpalError, InputError, ModelError
from carpal.model import inertia_from_mesh


def test_a_box_against_the_closed_form(tmp_path, figure):
    box = trimesh.creation.box((0.1, 0.2, 0.3))
    X = trimesh.transformations.rotation_matrix(0.7, [1, 2, 3])
    X[:3, 3] = 1, 2, 3
    box.apply_transform(X)
    box.export(tmp_path / "box.obj", digits=17)
    inertia = inertia_from_mesh(tmp_path / "box.obj", density=500)
    mass = 500 * 0.1 * 0.2 * 0.3
    R = X[:3, :3]
    expected = R @ np.diag([0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04]) @ R.T * mass / 12
    figure("mesh of a box: mass, relative", abs(inertia.mass - mass) / mass, 1e-12)
    figure("mesh of a box: centre of mass [m]", np.abs(inertia.com - [1, 2, 3]).max(), 1e-12)
    # the box is a metre away from the origin, about which trimesh integrates
    figure("mesh of a box: inertia, relative", np.abs(inertia.about_com - expected).max() / expected.max(), 1e-10)


def test_a_mesh_that_is_inside_out_is_the_same_solid(tmp_path):
    mesh = trimesh.creation.icosphere(radius=0.1)
    mesh.invert()
    mesh.export(tmp_path / "ball.off")
    inertia = inertia_from_mesh(tmp_path / "ball.off", density=1000.0)
    assert inertia.mass > 0
    assert inertia.is_physical()
    assert inertia.about_com[0, 0] == pytest.approx(0.4 * inertia.mass * 0.01, rel=0.02)


@pytest.mark.parametrize("density", [0, -1.0, np.inf, np.nan, "steel", None, True])
def test_densities_that_are_refused(tmp_path, density):
    with pytest.raises(InputError, match="density must be a number above zero"):
        inertia_from_mesh(tmp_path / "x.stl", density)


def test_files_that_are_refused(tmp_path):
    with pytest.raises(ModelError, match="no mesh file"):
        inertia_from_mesh(tmp_path / "x.stl", 1.0)
    (tmp_path / "junk.stl").write_bytes(b"solid\x00\xff junk" * 10)
    (tmp_path / "empty.obj").write_text("")
    (tmp_path / "what.xyzw").write_text("1 2 3")
    for name in ("junk.stl", "empty.obj", "what.xyzw"):
        with pytest.raises(ModelError, match=f"'{name}'"):
            inertia_from_mesh(tmp_path / name, 1.0)
    box = trimesh.creation.box((1, 1, 1))
    trimesh.Trimesh(box.vertices, box.faces[:-1]).export(tmp_path / "open.stl")
    with pytest.raises(ModelError, match=r"'open.stl' is not closed \(watertight\): its 11 triangles"):
        inertia_from_mesh(tmp_path / "open.stl", 1.0)


def test_a_missing_library_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(CarpalError, match=r"pip install carpal\[meshes\]"):
        inertia_from_mesh(tmp_path / "x.stl", 1.0)
