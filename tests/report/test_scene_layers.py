import numpy as np

import carpal
from carpal.model import Box, Scene, Sphere
from carpal.report.scene_layers import SceneLayers
from carpal.report.scene_view import SceneView
from carpal.report.viser_server import closed_server


def test_frames_and_collision_shapes_come_and_go():
    scene = Scene("cell").add_robot("k10", name="arm").add_fixed("block", Box((0.1, 0.1, 0.1)))
    model = scene.add_object("ball", Sphere(0.05), mass=0.1).build()
    with closed_server() as server:
        view = SceneView(server, model)
        layers = SceneLayers(server, view)
        assert not layers.frames and not layers.collisions
        layers.show_frames(True)
        layers.show_collisions(True)
        assert set(layers.frames) == set(model.frames) and set(layers.collisions) == {"ball", "block"}
        q = np.asarray(model.q_home) + 0.05
        layers.move(q)
        for name, node in layers.frames.items():
            assert np.allclose(node.position, carpal.fk(model, q, name)[:3, 3])
        layers.show_frames(False)
        assert not any(node.visible for node in (*layers.frames.values(), *layers.labels.values()))
        layers.remove()
        view.remove()
