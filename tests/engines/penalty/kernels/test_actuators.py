"""PD actuators: second-order responses in closed form, signs (E9), limits, moving commands."""

import numpy as np
import penalty_inputs as inputs
import pytest

from carpal.engines import PenaltyEngine
from carpal.errors import InputError
from carpal.model import LinearActuator, Mechanism, PointJoint, RotaryActuator, angle_lines, cylindrical


def _response(t, start, goal, p, d, inertia):
    w0, beta = np.sqrt(p / inertia), d / (2 * inertia)
    w = np.sqrt(w0**2 - beta**2)
    return goal + (start - goal) * np.exp(-beta * t) * (np.cos(w * t) + beta / w * np.sin(w * t))


def rotary(p, d, limit=np.inf, command=0, dt=1e-4):
    wheel = inputs.body("wheel")
    motor = RotaryActuator(
        "motor", None, "wheel", **angle_lines(None, None, [0, 1, 0]), P=p, D=d, command=command, limit=limit, target=0.4
    )
    hold = PointJoint("hold", None, np.zeros(3), "wheel", np.zeros(3), 1e4, 10.0)
    return PenaltyEngine(Mechanism("motor", (wheel,), (hold,), actuators=(motor,), gravity=np.zeros(3)), dt=dt)


def linear(p, d, dt=1e-4):
    """A mass of 2 kg on a rail along z, pulled from a point 0.5 m above."""
    mass = inputs.body("mass", 2.0)
    rail = cylindrical(
        "rail", mass, None, [0, 0, 0], [0, 0, 1], span=0.1, travel=(-1.0, 0.4), stiffness=1e5, damping=50.0
    )
    pull = LinearActuator("pull", None, [0, 0, 0.5], "mass", np.zeros(3), P=p, D=d, command=0)
    return PenaltyEngine(Mechanism("linear", (mass,), rail, actuators=(pull,), gravity=np.zeros(3)), dt=dt)


def test_a_rotary_actuator_answers_a_step(figure):
    engine = rotary(5.0, 0.2)
    states = inputs.trace(engine, engine.start(), 5_000, 500, command=[0.4])
    t = np.array([s.time for s in states])
    found = np.array([inputs.pendulum_angle(s) for s in states])
    figure("rotary PD: angle [rad]", np.abs(found - _response(t, 0.0, 0.4, 5.0, 0.2, 0.02)).max(), 1e-4)
    fixed = rotary(5.0, 0.2, command=None)  # the same without a command
    assert np.array_equal(fixed.run(fixed.start(), steps=500).state.q, states[1].q)


def test_a_linear_actuator_answers_a_step(figure):
    engine = linear(400.0, 20.0)
    states = inputs.trace(engine, engine.start(), 5_000, 500, command=[0.3])
    t = np.array([s.time for s in states])
    length = 0.5 - np.array([s.q[2] for s in states])
    figure("linear PD: length [m]", np.abs(length - _response(t, 0.5, 0.3, 400.0, 20.0, 2.0)).max(), 1e-4)


def test_the_ledger_books_what_an_actuator_puts_in(figure):
    for name, engine, command in (("rotary", rotary(5.0, 0.2), [0.4]), ("linear", linear(400.0, 20.0), [0.3])):
        residual, exchanged, end = inputs.ledger(engine, engine.start(), 1_000, command=command)
        assert end.work_in > 0
        figure(f"{name} PD: ledger, of the energy exchanged", residual / exchanged, 1e-6)


def test_a_limit_holds():
    engine = rotary(5.0, 0.0, limit=0.1)
    end = engine.run(engine.start(), steps=100, command=[1.5]).state
    assert end.v[4] == pytest.approx(0.1 / 0.02 * 0.01, rel=1e-6)


def test_a_command_runs_on_at_its_rate_and_kicks_by_d_times_the_jump():
    engine = rotary(500.0, 20.0, dt=1e-5)
    end = engine.run(engine.start(), steps=50_000, command=[0.0], rate=[0.8]).state
    assert inputs.pendulum_angle(end) == pytest.approx(0.4, abs=2e-3)
    weak = rotary(
        0.0, 0.01, dt=1e-5
    )  # erratum E24: a jump of 0.5 rad, differentiated over one step, is D times the jump
    kicked = weak.run(weak.start(), steps=1, command=[0.5], rate=[0.5 / 1e-5]).state
    assert kicked.v[4] * 0.02 == pytest.approx(0.01 * 0.5, rel=1e-3)


def test_a_missing_or_wrong_command_is_named():
    engine = rotary(5.0, 0.2)
    with pytest.raises(InputError, match="has 1 commands"):
        engine.run(engine.start())
    with pytest.raises(InputError, match="1 numbers each"):
        engine.run(engine.start(), command=[0.0, 1.0])
    with pytest.raises(InputError, match="finite"):
        engine.run(engine.start(), command=[np.nan])
