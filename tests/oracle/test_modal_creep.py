"""What is held stays: creep of grasps and of mujoco#3328's pinch, beside MuJoCo in the same run."""

import modal_scenes as scenes
import numpy as np
import pytest
from modal_mujoco import SETTINGS, mujoco_twin

from carpal.engines import ModalEngine, Surface
from carpal.model import State


def _grasp(fingers):
    model, target = scenes.cross_fingers(fingers)
    surface = Surface(mu=0.6) if fingers > 2 else Surface(mu=0.6, tip="soft", torsion=0.004)
    return model, target, ModalEngine(model, surface=surface, target=target, **scenes.HAND_GAINS)


def _creep(engine, u, settle, steps):
    state = engine.run(State.home(engine.model), u, settle).state
    start = state.q[-7:-4]
    return float(np.linalg.norm(engine.run(state, u, steps).state.q[-7:-4] - start))


def _mujoco_creep(twin, data, body, settle, steps):
    import mujoco

    for _ in range(settle):
        mujoco.mj_step(twin, data)
    start = data.body(body).xpos.copy()
    for _ in range(steps):
        mujoco.mj_step(twin, data)
    return float(np.linalg.norm(data.body(body).xpos - start))


@pytest.mark.parametrize("fingers", [5, 3, 2])
def test_a_held_cube_does_not_creep_in_ten_seconds(fingers, figure):
    _, _, engine = _grasp(fingers)
    figure(f"{fingers} fingers hold a cube: creep in 10 s [m]", _creep(engine, None, 2000, 10_000), 1e-12)


@pytest.mark.parametrize("force", [12.0, 60.0])
def test_the_pinched_capsule_does_not_creep_in_ten_seconds(force, figure):
    model, u = scenes.pinch(force)
    engine = ModalEngine(model, surface=Surface(mu=0.7))
    figure(f"45 g capsule pinched with {force:g} N: creep in 10 s [m]", _creep(engine, u, 500, 10_000), 1e-12)


@pytest.mark.full
@pytest.mark.parametrize("setting", SETTINGS)
def test_mujoco_creeps_in_the_same_grasps(setting, figure):
    pytest.importorskip("mujoco")
    options = SETTINGS[setting]
    for fingers in (5, 3, 2):
        model, target, _ = _grasp(fingers)
        torsion = 0.004 if fingers == 2 else 0.0
        twin, data = mujoco_twin(model, 0.6, target, stiffness=3.0, damping=0.05, torsion=torsion, **options)
        crept = _mujoco_creep(twin, data, "cube", 2000, 10_000)
        figure(
            f"MuJoCo, {setting}: {fingers} fingers, creep in 10 s [m]", crept, 1e-9, at_least=True,
            note="dropped" if crept > 0.1 else "held, but it creeps",
        )  # fmt: skip
    for force in (12.0, 60.0):
        model, u = scenes.pinch(force)
        twin, data = mujoco_twin(model, 0.7, **options)
        data.qfrc_applied[:2] = u[:2]
        crept = _mujoco_creep(twin, data, "capsule", 500, 10_000)
        figure(f"MuJoCo, {setting}: capsule pinched with {force:g} N, creep in 10 s [m]", crept, 1e-9, at_least=True)
