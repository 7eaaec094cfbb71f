"""Joint-space motion: limits at every sample, ends exact, corners within the stated bound, for any list of waypoints."""

import numpy as np
import pytest
from motion_inputs import random_waypoints, worst_differences

import carpal
from carpal.errors import InputError
from carpal.planning import joint_trajectory

PERIOD = 0.033
ARMS = {"k10": {}, "sawyer": {"vdot_max": 10.0}, "so101_old": {"v_max": 3.0, "vdot_max": 20.0}}


def check_lists(first, count, figure, what):
    """Worst of all: speed, acceleration (as shares over the limit), end, corner over its bound, position over its limit."""
    models = {name: carpal.load(name) for name in ARMS}
    worst = np.full(5, -np.inf)
    for seed in range(first, first + count):
        name = list(ARMS)[seed % 3]
        model, limits = models[name], ARMS[name]
        v_max, vdot_max = limits.get("v_max", model.v_max), limits.get("vdot_max", model.vdot_max)
        waypoints = random_waypoints(model, seed)
        motion = joint_trajectory(model, waypoints, **limits)
        dt = max(PERIOD, motion.duration / 2000)
        q, v, vdot = motion.sample(dt)
        speed, hard = worst_differences(q, dt)
        speed, hard = np.maximum(speed, np.abs(v).max(0)), np.maximum(hard, np.abs(vdot).max(0))
        at = motion.at(motion.passing)[0]
        ends = np.abs(np.stack([q[0] - waypoints[0], q[-1] - waypoints[-1]])).max()
        beyond = np.maximum(q - model.q_max, model.q_min - q).max()
        corner = (np.abs(at - waypoints).max(axis=1) - motion.corner_bound).max()
        worst = np.maximum(worst, [(speed / v_max).max() - 1, (hard / vdot_max).max() - 1, ends, corner, beyond])
    note = f"{count} random lists, three arms, every {1000 * PERIOD:.0f} ms"
    figure(f"{what}: speed over its limit, share", worst[0], 1e-9, note=note)
    figure(f"{what}: acceleration over its limit, share", worst[1], 1e-9, note=note)
    figure(f"{what}: ends missed [rad]", worst[2], 1e-12, note=note)
    figure(f"{what}: corners beyond their stated bound [rad]", worst[3], 1e-12, note=note)
    figure(f"{what}: positions beyond their limits [rad]", worst[4], 1e-12, note=note)


def test_random_lists(figure):
    check_lists(0, 600, figure, "joint-space lists, subset")


@pytest.mark.full
@pytest.mark.parametrize("part", range(4))
def test_random_lists_in_full(part, figure):
    check_lists(12_500 * part, 12_500, figure, f"joint-space lists, part {part + 1} of 4")


def test_a_single_joint_is_the_trapezoid():
    """One joint from rest to rest: the known time of full acceleration, full speed, full braking."""
    arm = carpal.load("k10")
    goal = np.array([1.0, 0, 0, 0, 0])
    motion = joint_trajectory(arm, [np.zeros(5), goal])
    assert motion.duration == pytest.approx(1.0 / 0.2 + 0.2 / 0.2, rel=1e-12)
    short = joint_trajectory(arm, [np.zeros(5), 0.1 * goal])  # never reaches full speed: 2 sqrt(d / a)
    assert short.duration == pytest.approx(2 * np.sqrt(0.1 / 0.2), rel=5e-3)


def test_waypoints_on_a_line_do_not_slow_it():
    arm = carpal.load("k10")
    ends = np.zeros(5), np.array([1.0, -0.05, 0.1, 0.1, 0.3])
    direct = joint_trajectory(arm, ends)
    through = joint_trajectory(arm, [ends[0] + s * (ends[1] - ends[0]) for s in (0, 0.3, 0.55, 1)])
    assert through.duration == pytest.approx(direct.duration, rel=1e-9)


def test_overlapping_blends_are_slowed_not_broken():
    """Waypoints so near that full speed would need blends longer than the lines."""
    arm = carpal.load("k10")
    q = np.array([[0.01 * i, 0, 0.01 * (i % 2), 0, 0.02 * (i % 3)] for i in range(12)])
    motion = joint_trajectory(arm, q)
    assert motion.check(arm) and np.abs(motion.at(motion.passing)[0] - q).max() <= motion.corner_bound.max() + 1e-12


def test_a_deviation_is_kept():
    arm = carpal.load("k10")
    q = np.array([np.zeros(5), [0.5, -0.5, 0.5, 0, 0], [1.0, 0, 0, 0.5, 0]])
    free, near = joint_trajectory(arm, q), joint_trajectory(arm, q, deviation=1e-4)
    assert near.corner_bound.max() <= 1e-4 < free.corner_bound.max() and near.duration > free.duration
    at = near.at(np.linspace(near.passing[1] - 0.5, near.passing[1] + 0.5, 2001))[0]
    assert np.abs(at - q[1]).max(axis=1).min() <= 1e-4


@pytest.mark.parametrize("deviation", [0.0, -1.0, np.nan, [1, 2]])
def test_a_deviation_that_is_none_is_refused(deviation):
    with pytest.raises(InputError, match="deviation"):
        joint_trajectory(carpal.load("k10"), [np.zeros(5), np.full(5, 0.1)], deviation=deviation)
