"""Drift correction: how far it moves, what it refuses, and that it is the least change."""

from __future__ import annotations

import numpy as np
import pytest
from closed_loops import FOUR_BAR_START, along, bar, four_bar

from carpal.dynamics import mass_matrix
from carpal.engines import RigidEngine
from carpal.errors import DivergedError, InputError
from carpal.kinematics import fk
from carpal.model import Coupling, Loop, Model, State


def gap(model: Model, q: np.ndarray) -> float:
    """Largest distance [m] of the first loop's points, from forward kinematics."""
    loop = model.loops[0]
    X_A = fk(model, q, frame=loop.body_a) @ loop.X_AL
    X_B = (np.eye(4) if loop.body_b is None else fk(model, q, frame=loop.body_b)) @ loop.X_BL
    return float(np.abs(X_A[:3, 3] - X_B[:3, 3]).max())


def test_assembly_closes_the_loop_and_keeps_the_least_of_the_velocity() -> None:
    model = four_bar()
    engine = RigidEngine(model)
    v = np.array([1.0, -2.0, 0.5])
    state = engine.assemble(State(0.0, FOUR_BAR_START, v))
    assert gap(model, FOUR_BAR_START) > 0.05 and gap(model, state.q) < 1e-12
    again = engine.assemble(state)
    assert np.abs(again.q - state.q).max() < 1e-12 and np.abs(again.v - state.v).max() < 1e-12
    # what was taken away is orthogonal, in the metric of the mass, to the motion that is left
    assert abs((v - state.v) @ mass_matrix(model, state.q) @ state.v) < 1e-10


def test_prescribed_joints_stay_where_they_are() -> None:
    engine = RigidEngine(four_bar(), prescribed=("hinge_crank",))
    state = engine.assemble(State(0.0, FOUR_BAR_START, np.array([0.7, 0.0, 0.0])))
    assert state.q[0] == FOUR_BAR_START[0] and state.v[0] == 0.7 and gap(engine.model, state.q) < 1e-12


def test_open_loops_and_parting_speeds_are_refused_with_their_size() -> None:
    model = four_bar()
    engine = RigidEngine(model)
    with pytest.raises(
        InputError, match=r"loop 'pin', [xz] of model 'four_bar' is open by 0\.\d+ at t = 2 s; engine.assemble"
    ):
        engine.step(State(2.0, FOUR_BAR_START, np.zeros(3)), np.zeros(3))
    closed = engine.assemble(State(0.0, FOUR_BAR_START, np.zeros(3)))
    with pytest.raises(
        InputError, match=r"loop 'pin', [xz] of model 'four_bar' opens at a speed of 0\.\d+ at t = 0 s in world"
    ):
        engine.step(State(0.0, np.array([closed.q] * 2), np.array([[0.0] * 3, [1.0, 0.0, 0.0]])), np.zeros(3))


def test_what_cannot_be_closed_is_said() -> None:
    far = Model(
        "short", (bar("rod", None, 0.0, 0.3),), loops=(Loop("hook", "connect", "rod", None, along(0.3), along(2.0)),)
    )
    with pytest.raises(
        DivergedError, match=r"loop 'hook', x of model 'short' could not be closed at t = 0 s, 1\.7 is left"
    ):
        RigidEngine(far).assemble(State(0.0, np.array([0.3]), np.zeros(1)))
    held = four_bar().replace(
        couplings=(Coupling("held", "hinge_crank", None, (0.5,)), Coupling("too", "hinge_rocker", None, (0.0,)))
    )
    with pytest.raises(DivergedError, match="could not be closed"):
        RigidEngine(held).assemble(State(0.0, FOUR_BAR_START, np.zeros(3)))


def test_without_constraints_the_state_is_returned() -> None:
    model = Model("rod", (bar("rod", None, 0.0, 0.3),))
    state = State.home(model)
    assert RigidEngine(model).assemble(state) is state
