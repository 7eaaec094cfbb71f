"""The modal engine and MuJoCo with the servo inside: overrides, and runs of MuJoCo beside the modal engine's."""

import numpy as np
import pytest
from dexterity_inputs import run, run_number, setting_of

from carpal.engines import simulate
from carpal.labs.dexterity import HandEngine, Overrides, changed, read_example
from carpal.labs.dexterity.hand_engine import surfaces_of
from carpal.labs.dexterity.measures import MEASURES
from carpal.labs.dexterity.observations import observed


def test_overrides_change_the_surfaces():
    overrides = Overrides(friction=0.1, restitution=0.2)
    surface, more = surfaces_of(setting_of(9), overrides)
    assert surface.mu == 0.1
    assert len(more) == 2


def test_mujoco_hits_as_published():
    outcome = run_number(6, "mujoco")
    seen = {each.wanted.name: each for each in observed(outcome, lambda example: run(example, "mujoco"))}
    assert all(each.ok for each in seen.values()), {name: each.value for name, each in seen.items()}


def test_an_override_changes_a_run_of_mujoco():
    setting = setting_of(6)
    engine = HandEngine(setting, "mujoco", overrides=Overrides(gravity=5.0))
    recording = simulate(engine, setting.start(), duration=0.02)
    assert abs(recording.v[-1, 17] + 5.0 * 0.02) < 1e-9  # the box falls, the fingers are compensated
    assert np.abs(recording.v[-1, :3]).max() < 1e-9
    assert MEASURES


def test_overrides_are_listed_with_their_times():
    setting = setting_of(6)
    overrides = Overrides()
    engine = HandEngine(setting, "mujoco", overrides=overrides)
    state = engine.step(setting.start(), np.zeros(21))
    assert engine.changes == []
    overrides.set("gravity", 2.0)
    overrides.set("targets", np.zeros(15))
    state = engine.step(state, np.zeros(21))
    assert engine.changes[0] == {"time": 0.001, "gravity": 2.0}
    assert engine.changes[1]["targets"] == [0.0] * 15
    overrides.targets = None
    engine.step(state, np.zeros(21))
    assert engine.changes[2] == {"time": 0.002, "targets": None}


@pytest.mark.full
def test_a_friction_override_turns_sticking_into_sliding():
    setting = setting_of(2)
    overrides = Overrides()
    engine = HandEngine(setting, overrides=overrides)
    state = simulate(engine, setting.start(), duration=0.05)
    assert {c.mode for c in state.contacts[-1]} == {"sticking"}
    overrides.set("friction", 0.05)
    rows = simulate(engine, setting.start(), duration=0.05)
    assert "sliding" in {c.mode for c in rows.contacts[-1]}


@pytest.mark.full
def test_targets_by_hand_take_over():
    setting = setting_of(5)
    overrides = Overrides()
    overrides.set("targets", np.radians(np.tile([0.0, -20.0, 10.0], 5)))
    recording = simulate(HandEngine(setting, overrides=overrides), setting.start(), duration=0.2)
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
