"""The hand on the penalty engine: states of the joint tree are read back, the servo holds, Chan's hit is seen."""

import numpy as np
import pytest
from dexterity_inputs import run, run_number, setting_of

from carpal.errors import CarpalError
from carpal.labs.dexterity.observations import observed
from carpal.labs.dexterity.penalty_hand import PenaltyHand
from carpal.model import State

pytestmark = pytest.mark.full  # the penalty engine's compiled loop


def test_the_start_is_read_back(figure):
    setting = setting_of(8)
    engine = PenaltyHand(setting)
    inner = engine._inner(setting.start())
    read = engine._read(inner)
    figure("joint angles read from free bodies [rad]", np.abs(read.q - setting.start().q).max(), 1e-9)
    assert np.abs(read.v).max() < 1e-12
    with pytest.raises(CarpalError, match="own states"):
        engine.step(State(0.0, setting.start().q + 0.1, np.zeros(21)), np.zeros(21))


def test_example_6(figure):
    outcome = run_number(6, "penalty")
    seen = observed(outcome, lambda example: run(example, "penalty"))
    assert all(each.ok for each in seen), {each.wanted.name: each.value for each in seen}


def test_example_2_turns_as_on_the_modal_engine(figure):
    turned = [np.degrees(run_number(2, engine).turned[-1]) for engine in ("modal", "penalty", "mujoco")]
    figure("example 2: the box's turn, three engines, largest difference [deg]", max(turned) - min(turned), 5.0)
