"""What engines share: the protocol, labels of components, the alarm."""

import numpy as np
import pytest
from random_models import random_tree

import carpal
from carpal.engines import Engine, MuJoCoEngine, RigidEngine
from carpal.engines.engine import LARGEST_TRAVEL, LARGEST_TURN, checked_dt, diverged, dof_labels, fastest
from carpal.errors import CarpalError, DivergedError, InputError
from carpal.model import NV, State

MODEL = random_tree(0, joints=14)


def test_both_engines_offer_what_the_protocol_asks() -> None:
    model = carpal.load("so101_old")
    wanted = [name for name in vars(Engine) if not name.startswith("_")]
    assert {"name", "model", "dt", "integrator", "options", "step", "advance", "energies", "contacts"} <= set(wanted)
    for engine in (RigidEngine(model), MuJoCoEngine(model)):
        for name in wanted:
            assert hasattr(engine, name), name
        home = State.home(model)
        after = engine.advance(home, np.zeros(5))
        assert np.array_equal(engine.step(home, np.zeros(5)).q, after.state.q)
        assert after.state.time == engine.dt
        assert repr(engine).startswith("<") and "so101_old" in repr(engine)


def test_labels_and_speeds_of_components() -> None:
    labels = dof_labels(MODEL)
    assert len(labels) == MODEL.nv
    speeds = fastest(MODEL, 0.5)
    first = 0
    for (kind, _), joint in zip(MODEL.joint_slices(), MODEL.joint_names, strict=True):
        mine = labels[first : first + NV[kind]]
        assert {name for name, _ in mine} == {joint}
        turning = [turns for _, turns in mine]
        assert turning == {
            "revolute": [True], "prismatic": [False], "ball": [True] * 3, "free": [False] * 3 + [True] * 3,
        }[kind]  # fmt: skip
        for turns, speed in zip(turning, speeds[first : first + NV[kind]], strict=True):
            assert speed == (LARGEST_TURN if turns else LARGEST_TRAVEL) / 0.5
        first += NV[kind]


def test_the_alarm_names_the_worst_joint() -> None:
    v = np.zeros(MODEL.nv)
    v[3], v[5] = 1e9, -1e300
    error = diverged(MODEL, 1.25, 1e-3, v, (2,))
    assert isinstance(error, DivergedError) and isinstance(error, CarpalError)
    joint = dof_labels(MODEL)[5][0]
    assert f"the step at t = 1.25 s in world (2,) diverged at joint '{joint}'" in str(error)
    v[1] = np.nan
    assert f"joint '{dof_labels(MODEL)[1][0]}', whose speed became nan" in str(diverged(MODEL, 0.0, 1e-3, v))


@pytest.mark.parametrize("dt", [0, -1, np.nan, np.inf, "1", None, True])
def test_a_step_needs_a_length(dt) -> None:
    assert checked_dt(np.float64(0.5)) == 0.5
    with pytest.raises(InputError, match="dt must be a finite time above zero"):
        checked_dt(dt)
