"""Throw the ball back: wind up, accelerate with the palm square to what the ball feels, open, brake, and let it fly.

The release velocity is the slowest that carries the ball to the disc. With the constant acceleration a that leads to it,
the palm's normal is that of a - g, so that the ball is pressed on the palm and nothing makes it roll while the digits open.
The hand brakes at the release and the ball goes on alone. What the arm makes of the command is learnt beforehand in
rehearsals with the nominal ball: the commanded velocity is mended by the error of the landing.
"""

from __future__ import annotations

import math

import numpy as np

from carpal.errors import InputError
from carpal.labs.catch.flight import Meeting, palm_facing
from carpal.labs.catch.plan import HOLD, Plan, closing, knot, start_coordinates
from carpal.labs.catch.scene import GRAVITY
from carpal.spatial import Array, zxz_from_rotation

RELEASE = (0.10, -0.25, -0.40)
"""Where the hand lets go [m], near the middle of what it reaches."""
WIND_UP, SETTLE, PUSH, BRAKE, OPEN_EARLY = 0.6, 0.15, 0.16, 0.12, 0.06
"""[s]: to the start of the push, rest there, push, brake, digits' signal before the release."""
REHEARSALS = 3
"""Throws with the nominal ball from which the commanded velocity is learnt."""
BALL_ON_PALM = (0.004, 0.0, 0.025)
"""Centre of a ball on the palm [m] in the hand frame; the height is its radius."""


def release_velocity(p: Array, target: Array) -> Array:
    """Slowest velocity (3) [m/s] that carries a ball from p to the target without drag."""
    away = target - p
    flat, up = float(np.hypot(away[0], away[2])), float(away[1])
    if flat < 0.2:
        raise InputError(
            f"the disc at {np.round(target, 3).tolist()} m is too near to be thrown at; at least 0.2 m away."
        )
    slant = math.hypot(flat, up)
    speed = math.sqrt(9.81 * (up + slant))
    angle = math.atan2(up + slant, flat)
    return np.array([away[0] / flat * math.cos(angle), math.sin(angle), away[2] / flat * math.cos(angle)]) * speed


def throw_plan(
    meet: Meeting, target: Array, *, correction: Array, close_early: float, approach: float, how: str, dt: float,
    radius: float,
) -> Plan:  # fmt: skip
    """Approach, hold, wind up, push, release, brake.

    Args:
        meet: where the ball is met.
        target: centre of the disc (3) [m].
        correction: added to the release velocity (3) [m/s], from rehearsals.
        close_early, approach, how, dt: as of `catch_plan`.
        radius: of the ball [m].
    """
    hand = np.array(RELEASE)
    v = release_velocity(hand, target)
    for _ in range(3):  # the ball's place in the hand depends on the attitude, and that on the velocity
        R = palm_facing(GRAVITY - v / PUSH)
        v = release_velocity(hand + R @ [BALL_ON_PALM[0], BALL_ON_PALM[1], radius], target)
    v = v + correction
    a = v / PUSH
    R = palm_facing(GRAVITY - a)
    angles = zxz_from_rotation(R)
    angles = angles + 2 * np.pi * np.round((start_coordinates()[:3] - angles) / (2 * np.pi))
    still, moving = np.zeros(3), np.r_[np.zeros(3), v]
    begin = np.r_[angles, hand - 0.5 * PUSH * v]
    release, rest = np.r_[angles, hand], np.r_[angles, hand + 0.5 * BRAKE * v]
    t = meet.time
    push = t + HOLD + WIND_UP + SETTLE
    let_go = push + PUSH
    rows = [knot(0.0, start_coordinates()), knot(approach * t, meet.coordinates), knot(t + HOLD, meet.coordinates)]
    rows += [knot(push - SETTLE, begin), knot(push, begin), knot(let_go, release, np.r_[still, moving[3:]])]
    rows += [knot(let_go + BRAKE, rest)]
    open_time = let_go - OPEN_EARLY
    grip = closing(t - close_early, open_time, how, dt)
    flight = (v[1] + math.sqrt(max(0.0, v[1] ** 2 + 2 * 9.81 * (hand[1] - target[1] + 0.1)))) / 9.81
    return Plan(np.array(rows), grip, t, open_time, let_go + flight, np.asarray(target, float))


def mended(correction: Array, plan: Plan, landing: Array) -> Array:
    """The correction of the velocity (3) [m/s] after a rehearsal that landed there (3) [m]."""
    assert plan.target is not None  # only throws have one
    v = plan.knots[-2, 10:13]
    p = plan.knots[-2, 4:7]
    miss = landing - plan.target
    time = (v[1] + math.sqrt(max(0.0, v[1] ** 2 + 2 * 9.81 * (p[1] - plan.target[1])))) / 9.81
    return (
        correction - np.array([miss[0], 0.0, miss[2]]) / time
    )  # a landing moves by the flight's time a unit of velocity
