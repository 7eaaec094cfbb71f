"""Files go to MuJoCo as they are, alone and in scenes; native MuJoCo is the judge."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from carpal.engines import MuJoCoEngine
from carpal.engines.mujoco.compiled import compile_model, silence
from carpal.model import Scene, Sphere, State
from carpal.model.readers.reading import read_file, read_text

ARM = """<mujoco><option timestep="0.004" integrator="implicitfast" cone="elliptic" impratio="10" density="1000"/>
  <default><joint damping="0.1" solreflimit="0.05 0.7"/><geom friction="0.4" condim="4" solref="0.01 0.8"/></default>
  <worldbody><geom type="plane" size="2 2 0.1"/>
    <body pos="0 0 0.5" gravcomp="0.3"><joint axis="0 1 0" range="-40 40" stiffness="3 2" springref="10"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.04"/>
      <body name="fore" pos="0.4 0 0"><joint axis="0 1 0" armature="0.01"/><joint axis="0 0 1" frictionloss="0.05"/>
        <geom name="tip" type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/><site name="s" pos="0.4 0 0"/></body></body>
    <body name="ball" pos="0.7 0 0.9"><freejoint/><geom size="0.05"/></body></worldbody>
  <tendon><fixed name="t" stiffness="2" springlength="0.1"><joint joint="{}" coef="1"/></fixed></tendon>
  <contact><exclude body1="fore" body2="ball"/></contact>
  <actuator><position name="servo" joint="{}" kp="20" kv="1" timeconst="0.05"/></actuator>
  <keyframe><key name="home" qpos="0.1 -0.3 0.2 0.7 0 0.9 1 0 0 0" ctrl="0.4"/></keyframe></mujoco>"""
NAMED = ARM.replace('<joint axis="0 1 0" armature', '<joint name="elbow" axis="0 1 0" armature').replace("{}", "elbow")


def native_path(text: str, steps: int, ctrl: float | None = None, dt: float | None = None) -> np.ndarray:
    there = mujoco.MjModel.from_xml_string(text)
    if ctrl is None:
        there.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_ACTUATION
    if dt is not None:
        there.opt.timestep = dt
    data = mujoco.MjData(there)
    mujoco.mj_resetDataKeyframe(there, data, 0)
    data.ctrl[:] = ctrl or 0.0
    with silence():
        for _ in range(steps):
            mujoco.mj_step(there, data)
    return data.qpos.copy()


def run(engine: MuJoCoEngine, state: State, steps: int) -> State:
    for _ in range(steps):
        state = engine.step(state, np.zeros(engine.model.nv))
    return state


@pytest.fixture(scope="module")
def arm():
    with pytest.warns(UserWarning, match="density"):
        return read_text(NAMED)


def test_a_file_moves_as_native_mujoco_moves_it(arm):
    engine = MuJoCoEngine(arm)
    assert (engine.native, engine.dt, engine.integrator) == (True, 0.004, "implicitfast")
    assert np.array_equal(run(engine, State.home(arm), 150).q, native_path(NAMED, 150))
    short = MuJoCoEngine(arm, dt=0.001)
    assert np.array_equal(run(short, State.home(arm), 100).q, native_path(NAMED, 100, dt=0.001))
    first = run(short, State.home(arm), 50)
    other = MuJoCoEngine(arm, dt=0.001)  # without what the solver remembers, to its tolerance
    assert np.allclose(run(other, first, 50).q, run(short, first, 50).q, rtol=0, atol=1e-6)


def test_native_actuators_act_on_controls_with_their_activations(arm):
    engine = MuJoCoEngine(arm, controls=[0.6])
    assert np.array_equal(run(engine, State.home(arm), 100).q, native_path(NAMED, 100, ctrl=0.6))
    engine = MuJoCoEngine(arm, controls="home")
    assert engine.controls.tolist() == [0.4]
    assert np.abs(run(engine, State.home(arm), 100).q - native_path(NAMED, 100)).max() > 1e-3


def test_batches_are_single_runs(arm):
    q = np.array([arm.q_home, arm.q_home + 0.01])
    both = MuJoCoEngine(arm)
    state = run(both, State(0.0, q, np.zeros((2, arm.nv))), 20)
    for world in range(2):
        alone = run(MuJoCoEngine(arm), State(0.0, q[world], np.zeros(arm.nv)), 20)
        assert np.array_equal(alone.q, state.q[world])


def test_a_scene_attaches_the_file_and_keeps_its_settings(arm):
    scene = Scene("hall").add_robot(arm, name="r", pose=[0.0, 0.0, 0.25])
    scene.add_object("stone", Sphere(0.1), mass=2.0, pose=[5.0, 0.0, 3.0])
    model = scene.build()
    engine = MuJoCoEngine(model)
    assert (engine.native, engine.dt) == (True, 0.004)
    lifted = NAMED.replace("<worldbody>", '<worldbody><frame pos="0 0 0.25">').replace(
        "</worldbody>", "</frame></worldbody>"
    )
    there = mujoco.MjModel.from_xml_string(lifted)
    compiled = engine.compiled
    assert np.allclose(compiled.body_mass[compiled.body("r/fore").id], there.body_mass[there.body("fore").id])
    for what in ("cone", "impratio", "density", "integrator"):
        assert getattr(compiled.opt, what) == getattr(there.opt, what), what
    assert np.allclose(compiled.geom_solref[compiled.geom("r/tip").id], [0.01, 0.8])
    got = run(engine, scene.start(), 50).q[: arm.nq]
    data = mujoco.MjData(there)
    there.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_ACTUATION
    data.qpos[:] = arm.q_home
    for _ in range(50):
        mujoco.mj_step(there, data)
    assert np.allclose(got, data.qpos, rtol=0, atol=1e-9)


def test_scenes_with_two_files_a_free_mount_and_an_exclusion(arm):
    small = read_text('<mujoco><worldbody><body name="fore"><joint/><geom size="0.1"/></body></worldbody></mujoco>')
    scene = Scene("two").add_robot(arm, name="a").exclude("a", "b")
    scene.add_robot(small, name="b", pose=[0, 3, 0], mount="free")
    scene.add_robot("so101", name="c", pose=[0, 6, 0])
    engine = MuJoCoEngine(scene.build())
    assert engine.native
    pairs = {frozenset((s >> 16, s & 0xFFFF)) for s in engine.compiled.exclude_signature.tolist()}
    assert frozenset(engine.compiled.body(name).id for name in ("a/fore", "b/fore")) in pairs
    assert engine.compiled.nv == engine.model.nv
    engine.step(scene.start(), np.zeros(engine.model.nv))


def test_contacts_name_the_bodies(arm):
    q = np.array(arm.q_home)
    q[5] = 0.04
    engine = MuJoCoEngine(arm)
    found = engine.contacts(State(0.0, q, np.zeros(arm.nv)), np.zeros(arm.nv))
    assert {(contact.a, contact.b) for contact in found} == {("", "ball")}


def test_a_changed_model_gets_what_carpal_writes(arm):
    changed = arm.with_payload(0.1)
    assert not changed.native
    assert MuJoCoEngine(changed).native is False


def test_a_file_that_mujoco_refuses_is_warned_about(arm):
    part = arm.native[0].to_dict()
    broken = arm.replace(native=(type(arm.native[0]).from_dict(part | {"text": "<mujoco><nonsense/></mujoco>"}),))
    with pytest.warns(UserWarning, match="without the file's solver settings"):
        _, native = compile_model(broken)
    assert not native


def test_attached_models_go_with_their_file(tmp_path):
    child = '<mujoco model="c"><default><geom friction="0.2"/></default><worldbody><body name="root"><joint name="j"/>'
    (tmp_path / "child.xml").write_text(child + '<geom size="0.1" pos="0.2 0 0"/></body></worldbody></mujoco>')
    text = '<mujoco><asset><model name="c" file="child.xml"/></asset><worldbody><body name="base" pos="0 0 1"><joint/>'
    text += '<geom size="0.1"/><attach model="c" body="root" prefix="l_"/></body></worldbody></mujoco>'
    (tmp_path / "main.xml").write_text(text)
    model = read_file(tmp_path / "main.xml")
    (tmp_path / "child.xml").unlink()  # the text is kept
    engine = MuJoCoEngine(model)
    assert engine.native
    assert engine.compiled.geom_friction[:, 0].tolist() == [1.0, 0.2]
    assert "l_j" in model.joint_names
