"""Position update: free flight is exact, an accelerated ball is of second order, a robot moves with its new velocity."""

import modal_scenes as scenes
import numpy as np
from modal_stages import Slot, plain

from carpal.engines import ModalEngine
from carpal.engines.modal.kernels.contact_table import CLOSED, IMPULSE, INCLUDED, PRESSED
from carpal.engines.modal.kernels.positions import update_positions
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


def test_a_new_contact_moves_its_body_with_the_new_velocity_and_an_old_one_with_the_mean():
    for pressed, mean in ((1.0, True), (0.0, False)):
        scene = scenes.thrown_ball(2.0)
        slot = Slot(ModalEngine(scene.build()), scene.start())
        slot.con[0, [CLOSED, INCLUDED, IMPULSE + 2, PRESSED]] = pressed, 1.0, 1.0, pressed
        slot.vector("step")[:] = [1.0, 0, 0, 0, 0, 0]
        plain(update_positions)(slot.plant, slot.work, 0.1, 0, slot.count)
        assert slot.vector("v")[0] == 1.0
        assert abs(slot.vector("q")[0] - (0.15 if mean else 0.1)) < 1e-15
        assert slot.work.vectors.before.start_v[0, 0] == 2.0
        assert slot.work.vectors.before.start_q[0, 0] == 0.0
