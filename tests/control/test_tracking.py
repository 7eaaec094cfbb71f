"""The tool arrives, inside every limit, for the thesis's targets and for others; a circle is followed."""

import numpy as np
import pytest

import carpal
from carpal.control import track_point
from carpal.errors import CarpalError, InputError

ARM = carpal.load("sawyer")


@pytest.mark.parametrize("robot", ["sawyer", "sawyer_dh", "srs7", "so101_old"])
def test_random_targets_are_reached_inside_the_limits(robot: str) -> None:
    arm = carpal.load(robot)
    rng = np.random.default_rng(3)
    missed = 0
    for _ in range(12):
        near = arm.q_home + rng.uniform(-0.7, 0.7, arm.nq)
        point = carpal.fk(arm, np.clip(near, arm.q_min, arm.q_max))[:3, 3]
        motion = track_point(arm, np.tile(point, (4000, 1)), dt=1e-3, turning=0.1)
        assert motion.broken_limit(arm, 10.0) is None
        missed += np.linalg.norm(carpal.fk(arm, motion.q[-1])[:3, 3] - point) > 1e-3
    assert missed <= 2  # a straight pull can end at a joint's limit


def test_the_motion_is_a_chain_of_parabolas() -> None:
    motion = track_point(ARM, np.tile([0.6, 0.6, 0.6], (500, 1)), dt=1e-3)
    q = motion.q[:-1] + 1e-3 * motion.v[:-1] + 0.5e-6 * motion.vdot[:-1]
    assert np.abs(q - motion.q[1:]).max() < 1e-15
    assert np.abs(motion.v[:-1] + 1e-3 * motion.vdot[:-1] - motion.v[1:]).max() < 1e-14


def test_only_the_joints_that_may_move_do() -> None:
    motion = track_point(ARM, np.tile([0.0, 1.0, 0.3], (300, 1)), dt=1e-3, joints=["j0"])
    assert np.ptp(motion.q[:, 1:], axis=0).max() == 0.0 and motion.q[-1, 0] > 0.1


def test_feed_forward_keeps_up_with_a_moving_target(figure) -> None:
    dt, T = 1e-3, 4.0
    s = np.arange(0.0, 1.0, dt / T)
    angle, rate = 2 * np.pi * s**3 * (10 - 15 * s + 6 * s**2), 2 * np.pi * 30 * s**2 * (1 - s) ** 2 / T
    zero = np.zeros_like(s)
    points = np.array([0.6, 0.2, 0.5]) + 0.1 * np.stack([np.cos(angle), np.sin(angle), zero], 1)
    rates = 0.1 * rate[:, None] * np.stack([-np.sin(angle), np.cos(angle), zero], 1)
    start = carpal.ik(ARM, points[0], ARM.q_home).q

    def error(**given: np.ndarray) -> float:
        motion = track_point(ARM, points, dt=dt, q0=start, **given)
        assert motion.broken_limit(ARM, 10.0) is None
        return float(np.linalg.norm(carpal.fk(ARM, motion.q[:-1])[:, :3, 3] - points, axis=1).max())

    figure("mount: a circle of 0.1 m radius in 4 s, largest error [m]", error(rates=rates), 1e-3)
    assert error() > 3e-3  # without feed-forward it lags


def test_bad_input() -> None:
    with pytest.raises(InputError, match="targets"):
        track_point(ARM, [[0.0, np.nan, 0.0]], dt=1e-3)
    with pytest.raises(InputError, match="damping"):
        track_point(ARM, [[0.5, 0.0, 0.5]], dt=1e-3, damping=0.0)
    with pytest.raises(CarpalError, match="j0"):
        track_point(ARM, [[0.5, 0.0, 0.5]], dt=1e-3, joints=["elbow"])
    with pytest.raises(InputError, match="vdot_max"):
        track_point(ARM, [[0.5, 0.0, 0.5]], dt=1e-3, vdot_max=-1.0)
    with pytest.raises(InputError, match="rates"):
        track_point(ARM, [[0.5, 0.0, 0.5]], dt=1e-3, rates=np.zeros((2, 3)))
