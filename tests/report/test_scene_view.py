import numpy as np
import pytest

import carpal
from carpal.errors import UnknownNameError
from carpal.model import Box, Plane, Scene, Sphere
from carpal.report.scene_view import SceneView
from carpal.report.viser_server import closed_server


@pytest.fixture(scope="module")
def server():
    with closed_server() as server:
        yield server


@pytest.mark.parametrize("name", ["sawyer", "k10", "cuhk_hand", "catcher_arm"])
def test_the_nodes_stand_where_forward_kinematics_says(server, name):
    model = carpal.load(name)
    view = SceneView(server, model)
    q = np.asarray(model.q_home) + 0.1
    view.show(q)
    for body, node in view.nodes.items():
        assert np.allclose(node.position, carpal.fk(model, q, body)[:3, 3], atol=1e-12)
    assert np.allclose(view._tool.position, carpal.fk(model, q)[:3, 3])
    view.remove()


def test_a_scene_shows_its_shapes_and_keeps_robots_apart(server):
    scene = Scene("table")
    scene.add_robot("k10", name="arm")
    scene.add_fixed("floor", Plane())
    scene.add_fixed("block", Box((0.1, 0.2, 0.3)))
    scene.add_object("ball", Sphere(0.05), mass=0.1)
    model = scene.build()
    before = len(server.scene._handle_from_node_name)
    view = SceneView(server, model)
    names = set(server.scene._handle_from_node_name)
    assert any("block" in name for name in names) and any("ball" in name for name in names)
    assert any("housing" in name for name in names), "the arm has no shapes of its own and is drawn as links"
    assert set(view.nodes) == {body.name for body in model.bodies}
    view.remove()
    assert len(server.scene._handle_from_node_name) <= before


def test_a_view_may_be_given(server):
    model = carpal.load("sawyer")
    far = np.tile(np.asarray(model.q_home), (2, 1))
    view = SceneView(server, model, far, view=((0.5, 1.0, 0.2), (0.0, 0.0, 0.2)))
    camera = server.initial_camera
    assert tuple(camera.position) == (0.5, 1.0, 0.2) and tuple(camera.look_at) == (0.0, 0.0, 0.2)
    assert view.reach <= 0.6 * np.hypot(0.5, 1.0) + 1e-12
    view.remove()


def test_a_followed_body_stays_where_it_is(server):
    model = carpal.load("sawyer")
    view = SceneView(server, model)
    start = np.array(view.nodes["l5"].position)
    view.follow("l5")
    view.show(np.asarray(model.q_home) + 0.4)
    assert np.linalg.norm(np.array(view.nodes["l5"].position) - start) > 0.1
    assert np.allclose(view._root.position + np.array(view.nodes["l5"].position), start)
    view.follow(None)
    assert not np.any(view._root.position)
    with pytest.raises(UnknownNameError, match="to follow"):
        view.follow("nobody")
    view.remove()
