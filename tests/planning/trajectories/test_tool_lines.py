"""Tool lines: executed within every limit, or refused where an independent inverse kinematics agrees."""

import numpy as np
import pytest
from motion_inputs import off_polygon, random_tool_waypoints, refusal_is_right, worst_differences
from planning_scenes import six_joint_arm
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

import carpal
from carpal.errors import CarpalError, InputError, UnreachableError
from carpal.kinematics import random_configurations
from carpal.planning import LineRefusedError, tool_trajectory

PERIOD = 0.033
CORNER = 0.01


def check_lists(first, count, figure, what):
    arm = carpal.load("k10")
    worst = np.full(6, -np.inf)
    executed = refused = wrong = 0
    for seed in range(first, first + count):
        p, d = random_tool_waypoints(arm, seed)
        try:
            motion = tool_trajectory(arm, (p, d), corner=CORNER)
        except LineRefusedError as error:
            refused += 1
            wrong += not refusal_is_right(arm, error)
            continue
        executed += 1
        dt = max(PERIOD, motion.duration / 1500)
        q, v, vdot = motion.sample(dt)
        speed, hard = worst_differences(q, dt)
        speed, hard = np.maximum(speed, np.abs(v).max(0)), np.maximum(hard, np.abs(vdot).max(0))
        X = carpal.fk(arm, np.vstack([q, motion.at(motion.passing)[0]]))
        at, along = X[len(q) :, :3, 3], X[: len(q), :3, 3]
        ends = max(
            np.abs(at[[0, -1]] - p[[0, -1]]).max(),
            np.abs((X[[0, len(q) - 1], :3, :3] @ arm.tool_axis) - d[[0, -1]]).max(),
        )
        corner = (np.linalg.norm(at - p, axis=1) - motion.corner_bound).max()
        assert motion.corner_bound.max() <= CORNER + 1e-5
        beyond = np.maximum(q - arm.q_max, arm.q_min - q).max()
        worst = np.maximum(
            worst,
            [
                (speed / arm.v_max).max() - 1,
                (hard / arm.vdot_max).max() - 1,
                ends,
                corner,
                beyond,
                off_polygon(along, p),
            ],
        )
    note = f"{count} random lists, k10, {executed} executed, {refused} refused, every {1000 * PERIOD:.0f} ms"
    figure(f"{what}: speed over its limit, share", worst[0], 1e-6, note=note)
    figure(f"{what}: acceleration over its limit, share", worst[1], 1e-6, note=note)
    figure(f"{what}: ends missed [m, or of a unit direction]", worst[2], 1e-8, note=note)
    figure(f"{what}: tool at corners beyond the stated bound [m]", worst[3], 1e-9, note=note)
    figure(f"{what}: positions beyond their limits [rad]", worst[4], 1e-8, note=note)
    figure(f"{what}: tool away from its polygon [m]", worst[5], CORNER + 1e-5, note=note)
    figure(f"{what}: refusals that the independent inverse kinematics does not confirm", wrong, 0, note=note)


def test_random_lists(figure):
    check_lists(0, 250, figure, "tool lists, subset")


@pytest.mark.full
@pytest.mark.parametrize("part", range(8))
def test_random_lists_in_full(part, figure):
    check_lists(6_250 * part, 6_250, figure, f"tool lists, part {part + 1} of 8")


@pytest.mark.parametrize("seed", range(6))
def test_poses_of_a_six_joint_arm(seed):
    """Whole poses; where a line is refused, bounded least squares from there find no near posture either."""
    arm = six_joint_arm()
    rng = np.random.default_rng(seed)
    q = np.clip(
        random_configurations(arm, 1, seed=seed) + np.cumsum(rng.normal(size=(3, 6)) * 0.25, 0), arm.q_min, arm.q_max
    )
    X = carpal.fk(arm, q)
    try:
        motion = tool_trajectory(arm, X, q[0])
    except LineRefusedError as error:
        (end,) = error.ends
        R, beyond = end.target[:9].reshape(3, 3), end.beyond[:9].reshape(3, 3)
        R = Rotation.from_rotvec(1e-2 * Rotation.from_matrix(beyond @ R.T).as_rotvec()).as_matrix() @ R
        p = end.target[9:] + 1e-2 * (end.beyond[9:] - end.target[9:])

        def miss(x):
            Y = carpal.fk(arm, x)
            return np.concatenate([(Y[:3, :3] - R).ravel() * 0.3, Y[:3, 3] - p])

        found = least_squares(
            miss, np.clip(end.q, arm.q_min + 1e-12, arm.q_max - 1e-12), bounds=(arm.q_min, arm.q_max), xtol=1e-15
        )
        assert np.abs(found.fun).max() > 1e-10 or np.abs(found.x - end.q).max() > 0.05
        return
    assert motion.check(arm) and np.abs(carpal.fk(arm, motion.q_end) - X[-1]).max() < 1e-8
    at = carpal.fk(arm, motion.sample(0.02)[0])[:, :3, 3]
    assert off_polygon(at, X[:, :3, 3]) < 0.01 + 1e-5


def test_points_and_redundant_arms():
    """Seven joints, points only: what is left over takes the least motion, limits are kept."""
    arm = carpal.load("sawyer")
    p = carpal.fk(arm, arm.q_home)[:3, 3] + np.array([[0, 0, 0], [-0.3, 0, 0], [-0.3, 0.3, 0.2]])
    motion = tool_trajectory(arm, p, arm.q_home, vdot_max=5.0)
    assert (
        motion.check(arm, vdot_max=5.0) and off_polygon(carpal.fk(arm, motion.sample(0.01)[0])[:, :3, 3], p) < 0.01001
    )
    X = np.tile(carpal.fk(arm, arm.q_home + 0.2), (2, 1, 1))
    X[1, :3, 3] += (-0.1, 0.1, 0.05)
    motion = tool_trajectory(arm, X, arm.q_home + 0.2, vdot_max=5.0, torques=True)
    assert motion.check(arm, vdot_max=5.0, torques=True, tolerance=1e-6)
    Y = carpal.fk(arm, motion.sample(0.01)[0])
    assert np.abs(Y[:, :3, :3] - X[0, :3, :3]).max() < 1e-3  # the attitude does not change on the way


def test_the_tool_s_speed_is_bounded():
    arm = carpal.load("sawyer")
    p = carpal.fk(arm, arm.q_home)[:3, 3] + np.array([[0, 0, 0], [-0.3, 0, 0]])
    motion = tool_trajectory(arm, p, arm.q_home, vdot_max=20.0, speed=0.1)
    at = carpal.fk(arm, motion.sample(0.005)[0])[:, :3, 3]
    fastest = np.linalg.norm(np.diff(at, axis=0), axis=1).max() / 0.005
    assert 0.098 < fastest <= 0.1 and motion.duration > 3.0


def test_no_corner_stops_there():
    arm = carpal.load("k10")
    p, d = np.array([[0.4, 0, 0.2], [0.4, 0.1, 0.2], [0.3, 0.1, 0.2]]), np.array([0, 0, -1.0])
    motion = tool_trajectory(arm, (p, d), corner=0.0)
    q, v, _ = motion.at(motion.passing)
    assert np.abs(v).max() < 1e-6 and np.abs(carpal.fk(arm, q)[:, :3, 3] - p).max() < 1e-5
    fast = tool_trajectory(arm, (p, d), corner=0.02)
    assert fast.duration < motion.duration and fast.corner_bound[1] > 1e-3


def test_turning_on_the_spot():
    arm = carpal.load("k10")
    p = np.tile([0.4, 0.0, 0.2], (2, 1))
    motion = tool_trajectory(arm, (p, np.array([[0, 0, -1.0], [0.5, 0, -1.0]])))
    at = carpal.fk(arm, motion.sample(0.05)[0])[:, :3, 3]
    assert np.abs(at - p[0]).max() < 1e-5


BAD = [
    ({"waypoints": []}, InputError, "waypoints are poses"),
    ({"waypoints": np.zeros((0, 3))}, InputError, "two waypoints or more"),
    ({"waypoints": np.zeros((1, 3))}, InputError, "two waypoints or more"),
    ({"waypoints": np.full((2, 3), 0.3)}, InputError, "are equal"),
    ({"waypoints": ([[0.4, 0, 0.2]] * 2, [[0, 0, -1]] * 2)}, InputError, "are equal"),
    ({"waypoints": ([[0.4, 0, 0.2], [0.4, 0.1, 0.2]], [[0, 0, 0], [0, 0, 1]])}, InputError, "direction 0 is zero"),
    ({"waypoints": [[0.4, 0, np.nan], [0.4, 0.1, 0.2]]}, InputError, "waypoint 0 has a number that is not finite"),
    ({"waypoints": np.ones((2, 4, 4))}, InputError, "not a rotation"),
    ({"waypoints": [[5.0, 0, 0], [0.4, 0, 0]]}, UnreachableError, r"cannot start at \(5, 0, 0\) m"),
    ({"waypoints": [[0.4, 0, 0.2], [2.0, 0, 0]]}, UnreachableError, "cannot follow its line beyond"),
    ({"corner": -1.0}, InputError, "corner must be a number"),
    ({"corner": np.nan}, InputError, "corner must be a number"),
    ({"tolerance": 0.0}, InputError, "tolerance must be above zero"),
    ({"speed": 0.0}, InputError, "speed must be above zero"),
    ({"v_max": 0.0}, InputError, "could never move"),
    ({"frame": "nose"}, CarpalError, "nose"),
    ({"q0": [9.0] * 5}, InputError, "out of limits"),
    ({"model": "k10"}, InputError, "needs a Model"),
]


@pytest.mark.parametrize(("change", "error", "says"), BAD, ids=[str(row[2]) for row in BAD])
def test_bad_input_gets_one_sentence(change, error, says):
    asked = {"model": carpal.load("k10"), "waypoints": [[0.4, 0, 0.2], [0.4, 0.1, 0.2]]} | change
    with pytest.raises(error, match=says) as caught:
        tool_trajectory(asked.pop("model"), asked.pop("waypoints"), **asked)
    assert "\n" not in str(caught.value) and isinstance(caught.value, CarpalError)


def test_the_same_lines_give_the_same_bits():
    arm = carpal.load("k10")
    p, d = np.array([[0.4, 0, 0.2], [0.4, 0.1, 0.2], [0.3, 0.1, 0.3]]), np.array([0, 0, -1.0])
    a, b = (tool_trajectory(arm, (p, d)) for _ in "ab")
    assert np.array_equal(a.coefficients, b.coefficients) and np.array_equal(a.times, b.times)
