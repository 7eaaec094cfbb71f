"""Mass-centre coordinates: conversions are inverse and keep power; where a mesh has its frame does not matter to its motion."""

import numpy as np

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.centred import Centred
from carpal.model import ConvexMesh, Plane, Scene, Sphere, State
from carpal.spatial import rotation_about, rotation_from_wxyz

RIM = 2 * np.pi * np.arange(8) / 8
CONE = np.vstack([[0, 0, 0], np.c_[0.04 * np.cos(RIM), 0.04 * np.sin(RIM), np.full(8, 0.06)]])


def _top(shift, spin, lean, height=0.0):
    """A cone of eight faces whose frame is `shift` off its tip, and the place of the tip in its frame."""
    scene = Scene("top")
    R = np.asarray(rotation_about((1, 0, 0), lean))
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = R, R @ shift + [0, 0, height]
    w = spin * R[:, 2]
    twist = [*np.cross(w, R @ shift), *w]
    scene.add_object("top", ConvexMesh(CONE - shift), mass=0.3, pose=X, twist=twist)
    return scene.add_fixed("floor", Plane())


def _tip(state, shift):
    return state.q[:3] - np.asarray(rotation_from_wxyz(state.q[3:])) @ shift


def test_conversions_are_inverse_and_keep_power():
    model = _top(np.array([0.01, 0.02, 0.0]), 0.0, 0.0).build()
    centred, rng = Centred(model), np.random.default_rng(0)
    assert centred
    q, v, u = rng.normal(size=(5, 7)), rng.normal(size=(5, 6)), rng.normal(size=(5, 6))
    q[:, 3:] /= np.linalg.norm(q[:, 3:], axis=1, keepdims=True)
    inside = centred.inward(q, v, u)
    assert np.abs(np.sum(inside[1] * inside[2], -1) - np.sum(v * u, -1)).max() < 1e-14
    for back, given in zip(centred.outward(*inside[:2]), (q, v), strict=True):
        assert np.abs(back - given).max() < 1e-15
    assert np.abs(centred.model.bodies[0].inertia.com).max() == 0.0
    assert not Centred(Scene("ball").add_object("ball", Sphere(0.1), mass=1.0).build())


def test_a_body_flies_and_spins_the_same_wherever_its_frame_is(figure):
    away = np.array([0.02, -0.01, 0.045])
    ends = []
    for shift in (np.zeros(3), away):
        scene = _top(shift, 200.0, 0.5, height=5.0)
        state = ModalEngine(scene.build()).run(scene.start(), None, 300).state
        ends.append(np.r_[_tip(state, shift), state.q[3:], state.v[3:]])
    figure(
        "top in flight, 200 rad/s, 0.3 s: motion with two frames apart [m, rad/s]",
        np.abs(ends[0] - ends[1]).max(),
        1e-9,
    )


def test_a_top_on_its_tip_moves_the_same_wherever_its_frame_is():
    away, ends = np.array([0.0, 0.0, 0.045]), []
    for shift in (np.zeros(3), away):
        scene = _top(shift, 250.0, 0.2)
        state = ModalEngine(scene.build(), surface=Surface(mu=0.9)).run(scene.start(), None, 100).state
        ends.append(np.r_[_tip(state, shift), state.q[3:]])
    assert np.abs(ends[0] - ends[1]).max() < 1e-9


def test_a_force_on_a_frame_off_the_mass_centre_turns_with_the_body():
    scene = _top(np.array([0.03, 0.0, 0.0]), 50.0, 0.0, height=5.0)
    engine, u = ModalEngine(scene.build()), np.array([2.0, 0, 0, 0, 0, 0.01])
    once = engine.run_with_ledger(scene.start(), u, 20)
    state, work = scene.start(), 0.0
    for _ in range(20):
        state, ledger, _ = engine.run_with_ledger(state, u, 1)
        work += ledger[0]
    assert np.array_equal(once[0].q, state.q)
    assert abs(once[1][0] - work) < 1e-15
    assert isinstance(engine.step(State(0.0, state.q, state.v), u), State)
