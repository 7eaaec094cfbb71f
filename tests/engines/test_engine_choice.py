"""Engines by name for scenes, models, linkages and mechanisms."""

import numpy as np
import pytest
import setup_inputs as setup
from linkage_inputs import linkage

import carpal
from carpal.engines import ENGINES, ContactLaw, ModalEngine, Surface, engine_for, mechanism_of
from carpal.engines.penalty.kernels.touch import FRICTION
from carpal.errors import InputError, UnknownNameError
from carpal.model import Plane, Scene, Sphere


def _scene():
    scene = Scene("table").add_robot("so101_old", name="arm").add_fixed("floor", Plane(), pose=[0, 0, -1])
    return scene.add_object("ball", Sphere(0.02), mass=0.01, pose=[0.5, 0, 0.1])


@pytest.mark.parametrize("name", ENGINES)
def test_a_scene_runs_in_every_engine_and_falls_alike(name):
    opened = engine_for(_scene(), name)
    assert opened.engine.name == name and opened.engine.dt == ENGINES[name]
    state, idle = opened.state, np.zeros(opened.engine.model.nv)
    for _ in range(round(0.02 / opened.engine.dt)):
        state = opened.engine.step(state, idle)
    ball = opened.engine.model.q_index("ball")
    assert state.q[ball + 2] == pytest.approx(0.1 - 0.5 * 9.81 * 0.02**2, abs=1e-4)
    assert any("has no contact" in note for note in opened.notes) == (name == "rigid")


def test_joints_follow_the_step_or_what_is_asked_for():
    by_step = engine_for(setup.chain(2), dt=1e-4).engine
    assert by_step.stable_step == pytest.approx(2e-4, rel=1e-3)
    given = engine_for(setup.chain(2), dt=1e-6, stiffness=1e6).engine
    assert {(j.stiffness, j.damping) for j in given.mechanism.joints} == {(1e6, 1e2)}
    own = mechanism_of(setup.chain(2)).mechanism
    assert engine_for(own).engine.mechanism is own
    with pytest.raises(InputError, match="largest stable step is"):
        engine_for(own, dt=1e-2)


def test_contacts_are_softened_with_a_note_or_as_asked():
    light = Scene("s").add_object("pea", Sphere(0.005), mass=1e-4).add_fixed("floor", Plane())
    opened = engine_for(light, dt=1e-4)
    assert opened.engine.contact.stiffness < 1e9 and "contacts are softened to" in opened.notes[-1]
    law = ContactLaw(stiffness=1e5, tangential=1e5, damping=1.0)
    assert engine_for(light, dt=1e-4, contact=law).engine.contact == law


def test_commands_hold_the_start_and_a_drive_goes_to_its_stop():
    made = linkage("crossed_finger")
    first, last = engine_for(made).command
    assert first == pytest.approx([made.drive.start]) and last == pytest.approx([made.drive.stop])
    assert engine_for(made, drive=0.02).command[1] == pytest.approx([0.02])
    with pytest.raises(InputError, match="inside the stroke"):
        engine_for(made, drive=0.5)
    opened = engine_for(setup.chain(2), sag=0.01)
    assert opened.command[0] == pytest.approx([0.3, 0.3]) and opened.engine.mechanism.actuators[0].P > 0
    assert engine_for(setup.chain(2)).command is None and engine_for(setup.chain(2)).tree.model.name == "chain"


@pytest.mark.parametrize("name", ENGINES)
def test_gravity_can_be_given(name):
    scene = _scene()
    opened = engine_for(scene, name, gravity=[0, 0, 1.0])
    assert opened.engine.model.gravity.tolist() == [0, 0, 1] and scene.gravity[2] == -9.81


def test_bad_input_gets_one_sentence():
    made = linkage("crossed_finger")
    for call, sentence in (
        (lambda: engine_for("so101_old"), "got str"),
        (lambda: engine_for(made, "rigid"), "linkage 'crossed_finger' is no tree of joints"),
        (lambda: engine_for(made.mechanism(), "mujoco"), "mechanism 'crossed_finger' is no tree"),
        (lambda: engine_for(_scene(), "rigid", sag=0.1), "sag is for the penalty engine; the engine is 'rigid'"),
        (lambda: engine_for(_scene(), "mujoco", device="cuda"), "runs on the cpu"),
        (lambda: engine_for(_scene(), drive=0.1), "drive is for linkages"),
        (lambda: engine_for(_scene(), stiffness=-1.0), "stiffness must be above zero"),
        (lambda: engine_for(_scene(), dt=0.0), "dt must be"),
        (lambda: engine_for(_scene(), gravity=[0, 1]), "gravity must be 3 finite numbers"),
    ):
        with pytest.raises(InputError, match=sentence):
            call()
    with pytest.raises(UnknownNameError, match="penalty"):
        engine_for(_scene(), "penalti")
    assert carpal.load("so101_old").nv == 5


def test_a_surface_is_for_engines_with_contact():
    scene = Scene("ball").add_object("ball", Sphere(0.1), mass=1.0, pose=[0, 0, 0.1]).add_fixed("floor", Plane())
    opened = engine_for(scene, "modal", surface=Surface(mu=0.2), accurate=True)
    assert isinstance(opened.engine, ModalEngine)
    assert opened.engine.surface.mu == 0.2 and opened.engine.accurate
    for name in ("penalty", "mujoco"):
        assert engine_for(scene, name, surface={"mu": 0.2}).engine.options["surface"]["mu"] == 0.2
        assert "surface" not in engine_for(scene, name).engine.options
    for name in ("penalty", "rigid", "mujoco"):
        with pytest.raises(InputError, match="accurate is for the modal engine"):
            engine_for(scene, name, accurate=True)
    for call, says in (
        (lambda: engine_for(scene, "rigid", surface=Surface()), "surface is for engines with contact"),
        (lambda: engine_for(linkage("crossed_finger"), surface=Surface()), "a linkage or mechanism takes contact"),
        (lambda: engine_for(scene, surface=Surface(), contact=ContactLaw()), "give surface or contact, not both"),
    ):
        with pytest.raises(InputError, match=says):
            call()


def test_surfaces_of_a_scene_reach_every_engine_with_contact():
    scene = Scene("two").add_fixed("floor", Plane()).add_object("a", Sphere(0.1), mass=1.0, pose=[0, 0, 0.1])
    scene.add_object("b", Sphere(0.1), mass=1.0, pose=[1, 0, 0.1])
    scene.add_surface(mu=0.3).add_surface("b", "floor", mu=0.0)
    engine = engine_for(scene, "modal", surface={"restitution": 0.5}).engine
    assert engine.surface == Surface(mu=0.3, restitution=0.5) and engine.surfaces == {"b+floor": Surface(mu=0.0)}
    assert engine.tables.surfaces[:, 0].tolist().count(0.0) == 1
    penalty = engine_for(scene, "penalty").engine
    assert sorted(penalty.tables.contacts.pairs[:, FRICTION].tolist()) == [0.0, 0.3, 0.3]
    for name in ("modal", "penalty", "mujoco"):
        with pytest.raises(UnknownNameError, match="unknown shape, body or robot in surfaces 'c'"):
            engine_for(_with_unknown(scene), name)


def _with_unknown(scene):
    return Scene.from_toml(scene.to_toml()).add_surface("c", mu=1.0)


def test_what_an_engine_cannot_do_of_a_surface_is_named():
    scene = Scene("ball").add_object("ball", Sphere(0.1), mass=1.0, pose=[0, 0, 0.1]).add_fixed("floor", Plane())
    scene.add_surface(
        "ball", "floor", compliance=1e-4, tip="soft", torsion=0.01, restitution={"kind": "exponential"}, mu_static=0.9,
        rolling=1e-3,
    )  # fmt: skip
    said = {name: " ".join(engine_for(scene, name).notes) for name in ("modal", "penalty", "mujoco")}
    assert "compliance of the surface of ball and floor is left out" in said["modal"]
    assert "the soft tip of the surface of ball and floor is a hard one" in said["penalty"]
    for name in ("penalty", "mujoco"):
        assert "restitution of the surface of ball and floor is the constant 0.95" in said[name]
        assert "static friction of the surface of ball and floor is left out" in said[name]
    for name in ("modal", "penalty"):
        assert "rolling friction of the surface of ball and floor is left out" in said[name]
    assert "rolling" not in said["mujoco"] and "static" not in said["modal"]
