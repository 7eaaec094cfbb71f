"""The fastest timing: closed forms, every limit kept, as fast as TOPP-RA on the same paths."""

import numpy as np
import pytest
import toppra
import toppra.constraint as limits_of
from motion_inputs import worst_differences
from scipy.interpolate import CubicSpline

import carpal
from carpal.errors import CarpalError, InputError, MissingInertiaError
from carpal.kinematics import random_configurations
from carpal.planning import JointPath, joint_trajectory, retime, spline_path

toppra.setup_logging("ERROR")
ARM = carpal.load("sawyer")
HARD = np.full(7, 10.0)


def smooth_path(seed, points=10):
    """A spline through random configurations that stays inside the limits."""
    q = 0.5 * (ARM.q_min + ARM.q_max) + 0.25 * (
        random_configurations(ARM, points, seed=seed) - 0.5 * (ARM.q_min + ARM.q_max)
    )
    return q, spline_path(ARM, q)


def toppra_duration(q, path, points, v_max=None):
    v = np.asarray(ARM.v_max)
    rows = [limits_of.JointVelocityConstraint(np.c_[-v, v]), limits_of.JointAccelerationConstraint(np.c_[-HARD, HARD])]
    way = toppra.SplineInterpolator(path.knots, q)
    solver = toppra.algorithm.TOPPRA(rows, way, gridpoints=np.linspace(0, path.length, points))
    return solver.compute_trajectory(0, 0).duration


def test_a_straight_line_is_full_push_and_full_brake():
    way = np.array([np.zeros(7), [0.3, 0, 0, -0.1, 0, 0, 0]]) + ARM.q_home
    motion = retime(ARM, way, v_max=100.0, vdot_max=2.0)
    assert motion.duration == pytest.approx(2 * np.sqrt(0.3 / 2.0), rel=1e-3)
    motion = retime(ARM, way, v_max=0.5, vdot_max=2.0)
    assert motion.duration == pytest.approx(0.3 / 0.5 + 0.5 / 2.0, rel=1e-3)


def test_an_arc_is_held_by_its_centripetal_acceleration():
    """Two joints on a long circle: the pace that |q''| x = a allows, r v^2 known in closed form for each joint."""
    angle = np.linspace(0, 6 * np.pi, 200)
    q = np.tile(ARM.q_home, (200, 1)).astype(float)
    q[:, 0] += 0.4 * np.cos(angle) - 0.4
    q[:, 1] += 0.4 * np.sin(angle)
    motion = retime(ARM, spline_path(ARM, q, 0.4 * angle), v_max=100.0, vdot_max=1.0, grid=2000)
    # each joint alone: |acc| <= 1; on a circle both together bound x = v^2 by a r at the axes
    speed = np.linalg.norm(motion.at(np.linspace(0.3, 0.7, 200) * motion.duration)[1][:, :2], axis=1)
    assert speed.min() >= 0.999 * np.sqrt(1.0 * 0.4) and speed.max() <= 1.001 * 2**0.25 * np.sqrt(0.4)


def test_limits_are_kept_at_every_sample(figure):
    worst = -1.0
    for seed in range(25):
        _, path = smooth_path(seed)
        motion = retime(ARM, path, vdot_max=HARD)
        q, v, a = motion.sample(1e-3)
        speed, hard = worst_differences(q, 1e-3)
        check = motion.check(ARM, vdot_max=HARD)
        assert check, str(check)
        worst = max(worst, (speed / ARM.v_max).max() - 1, (np.abs(a) / HARD).max() - 1, (hard / HARD).max() - 1)
        way = path.at(np.linspace(0, path.length, 4000))[0]
        near = np.abs(q[::37, None] - way[None]).max(-1).min(1)
        assert near.max() <= np.abs(np.diff(way, axis=0)).max() and np.allclose(
            q[-1], path.at(path.length)[0], atol=1e-9
        )
        assert not v[0].any() or np.abs(v[0]).max() < 1e-9
    figure("retimed paths: speed or acceleration over its limit at 1 ms, share", worst, 1e-6, note="25 splines, sawyer")


def test_as_fast_as_toppra(figure):
    worst = -1.0
    for seed in range(6):
        q, path = smooth_path(seed)
        worst = max(worst, retime(ARM, path, vdot_max=HARD).duration / toppra_duration(q, path, 301) - 1)
    figure(
        "duration over TOPP-RA's with 301 grid points, share", worst, 0.02, note="6 splines through 10 configurations"
    )


@pytest.mark.full
def test_as_fast_as_toppra_in_full(figure):
    over = []
    for seed in range(200):
        q, path = smooth_path(seed, points=3 + seed % 15)
        over.append(retime(ARM, path, vdot_max=HARD).duration / toppra_duration(q, path, 1001) - 1)
    figure("duration over TOPP-RA's with 1001 grid points, share, worst of 200 splines", max(over), 0.02)
    figure("the same, median", float(np.median(over)), 0.02)


def test_torques_are_kept():
    _, path = smooth_path(3, points=5)
    free, held = retime(ARM, path, vdot_max=HARD), retime(ARM, path, vdot_max=HARD, torques=True)
    assert held.duration >= free.duration * (1 - 1e-9)
    check = held.check(ARM, vdot_max=HARD, torques=True, tolerance=1e-6)
    assert check, str(check)
    alone = retime(ARM, path, torques=True)  # no acceleration limit at all
    assert alone.check(ARM, torques=True, tolerance=1e-6) and alone.duration < held.duration * (1 + 1e-9)


def test_corners_are_stopped_at():
    q = ARM.q_home + np.array([np.zeros(7), [0.2, 0, 0, 0, 0, 0, 0], [0.2, 0.2, 0, 0, 0, 0, 0]])
    c = np.zeros((2, 4, 7))
    c[:, 0], c[:, 1] = q[:2], np.diff(q, axis=0)
    path = JointPath.of(np.array([0.0, 1.0, 2.0]), c, ARM.joint_names)
    motion = retime(ARM, path, vdot_max=HARD, marks=np.array([0.0, 1.0, 2.0]))
    at, v, _ = motion.at(motion.passing)
    assert np.allclose(at, q, atol=1e-9) and np.abs(v).max() < 1e-6 and motion.check(ARM, vdot_max=HARD)


def test_a_trajectory_is_retimed_along_its_own_path():
    motion = joint_trajectory(ARM, smooth_path(1)[0], vdot_max=HARD)
    fast = retime(ARM, motion, vdot_max=HARD)
    assert fast.duration < motion.duration and fast.check(ARM, vdot_max=HARD)


def test_marks_are_passed_when_said():
    _, path = smooth_path(2)
    marks = np.linspace(0, path.length, 17)
    motion = retime(ARM, path, vdot_max=HARD, marks=marks)
    assert np.allclose(motion.at(motion.passing)[0], path.at(marks)[0], atol=1e-7)


def test_the_same_path_gives_the_same_bits():
    a, b = (retime(ARM, smooth_path(5)[1], vdot_max=HARD) for _ in "ab")
    assert np.array_equal(a.coefficients, b.coefficients) and np.array_equal(a.times, b.times)


BAD = [
    ({"path": np.zeros((0, 7))}, InputError, "two waypoints"),
    ({"path": [ARM.q_home, ARM.q_home]}, InputError, "are equal"),
    ({"vdot_max": None}, InputError, "has no vdot_max"),
    ({"vdot_max": 0.0}, InputError, "could never move"),
    ({"v_max": np.nan}, InputError, "v_max"),
    ({"grid": 1}, InputError, "grid must be"),
    ({"model": carpal.load("k10")}, InputError, "does not fit model 'k10'"),
    ({"model": "sawyer"}, InputError, "needs a Model"),
    (
        {"model": carpal.load("k10"), "path": [np.zeros(5), np.full(5, 0.1)], "torques": True},
        MissingInertiaError,
        "k10",
    ),
]


@pytest.mark.parametrize(("change", "error", "says"), BAD)
def test_bad_input_gets_one_sentence(change, error, says):
    asked = {"model": ARM, "path": smooth_path(0)[1], "vdot_max": 10.0} | change
    with pytest.raises(error, match=says) as caught:
        retime(asked.pop("model"), asked.pop("path"), **asked)
    assert "\n" not in str(caught.value) and isinstance(caught.value, CarpalError)


def test_the_peer_s_path_is_ours():
    q, path = smooth_path(0)
    s = np.linspace(0, path.length, 50)
    assert np.allclose(CubicSpline(path.knots, q)(s), path.at(s)[0]) and np.allclose(
        toppra.SplineInterpolator(path.knots, q)(s), path.at(s)[0], atol=1e-10
    )
