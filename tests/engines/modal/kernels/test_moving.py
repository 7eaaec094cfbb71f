"""Places: free flight is exact, an accelerated ball is of second order, a robot moves with its new velocity."""

import numpy as np

from carpal.engines import ModalEngine
from carpal.model import Body, Joint, Model, Scene, Sphere, State
from carpal.spatial import Inertia


def test_flight_is_exact_at_any_step():
    scene = Scene("flight")
    scene.add_object("ball", Sphere(0.05), mass=0.1, twist=[1, 2, 3, 0, 0, 0])
    for dt in (1e-3, 0.1):
        state = ModalEngine(scene.build(), dt=dt).run(scene.start(), None, round(1 / dt)).state
        assert np.abs(state.q[:3] - [1, 2, 3 - 9.81 / 2]).max() < 1e-12


def test_a_robot_moves_with_its_new_velocity():
    joint = Joint("slide", "prismatic", axis=np.array([1.0, 0, 0]))
    model = Model("cart", (Body("cart", None, joint, Inertia.point(2.0, np.zeros(3))),), gravity=np.zeros(3))
    state = ModalEngine(model, dt=0.1).step(State.home(model), np.array([4.0]))
    assert abs(state.v[0] - 0.2) < 1e-15
    assert abs(state.q[0] - 0.02) < 1e-15
