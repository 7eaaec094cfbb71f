"""The program's decisions, one by one."""

import math

import pytest

from carpal.labs.retrieve import GripperSettings
from carpal.labs.retrieve.gripper.kernels import stall_rule as k

SETTINGS = GripperSettings()
RULE = SETTINGS.rule_table(0.04)


def test_voltage_has_a_dead_band_a_gain_and_an_end():
    assert k.command(RULE, 0.04 - 0.9 * SETTINGS.tolerance) == 0.0
    assert k.command(RULE, 0.0) == 12.0 and k.command(RULE, 0.05) == -12.0
    assert k.command(RULE, 0.04 - 5e-4) == pytest.approx(12000 * 5e-4 + 7.8 / 480 * 60)


def test_the_zone_goes_by_the_place_of_the_contact():
    assert k.in_zone(RULE, 0.031) and not k.in_zone(RULE, 0.0295)
    # a rod in the zone, pressing 30 N: the blade was met 1.5 mm before
    place = k.contact_place(RULE, 0.031, 30.0)
    assert place == pytest.approx(0.031 - 30 * 3.4e-3 / 70) and not k.in_zone(RULE, place)
    assert k.contact_place(RULE, 0.03, -5.0) == 0.03


def test_verdicts():
    hold = SETTINGS.hold_time
    assert k.verdict(RULE, 0.04, 0.0, hold, 0.0) == k.REACHED
    assert k.verdict(RULE, 0.04, 20.0, hold, 0.0) == k.GRIPPED
    assert k.verdict(RULE, 0.036, 20.0, 0.0, hold) == k.GRIPPED
    assert k.verdict(RULE, 0.020, 20.0, 0.0, hold) == k.JAMMED
    assert k.verdict(RULE, 0.020, 20.0, 0.0, 0.9 * hold) == k.RUNNING


def test_the_running_mean_does_not_depend_on_how_time_is_cut():
    once = k.averaged(RULE, 0.0, 1.0, 0.1)
    twice = k.averaged(RULE, k.averaged(RULE, 0.0, 1.0, 0.03), 1.0, 0.07)
    assert once == pytest.approx(twice) and once == pytest.approx(1 - math.exp(-0.1 / SETTINGS.average_time))
