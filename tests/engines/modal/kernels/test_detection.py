"""What is found: contacts of every pair of shapes, and joints at their stops."""

import numpy as np
import pytest

from carpal.engines import ModalEngine, Surface
from carpal.model import Body, Box, Capsule, Cylinder, Ellipsoid, Joint, Model, Plane, Scene, Sphere, State
from carpal.spatial import Inertia


@pytest.mark.parametrize(
    ("shape", "height", "points"),
    [
        (Sphere(0.05), 0.05, 1),
        (Box((0.1, 0.1, 0.1)), 0.05, 4),
        (Cylinder(0.05, 0.1), 0.05, 3),
        (Capsule(0.05, 0.1), 0.1, 1),
        (Ellipsoid((0.05, 0.06, 0.07)), 0.07, 1),
    ],
)
def test_shapes_on_a_plane_and_on_a_box_are_carried(shape, height, points):
    for ground in (Plane(), Box((1.0, 1.0, 0.2))):
        scene = Scene("on")
        scene.add_object("thing", shape, mass=0.3, pose=[0, 0, height])
        scene.add_fixed("ground", ground, pose=[0, 0, 0 if isinstance(ground, Plane) else -0.1])
        engine = ModalEngine(scene.build(), surface=Surface(mu=0.5))
        state = engine.run(scene.start(), None, 5).state
        contacts = engine.contacts(state, np.zeros(6))
        assert len(contacts) >= points
        assert sum(contact.force[2] * (1 if contact.b == "thing" else -1) for contact in contacts) == pytest.approx(
            0.3 * 9.81
        )


def test_a_joint_stops_and_is_held_there(figure):
    joint = Joint("hinge", "revolute", axis=np.array([0.0, 1, 0]), q_max=0.5)
    model = Model("flap", (Body("flap", None, joint, Inertia.point(0.2, np.array([0.1, 0, 0]))),))
    state = ModalEngine(model).run(State.home(model), None, 600).state
    figure("joint held at its stop: off it [rad]", abs(state.q[0] - 0.5), 1e-12)
    assert abs(state.v[0]) < 1e-12
    assert ModalEngine(model, limits=False).run(State.home(model), None, 600).state.q[0] > 1.0
