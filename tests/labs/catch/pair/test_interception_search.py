"""Interceptions: on the flight, facing it, as fast as said, within limits, free of collisions; or refused for what is true."""

import numpy as np
import pytest
from catch_inputs import panda_pair

import carpal
from carpal.contact import collides
from carpal.errors import InputError
from carpal.kinematics import random_configurations
from carpal.labs.catch.pair.interception_search import SHARES, interception, limits_of, palm_at, touches
from carpal.labs.catch.pair.joint_legs import asked_of, quintic_leg
from carpal.labs.catch.pair.pair_catch import LONGEST, draw_throw


def flight_of(seed):
    pair = panda_pair()
    return pair.air.flight(*draw_throw(pair, seed, 1.0), LONGEST)


@pytest.mark.parametrize("seed", [0, 1])
def test_the_palm_meets_the_object(seed, figure):
    pair, flight = panda_pair(), flight_of(seed)
    plan = interception(pair.robot, pair.palm, flight, pair.limits, pair.ready, pair.tables)
    row = int(np.argmin(np.abs(flight[0] - plan.time)))
    q, v, _ = plan.legs[0].at(plan.time)
    X = palm_at(pair.robot, pair.palm, q)
    figure("pair catch: palm from the object at the planned touch [m]", np.linalg.norm(X[:3, 3] - flight[1][row]), 2e-6)
    np.testing.assert_allclose(X[:3, 2], -flight[2][row] / np.linalg.norm(flight[2][row]), atol=2e-6)
    h = 1e-6
    speed = (palm_at(pair.robot, pair.palm, q + h * v) - palm_at(pair.robot, pair.palm, q - h * v))[:3, 3] / (2 * h)
    assert plan.share in SHARES
    np.testing.assert_allclose(speed, plan.share * flight[2][row], atol=0.03 * np.linalg.norm(flight[2][row]))
    t = np.linspace(0.0, plan.end, 800)
    moved = [plan.arm_at(x) for x in t]
    rates = np.array([v for _, v, _ in moved])
    assert (np.abs(rates) <= pair.limits.speed).all()  # planned with nine tenths of them, at fewer samples
    places = np.array([q for q, _, _ in moved])
    assert (places >= pair.limits.low).all() and (places <= pair.limits.high).all()
    q = np.repeat(pair.robot.posture(pair.palm.cup)[None], len(t), axis=0)
    q[:, pair.robot.arm_rows] = places
    assert not collides(pair.tables, q)
    np.testing.assert_allclose(rates[-1], 0.0, atol=1e-9)


def test_limits_come_from_the_file_and_the_option():
    pair = panda_pair()
    np.testing.assert_allclose(limits_of(pair.robot, 2.5).speed, [2.175] * 4 + [2.5] * 3)
    np.testing.assert_allclose(pair.limits.torque, [87.0] * 4 + [12.0] * 3)


def test_refusals_name_what_is_true():
    pair = panda_pair()
    p, v, w = draw_throw(pair, 0, 0.0)
    with pytest.raises(InputError, match="out of reach"):
        interception(
            pair.robot,
            pair.palm,
            pair.air.flight(p + np.array([5.0, 0.0, 0.0]), v, w, LONGEST),
            pair.limits,
            pair.ready,
        )
    slow = limits_of(pair.robot, 0.05)
    flight = pair.air.flight(p + np.array([0.0, 0.25, 0.0]), v, w, LONGEST)
    with pytest.raises(InputError, match="too fast: no way"):
        interception(pair.robot, pair.palm, flight, slow, pair.ready, pair.tables)
    assert (
        asked_of(
            pair.robot.rigid,
            quintic_leg(0.0, 1.0, (pair.ready, 0 * pair.ready), (pair.ready + 0.3, 0 * pair.ready)),
            slow,
        )[0]
        > 1
    )


def test_a_motion_through_the_ground_is_noticed():
    pair = panda_pair()
    q = random_configurations(pair.robot.rigid, 200, seed=0)
    down = q[np.argmin(carpal.fk(pair.robot.rigid, q)[:, 2, 3])]
    assert carpal.fk(pair.robot.rigid, down)[2, 3] < 0.0
    leg = quintic_leg(0.0, 1.0, (pair.ready, 0 * down), (down, 0 * down))
    assert touches(pair.robot, pair.palm.cup, (leg,), pair.tables)
    still = quintic_leg(0.0, 1.0, (pair.ready, 0 * down), (pair.ready, 0 * down))
    assert not touches(pair.robot, pair.palm.cup, (still,), pair.tables)
