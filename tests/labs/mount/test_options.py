"""Options that make no sense are refused in one sentence, together or alone."""

import math

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.mount.options import parse_pulse
from carpal.tasks import make_task

WRONG = [
    ({"case": 7}, "case must be 1, 2, 3 or 4"),
    ({"case": 2.5}, "whole number"),
    ({"case": 1, "target": (0.5, 0, 0.5)}, "one of case, target and joints"),
    ({"target": (0.5, 0.5)}, "3 numbers"),
    ({"table_mass": -1.0}, "table_mass must be 0 or above"),
    ({"table_mass": math.nan}, "finite"),
    ({"target": (math.nan, 0, 0)}, "finite"),
    ({"control": "magic"}, "none, open, closed"),
    ({"law": "guess"}, "exact, printed"),
    ({"joint_friction": 1.0}, "drive 'torque'"),
    ({"engine": "mujoco"}, "drive 'torque'"),
    ({"engine": "mujoco", "drive": "torque", "cable_stiffness": 1e4, "pulley_inertia": 1e-4}, "engine 'rigid'"),
    ({"dead_joint": 2, "drive": "torque"}, "worn_joint"),
    ({"dead_joint": 9}, "1 to 7"),
    ({"base": "floating", "control": "open"}, "floating"),
    ({"cable_stiffness": 1e4}, "pulley_inertia"),
    ({"dt": 5.0}, "dt must not be longer"),
    ({"delay": 2.0}, "delay"),
    ({"endurance": 100.0, "circle": 0.1}, "endurance"),
    ({"pulse": "1,2,3"}, "FX,FY,FROM,UNTIL"),
    ({"pulse": "1,2,0.3,0.2"}, "UNTIL after FROM"),
    ({"mass_eror": 0.1}, "mass_error"),
]


@pytest.mark.parametrize(("options", "message"), WRONG, ids=lambda value: str(value)[:40])
def test_one_clear_sentence(options, message):
    with pytest.raises(CarpalError, match=message) as caught:
        make_task("mount", **options).check()
    assert "\n" not in str(caught.value)


def test_pulses_are_read():
    assert parse_pulse("none", (0.0, 0.0)).shape == (0, 4)
    assert np.array_equal(parse_pulse("default", (0.0, 0.0)), [[50.0, 150.0, 0.05, 0.10]])
    assert np.array_equal(parse_pulse("1, 2 0.1,0.2", (5.0, 0.0)), [[5, 0, 0, np.inf], [1, 2, 0.1, 0.2]])
