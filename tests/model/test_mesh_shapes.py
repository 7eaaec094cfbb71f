"""Meshes as shapes: hulls, mass properties against trimesh and closed forms, plain data and back, and what is refused."""

from __future__ import annotations

import json

import mujoco
import numpy as np
import pytest
import trimesh
from mesh_inputs import bumpy_ring, terrain
from random_models import random_tree
from scipy.spatial import ConvexHull

from carpal.errors import CarpalError, ModelError
from carpal.model import Box, ConvexMesh, PlacedShape, Scene, TriangleMesh, shape_from_dict, shape_to_dict
from carpal.model.mesh_shapes import count_open_edges, solid_of
from carpal.model.readers.reading import read_text
from carpal.model.serialise import model_from_json, model_to_json

AWAY = np.array([3.0, -2.0, 1.0])
CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)


def test_the_hull_is_scipys_and_a_box_is_a_box(figure) -> None:
    rng = np.random.default_rng(0)
    box = ConvexMesh((CUBE - 0.5) * np.array([0.2, 0.5, 0.9]) + np.array([1.0, 2.0, 3.0]))
    assert len(box.points) == 8 and len(box.faces) == 12
    true = Box((0.2, 0.5, 0.9)).inertia(3.0)
    mine = box.inertia(3.0)
    assert np.allclose(mine.com, (1, 2, 3), atol=1e-14)
    figure(
        "inertia of a box given as points, against the closed form",
        np.abs(mine.about_com - true.about_com).max(),
        1e-13,
    )
    worst = 0.0
    for n in (4, 5, 20, 300):
        points = rng.normal(size=(n, 3)) * rng.uniform(0.01, 10)
        hull = ConvexMesh(points)
        assert set(map(tuple, hull.points)) == set(map(tuple, points[ConvexHull(points).vertices]))
        assert count_open_edges(hull.faces, "it") == 0
        worst = max(worst, abs(hull.volume / ConvexHull(points).volume - 1))
    figure("volume of random hulls against Qhull's own, relative", worst, 1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_mass_properties_are_trimeshs(seed: int, figure) -> None:
    mesh = bumpy_ring(30, 20, seed)
    there = trimesh.Trimesh(mesh.points + AWAY, mesh.faces, process=False)
    moved = TriangleMesh(mesh.points + AWAY, mesh.faces)
    mine = moved.inertia(2.5)
    scale = 2.5 / there.volume
    figure("volume of a bumpy ring against trimesh, relative", abs(moved.volume / there.volume - 1), 1e-9)
    figure("centre of mass of a bumpy ring against trimesh [m]", np.abs(mine.com - there.center_mass).max(), 1e-9)
    figure("inertia of a bumpy ring against trimesh", np.abs(mine.about_com - scale * there.moment_inertia).max(), 1e-9)


def test_plain_data_and_back_keep_every_bit() -> None:
    rng = np.random.default_rng(1)
    for mesh in (ConvexMesh(rng.normal(size=(50, 3))), bumpy_ring(9, 7, 1), terrain(5, 6, 1)):
        back = shape_from_dict(json.loads(json.dumps(shape_to_dict(mesh))))
        assert back == mesh and hash(back) == hash(mesh) and type(back) is type(mesh)
        assert back != Box((1, 1, 1)) and mesh != TriangleMesh(mesh.points + 1e-9, mesh.faces)
        assert not mesh.points.flags.writeable
    model = random_tree(2, joints=4)
    model = model.replace(
        shapes=(PlacedShape("hull", model.bodies[1].name, mesh), PlacedShape("sheet", None, terrain(4, 4, 2)))
    )
    assert model_from_json(model_to_json(model)).shapes[0].shape == mesh


def test_scenes_carry_meshes_through_toml_and_mjcf() -> None:
    stone = ConvexMesh(np.random.default_rng(3).normal(size=(20, 3)) * 0.1 + [0.05, 0.0, 0.0])
    scene = Scene("s").add_object("stone", stone, mass=0.4, pose=[0, 0, 1]).add_fixed("ground", terrain(4, 4, 0))
    back = Scene.from_toml(scene.to_toml())
    assert back.objects[0].shape == stone and back.fixed[0].shape == scene.fixed[0].shape
    scene = Scene("s").add_object("stone", stone, mass=0.4, pose=[0, 0, 1])
    again = Scene.from_mjcf(scene.to_mjcf())
    assert again.objects[0].shape == stone and again.objects[0].mass == pytest.approx(0.4, rel=1e-14)


def test_mujoco_sees_a_hull_where_it_is(figure) -> None:
    rng = np.random.default_rng(4)
    hull = ConvexMesh(rng.normal(size=(30, 3)) * 0.1 + [0.3, 0.2, 0.1])
    scene = Scene("s").add_object("stone", hull, mass=1.0).add_object("ring", Box((1, 1, 1)), mass=1.0, pose=[9, 9, 9])
    sheet = PlacedShape("sheet", None, terrain(4, 4, 0), collides=False)
    model = scene.build()
    model = model.replace(shapes=(*model.shapes, sheet))
    there = mujoco.MjModel.from_xml_string(model.to_mjcf())
    data = mujoco.MjData(there)
    mujoco.mj_forward(there, data)
    geom = there.geom("stone")
    first, count = there.mesh_vertadr[geom.dataid[0]], there.mesh_vertnum[geom.dataid[0]]
    local = there.mesh_vert[first : first + count].astype(float)
    world = local @ data.geom("stone").xmat.reshape(3, 3).T + data.geom("stone").xpos
    apart = np.linalg.norm(world[:, None] - hull.points[None], axis=2)
    figure(
        "corners of a hull in MuJoCo against its own [m] (MuJoCo keeps single precision)", apart.min(axis=0).max(), 1e-7
    )
    assert read_text(model.to_mjcf()).shapes[-1].shape == sheet.shape
    with pytest.raises(
        ModelError, match=r"'ground' is a triangle mesh that collides, which MJCF cannot hold.*convex_pieces"
    ):
        scene.add_fixed("ground", sheet.shape).to_mjcf()


def test_bad_meshes_are_one_sentence() -> None:
    ring = bumpy_ring(8, 6, 0)
    hull = ConvexMesh(CUBE)
    open_ring = TriangleMesh(ring.points, ring.faces[:-3])
    assert ring.solid and not open_ring.solid and open_ring.open_edges >= 3
    hole = CUBE.copy()
    hole[3, 1] = np.nan
    for match, call in [
        ("a convex mesh needs at least 4 points; got 2", lambda: ConvexMesh(CUBE[:2])),
        ("a triangle mesh needs at least 3 points; got 2", lambda: TriangleMesh(CUBE[:2], [[0, 1, 0]])),
        (r"point 3 of a convex mesh is \[0.0, nan, 1.0\]", lambda: ConvexMesh(hole)),
        (r"point 3 of a triangle mesh is \[0.0, nan, 1.0\]", lambda: TriangleMesh(hole, [[0, 1, 2]])),
        ("four points that are not in one plane", lambda: ConvexMesh(CUBE[:4])),
        ("four points that are not in one plane", lambda: ConvexMesh(np.ones((9, 3)))),
        (r"shape \(n, 3\) \[m\]; got \(8, 2\)", lambda: ConvexMesh(CUBE[:, :2])),
        ("must be real numbers", lambda: ConvexMesh("cube")),
        ("too far to compute with", lambda: ConvexMesh(CUBE * 1e200)),
        ("inside out.*turn its faces round", lambda: TriangleMesh(ring.points, ring.faces[:, ::-1])),
        ("must close it", lambda: ConvexMesh(hull.points, hull.faces[1:])),
        ("not those of its hull", lambda: ConvexMesh(hull.points, hull.faces[:, ::-1])),
        ("disagree on which side is outside", lambda: TriangleMesh(CUBE, [[0, 1, 2], [0, 1, 3]])),
        (r"face 0 of a triangle mesh is \[0.0, 1.0, 8.0\]; .* from 0 to 7", lambda: TriangleMesh(CUBE, [[0, 1, 8]])),
        (r"face 1 of a triangle mesh is \[0.5", lambda: TriangleMesh(CUBE, [[0, 1, 2], [0.5, 1, 2]])),
        ("has two equal corners", lambda: TriangleMesh([[0, 0, 0], [1, 0, 0], [0.0, -0.0, 0]], [[0, 1, 2]])),
        (r"shape \(m, 3\); got \(0,\)", lambda: TriangleMesh(CUBE, [])),
        ("encloses no volume, so it has no mass properties", lambda: open_ring.inertia(1.0)),
        ("encloses no volume", lambda: open_ring.volume),
        ("the mass of a triangles must be finite", lambda: ring.inertia(-1.0)),
        ("unknown field of a convex 'pionts'; did you mean 'points'", lambda: shape_from_dict({"kind": "convex", "pionts": 1})),
        ("a triangles needs faces", lambda: shape_from_dict({"kind": "triangles", "points": CUBE.tolist()})),
        ("encloses no volume", lambda: Scene("s").add_object("o", open_ring, mass=1.0).build()),
    ]:  # fmt: skip
        with pytest.raises(CarpalError, match=match) as caught:
            call()
        assert "\n" not in str(caught.value)


def test_equal_points_become_one() -> None:
    ring = bumpy_ring(6, 5, 0)
    loose = TriangleMesh(ring.points[ring.faces].reshape(-1, 3), np.arange(3 * len(ring.faces)).reshape(-1, 3))
    assert loose.solid and len(loose.points) == len(ring.points)
    assert loose.volume == pytest.approx(ring.volume, rel=1e-12)
    assert solid_of(ring.points, ring.faces[:, ::-1])[0] == pytest.approx(-ring.volume, rel=1e-12)
    assert repr(loose) == f"TriangleMesh({len(loose.points)} points, {len(loose.faces)} faces)"
