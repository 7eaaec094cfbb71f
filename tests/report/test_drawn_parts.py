"""What is drawn: visuals where a body has them, mesh files with their scale and colour, coarser where they are large."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

from carpal.model import Body, Box, Joint, Model, PlacedShape, Sphere, Visual
from carpal.report.drawn_parts import MOST_FACES, PLAIN, coarser, drawn_parts, welded
from carpal.report.scene_view import SceneView
from carpal.report.stills import model_solids
from carpal.report.viser_server import closed_server
from carpal.spatial import pose


def robot(mesh: str, **more) -> Model:
    """Two links: `a` has a visual mesh and a collision ball, `b` a collision box only."""
    bodies = (
        Body("a", None, Joint("ja", "revolute")),
        Body("b", "a", Joint("jb", "revolute", X_PJ=pose(p=[0, 0, 1.0]))),
    )
    shapes = (PlacedShape("ball", "a", Sphere(0.5)), PlacedShape("box", "b", Box((0.1, 0.2, 0.3))))
    seen = Visual("cover", "a", mesh, X_BV=pose(p=[1.0, 2.0, 3.0]), scale=(2.0, 1.0, -1.0), **more)
    return Model("r", bodies, shapes=shapes, visuals=(seen,))


def test_a_body_with_visuals_shows_them_and_others_their_shapes(tmp_path) -> None:
    file = tmp_path / "part.ply"
    part = trimesh.creation.box((0.2, 0.4, 0.6))
    part.export(file)
    parts = {part.name: part for part in drawn_parts(robot(str(file), rgba=(1.0, 0.0, 0.0, 1.0)))}
    assert list(parts) == ["cover", "box"] and parts["cover"].rgba == (1, 0, 0, 1)
    points, faces = parts["cover"].mesh
    assert np.allclose(np.ptp(points, axis=0), (0.4, 0.4, 0.6)) and len(faces) == 12
    a, b, c = points[faces].transpose(1, 0, 2)
    assert np.einsum("ni,ni->", a, np.cross(b, c)) / 6 == pytest.approx(0.4 * 0.4 * 0.6)  # mirrored, yet outside out
    still = model_solids(robot(str(file)), np.zeros(2))
    assert np.allclose(still[0].points.mean(axis=0), (1, 2, 3), atol=1e-6)


def test_a_safety_box_is_not_drawn(tmp_path) -> None:
    trimesh.creation.box((0.2, 0.4, 0.6)).export(tmp_path / "part.stl")
    plain = robot(str(tmp_path / "part.stl"))
    guard = Body("guard", "b", Joint("guard_mount", "fixed"))
    model = plain.replace(
        bodies=(*plain.bodies, guard), tool="b", shapes=(*plain.shapes, PlacedShape("cage", "guard", Box((1, 1, 1))))
    )
    assert [part.name for part in drawn_parts(model)] == ["cover", "box"], "screwed on, last, without a visual"


def test_colours_of_the_file_itself(tmp_path) -> None:
    part = trimesh.creation.box((1, 1, 1))
    part.visual.face_colors = np.tile([0, 255, 0, 255], (12, 1))
    part.export(tmp_path / "green.ply")
    trimesh.creation.box((1, 1, 1)).export(tmp_path / "plain.stl")
    assert drawn_parts(robot(str(tmp_path / "green.ply"), rgba=None))[0].rgba == (0, 1, 0, 1)
    assert drawn_parts(robot(str(tmp_path / "plain.stl"), rgba=None))[0].rgba == PLAIN


def test_a_file_that_cannot_be_read_leaves_the_shapes(tmp_path) -> None:
    (tmp_path / "bad.stl").write_text("nothing")
    for file in ("gone.stl", "bad.stl"):
        with pytest.warns(UserWarning, match="the visual 'cover' of model 'r' is not drawn"):
            assert [part.name for part in drawn_parts(robot(str(tmp_path / file)))] == ["ball", "box"]


def test_large_meshes_are_drawn_coarser(tmp_path) -> None:
    ball = trimesh.creation.icosphere(subdivisions=6, radius=1.0)
    assert len(ball.faces) > MOST_FACES
    for most in (20_000, 2_000):
        points, faces = coarser(np.asarray(ball.vertices), np.asarray(ball.faces), most)
        assert 0.3 * most < len(faces) <= most and np.abs(np.linalg.norm(points, axis=1) - 1).max() < 0.01
    ball.export(tmp_path / "ball.stl")
    assert len(drawn_parts(robot(str(tmp_path / "ball.stl")))[0].mesh[1]) <= MOST_FACES
    assert len(drawn_parts(robot(str(tmp_path / "ball.stl")), 5_000)[0].mesh[1]) <= 5_000


def test_a_coarser_box_keeps_its_edges() -> None:
    """The corner of a cell is put where the planes meet, not in the middle of its points."""
    box = trimesh.creation.box((1.0, 1.0, 1.0))
    for _ in range(6):
        box = box.subdivide()
    points, faces = coarser(np.asarray(box.vertices), np.asarray(box.faces), 3_000)
    assert len(faces) <= 3_000 < len(box.faces)
    assert np.abs(np.abs(points).max(1) - 0.5).max() < 0.01, "every corner lies on a face"
    assert np.abs(np.sort(np.ptp(points, axis=0)) - 1.0).max() < 0.02


def test_points_of_files_with_a_normal_for_each_corner_are_made_one() -> None:
    box = trimesh.creation.box((1, 2, 3))
    soup = np.asarray(box.vertices)[np.asarray(box.faces)].reshape(-1, 3)
    points, faces = welded(soup, np.arange(36).reshape(-1, 3))
    assert len(points) == 8 and np.allclose(np.sort(points[faces], axis=1), np.sort(soup.reshape(-1, 3, 3), axis=1))


def test_a_file_of_several_colours_is_drawn_in_them(tmp_path) -> None:
    scene = trimesh.Scene()
    for k, colour in enumerate(([255, 0, 0, 255], [0, 0, 255, 255])):
        part = trimesh.creation.box((0.1, 0.1, 0.1))
        part.visual = trimesh.visual.TextureVisuals(
            material=trimesh.visual.material.PBRMaterial(baseColorFactor=colour)
        )
        part.apply_translation((k, 0, 0))
        scene.add_geometry(part)
    scene.export(tmp_path / "two.glb")
    parts = drawn_parts(robot(str(tmp_path / "two.glb"), rgba=None))
    assert {part.rgba for part in parts if part.body == "a"} == {(1, 0, 0, 1), (0, 0, 1, 1)}
    assert [part.name for part in parts if part.body == "a"] == ["cover", "cover, colour 2"]
    reds = next(part for part in parts if part.rgba == (1, 0, 0, 1))
    assert np.abs(reds.mesh[0][:, 0]).max() < 0.2, "each colour where the file puts it"


def test_the_browser_gets_the_visual(tmp_path) -> None:
    file = tmp_path / "part.stl"
    trimesh.creation.box((0.2, 0.4, 0.6)).export(file)
    with closed_server() as server:
        view = SceneView(server, robot(str(file), rgba=(1.0, 0.0, 0.0, 0.5)))
        assert set(view.shapes) == {"cover", "box"}
        node = view.shapes["cover"]
        assert tuple(node.color) == (255, 0, 0) and np.allclose(node.position, (1, 2, 3))
        view.remove()
