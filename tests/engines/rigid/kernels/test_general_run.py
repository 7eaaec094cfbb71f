"""The general step: loops held over seconds, a four-bar against one coordinate, order, ledger, batches."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from closed_loops import (
    FIVE_BAR_START,
    FOUR_BAR_START,
    five_bar,
    four_bar,
    four_bar_angles,
    four_bar_rate,
    with_joint,
)  # fmt: skip
from random_models import random_state, random_tree
from scipy.integrate import solve_ivp

from carpal.engines import RigidEngine, simulate
from carpal.engines.rigid.general import GeneralStep
from carpal.kinematics import fk
from carpal.model import Coupling, Loop, Model, State
from carpal.spatial import pose

Figure = Callable[..., None]


def largest_gap(model: Model, q: np.ndarray) -> float:
    """Largest distance [m] between the points of the loops over some configurations, from forward kinematics."""
    worst = 0.0
    for loop in model.loops:
        A = fk(model, q, frame=loop.body_a) @ loop.X_AL
        B = (np.eye(4) if loop.body_b is None else fk(model, q, frame=loop.body_b)) @ loop.X_BL
        worst = max(worst, float(np.abs(A[..., :3, 3] - B[..., :3, 3]).max()))
    return worst


def held(engine: RigidEngine, q: np.ndarray, seconds: float) -> tuple[float, float]:
    """Worst gap at any step [m] and energy drift over the energy that moved."""
    recording = simulate(engine, engine.assemble(State(0.0, q, np.zeros(engine.model.nv))), None, seconds)
    assert recording.certificates["constraint_gap"].max() <= 1e-10
    assert (
        recording.check().ok or engine.integrator != "rk4"
    )  # methods of first order miss much energy of a five-bar in 10 s
    return largest_gap(engine.model, recording.q), float(
        np.abs(recording.energy["residual"]).max() / recording.energy["kinetic"].max()
    )


@pytest.mark.parametrize(
    ("model", "q", "drift"), [(four_bar(), FOUR_BAR_START, 1e-8), (five_bar(), FIVE_BAR_START, 1e-5)]
)
def test_loops_are_held(model: Model, q: np.ndarray, drift: float, figure: Figure) -> None:
    gap, lost = held(RigidEngine(model, dt=1e-3), q, 1.0)
    figure(f"{model.name} falling 1 s, rk4 at 1 ms: worst gap at any step [m]", gap, 1e-12)
    figure(f"{model.name} falling 1 s: energy residual / largest kinetic energy", lost, drift)


@pytest.mark.full
@pytest.mark.parametrize(
    ("model", "q"), [(four_bar(), FOUR_BAR_START), (four_bar("weld"), None), (five_bar(), FIVE_BAR_START)]
)
@pytest.mark.parametrize("integrator", ["rk4", "symplectic", "implicit"])
def test_loops_are_held_for_ten_seconds(model: Model, q: np.ndarray | None, integrator: str, figure: Figure) -> None:
    if q is None:  # a weld leaves a closed four-bar without motion; a spatial arm welded to its start keeps some
        model = random_tree(5, joints=9, free=None)
        q = random_state(model, np.random.default_rng(1))[0]
        last = model.bodies[-1].name
        model = model.replace(loops=(Loop("glue", "weld", last, None, np.eye(4), fk(model, q, frame=last)),))
    gap, _ = held(RigidEngine(model, dt=1e-3, integrator=integrator), q, 10.0)
    figure(f"{model.name} with a loop, 10 s of {integrator} at 1 ms: worst gap at any step [m]", gap, 1e-10)


def test_a_four_bar_moves_as_in_one_coordinate(figure: Figure) -> None:
    model = four_bar()
    engine = RigidEngine(model, dt=1e-3)
    start = engine.assemble(State(0.0, FOUR_BAR_START, np.zeros(3)))
    angles = four_bar_angles(start.q[0])
    assert np.allclose(angles, [start.q[0], start.q[0] + start.q[1], start.q[2]], rtol=0, atol=1e-12)
    end = engine.run(start, np.zeros(3), 1000).state
    exact = solve_ivp(four_bar_rate, (0, 1), [start.q[0], 0.0], method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    assert abs(exact[1]) > 0.5
    figure(
        "four-bar after 1 s: crank angle off Lagrange's equation in one coordinate [rad]",
        abs(end.q[0] - exact[0]),
        1e-8,
    )
    figure("four-bar after 1 s: crank speed off [rad/s]", abs(end.v[0] - exact[1]), 1e-7)


@pytest.mark.parametrize(("integrator", "order"), [("rk4", 4.0), ("symplectic", 1.0), ("implicit", 1.0)])
def test_projection_keeps_the_order(integrator: str, order: float, figure: Figure) -> None:
    """A damped, driven four-bar with a spring, and its ledger."""
    model = with_joint(
        with_joint(four_bar(), "hinge_coupler", damping=0.2), "hinge_rocker", stiffness=8.0, q_spring=-1.0
    )
    u, ends, rest = np.array([0.5, 0.0, -0.3]), [], []
    for steps in (100, 200, 3200):
        engine = RigidEngine(model, dt=0.4 / steps, integrator=integrator)
        start = engine.assemble(State(0.0, FOUR_BAR_START, np.zeros(3)))
        end = engine.run(start, u, steps)
        ends.append(np.concatenate([end.state.q, end.state.v]))
        rest.append(float(sum(engine.energies(end.state)) - sum(engine.energies(start)) - end.work_in + end.dissipated))
    errors = [np.abs(end - ends[2]).max() for end in ends[:2]]
    figure(
        f"{integrator} on a damped four-bar with a spring: observed order",
        np.log2(errors[0] / errors[1]),
        order - 0.3,
        at_least=True,
    )
    figure(
        f"{integrator}: observed order of its energy residual",
        np.log2(abs(rest[0] / rest[1])),
        order - 0.3,
        at_least=True,
    )


def test_couplings_hold_in_a_tree_with_ball_and_free_joints(figure: Figure) -> None:
    model = random_tree(3, joints=8, free="anywhere")
    single = [body.joint.name for body in model.bodies if body.joint.kind in ("revolute", "prismatic")]
    model = model.replace(couplings=(Coupling("gear", single[0], single[1], (0.1, -1.3, 0.2)),))
    engine = RigidEngine(model, dt=1e-3)
    q, v, u = random_state(model, np.random.default_rng(0))
    end = engine.run(engine.assemble(State(0.0, q, v)), u, 200)
    x, y = (end.state.q[model.q_index(name)] for name in (single[1], single[0]))
    figure(
        "polynomial coupling after 0.2 s: off its polynomial [rad, m]", abs(y - (0.1 - 1.3 * x + 0.2 * x * x)), 1e-12
    )


def test_the_general_step_equals_the_plain_one_where_nothing_is_added() -> None:
    """Ball, free and prescribed joints, damping, friction and tendons: two different algorithms, the same motion and ledger."""
    for seed, prescribed in ((0, False), (2, True)):
        model = random_tree(seed, joints=8, free="anywhere")
        names = model.joint_names[:1] if prescribed else ()
        q, v, u = random_state(model, np.random.default_rng(seed))
        for integrator in ("rk4", "symplectic"):
            engine = RigidEngine(model, dt=1e-3, integrator=integrator, prescribed=names)
            assert engine.general is None
            plain = engine.run(State(0.0, q, v), u, 20)
            engine.__dict__["general"] = GeneralStep(model, engine.tables, engine.scratch, engine.lines, 0)
            other = engine.run(State(0.0, q, v), u, 20)
            scale = np.abs(plain.state.v).max()
            assert (
                np.abs(plain.state.q - other.state.q).max() < 1e-9
                and np.abs(plain.state.v - other.state.v).max() < 1e-9 * scale
            )
            assert abs(plain.work_in - other.work_in) < 1e-9 * (1 + abs(plain.work_in))
            assert abs(plain.dissipated - other.dissipated) < 1e-9 * (1 + plain.dissipated)


@pytest.mark.parametrize("integrator", ["rk4", "implicit"])
def test_many_worlds_have_the_bits_of_one(integrator: str) -> None:
    engine = RigidEngine(four_bar(damping=0.1, friction=0.05), dt=1e-3, integrator=integrator)
    start = engine.assemble(State(0.0, FOUR_BAR_START, np.zeros(3)))
    u = np.random.default_rng(0).normal(size=(5, 3))
    many = engine.run(State(0.0, np.tile(start.q, (5, 1)), np.zeros((5, 3))), u, 40)
    for i in (0, 3):
        one = engine.run(start, u[i], 40)
        assert one.state.q.tobytes() == many.state.q[i].tobytes() and one.work_in == many.work_in[i]


def test_a_welded_body_moves_as_one_with_its_partner(figure: Figure) -> None:
    """Two free boxes welded together fall and spin as one box of both masses."""
    from carpal.model import Body, Joint
    from carpal.spatial import Inertia

    def box(name: str) -> Body:
        return Body(name, None, Joint(f"free_{name}", "free"), Inertia(1.0, np.zeros(3), np.diag([0.02, 0.03, 0.05])))

    apart = pose(p=np.array([0.4, 0.0, 0.0]))
    pair = Model("pair", (box("a"), box("b")), loops=(Loop("glue", "weld", "a", "b", apart, np.eye(4)),))
    I = 2 * np.diag([0.02, 0.03, 0.05]) + 2 * 0.2**2 * np.diag([0.0, 1.0, 1.0])
    whole = Model("whole", (Body("a", None, Joint("free_a", "free"), Inertia(2.0, np.array([0.2, 0, 0]), I)),))
    w = np.array([1.0, 2.0, -0.5])
    v = np.concatenate([np.zeros(3), w, np.cross(w, [0.4, 0, 0]), w])
    q = np.concatenate([[0, 0, 0, 1, 0, 0, 0], [0.4, 0, 0, 1, 0, 0, 0]])
    two = RigidEngine(pair, dt=1e-3).run(State(0.0, q, v), np.zeros(12), 500).state
    one = RigidEngine(whole, dt=1e-3).run(State(0.0, q[:7], v[:6]), np.zeros(6), 500).state
    figure("two welded boxes after 0.5 s: off the box of both [m, -]", np.abs(two.q[:7] - one.q).max(), 1e-8)
