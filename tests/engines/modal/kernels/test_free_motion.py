"""Without contact: free bodies fall exactly and keep energy and momentum while tumbling; a servo is implicit."""

import modal_scenes as scenes
import numpy as np

from carpal.engines import ModalEngine
from carpal.model import Box, Scene, State
from carpal.spatial import rotation_from_wxyz


def test_a_tumbling_brick_falls_exactly_and_keeps_its_energy(figure):
    scene = Scene("brick")
    scene.add_object("brick", Box((0.1, 0.2, 0.05)), mass=0.4, twist=[1, 0, 3, 60, 1, -2])
    engine, state = ModalEngine(scene.build()), scene.start()
    I = np.diag(0.4 / 12 * np.array([0.2**2 + 0.05**2, 0.1**2 + 0.05**2, 0.1**2 + 0.2**2]))

    def momentum(at):
        R = rotation_from_wxyz(at.q[3:])
        return R @ I @ R.T @ at.v[3:]

    before, start = engine.energies(state), momentum(state)
    state = engine.run(state, None, 1000).state
    after = engine.energies(state)
    assert abs(state.q[2] - (3.0 - 9.81 / 2)) < 1e-12
    figure("tumbling brick, 60 rad/s, 1 s: energy change [of it]", abs(sum(after) - sum(before)) / before[0], 1e-11)
    drift = np.abs(momentum(state) - start).max() / np.abs(start).max()
    assert np.linalg.norm(momentum(state)) / np.linalg.norm(start) - 1 < 1e-11
    assert drift < 0.05


def test_a_stiff_servo_needs_no_small_step():
    model, target = scenes.cross_fingers(2, gravity=0.0)
    model = model.replace(shapes=())
    engine = ModalEngine(model, target=target, stiffness=1e4, damping=1e2, dt=1e-2)
    state = engine.run(State.home(model), None, 500).state
    assert np.abs(state.q[:6] - target[:6]).max() < 1e-6


def test_floating_joints_stay_where_they_are():
    model, _ = scenes.cross_fingers(2)
    model = model.replace(shapes=())
    engine = ModalEngine(model, float_joints=True)
    state = engine.run(State.home(model), None, 200).state
    assert np.abs(state.q[:6] - model.q_home[:6]).max() < 1e-10
    sunk = ModalEngine(model).run(State.home(model), None, 200).state
    assert np.abs(sunk.q[:6] - model.q_home[:6]).max() > 0.1
