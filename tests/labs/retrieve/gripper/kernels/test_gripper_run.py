"""The run's kernel: a motor that cannot move times out, no noise gives the exact place, smaller steps change little."""

import dataclasses

import numpy as np
import pytest

from carpal.labs.retrieve import GripperSettings, drive_gripper

SETTINGS = GripperSettings()
QUIET = dataclasses.replace(SETTINGS, reading_deviation=1e-9, current_noise=0.0, bend=0.0, late_share=0.0, delay=0.0)


def test_without_noise_the_target_is_met_within_the_tolerance():
    result = drive_gripper(QUIET, 0.03)
    assert result.outcome == "reached" and abs(result.position - 0.03) < 1.1 * QUIET.tolerance


def test_a_motor_without_time_is_given_up():
    result = drive_gripper(dataclasses.replace(SETTINGS, longest=0.5), 0.04)
    assert result.outcome == "timed out" and not result and 0.5 < result.time < 0.7


def test_half_the_step_gives_the_same_force(figure):
    coarse = drive_gripper(QUIET, 0.04, contact=0.02)
    fine = drive_gripper(dataclasses.replace(QUIET, step=SETTINGS.step / 4), 0.04, contact=0.02)
    figure(
        "gripper: largest force with steps of 0.5 and 0.125 ms, difference [N]",
        abs(coarse.peak_force - fine.peak_force),
        0.1,
    )


def test_the_force_that_stays_is_the_energy_that_was_there():
    """Current limited, speed u at the limit: half m u^2 goes into the blade, against the limit's own force."""
    result = drive_gripper(QUIET, 0.04, contact=0.02)
    motor = QUIET.motor
    pressed = motor.force_per_ampere * QUIET.limit_current(QUIET.way_force) - motor.friction
    assert result.peak_force == pytest.approx(pressed + QUIET.momentum_force(pressed), rel=0.01)
    assert result.force == result.peak_force and np.isfinite(result.time)
