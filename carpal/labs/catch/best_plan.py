"""`controller best`: the ball is seen by cameras and filtered, met where the arm moves least, by a palm that goes along.

When `AHEAD` seconds are left, but not before `FIRST`, place and moment of the catch are chosen (`interception.py`). From then
on, with every `UPDATE`, the hand's path goes on from where it is and as fast as it is to where the ball will be at that
moment, as the filter knows it by then; the last `LAST` seconds are left alone. All of that depends on the sightings alone, so
the mended paths are one list of knots, for many balls at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from carpal.labs.catch.air_flight import crossing, flown_in_air, path_of
from carpal.labs.catch.ball_filter import filtered_flight
from carpal.labs.catch.interception import PLANES, Choice, Verdicts, after_touch, catch_knots, chosen
from carpal.labs.catch.plan import CARRY, HOLD, SETTLE, Plan, closing, knot, start_coordinates
from carpal.labs.catch.sightings import LAST, RATE, UPDATE, between, camera_noise
from carpal.spatial import Array

FIRST, AHEAD = 0.1, 0.6
"""[s] of sightings before the hand may set off, and before the ball is at the middle plane when it does."""
TOGETHER = 1000
"""Balls that are planned at once: their motions are held in memory."""


@dataclass(frozen=True, eq=False)
class ObservedThrow:
    """A throw as the controller observes it.

    Args:
        position, velocity: true start (3) [m, m/s], which only the sightings know.
        k: drag rate [1/m], known to the filter.
        noise: deviation of a sighting along each axis [m].
        seed: of the noise.
        radius: of the ball [m].
        close_early: the digits' signal before the touch [s].
        how: as of `closing`.
        dt: step of the engine [s].
        speed_limit, torque_limit: of the joints [rad/s, N m].
    """

    position: Array
    velocity: Array
    k: float
    noise: float
    seed: int
    radius: float
    close_early: float
    how: str
    dt: float
    speed_limit: float
    torque_limit: float


def best_plans(throws: Sequence[ObservedThrow]) -> list[Plan | str]:
    """The plan for each throw, or a sentence where there is none; one and many at once give the same bits."""
    out: list[Plan | str] = []
    for first in range(0, len(throws), TOGETHER):
        out += _some_plans(throws[first : first + TOGETHER])
    return out


def _some_plans(throws: Sequence[ObservedThrow]) -> list[Plan | str]:
    p, v = np.array([x.position for x in throws], float), np.array([x.velocity for x in throws], float)
    k, noise, radius, speed_limit, torque_limit = (
        np.array([getattr(x, name) for x in throws], float)
        for name in ("k", "noise", "radius", "speed_limit", "torque_limit")
    )
    places, speeds = _estimates(throws, p, v, k, noise)
    everyone = np.arange(len(throws))
    now = _setting_off(places, speeds, k)
    choice = chosen(places[now, everyone], speeds[now, everyone], k, radius, now / RATE, speed_limit, torque_limit)
    rows = np.zeros((len(throws), 13))
    rows[:, 0], rows[:, 1:7] = now / RATE, start_coordinates()
    knots, still_mended = [rows], [choice.possible]
    step = round(UPDATE * RATE)
    touch = stop = rows
    while True:
        mended = choice.possible & (choice.time - now / RATE > LAST)
        if not mended.any():
            break
        at = np.minimum(now, len(places) - 1)
        there, speed = flown_in_air(places[at, everyone], speeds[at, everyone], k, choice.time - at / RATE)
        new_touch, new_stop = catch_knots(choice.time, there, speed, choice.share, radius)
        touch, stop = (np.where(mended[:, None], new, old) for new, old in ((new_touch, touch), (new_stop, stop)))
        now = now + step
        rows = rows.copy()
        rows[mended] = between(rows[mended], touch[mended], now[mended, None] / RATE)
        knots.append(rows)
        still_mended.append(mended)
    made = np.array(knots), np.array(still_mended)
    return [_assembled(x, i, choice, made, touch[i], stop[i]) for i, x in enumerate(throws)]


def _setting_off(places: Array, speeds: Array, k: Array) -> Array:
    """The sighting (N) after which each hand sets off."""
    first = round(FIRST * RATE)
    p, v, middle = places[first], speeds[first], float(np.mean(PLANES))
    left = crossing(p, v, k, 2, middle, (middle - p[:, 2]) / v[:, 2])[0]
    wait = np.floor(np.nan_to_num(left - AHEAD) * RATE)
    return np.clip(first + wait, first, len(places) - 1).astype(int)


def _estimates(throws: Sequence[ObservedThrow], p: Array, v: Array, k: Array, noise: Array) -> tuple[Array, Array]:
    """What the filter knows after each sighting (count, N, 3), of place and velocity."""
    last = crossing(p, v, k, 2, max(PLANES), (max(PLANES) - p[:, 2]) / v[:, 2])[0]
    count = int(np.ceil(np.nanmax(last, initial=FIRST) * RATE)) + round(LAST * RATE)
    seen = path_of(p, v, k, 1.0 / RATE, count)
    seen += noise[:, None] * np.stack([camera_noise(x.seed, count) for x in throws], 1)
    return filtered_flight(seen, noise, k, 1.0 / RATE)


def _assembled(
    throw: ObservedThrow, i: int, choice: Choice, made: tuple[Array, Verdicts], touch: Array, stop: Array
) -> Plan | str:  # fmt: skip
    """One plan: wait, the mended approach, touch and stop, hold, carry, open."""
    if not choice.possible[i]:
        return "out of reach: no place along the flight where the arm can meet the ball within its limits."
    if not made[1][1:, i].any():
        return "out of reach: the ball comes before it was seen often enough; throw it from farther away."
    time = float(choice.time[i])
    approach = made[0][made[1][:, i], i]
    open_time = time + HOLD + CARRY
    rows = np.concatenate([knot(0.0, start_coordinates())[None], approach, touch[None], after_touch(stop, time)])
    grip = closing(time - throw.close_early, open_time, throw.how, throw.dt)
    return Plan(
        rows, grip, time, open_time, open_time + SETTLE, matched=float(choice.share[i]),
        joint_speed=float(choice.joint_speed[i]),
    )  # fmt: skip
