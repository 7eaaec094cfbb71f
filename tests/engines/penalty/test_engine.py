"""The engine's edge: protocol, recordings, the ledger of a whole machine, and one sentence for bad input."""

import numpy as np
import penalty_inputs as inputs
import pytest

from carpal.engines import PenaltyEngine, PenaltyState, Staged, simulate
from carpal.errors import InputError
from carpal.model import Mechanism, RotaryActuator, RotarySpring, State, angle_lines


def _machine():
    bare = inputs.pendulum(0.8)
    lines = angle_lines(None, None, [0, 1, 0])
    spring = RotarySpring("spring", None, "rod", **lines, stiffness=0.5, damping=0.01, rest=0.2)
    motor = RotaryActuator("motor", None, "rod", **lines, P=2.0, D=0.05, command=0)
    return Mechanism("machine", bare.bodies, bare.joints, (spring,), (motor,))


def test_simulate_records_a_mechanism_with_its_ledger(figure):
    engine = PenaltyEngine(_machine(), dt=1e-4, commands=lambda t: [np.sin(t)])
    recording = simulate(engine, engine.start(), duration=0.05, every=50)
    assert recording.ok and recording.metadata["engine"] == "penalty"
    assert recording.metadata["engine_options"]["contact"]["friction"] == 0.5


def test_the_ledger_of_a_machine_closes(figure):
    engine = PenaltyEngine(_machine(), dt=1e-5)
    settled = engine.run(engine.start(), steps=5_000, command=[0.3]).state
    residual, exchanged, end = inputs.ledger(engine, settled, 20_000, command=[0.3])
    assert end.dissipated > 0
    figure("machine of hinge, spring and motor: ledger, of the energy exchanged", residual / exchanged, 1e-6)


def test_commands_may_bring_their_rates():
    engines = [PenaltyEngine(_machine(), dt=1e-4, commands=c) for c in (lambda t: [0.1], lambda t: ([0.1], [5.0]))]
    ends = [engine.step(engine.start(), np.zeros(6)) for engine in engines]
    assert ends[1].v[4] > ends[0].v[4]
    assert isinstance(ends[0].replace(time=3.0), PenaltyState)


def test_too_long_a_step_is_refused_with_the_largest_stable_one():
    stable = PenaltyEngine(inputs.pendulum(0.5), dt=1e-5).stable_step
    with pytest.raises(InputError, match=f"largest stable step is {stable:.3g} s"):
        PenaltyEngine(inputs.pendulum(0.5), dt=2 * stable)
    engine = PenaltyEngine(inputs.pendulum(0.5), dt=0.9 * stable)
    assert engine.worst_gap(engine.run(engine.start(), steps=5_000).state)[0] < 1e-3


def test_bad_input_gets_one_sentence():
    engine = PenaltyEngine(inputs.pendulum(0.5), dt=1e-5)
    start = engine.start()
    with pytest.raises(InputError, match="moves a Mechanism"):
        PenaltyEngine("pendulum")
    with pytest.raises(InputError, match="dt must be"):
        PenaltyEngine(inputs.pendulum(0.5), dt=0.0)
    with pytest.raises(InputError, match="steps must be"):
        engine.run(start, steps=-1)
    with pytest.raises(InputError, match="q must be finite"):
        engine.run(State(0.0, start.q + np.inf, start.v))
    with pytest.raises(InputError, match="quaternion of length zero"):
        engine.run(State(0.0, np.zeros(7), start.v))
    with pytest.raises(InputError, match="u must be finite"):
        engine.run(start, np.full(6, np.inf))
    with pytest.raises(InputError, match="u of model"):
        engine.run(start, np.zeros(5))
    with pytest.raises(InputError, match="real numbers"):
        engine.run(start, "push")
    with pytest.raises(InputError, match="holds u"):
        engine.advance(start, Staged(np.zeros(6), np.zeros(6), np.zeros(6)))
    with pytest.raises(InputError, match="anchors"):
        engine.run(PenaltyState(0.0, start.q, start.v, np.zeros(7)))
