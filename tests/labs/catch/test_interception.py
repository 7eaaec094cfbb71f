"""Where a ball is met: a palm that faces it and goes along, within all limits, and none better that was left."""

import functools

import numpy as np
import pytest
from catch_inputs import laboratory

from carpal.dynamics import inverse_dynamics
from carpal.kinematics import fk
from carpal.labs.catch import interception
from carpal.labs.catch.air_flight import flown_in_air
from carpal.labs.catch.arm_tables import follow_knots
from carpal.labs.catch.hand_geometry import BALL_AIM
from carpal.labs.catch.interception import PLANES, SHARES, STOP, after_touch, catch_knots, chosen
from carpal.labs.catch.plan import CARRY, HOLD, start_coordinates
from carpal.model import load

ARM = load("catcher_arm")
SPEED, TORQUE, RADIUS = 12.0, 100.0, 0.025


@functools.cache
def balls(count=24, ahead=0.6):
    """Position, velocity and drag rate of throws of 4 to 7 m/s, 0.6 s before they arrive, known exactly."""
    rows = []
    for seed in range(count):
        task, throw = laboratory(seed, speed=4.0 + 3.0 * (seed % 7) / 6)
        k = task.numbers(throw.mass, throw.friction).air_rate
        late = float((-0.3 - throw.position[2]) / throw.velocity[2]) - ahead
        rows.append((*flown_in_air(throw.position, throw.velocity, k, max(late, 0.0)), k))
    return tuple(np.array(x) for x in zip(*rows, strict=True))


def choice(p, v, k, *, speed=SPEED, torque=TORQUE):
    n = len(p)
    return chosen(p, v, k, np.full(n, RADIUS), np.zeros(n), np.full(n, speed), np.full(n, torque))


def motion(p, v, k, time, share, period=0.001):
    """Angles and rates (rows, 6) of a motion through touch and stop, and what the inverse kinematics says of it."""
    there, speed = flown_in_air(p, v, k, time)
    touch, stop = catch_knots(np.array(time), there, speed, np.array(share), np.array(RADIUS))
    start = np.r_[0.0, start_coordinates(), np.zeros(6)]
    angles, rates, told = follow_knots(np.r_[start, touch, stop][None], time + STOP + interception.REST, period)
    return angles[0], rates[0], told[0], there, speed


def test_the_palm_faces_the_ball_and_goes_along(figure):
    """By `fk` of the joints that follow the motion, differenced: place, attitude, velocity at the touch, and even braking."""
    p, v, k = balls()
    made = choice(p, v, k)
    worst = np.zeros(4)
    for i in np.flatnonzero(made.possible)[:8]:
        time, share = float(made.time[i]), float(made.share[i])
        row, h = round(time / 0.001), 0.001
        angles, _, _, there, speed = motion(p[i], v[i], k[i], time, share)
        X = fk(ARM, angles)
        at = time - row * h  # the moment lies between two rows
        rate = (X[row + 1, :3, 3] - X[row - 1, :3, 3]) / (2 * h)
        hand = X[row, :3, 3] + at * rate
        R = X[row, :3, :3]
        aim = hand + R @ (np.array(BALL_AIM) + np.array([0, 0, RADIUS]))
        along = speed * share
        still = (X[-1, :3, 3] - X[-3, :3, 3]) / (2 * h)
        worst = np.maximum(worst, [
            np.linalg.norm(aim - there), np.linalg.norm(R[:, 2] + speed / np.linalg.norm(speed)),
            np.linalg.norm(rate - along), np.linalg.norm(still),
        ])  # fmt: skip
        way = X[-1, :3, 3] - hand
        np.testing.assert_allclose(way, 0.5 * STOP * along, atol=2e-3)  # even braking covers half of speed times time
    figure("catch best: ball's place above the palm at the touch, by fk [m]", worst[0], 1e-3)
    figure("catch best: palm's normal against the ball's direction", worst[1], 0.02)
    figure("catch best: palm's velocity at the touch against its share of the ball's [m/s]", worst[2], 0.1)
    figure("catch best: palm's velocity after the stop [m/s]", worst[3], 1e-6)


def test_no_choice_is_outside_its_limits(figure):
    """Looked at twenty times as often as the choice did: speeds, range, torques by inverse dynamics, path kept."""
    p, v, k = balls()
    speed, torque, outside = 0.0, 0.0, 0
    for limit in (SPEED, 6.0):
        made = choice(p, v, k, speed=limit)
        for i in np.flatnonzero(made.possible):
            angles, rates, told, _, _ = motion(p[i], v[i], k[i], float(made.time[i]), float(made.share[i]))
            speed = max(speed, np.abs(rates).max() / limit)
            outside += int(((angles < ARM.q_min) | (angles > ARM.q_max)).any() or told[2] >= 0)
            asked = inverse_dynamics(ARM, angles[:-1], rates[:-1], np.diff(rates, axis=0) / 0.001)
            torque = max(torque, float(np.abs(asked).max()) / TORQUE)
    figure("catch best: chosen motions outside the joints' range or off their path", outside, 0)
    figure("catch best: largest joint speed over the limit that was given", speed, 1.005)
    figure("catch best: largest torque over the limit that was given", torque, 1.0)


def test_none_better_was_left():
    """Every motion with a larger share, and every one of the same share that is slower, breaks a limit: one at a time."""
    p, v, k = (x[:3] for x in balls())
    made = choice(p, v, k)
    assert made.possible.all()
    for i in range(3):
        allowed = {}
        for z in PLANES:
            time = float((z - p[i, 2]) / v[i, 2])
            for _ in range(5):  # the moment of the plane, with drag
                there, speed = flown_in_air(p[i], v[i], k[i], time)
                time += float((z - there[2]) / speed[2])
            for share in SHARES:
                angles, rates, told, *_ = motion(p[i], v[i], k[i], time, share, interception.PERIOD)
                asked = inverse_dynamics(ARM, angles[:-1], rates[:-1], np.diff(rates, axis=0) / interception.PERIOD)
                fast = np.abs(motion(p[i], v[i], k[i], time, share, interception.CLOSER)[1]).max()
                good = told[2] < 0 and told[1] > interception.LEAST_DET and max(np.abs(rates).max(), fast) <= SPEED
                good &= bool(((angles >= ARM.q_min) & (angles <= ARM.q_max)).all())
                good &= np.abs(asked).max() <= interception.TORQUE_SHARE * TORQUE
                if good and _carried(p[i], v[i], k[i], time, share):
                    allowed[share, -np.abs(rates).max()] = time, fast
        share, slowest = max(allowed)
        assert share == made.share[i]
        assert allowed[share, slowest] == pytest.approx((made.time[i], made.joint_speed[i]), rel=1e-6)


def _carried(p, v, k, time, share):
    there, speed = flown_in_air(p, v, k, time)
    touch, stop = catch_knots(np.array(time), there, speed, np.array(share), np.array(RADIUS))
    start = np.r_[0.0, start_coordinates(), np.zeros(6)]
    rows = np.concatenate([start[None], touch[None], after_touch(stop, time)])
    told = follow_knots(rows.reshape(1, -1), time + HOLD + CARRY, interception.PERIOD)[2][0]
    return told[2] < 0 and told[1] >= interception.LEAST_DET_CARRY


def test_tighter_limits_make_slower_catches_and_at_last_none():
    p, v, k = balls()
    free, tight, none = (choice(p, v, k, speed=limit) for limit in (SPEED, 5.0, 0.5))
    assert not none.possible.any()
    assert tight.possible.sum() <= free.possible.sum()
    both = tight.possible & free.possible
    assert both.any()
    assert (tight.joint_speed[both] <= 5.0).all()
    assert (tight.share[both] <= free.share[both]).all()
    assert not choice(p, v, k, torque=2.0).possible.any()  # not even the arm's weight


def test_one_ball_and_many_are_the_same_bits():
    p, v, k = (x[:6] for x in balls())
    many = choice(p, v, k)
    for i in range(6):
        alone = choice(p[i : i + 1], v[i : i + 1], k[i : i + 1])
        assert (alone.time[0], alone.share[0], alone.joint_speed[0]) == (
            many.time[i], many.share[i], many.joint_speed[i],
        )  # fmt: skip


def test_a_ball_that_flies_away_is_not_met():
    p, v, k = (x[:2].copy() for x in balls())
    v[0, 2] = -v[0, 2]
    assert choice(p, v, k).possible.tolist() == [False, True]
