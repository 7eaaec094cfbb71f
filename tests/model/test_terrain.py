"""Height fields and concave solids as convex pieces; on them things move as on a plane."""

import numpy as np
import pytest

from carpal.engines import engine_for, run_recorded, simulate
from carpal.errors import InputError, UnknownNameError
from carpal.model import Box, ConvexMesh, Scene, Sphere, TriangleMesh, height_field, with_convex_pieces
from carpal.model.terrain import upward_faces

G, SLOPE = 9.81, np.radians(15)


def _ramp(n=5):
    x = np.linspace(-1, 1, n)
    return height_field(np.tile(-np.tan(SLOPE) * x, (3, 1)), [2.0, 0.6], 0.2)


def _channel():
    """A concave solid: a box with a groove along y, by extrusion."""
    side = np.array(
        [[-0.1, 0], [0.1, 0], [0.1, 0.1], [0.04, 0.1], [0.04, 0.04], [-0.04, 0.04], [-0.04, 0.1], [-0.1, 0.1]]
    )
    points = np.array([[x, y, z] for y in (-0.1, 0.1) for x, z in side])
    cap = [(0, 1, 4), (0, 4, 5), (1, 2, 3), (1, 3, 4), (0, 5, 6), (0, 6, 7)]
    faces = [*cap, *((c + 8, b + 8, a + 8) for a, b, c in cap)]
    for i in range(8):
        j = (i + 1) % 8
        faces += [(i, i + 8, j), (j, i + 8, j + 8)]
    return TriangleMesh(points, np.array(faces))


def test_a_height_field_is_a_closed_solid_with_its_volume():
    mesh = _ramp()
    assert mesh.solid and mesh.volume == pytest.approx(2.0 * 0.6 * (0.2 + np.tan(SLOPE)))
    assert len(upward_faces(mesh)) == 2 * 4 * 2
    for bad, says in ((np.zeros((1, 5)), "two each way"), ([[0, np.nan], [0, 0]], "finite")):
        with pytest.raises(InputError, match=says):
            height_field(bad, [1, 1])
    with pytest.raises(InputError, match="two lengths above zero"):
        height_field(np.zeros((2, 2)), [1, -1])
    with pytest.raises(InputError, match="base of a height field"):
        height_field(np.zeros((2, 2)), [1, 1], 0.0)


def test_prisms_fill_the_solid_and_keep_the_name_in_front():
    scene = Scene().add_fixed("ground", _ramp()).add_object("ball", Sphere(0.05), mass=0.1, pose=[0, 0, 1])
    model = with_convex_pieces(scene.build())
    pieces = [shape for shape in model.shapes if shape.name.startswith("ground/")]
    assert len(pieces) == 16 and all(isinstance(shape.shape, ConvexMesh) for shape in pieces)
    assert sum(shape.shape.volume for shape in pieces) == pytest.approx(_ramp().volume)
    assert with_convex_pieces(model) is model


@pytest.mark.parametrize("name", ["modal", "mujoco", "penalty"])
def test_a_ball_rolls_down_a_height_field_as_down_a_plane(name):
    normal = np.array([np.sin(SLOPE), 0, np.cos(SLOPE)])
    at = np.array([-0.8, 0.03, 0.8 * np.tan(SLOPE)]) + 0.05 * normal
    scene = (
        Scene()
        .add_fixed("ground", _ramp())
        .add_object("ball", Sphere(0.05), mass=0.1, pose=at)
        .add_surface("ground", mu=0.6)
    )
    ready = engine_for(scene, name)
    run = run_recorded if name == "penalty" else simulate
    done = run(ready.engine, ready.state, duration=0.8)
    way = 0.5 * 5 / 7 * G * np.sin(SLOPE) * 0.8**2
    moved = done.q[-1][:3] - at
    assert np.linalg.norm(moved) == pytest.approx(way, abs=4e-3) and abs(moved @ normal) < 1e-3


def test_a_height_field_of_an_mjcf_is_terrain_in_every_engine(tmp_path):
    rows = " ".join(["0 0.5 1"] * 3)
    file = tmp_path / "hill.xml"
    file.write_text(
        '<mujoco><asset><hfield name="h" nrow="3" ncol="3" size="1 1 .4 .1" elevation="'
        + rows
        + '"/></asset><worldbody>'
        '<geom name="hill" type="hfield" hfield="h"/><body pos=".5 0 .42"><freejoint/><geom name="ball" size=".1"/></body>'
        "</worldbody></mujoco>"
    )
    import carpal

    model = carpal.load(str(file))
    (hill,) = [shape for shape in model.shapes if shape.name == "hill"]
    assert hill.shape.volume == pytest.approx(4 * (0.1 + 0.2))
    end = {}
    for name in ("modal", "mujoco"):
        ready = engine_for(model, name, surface={"mu": 0.8})
        end[name] = simulate(ready.engine, ready.state, duration=0.5).q[-1][:3]
    assert end["modal"] == pytest.approx(end["mujoco"], abs=0.02) and end["modal"][0] < 0.4, "it rolls down"


def test_a_concave_body_moves_as_its_pieces():
    """A peg hangs in the groove of a falling channel; the hull would have pushed it out."""
    scene = (
        Scene()
        .add_object("channel", _channel(), mass=1.0, pose=[0, 0, 0])
        .add_fixed("floor", Box((1, 1, 0.1)), pose=[0, 0, -0.05])
    )
    scene.add_object("peg", Box((0.07, 0.1, 0.05)), mass=0.1, pose=[0, 0, 0.0651])
    ready = engine_for(scene, "modal")
    names = [shape.name for shape in ready.engine.model.shapes]
    assert sum(name.startswith("channel/") for name in names) >= 3
    done = simulate(ready.engine, ready.state, duration=0.2)
    assert done.q[-1][ready.engine.model.q_index("peg") + 2] == pytest.approx(0.065, abs=1e-3)


def test_what_has_no_convex_pieces_is_refused_by_name():
    sheet = TriangleMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1]], [[0, 1, 2], [3, 4, 5]])
    ball = Scene().add_object("ball", Sphere(0.1), mass=1.0, pose=[0, 0, 3])
    with pytest.raises(InputError, match="shape 'cave' is an open sheet of triangles, parts of which lie above others"):
        engine_for(ball.add_fixed("cave", sheet), "modal")


def test_a_mesh_file_in_a_scene(tmp_path):
    pytest.importorskip("trimesh")
    mesh, file = _channel(), tmp_path / "channel.obj"
    lines = [f"v {x} {y} {z}" for x, y, z in 1000 * mesh.points] + [f"f {a} {b} {c}" for a, b, c in mesh.faces + 1]
    file.write_text("\n".join(lines) + "\n")
    text = f'[[object]]\nname = "c"\nmass = 1\nshape = {{kind = "triangles", file = "{file}", scale = 0.001}}\n'
    (thing,) = Scene.from_toml(text).objects
    assert thing.shape.volume == pytest.approx(mesh.volume)
    again = Scene.from_toml(Scene.from_toml(text).to_toml()).objects[0].shape
    assert again == thing.shape
    for wrong, says in (("scale = 0.001", "scale = -1"), (str(file), "gone.obj"), ("triangles", "sphere")):
        with pytest.raises((InputError, UnknownNameError)):
            Scene.from_toml(text.replace(wrong, says))
