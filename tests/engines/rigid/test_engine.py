"""The rigid engine: its order, its ledger, prescribed joints, many worlds, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from random_models import random_chain, random_state, random_tree

import carpal
from carpal.dynamics import forward_dynamics, inverse_dynamics, mass_matrix
from carpal.engines import RigidEngine
from carpal.errors import CarpalError, DivergedError, InputError, MissingInertiaError, UnknownNameError
from carpal.model import Body, Joint, Model, Scene, State
from carpal.spatial import Inertia

Figure = Callable[..., None]


def mixed_tree(seed: int) -> Model:
    """The first tree at or after 1000 x seed that has a ball, a free and a revolute joint."""
    for number in range(1000 * seed, 1000 * seed + 1000):
        model = random_tree(number, joints=8, free="anywhere")
        if {"ball", "free", "revolute"} <= {kind for kind, _ in model.joint_slices()}:
            return model
    raise AssertionError("no such tree")


def with_damping(model: Model, damping: float, friction: float = 0.0) -> Model:
    bodies = [replace(b, joint=replace(b.joint, damping=damping, friction=friction)) for b in model.bodies]
    return model.replace(bodies=tuple(bodies))


def pendulum(length: float = 1.0, *, damping: float = 0.0) -> Model:
    """A point mass of 1 kg on a rod without mass, hanging along -z, turning about y."""
    joint = Joint("hinge", "revolute", axis=np.array([0.0, 1.0, 0.0]), damping=damping)
    bob = Inertia(1.0, np.array([0.0, 0.0, -length]), 1e-9 * np.eye(3))
    return Model(name="pendulum", bodies=(Body("bob", None, joint, bob),))


def energy_residual(engine: RigidEngine, start: State, u: np.ndarray, steps: int) -> tuple[float, float]:
    """|residual| and the size of the energies that it is the rest of."""
    end = engine.run(start, u, steps)
    (k0, p0), (k1, p1) = engine.energies(start), engine.energies(end.state)
    return abs(float(k1 + p1 - k0 - p0 - end.work_in + end.dissipated)), float(abs(k0) + abs(p0) + abs(k1) + abs(p1))


@pytest.mark.parametrize(("integrator", "order"), [("rk4", 4.0), ("symplectic", 1.0)])
@pytest.mark.parametrize("seed", [1, 4, 7])
def test_motion_converges_at_the_integrators_order(seed: int, integrator: str, order: float, figure: Figure) -> None:
    """Ball and free joints included; against the same motion in steps sixteen times as short."""
    model = with_damping(mixed_tree(seed), 0.1)
    q, v, u = random_state(model, np.random.default_rng(seed))
    ends = []
    for steps in (50, 100, 1600):
        engine = RigidEngine(model, dt=0.1 / steps, integrator=integrator)
        end = engine.run(State(0.0, q, v), u, steps).state
        ends.append(np.concatenate([end.q, end.v]))
    errors = [float(np.abs(end - ends[2]).max()) for end in ends[:2]]
    what = f"{integrator} on a damped, driven tree with ball and free joints (seed {seed})"
    figure(f"{what}: observed order", np.log2(errors[0] / errors[1]), order - 0.2, at_least=True)
    figure(f"{what}: observed order, upper side", np.log2(errors[0] / errors[1]), order + 0.5)


@pytest.mark.parametrize("seed", [1, 4, 7])
def test_the_ledger_closes_at_the_integrators_order(seed: int, figure: Figure) -> None:
    """Driven, damped, with friction and a prescribed joint: what is put in and lost explains every joule."""
    model = with_damping(mixed_tree(seed), 0.2, friction=0.3)
    q, v, u = random_state(model, np.random.default_rng(seed))
    start = State(0.0, q, v)
    rest = []
    for steps in (50, 100):
        engine = RigidEngine(model, dt=0.1 / steps, prescribed=model.joint_names[:1], friction_speed=0.5)
        end = engine.run(start, u, steps)
        assert abs(end.work_in) > 1e-3 and end.dissipated > 1e-3
        rest.append(energy_residual(engine, start, u, steps))
    what = f"driven tree with damping, friction and a prescribed joint (seed {seed}), 0.1 s"
    figure(f"{what}: energy residual / energy at dt = 1 ms", rest[1][0] / rest[1][1], 1e-6)
    figure(f"{what}: observed order of the residual", np.log2(rest[0][0] / rest[1][0]), 3.6, at_least=True)


def test_the_ledger_of_the_symplectic_step_is_of_first_order(figure: Figure) -> None:
    model = with_damping(mixed_tree(1), 0.2)
    q, v, u = random_state(model, np.random.default_rng(1))
    rest = [
        energy_residual(RigidEngine(model, dt=0.1 / n, integrator="symplectic"), State(0.0, q, v), u, n)[0]
        for n in (400, 800)
    ]
    figure("symplectic step: observed order of the energy residual", np.log2(rest[0] / rest[1]), 0.8, at_least=True)


@pytest.mark.parametrize("name", ["so101_old", "sawyer", "catcher_arm"])
def test_conservative_scenes_keep_their_energy_to_rounding(name: str, figure: Figure) -> None:
    """An arm falling freely and a tumbling box beside it, in short steps."""
    scene = Scene().add_robot(name, name="arm")
    scene.add_object("box", carpal.model.Box((0.1, 0.2, 0.3)), mass=2.0, twist=[1, 2, 3, 4, 5, 6])
    engine = RigidEngine(scene.build(), dt=1e-4, damping=False)
    residual, scale = energy_residual(engine, scene.start(), np.zeros(engine.model.nv), 2000)
    figure(f"{name} and a tumbling box falling freely, 0.2 s in steps of 0.1 ms: energy residual / energy",
           residual / scale, 1e-12)  # fmt: skip


def test_symplectic_energy_stays_bounded_where_it_would_drift(figure: Figure) -> None:
    """A pendulum swinging for 200 periods: the error of the last is as that of the first."""
    engine, model = RigidEngine(pendulum(), dt=0.01, integrator="symplectic"), pendulum()
    state, errors = State(0.0, np.array([1.0]), np.zeros(1)), []
    start = sum(engine.energies(state))
    for _ in range(400):
        state = engine.run(state, np.zeros(model.nv), 100).state
        errors.append(abs(float(sum(engine.energies(state)) - start)))
    figure("symplectic pendulum, 400 s: largest energy error late / early", max(errors[300:]) / max(errors[:100]), 1.2)


def test_damping_and_friction_follow_their_law(figure: Figure) -> None:
    """A wheel without weight: v(t) = v0 exp(-d t / I), and under Coulomb friction alone it slows by f / I."""
    wheel = Inertia(1.0, np.zeros(3), 0.5 * np.eye(3))
    damped = Model(name="wheel", bodies=(Body("wheel", None, Joint("axle", "revolute", damping=0.7), wheel),))
    end = RigidEngine(damped, dt=1e-3).run(State(0.0, np.zeros(1), np.array([3.0])), np.zeros(1), 1000)
    figure("damped wheel after 1 s: speed off its exponential [rad/s]", abs(end.state.v[0] - 3 * np.exp(-1.4)), 1e-12)
    figure("damped wheel: heat off the lost kinetic energy [J]",
           abs(end.dissipated - 0.25 * (9 - end.state.v[0] ** 2)), 1e-12)  # fmt: skip
    dry = Model(name="wheel", bodies=(Body("wheel", None, Joint("axle", "revolute", friction=0.7), wheel),))
    end = RigidEngine(dry, dt=1e-3).run(State(0.0, np.zeros(1), np.array([3.0])), np.zeros(1), 1000)
    figure("wheel under Coulomb friction after 1 s: speed off its line [rad/s]", abs(end.state.v[0] - (3 - 1.4)), 1e-10)
    still = RigidEngine(dry, dt=1e-3, damping=False).run(State(0.0, np.zeros(1), np.array([3.0])), np.zeros(1), 1000)
    assert still.state.v[0] == 3.0 and still.dissipated == 0.0


def test_an_accelerated_mount_tilts_the_pendulum(figure: Figure) -> None:
    """On a table pushed with a constant, a pendulum at tan(angle) = a / g stays there; the table moves by a t^2 / 2."""
    scene = Scene().add_robot(pendulum(), name="arm", mount="slide_xy", q=[-np.arctan2(-3.0, 9.81)])
    model = scene.build()
    engine = RigidEngine(model, dt=1e-3, prescribed=("arm/slide_x", "arm/slide_y"))
    u = np.array([3.0, 0.0, 0.0])
    end = engine.run(State.home(model), u, 1000)
    figure("pendulum on an accelerated table, 1 s: off its equilibrium [rad]",
           abs(end.state.q[2] - model.q_home[2]), 1e-12)  # fmt: skip
    figure("prescribed slide: off a t^2 / 2 [m]", abs(end.state.q[0] - 1.5), 1e-13)
    _, force = engine.accelerations(State.home(model), u)
    figure("force of the prescribed slide off m a [N]", abs(force[0] - 3.0), 1e-12)
    figure("its work off m v^2 / 2 [J]", abs(end.work_in - 0.5 * 3.0**2), 1e-12)


@pytest.mark.parametrize("name", ["so101_old", "sawyer"])
def test_a_prescribed_mount_equals_the_augmented_equations(name: str, figure: Figure) -> None:
    """M_ff a_f = u_f - h_f - M_fp a_p, solved by hand at every Runge-Kutta stage."""
    model = Scene().add_robot(name, name="arm", mount="slide_xy").build()
    rng = np.random.default_rng(3)
    q, v, u = model.q_home + 0.3 * rng.normal(size=model.nq), 0.3 * rng.normal(size=model.nv), rng.normal(size=model.nv)
    engine = RigidEngine(model, dt=1e-3, prescribed=("arm/slide_x", "arm/slide_y"), damping=False)
    p, f = slice(0, 2), slice(2, None)

    def rate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        M, h = mass_matrix(model, q), inverse_dynamics(model, q, v, np.zeros(model.nv))
        return np.concatenate([u[p], np.linalg.solve(M[f, f], u[f] - h[f] - M[f, p] @ u[p])])

    end, dt = engine.run(State(0.0, q, v), u, 50).state, 1e-3
    for _ in range(50):
        a1, b1 = v, rate(q, v)
        a2, b2 = v + dt / 2 * b1, rate(q + dt / 2 * a1, v + dt / 2 * b1)
        a3, b3 = v + dt / 2 * b2, rate(q + dt / 2 * a2, v + dt / 2 * b2)
        a4, b4 = v + dt * b3, rate(q + dt * a3, v + dt * b3)
        q, v = q + dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4), v + dt / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
    figure(f"{name} on a driven table, 50 steps: off the augmented equations [rad, m]", np.abs(end.q - q).max(), 1e-10)


@pytest.mark.parametrize("seed", range(6))
def test_hybrid_dynamics_agree_with_inverse_dynamics(seed: int, figure: Figure) -> None:
    """Any joints prescribed, ball and free ones too: the forces that come out are those that this motion takes."""
    model = mixed_tree(seed)
    rng = np.random.default_rng(seed)
    q, v, u = random_state(model, rng)
    chosen = [name for name in model.joint_names if rng.random() < 0.5]
    engine = RigidEngine(model, prescribed=chosen)
    vdot, force = engine.accelerations(State(0.0, q, v), u)
    given = engine.dofs[:, 0] > 0
    assert np.array_equal(vdot[given], u[given]) and np.array_equal(force[~given], u[~given])
    tau = inverse_dynamics(model, q, v, vdot)
    figure(f"tree {seed}, {len(chosen)} joints prescribed: hybrid force off inverse dynamics / largest",
           np.abs(tau - force).max() / np.abs(tau).max(), 1e-11)  # fmt: skip
    plain, _ = RigidEngine(model).accelerations(State(0.0, q, v), u)
    assert np.array_equal(plain, forward_dynamics(model, q, v, u))


@pytest.mark.parametrize("integrator", ["rk4", "symplectic"])
def test_one_world_or_many_one_thread_or_two_give_the_same_bits(integrator: str) -> None:
    model = with_damping(mixed_tree(4), 0.1, friction=0.1)
    q, v, u = random_state(model, np.random.default_rng(0), (3, 40))
    many = [
        RigidEngine(model, integrator=integrator, threads=n, prescribed=model.joint_names[-1:]).run(State(0.0, q, v), u, 30)
        for n in (1, 2)
    ]  # fmt: skip
    for a, b in zip(*([end.state.q, end.state.v, end.work_in, end.dissipated] for end in many), strict=True):
        assert a.tobytes() == b.tobytes()
    engine = RigidEngine(model, integrator=integrator, prescribed=model.joint_names[-1:])
    for index in ((0, 0), (1, 17), (2, 39)):
        one = engine.run(State(0.0, q[index], v[index]), u[index], 30)
        assert one.state.q.tobytes() == many[0].state.q[index].tobytes()
        assert one.work_in == many[0].work_in[index] and one.dissipated == many[0].dissipated[index]
        state = State(0.0, q[index], v[index])
        for _ in range(30):
            state = engine.step(state, u[index])
        assert state.v.tobytes() == many[0].state.v[index].tobytes()


def test_a_long_quaternion_means_the_same_attitude() -> None:
    model = mixed_tree(1)
    q, v, u = random_state(model, np.random.default_rng(1))
    longer = q.copy()
    for kind, first in model.joint_slices():
        if kind in ("ball", "free"):
            end = first + {"ball": 4, "free": 7}[kind]
            longer[end - 4 : end] *= 3.0
    a, b = (RigidEngine(model).run(State(0.0, x, v), u, 10).state for x in (q, longer))
    assert np.abs(a.q - b.q).max() < 1e-14 and np.abs(a.v - b.v).max() < 1e-13


@pytest.mark.parametrize(("integrator", "dt"), [("rk4", 0.01), ("symplectic", 0.01)])
def test_divergence_is_caught_within_ten_steps_and_named(integrator: str, dt: float) -> None:
    """Damping ten times too strong for the step: the speed grows at every step, and must not reach infinity."""
    wheel = Inertia(1.0, np.zeros(3), 0.01 * np.eye(3))
    model = Model(name="stiff", bodies=(
        Body("a", None, Joint("calm", "revolute"), wheel),
        Body("b", None, Joint("wild", "revolute", damping=10.0), wheel),
    ))  # fmt: skip
    engine = RigidEngine(model, dt=dt, integrator=integrator)
    state, steps = State(2.0, np.zeros(2), np.array([1.0, 1.0])), 0
    text = ""
    while not text:
        try:
            state, steps = engine.step(state, np.zeros(2)), steps + 1
        except DivergedError as error:
            text = str(error)
    assert steps < 10
    assert np.isfinite(state.q).all()
    assert text.startswith(f"the step at t = {2.0 + steps * dt:.9g} s diverged at joint 'wild', whose speed became ")
    assert "try dt = 0.001 s" in text and "\n" not in text
    with pytest.raises(DivergedError, match=r"at t = 2(\.\d+)? s in world \(1, 0\) diverged at joint 'wild'"):
        engine.run(State(2.0, np.zeros((2, 1, 2)), np.array([[[1.0, 0.0]], [[1.0, 1.0]]])), np.zeros(2), 50)


def test_bad_input_is_one_sentence() -> None:
    arm, zeros = random_chain(2, 3), np.zeros(3)
    start = State.home(arm)
    for error, match, call in [
        (UnknownNameError, "unknown integrator 'rk5'; did you mean 'rk4'", lambda: RigidEngine(arm, integrator="rk5")),
        (UnknownNameError, "unknown moving joint of model 'chain_2' 'joint_9'", lambda: RigidEngine(arm, prescribed=["joint_9"])),
        (InputError, "dt must be a finite time above zero", lambda: RigidEngine(arm, dt=-1e-3)),
        (InputError, "dt must be a finite time above zero", lambda: RigidEngine(arm, dt=np.nan)),
        (InputError, "u of model 'chain_2' needs 3 numbers", lambda: RigidEngine(arm).step(start, np.zeros(4))),
        (InputError, r"u\[1\] is nan; all numbers must be finite", lambda: RigidEngine(arm).step(start, [0, np.nan, 0])),
        (InputError, r"q\[0\] is inf", lambda: RigidEngine(arm).step(start.replace(q=[np.inf, 0, 0]), zeros)),
        (InputError, "steps must be a whole number", lambda: RigidEngine(arm).run(start, zeros, -1)),
        (UnknownNameError, "unknown device 'gpu'", lambda: RigidEngine(arm, device="gpu").step(start, zeros)),
    ]:  # fmt: skip
        with pytest.raises(error, match=match):
            call()
    nobody = Model(name="bare", bodies=(Body("a", None, Joint("j", "revolute")),))
    with pytest.raises(MissingInertiaError):
        RigidEngine(nobody)
    with pytest.raises(InputError, match="no moving joint"):
        RigidEngine(Model(name="rock", bodies=(Body("a", None, Joint("j"), Inertia.nothing()),)))
    weightless = Model(name="light", bodies=(Body("a", None, Joint("j", "revolute"), Inertia.nothing()),))
    with pytest.raises(CarpalError, match="singular"):
        RigidEngine(weightless).step(State.home(weightless), [1.0])
