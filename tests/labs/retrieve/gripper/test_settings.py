"""The gripper's numbers: limits in whole steps of the drive, room for momentum, and what is refused."""

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.labs.retrieve import GripperSettings


def test_limits_are_whole_steps_below_the_wanted_force():
    settings = GripperSettings()
    motor = settings.motor
    assert settings.force_resolution == pytest.approx(480 * 0.256 / 128)
    for force in np.linspace(18, 60, 43):
        current = settings.limit_current(force)
        assert current / settings.current_step == pytest.approx(round(current / settings.current_step))
        pressed = motor.force_per_ampere * current - motor.friction
        assert pressed + settings.momentum_force(pressed) <= force + 1e-9
        one_more = pressed + settings.force_resolution
        assert one_more + settings.momentum_force(one_more) > force  # the largest such step


def test_a_limit_never_leaves_its_seven_bits():
    assert GripperSettings().limit_current(1e4) == pytest.approx(127 * 0.002)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"gain": np.nan}, "gain of the gripper must be finite and above zero; got nan"),
        ({"delay": -1.0}, "delay of the gripper must be finite and zero or above"),
        ({"shortest_sample": 0.1}, "must not exceed longest_sample"),
        ({"late_share": 1.5}, "late_share"),
        ({"way_force": 3.0}, "way_force of 3 N is too low"),
        ({"motor": "L12"}, "motor must be a LinearMotor"),
    ],
)
def test_bad_input(wrong, sentence):
    with pytest.raises(InputError, match=sentence):
        GripperSettings(**wrong)


def test_the_least_force_that_a_refusal_names_is_taken():
    with pytest.raises(InputError) as refused:
        GripperSettings(way_force=3.0)
    least = float(str(refused.value).split("about ")[1].split(" N")[0])
    assert GripperSettings(way_force=least + 0.5).limit_current(least + 0.5) > 0
