"""Trees in full coordinates go where the rigid engine takes them, and what a mechanism cannot hold is said."""

import numpy as np
import penalty_inputs as inputs
import pytest
import setup_inputs as setup

import carpal
from carpal.engines import PenaltyEngine, RigidEngine, mechanism_of, stiffened
from carpal.errors import InputError, ModelError
from carpal.model import Body, Box, Joint, Model, PlacedShape, Plane, Scene, Sphere, State
from carpal.spatial import Inertia, pose


def _distance(model, duration, dt, seed=0, q=None):
    """Farthest body [m] from where `rigid` has it, both from the same random velocities."""
    rng = np.random.default_rng(seed)
    v = rng.uniform(-0.5, 0.5, model.nv)
    tree = mechanism_of(model, q, v)
    engine = PenaltyEngine(stiffened(tree.mechanism, dt), dt=dt)
    poses = tree.poses(engine.run(engine.start(), steps=round(duration / dt)).state.q)
    rigid = RigidEngine(model, dt=1e-4)
    state = State(0.0, model.q_home if q is None else q, v)
    end = rigid.run(state, np.zeros(model.nv), round(duration / 1e-4)).state.q
    return max(np.linalg.norm(poses[b.name][:3, 3] - carpal.fk(model, end, b.name)[:3, 3]) for b in model.bodies)


@pytest.mark.parametrize("damping", [0.0, 0.1])
def test_every_kind_of_joint_moves_as_in_the_rigid_engine(damping, figure):
    model = setup.mixed_tree(damping=damping)
    far = [_distance(model, 0.1, dt) for dt in (4e-5, 2e-5)]
    figure(f"tree of all joint kinds, damping {damping:g}: farthest body from rigid, 0.1 s at 2e-5 s [m]", far[1], 5e-6)
    figure("the same: gain of half the step (four times the stiffness)", far[0] / far[1], 2.5, at_least=True)


@pytest.mark.parametrize("name", ["so101_old", "k10"])
def test_robots_of_the_catalogue_move_as_in_the_rigid_engine(name, figure):
    model = carpal.load(name) if name == "so101_old" else carpal.load(name, inertia="assumed")
    far = _distance(model, 0.1, 2e-5, q=np.linspace(0.3, -0.4, model.nq))
    figure(f"{name} by penalty: farthest body from rigid after 0.1 s [m]", far, 5e-6)


def test_a_hinged_tree_is_the_mechanism_that_was_built_by_hand():
    by_hand, model = inputs.hinged_tree(4, 12, 1e6)
    made = mechanism_of(model).mechanism
    assert [body.name for body in made.bodies] == [body.name for body in by_hand.bodies]
    for one, other in zip(made.bodies, by_hand.bodies, strict=True):
        assert np.allclose(one.X_WB, other.X_WB, atol=1e-14)
    for i in range(12):  # the same axis, whatever the span
        pairs = [[j for j in m.joints if j.name.startswith(f"j{i}/")] for m in (made, by_hand)]
        a, b = (pair[1].p_BP - pair[0].p_BP for pair in pairs)
        assert np.allclose(a / np.linalg.norm(a), b / np.linalg.norm(b), atol=1e-12)


def test_fixed_bodies_are_one_and_the_world_holds_what_is_welded_to_it():
    tree = mechanism_of(setup.mixed_tree())
    assert [body.name for body in tree.mechanism.bodies] == ["upper", "sleeve", "lower", "hand", "ship", "mast"]
    assert tree.group["base"] is None and tree.group["clamp"] == "sleeve"
    start = PenaltyEngine(stiffened(tree.mechanism, 2e-5), dt=2e-5).start()
    poses = tree.poses(start.q)
    for body in tree.model.bodies:
        assert np.allclose(poses[body.name], carpal.fk(tree.model, tree.model.q_home, body.name), atol=1e-14)
    total = sum(body.inertia.mass for body in tree.mechanism.bodies)
    assert total + tree.model.body("base").inertia.mass == pytest.approx(tree.model.mass)


def test_a_scene_brings_its_objects_their_twists_and_who_touches_whom():
    rod = Inertia(0.5, [0.1, 0, 0], 1e-3 * np.eye(3))
    bodies = (
        Body("base", None, Joint("weld"), rod),
        Body("link", "base", Joint("pin", "revolute", axis=[0, 1, 0]), rod),
        Body("tip", "link", Joint("end", "revolute", X_PJ=pose(p=[0.2, 0, 0]), axis=[0, 1, 0]), rod),
    )
    shapes = tuple(PlacedShape(f"{b.name}_box", b.name, Sphere(0.03)) for b in bodies)
    scene = Scene("s").add_robot(Model("r", bodies, shapes=shapes), name="r", pose=[0, 0, 0.5])
    scene.add_object("ball", Sphere(0.03), mass=0.1, pose=[1, 0, 1], twist=[1, 2, 3, 4, 5, 6]).add_fixed(
        "floor", Plane()
    )
    made = mechanism_of(scene).mechanism
    assert [m.body for m in made.prescribed] == ["r/base"] and [s.name for s in made.fixed] == ["floor"]
    assert made.bodies[made.body_index("ball")].V_WB.tolist() == [1, 2, 3, 4, 5, 6]
    left_out = {frozenset(pair) for pair in made.untouched}
    assert left_out == {
        frozenset(p) for p in (("r/base", "r/link"), ("r/link", "r/tip"), ("r/base", None))
    }  # neighbours, and what stands
    scene.exclude("r/tip", "ball")
    assert frozenset(("r/tip", "ball")) in {frozenset(p) for p in mechanism_of(scene).mechanism.untouched}


def test_a_ball_comes_to_rest_on_the_floor_of_a_scene():
    scene = Scene("drop").add_object("ball", Sphere(0.03), mass=0.05, pose=[0, 0, 0.04]).add_fixed("floor", Plane())
    scene.add_object("box", Box((0.1, 0.1, 0.1)), mass=0.5, pose=[1, 0, 0.0505])
    engine = PenaltyEngine(mechanism_of(scene).mechanism, dt=2e-5)
    end = engine.run(engine.start(), steps=25_000).state.q.reshape(-1, 7)
    assert end[:, 2] == pytest.approx([0.03, 0.05], abs=2e-4)


def test_a_ball_lands_on_a_robots_base():
    rod = Inertia(0.5, [0.1, 0, 0], 1e-3 * np.eye(3))
    base = PlacedShape("block", "base", Box((0.2, 0.2, 0.1)))
    link = Body("link", "base", Joint("pin", "revolute", axis=[0, 0, 1]), rod)
    bodies = (Body("base", None, Joint("weld"), Inertia.nothing()), link)
    scene = Scene("s").add_robot(Model("r", bodies, shapes=(base,)), name="r", pose=[0, 0, 0.05])
    scene.add_object("ball", Sphere(0.03), mass=0.05, pose=[0.02, 0, 0.1305])
    engine = PenaltyEngine(stiffened(mechanism_of(scene).mechanism, 2e-5), dt=2e-5)
    end = engine.run(engine.start(), steps=15_000).state.q.reshape(-1, 7)
    at = engine.mechanism.body_index
    assert end[at("ball"), 2] == pytest.approx(0.13, abs=2e-4) and end[at("r/base"), 2] == pytest.approx(
        0.05, abs=1e-15
    )


def test_massless_carriages_are_refused_or_given_a_mass(figure):
    arm = carpal.load("so101_old")
    scene = Scene("table").add_robot(arm, name="arm", mount="slide_xy")
    with pytest.raises(ModelError, match="body 'arm/slide_x' has no mass"):
        mechanism_of(scene)
    tree = mechanism_of(scene, massless=0.2)
    assert any("was given 0.2 kg" in note for note in tree.notes)
    assert any("slides without limits end after 10 m" in note for note in tree.notes)
    engine = PenaltyEngine(stiffened(tree.mechanism, 2e-5), dt=2e-5)
    end = engine.run(engine.start(), steps=2500).state
    figure("so101_old on a sliding table: largest joint gap after 0.05 s [m]", float(engine.worst_gap(end)[0]), 1e-5)


def test_commands_are_what_the_actuators_measure():
    from carpal.engines import actuator_values

    model = setup.mixed_tree()
    tree = mechanism_of(model, drives=True)
    assert tree.driven == ("shoulder", "slide", "wrist", "mast")
    q = PenaltyEngine(stiffened(tree.mechanism, 2e-5), dt=2e-5).start().q
    assert np.allclose(actuator_values(tree.mechanism, q), tree.command(model.q_home), atol=1e-14)


def test_what_is_left_out_is_said():
    model = setup.chain(1, q_min=-1, q_max=1, armature=0.01)
    notes = mechanism_of(model).notes
    assert notes[0] == "the rotor inertia of joint 'j0' turns with its child body."
    assert notes[1] == "limits of hinges do not act (j0)."
    heavier = mechanism_of(model).mechanism.bodies[0].inertia.about_com
    assert heavier[1, 1] == pytest.approx(model.bodies[0].inertia.about_com[1, 1] + 0.01)


def test_bad_input_gets_one_sentence():
    with pytest.raises(InputError, match="takes a Scene or a Model; got str"):
        mechanism_of("so101_old")
    with pytest.raises(InputError, match="finite q"):
        mechanism_of(setup.chain(2), q=[np.nan, 0.0])
    with pytest.raises(InputError, match="massless must be"):
        mechanism_of(setup.chain(2), massless=0.0)
    with pytest.raises(ModelError, match="no moving joint"):
        mechanism_of(Model("post", (Body("post", None, Joint("weld"), Inertia(1, [0, 0, 0], np.eye(3))),)))


def test_masks_and_contact_pairs_reach_the_mechanism():
    solid = Inertia(1.0, np.zeros(3), np.eye(3))
    bodies = [Body(name, None, Joint(name, "free"), solid) for name in ("a", "b")]
    shapes = [
        PlacedShape("a0", "a", Sphere(0.1)), PlacedShape("a1", "a", Sphere(0.2), contype=2, conaffinity=2),
        PlacedShape("b0", "b", Sphere(0.1)), PlacedShape("floor", None, Plane(), contype=2, conaffinity=2),
    ]  # fmt: skip
    made = mechanism_of(Model("m", tuple(bodies), shapes=tuple(shapes))).mechanism
    assert made.untouched == (("b", None),)
    assert {frozenset(pair) for pair in made.untouched_shapes} == {frozenset(("a1", "b0")), frozenset(("a0", "floor"))}
    paired = mechanism_of(Model("m", tuple(bodies), shapes=tuple(shapes), contact_pairs=(("b0", "floor"),))).mechanism
    assert paired.untouched == () and paired.untouched_shapes == made.untouched_shapes
