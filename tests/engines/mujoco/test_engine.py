"""MuJoCo on the same State: it equals the rigid engine where nothing touches, and reports what touches elsewhere."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from random_models import random_state, random_tree

import carpal
from carpal.engines import MuJoCoEngine, RigidEngine
from carpal.errors import DivergedError, InputError, UnknownNameError
from carpal.kinematics import fk
from carpal.model import NV, Body, Box, Joint, Model, Plane, Scene, Sphere, State
from carpal.spatial import Inertia

Figure = Callable[..., None]
TIME = 0.1


def end_of(engine: RigidEngine | MuJoCoEngine, start: State, u: np.ndarray, steps: int) -> State:
    for _ in range(steps):
        start = engine.step(start, u)
    return start


def apart(model: Model, a: State, b: State, prefix: str = "") -> float:
    """Largest difference of the pose of any frame of that prefix; a quaternion's sign does not count."""
    frames = [frame for frame in model.frames if frame.startswith(prefix)]
    return max(float(np.abs(fk(model, a.q, frame) - fk(model, b.q, frame)).max()) for frame in frames)


def forces(model: Model, rng: np.random.Generator, size: float = 1.0) -> np.ndarray:
    """Random forces, none that turn a ball or free body: MuJoCo holds those in the child's axes during a step."""
    u = size * rng.normal(size=model.nv)
    first = 0
    for kind, _ in model.joint_slices():
        if kind in ("ball", "free"):
            u[first + NV[kind] - 3 : first + NV[kind]] = 0.0
        first += NV[kind]
    return u


def tree(seed: int) -> Model:
    """Any joints, damping too; free joints on the world, which is all that MuJoCo has."""
    model = random_tree(seed, joints=9, free="root")
    bodies = [replace(body, joint=replace(body.joint, damping=0.05 * (i % 3))) for i, body in enumerate(model.bodies)]
    return model.replace(bodies=tuple(bodies))


@pytest.mark.parametrize("seed", range(8))
def test_random_scenes_without_contact_converge_to_mujocos_at_the_order(seed: int, figure: Figure) -> None:
    """Against MuJoCo in steps sixteen times as short, so that its own error does not count."""
    model = tree(seed)
    rng = np.random.default_rng(seed)
    q, v, _ = random_state(model, rng)
    start, u = State(0.0, q, v), forces(model, rng)
    fine = end_of(MuJoCoEngine(model, dt=TIME / 640, limits=False), start, u, 640)
    kinds = " ".join(sorted({kind for kind, _ in model.joint_slices()}))
    for integrator, order in (("rk4", 4.0), ("symplectic", 1.0)):
        gaps = []
        for steps in (20, 40):
            engine = RigidEngine(model, dt=TIME / steps, integrator=integrator)
            gaps.append(apart(model, engine.run(start, u, steps).state, fine))
        what = f"rigid ({integrator}) against MuJoCo, tree {seed} ({kinds}), 0.1 s"
        figure(f"{what}: observed order of the difference", np.log2(gaps[0] / gaps[1]), order - 0.25, at_least=True)
        if integrator == "rk4":
            figure(f"{what}: difference at dt = 2.5 ms [m]", gaps[1], 1e-6)


@pytest.mark.parametrize("seed", range(8))
def test_the_same_first_order_step_is_the_same_to_rounding(seed: int, figure: Figure) -> None:
    model = tree(seed)
    rng = np.random.default_rng(seed)
    q, v, _ = random_state(model, rng)
    start, u = State(0.0, q, v), rng.normal(size=model.nv)
    ours = end_of(RigidEngine(model, dt=2e-3, integrator="symplectic"), start, u, 1)
    theirs = end_of(MuJoCoEngine(model, dt=2e-3, integrator="euler", limits=False), start, u, 1)
    figure(f"symplectic step against MuJoCo's Euler, tree {seed}: v apart / largest v",
           np.abs(ours.v - theirs.v).max() / np.abs(ours.v).max(), 1e-12)  # fmt: skip
    figure(f"symplectic step against MuJoCo's Euler, tree {seed}: poses apart", apart(model, ours, theirs), 1e-13)


@pytest.mark.parametrize("name", carpal.robots())
def test_catalogue_robots_beside_a_tumbling_box(name: str, figure: Figure) -> None:
    options = {"inertia": "assumed"} if not carpal.load(name).has_inertia else {}
    scene = Scene().add_robot(name, name="arm", mount="slide_xy", pose=[0.1, 0.2, 0.3], **options)
    scene.add_object("box", Box((0.1, 0.2, 0.3)), mass=0.5, pose=[5.0, 0.0, 0.0], twist=[1, 2, 3, 4, 5, 6])
    model = scene.build()
    rng = np.random.default_rng(1)
    start, u = scene.start(), forces(model, rng, 1e-3)
    fine = end_of(MuJoCoEngine(model, dt=TIME / 640, limits=False), start, u, 640)
    ends = [RigidEngine(model, dt=TIME / steps).run(start, u, steps).state for steps in (20, 40)]
    gaps, arm = [apart(model, end, fine) for end in ends], apart(model, ends[1], fine, "arm/")
    figure(f"{name} on a table, rigid against MuJoCo: difference at dt = 2.5 ms", arm, 2e-7)
    figure(f"{name} and a tumbling box, rigid against MuJoCo: difference at dt = 2.5 ms", gaps[1], 1e-6)
    figure(f"{name} and a tumbling box: observed order", np.log2(gaps[0] / gaps[1]), 3.7, at_least=True)


def table_with_ball(height: float) -> Scene:
    scene = Scene().add_fixed("floor", Plane()).add_object("ball", Sphere(0.1), mass=0.5, pose=[0, 0, height])
    return scene.add_object("brick", Box((0.2, 0.2, 0.2)), mass=1.0, pose=[1.0, 0.0, 5.0])


def test_a_ball_at_rest_is_carried_by_the_floor(figure: Figure) -> None:
    scene = table_with_ball(0.1)
    engine = MuJoCoEngine(scene.build(), dt=1e-3, integrator="implicitfast")
    state = end_of(engine, scene.start(), np.zeros(12), 500)
    (contact,) = engine.contacts(state, np.zeros(12))
    assert (contact.a, contact.b, contact.mode) == ("", "ball", "")
    assert np.allclose(contact.normal, [0, 0, 1]) and 0 < contact.depth < 0.01
    figure(
        "ball at rest: contact force off its weight [N]", np.abs(np.subtract(contact.force, [0, 0, 4.905])).max(), 1e-4
    )
    assert contact.point[2] == pytest.approx(-contact.depth / 2, abs=1e-9)


def test_an_impact_is_in_the_ledger(figure: Figure) -> None:
    """A dropped ball loses its energy in the contact; the ledger finds it, better in shorter steps."""
    rest = []
    for dt in (1e-3, 2.5e-4):
        scene = table_with_ball(0.3)
        engine = MuJoCoEngine(scene.build(), dt=dt, integrator="euler")
        state, lost = scene.start(), 0.0
        first = sum(engine.energies(state))
        for _ in range(round(0.6 / dt)):
            state, work, heat, *_ = engine.advance(state, np.zeros(12))
            lost += float(heat)
            assert work == 0.0
        rest.append(abs(float(sum(engine.energies(state)) - first + lost)) / lost)
    assert lost > 0.5
    figure("dropped ball in MuJoCo: energy residual / energy lost, dt = 0.25 ms", rest[1], 0.05)
    figure("dropped ball in MuJoCo: residual at dt = 0.25 ms / at 1 ms", rest[1] / rest[0], 0.5)


def test_the_ledger_without_contact_is_of_second_order(figure: Figure) -> None:
    model, rest = tree(3), []
    q, v, _ = random_state(model, np.random.default_rng(3))
    u = forces(model, np.random.default_rng(3))
    for steps in (50, 100):
        engine, state = MuJoCoEngine(model, dt=TIME / steps, limits=False), State(0.0, q, v)
        balance = -float(sum(engine.energies(state)))
        for _ in range(steps):
            state, work, heat, *_ = engine.advance(state, u)
            balance += float(heat - work)
        rest.append(abs(balance + float(sum(engine.energies(state)))))
    figure("damped driven tree in MuJoCo: observed order of the ledger", np.log2(rest[0] / rest[1]), 1.8, at_least=True)


def test_joint_limits_can_be_left_out() -> None:
    joint = Joint("hinge", "revolute", axis=[0, 1, 0], q_min=-0.2, q_max=0.2)
    model = Model(name="arm", bodies=(Body("arm", None, joint, Inertia(1.0, [0.5, 0, 0], 0.01 * np.eye(3))),))
    stopped, free = (end_of(MuJoCoEngine(model, limits=x), State.home(model), np.zeros(1), 500) for x in (True, False))
    assert abs(stopped.q[0]) < 0.3 < 1.0 < abs(free.q[0])


def test_a_step_depends_on_nothing_but_its_state() -> None:
    """Many worlds are one world each, whatever ran before: nothing of the solver's memory is kept."""
    scene = table_with_ball(0.0999)
    model = scene.build()
    engine, u = MuJoCoEngine(model), np.zeros(model.nv)
    start = scene.start()
    once = engine.step(start, u)
    end_of(engine, start, u, 20)
    many = State(0.0, np.stack([start.q] * 3), np.stack([start.v, start.v + 0.1, start.v]))
    batch = engine.step(many, u)
    assert once.q.tobytes() == batch.q[0].tobytes() == batch.q[2].tobytes() != batch.q[1].tobytes()


def test_divergence_is_caught_within_ten_steps_and_named(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    joint = Joint("wild", "revolute", damping=10.0)
    model = Model(name="stiff", bodies=(Body("b", None, joint, Inertia(1.0, np.zeros(3), 0.01 * np.eye(3))),))
    engine, state, steps, text = MuJoCoEngine(model, dt=0.01), State(0.0, np.zeros(1), np.ones(1)), 0, ""
    while not text:
        try:
            state, steps = engine.step(state, np.zeros(1)), steps + 1
        except DivergedError as error:
            text = str(error)
    assert steps < 10
    assert "diverged at joint 'wild'" in text and "try dt = 0.001 s" in text
    away = State(0.0, np.array([0.3]), np.zeros(1))
    with pytest.raises(DivergedError, match="at t = 0 s diverged at joint 'wild'"):
        engine.step(away, np.array([1e13]))  # MuJoCo itself would begin again at home
    assert not list(tmp_path.iterdir())  # MuJoCo writes no log file


def test_bad_input_is_one_sentence() -> None:
    model = carpal.load("so101_old")
    engine, home = MuJoCoEngine(model), State.home(model)
    with pytest.raises(UnknownNameError, match="unknown integrator 'symplectic'"):
        MuJoCoEngine(model, integrator="symplectic")
    with pytest.raises(InputError, match=r"u\[2\] is nan; all numbers must be finite"):
        engine.step(home, [0, 0, np.nan, 0, 0])
    with pytest.raises(InputError, match="needs 5 real numbers on its last axis"):
        engine.step(home, np.zeros(4))
    with pytest.raises(InputError, match=r"needs q \(\*batch, 5\)"):
        engine.step(State(0.0, np.zeros(4), np.zeros(5)), np.zeros(5))
    with pytest.raises(InputError, match=r"contacts\(\) takes one world; got a batch \(2,\)"):
        engine.contacts(State.home(model, batch=(2,)), np.zeros(5))


def test_mujoco_is_imported_only_when_used() -> None:
    code = "import sys; from carpal.engines import RigidEngine, MuJoCoEngine, simulate; print('mujoco' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
