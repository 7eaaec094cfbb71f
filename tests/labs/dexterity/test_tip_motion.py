"""Gaps, speeds and hits of tips from states alone."""

import numpy as np
from dexterity_inputs import made_up, setting_of

from carpal.labs.dexterity.robot import TIP_RADIUS
from carpal.labs.dexterity.tip_motion import TipMotion, hits


def rows_of(setting, angles):
    q = np.tile(setting.start().q, (len(angles), 1))
    q[:, 7] = angles
    v = np.zeros((len(angles), 21))
    v[:, 7] = np.gradient(angles, 1e-3)
    return q, v


def test_speeds_are_rates_of_gaps(figure):
    setting = setting_of(6)
    q, v = rows_of(setting, np.linspace(-0.4, -0.2, 200))
    q[:, 15:18] += np.linspace(0, 0.01, 200)[:, None]
    v[:, 15:18] = 0.01 / 0.199
    v[:, 18:21], tips = 0.0, None
    tips = made_up(setting, q, v).tips
    rate = np.gradient(tips.gap[:, 2], 1e-3)
    figure("speed of separation against the gap's rate [m/s]", np.abs(rate - tips.speed[:, 2])[5:-5].max(), 1e-5)


def test_points_lie_on_both_surfaces():
    setting = setting_of(6)
    tips = made_up(setting, *rows_of(setting, np.linspace(-0.4, -0.1, 50))).tips
    assert np.allclose(np.linalg.norm(tips.on_tip[:, 2], axis=1), TIP_RADIUS)
    assert np.allclose(np.abs(tips.on_object[:, 2]).max(axis=1), 0.03)


def motion(gap, speed):
    rows = len(gap)
    all_gaps, all_speeds = np.full((rows, 5), 0.1), np.zeros((rows, 5))
    all_gaps[:, 1], all_speeds[:, 1] = gap, speed
    return TipMotion(all_gaps, all_speeds, np.zeros((rows, 5, 3)), np.zeros((rows, 5, 3)))


def test_a_bounce_is_one_hit_and_a_slow_touch_is_none():
    time = 1e-3 * np.arange(6)
    bounce = motion([3e-4, 2e-4, 1e-4, 1e-4, 2e-4, 3e-4], [-0.1, -0.1, -0.1, 0.09, 0.09, 0.09])
    found = hits(bounce, time)
    assert [(hit.finger, hit.time) for hit in found] == [("index", 0.002)]
    assert found[0].speed == 0.1
    slow = motion([2e-5, 1.5e-5, 1e-5, 5e-6, 0, 0], [-0.005] * 4 + [0, 0])
    assert hits(slow, time) == []
    passing = motion([3e-4, 2.5e-4, 2e-4, 2e-4, 2.1e-4, 2.2e-4], [-0.05, -0.05, -0.03, 0.0, 0.05, 0.1])
    assert hits(passing, time) == []


def test_pressing_on_is_one_hit_until_it_comes_apart():
    time = 1e-3 * np.arange(7)
    soft = motion([1e-4, -1e-5, -2e-5, -1e-5, 1e-4, 5e-5, -1e-5], [-0.1, -0.05, 0.0, 0.05, 0.05, -0.1, -0.05])
    assert [hit.time for hit in hits(soft, time)] == [0.0, 0.005]
