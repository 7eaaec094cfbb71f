"""The task's engines behind one face: servo torques, levers, and runs of MuJoCo beside the modal engine's."""

import numpy as np
import pytest
from dexterity_inputs import run, run_number, setting_of

from carpal.dynamics import inverse_dynamics
from carpal.engines import simulate
from carpal.errors import CarpalError
from carpal.labs.dexterity import HandEngine, Levers, changed, read_example
from carpal.labs.dexterity.hand_engine import surfaces_of
from carpal.labs.dexterity.measures import MEASURES
from carpal.labs.dexterity.observations import observed
from carpal.model import State


def test_the_servo_is_pd_and_gravity(figure):
    setting = setting_of(8)
    engine = HandEngine(setting, "mujoco")
    rng = np.random.default_rng(0)
    q, v = setting.start().q.copy(), rng.normal(size=21)
    q[:15] += 0.1 * rng.normal(size=15)
    tau = engine.torque(State(0.18, q, v))
    where, rate = setting.target(0.18)
    hand = setting.hand
    weight = inverse_dynamics(hand.replace(gravity=np.array([0, 0, -9.8])), q[:15], np.zeros(15), np.zeros(15))
    wanted = 0.15 * (where - q[:15]) + 0.02 * (rate - v[:15]) + weight
    figure("servo torques against eq. 5.1 [N m]", np.abs(tau[:15] - wanted).max(), 1e-12)
    assert np.all(tau[15:] == 0)


def test_levers():
    levers = Levers()
    levers.set("friction", 0.1)
    levers.set("restitution", 0.2)
    surface, more = surfaces_of(setting_of(9), levers)
    assert surface.mu == 0.1
    assert len(more) == 2
    for name, value in (("friction", -1), ("restitution", 1.1), ("gravity", np.nan), ("targets", [1, 2]), ("mass", 1)):
        with pytest.raises(CarpalError):
            levers.set(name, value)


def test_mujoco_hits_like_the_thesis():
    outcome = run_number(6, "mujoco")
    seen = {each.wanted.name: each for each in observed(outcome, lambda example: run(example, "mujoco"))}
    assert all(each.ok for each in seen.values()), {name: each.value for name, each in seen.items()}


def test_a_lever_moves_a_run_of_mujoco():
    setting = setting_of(6)
    engine = HandEngine(setting, "mujoco", levers=Levers(gravity=5.0))
    recording = simulate(engine, setting.start(), duration=0.02)
    assert abs(recording.v[-1, 17] + 5.0 * 0.02) < 1e-9  # the box falls, the fingers are compensated
    assert np.abs(recording.v[-1, :3]).max() < 1e-9
    assert MEASURES


def test_what_was_moved_is_noted():
    setting = setting_of(6)
    levers = Levers()
    engine = HandEngine(setting, "mujoco", levers=levers)
    state = engine.step(setting.start(), np.zeros(21))
    assert engine.moved == []
    levers.set("gravity", 2.0)
    levers.set("targets", np.zeros(15))
    state = engine.step(state, np.zeros(21))
    assert engine.moved[0] == {"time": 0.001, "gravity": 2.0}
    assert engine.moved[1]["targets"] == [0.0] * 15
    levers.targets = None
    engine.step(state, np.zeros(21))
    assert engine.moved[2] == {"time": 0.002, "targets": None}


@pytest.mark.full
def test_a_friction_lever_turns_sticking_into_sliding():
    setting = setting_of(2)
    levers = Levers()
    engine = HandEngine(setting, levers=levers)
    state = simulate(engine, setting.start(), duration=0.05)
    assert {c.mode for c in state.contacts[-1]} == {"sticking"}
    levers.set("friction", 0.05)
    rows = simulate(engine, setting.start(), duration=0.05)
    assert "sliding" in {c.mode for c in rows.contacts[-1]}


@pytest.mark.full
def test_targets_by_hand_take_over():
    setting = setting_of(5)
    levers = Levers()
    levers.set("targets", np.radians(np.tile([0.0, -20.0, 10.0], 5)))
    recording = simulate(HandEngine(setting, levers=levers), setting.start(), duration=0.2)
    assert not np.allclose(recording.q[-1, :3], setting.q[:3], atol=0.01)


@pytest.mark.full
@pytest.mark.parametrize("number", range(1, 11))
def test_every_step_is_certified(number, figure):
    check = run_number(number).recording.check()
    assert check.ok, str(check)


@pytest.mark.full
def test_same_bits_twice():
    example = changed(read_example(8), {"duration": 0.2})
    a, b = run(example), run(example)
    assert np.array_equal(a.q, b.q)
    assert np.array_equal(a.v, b.v)
