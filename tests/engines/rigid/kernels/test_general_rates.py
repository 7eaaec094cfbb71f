"""Accelerations with constraints, springs and gravity compensation, against the augmented equations solved by NumPy."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest
from closed_loops import FIVE_BAR_START, FOUR_BAR_START, five_bar, four_bar
from random_models import random_chain

from carpal.dynamics import gravity_forces, inverse_dynamics, mass_matrix
from carpal.engines import RigidEngine
from carpal.kinematics import fk, jacobian
from carpal.model import Coupling, Model, State

Figure = Callable[..., None]


def loop_jacobian(model: Model, q: np.ndarray) -> np.ndarray:
    """(3, nv) of the first loop's gap, from the frames' Jacobians."""
    loop, out = model.loops[0], []
    for body, X in ((loop.body_a, loop.X_AL), (loop.body_b, loop.X_BL)):
        J, R = jacobian(model, q, frame=body), fk(model, q, frame=body)[:3, :3]
        arm = R @ X[:3, 3]
        out.append(J[:3] - np.cross(arm, J[3:], axisa=0, axisb=0, axisc=0))
    return np.asarray(out[0] - out[1])


@pytest.mark.parametrize(("model", "q"), [(four_bar(), FOUR_BAR_START), (five_bar(), FIVE_BAR_START)])
@pytest.mark.parametrize("given", [False, True])
def test_loops_solve_the_augmented_equations(model: Model, q: np.ndarray, given: bool, figure: Figure) -> None:
    """M vdot + h = tau + J^T lambda and J vdot = -Jdot v, with Jdot v by finite differences and the loop's rows in the plane."""
    prescribed = (model.joint_names[0],) if given else ()
    engine = RigidEngine(model, prescribed=prescribed)
    rng = np.random.default_rng(2)
    state = engine.assemble(State(0.0, q, rng.normal(size=model.nv)))
    q, v, u = state.q, state.v, rng.normal(size=model.nv)
    vdot, force = engine.accelerations(state, u)
    J, h = loop_jacobian(model, q)[[0, 2]], 1e-5
    bias = (loop_jacobian(model, q + h * v) - loop_jacobian(model, q - h * v))[[0, 2]] @ v / (2 * h)
    assert np.abs(J @ v).max() < 1e-12
    M, load, n = mass_matrix(model, q), inverse_dynamics(model, q, v, np.zeros(model.nv)), model.nv
    f = list(range(1 if given else 0, n))
    a = np.zeros(n)
    a[: n - len(f)] = u[: n - len(f)]
    KKT = np.block([[M[np.ix_(f, f)], -J[:, f].T], [J[:, f], np.zeros((2, 2))]])
    answer = np.linalg.solve(KKT, np.concatenate([u[f] - load[f] - (M @ a)[f], -bias - J @ a]))
    a[f] = answer[: len(f)]
    figure(f"{model.name}{', a joint prescribed' if given else ''}: accelerations off the augmented equations / largest",
           np.abs(vdot - a).max() / np.abs(a).max(), 1e-8)  # fmt: skip
    needed = M @ a + load - J.T @ answer[len(f) :]
    assert np.allclose(force, needed, rtol=0, atol=1e-7 * np.abs(needed).max())


def test_springs_gravity_compensation_and_couplings_act_together(figure: Figure) -> None:
    model = random_chain(3, 5)
    names, shares = model.joint_names, dict(zip(model.joint_names, (0.0, 1.0, 0.3, 0.0, 0.7), strict=True))
    bodies = []
    for body in model.bodies:
        k = names.index(body.joint.name) if body.joint.name in names else 0
        joint = dataclasses.replace(body.joint, stiffness=2.0 * k, q_spring=0.1 * k)
        bodies.append(dataclasses.replace(body, joint=joint, gravity_compensation=shares.get(body.joint.name, 0.0)))
    model = model.replace(bodies=tuple(bodies), couplings=(Coupling("gear", names[4], names[1], (0.0, -1.5, 0.4)),))
    engine = RigidEngine(model, damping=False)
    rng = np.random.default_rng(1)
    state = engine.assemble(State(0.0, rng.normal(size=5), rng.normal(size=5)))
    q, v, u = state.q, state.v, rng.normal(size=5)
    assert q[4] == pytest.approx(-1.5 * q[1] + 0.4 * q[1] ** 2, abs=1e-13)
    vdot, _ = engine.accelerations(state, u)
    J = np.zeros((1, 5))
    J[0, 4], J[0, 1] = 1.0, 1.5 - 0.8 * q[1]
    carried = []
    for body in bodies:
        assert body.inertia is not None
        inertia = dataclasses.replace(body.inertia, mass=body.inertia.mass * body.gravity_compensation)
        carried.append(dataclasses.replace(body, inertia=inertia))
    lifted = model.replace(couplings=(), bodies=tuple(carried))
    spring = -np.array([2.0 * k * (q[k] - 0.1 * k) for k in range(5)])
    applied = u + spring + gravity_forces(lifted, q) - inverse_dynamics(model, q, v, np.zeros(5))
    KKT = np.block([[mass_matrix(model, q), -J.T], [J, np.zeros((1, 1))]])
    answer = np.linalg.solve(KKT, np.concatenate([applied, [0.8 * v[1] ** 2]]))[:5]
    figure("springs, compensation and a coupling: accelerations off the augmented equations / largest",
           np.abs(vdot - answer).max() / np.abs(answer).max(), 1e-11)  # fmt: skip


def test_a_redundant_loop_changes_nothing() -> None:
    model = four_bar()
    twice = model.replace(loops=(*model.loops, dataclasses.replace(model.loops[0], name="again")))
    ends = []
    for each in (model, twice):
        engine = RigidEngine(each)
        start = engine.assemble(State(0.0, FOUR_BAR_START, np.zeros(3)))
        ends.append(engine.run(start, np.zeros(3), 500).state)
    assert np.abs(ends[0].q - ends[1].q).max() < 1e-9 and np.abs(ends[0].v).max() > 1.0
