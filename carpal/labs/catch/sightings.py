"""A ball whose flight is not known but seen: noisy sightings, a least-squares flight, and a plan that is mended on the way.

Every 50 ms the flight is fitted to all sightings so far (two unknown vectors, gravity known: a linear problem), and the
hand's path goes on from where it is and as fast as it is to the new meeting. All of that depends on the ball alone, so the
mended paths are one list of knots: a cubic cut short is the same cubic.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from carpal.errors import InputError
from carpal.labs.catch.air_flight import path_of
from carpal.labs.catch.flight import Meeting, meeting
from carpal.labs.catch.plan import Plan, knot, start_coordinates
from carpal.labs.catch.scene import GRAVITY
from carpal.spatial import Array

RATE = 120.0
"""Sightings a second, of two cameras together."""
UPDATE, LAST = 0.05, 0.08
"""[s] between two fits, and before the catch after which the path is left alone."""
FIRST = 0.15
"""[s] of sightings before the hand begins to move."""


def sightings(p: Array, v: Array, noise: float, seed: int, duration: float, k: float = 0.0) -> tuple[Array, Array]:
    """Times (n) [s] and noisy positions (n, 3) [m] of a ball in flight, its drag rate k [1/m]."""
    times = np.arange(0.0, duration, 1.0 / RATE)
    return times, path_of(p, v, k, 1.0 / RATE, len(times)) + noise * camera_noise(seed, len(times))


def camera_noise(seed: int, count: int) -> Array:
    """(count, 3) deviations of one; the first of a longer row are those of a shorter.

    Two cameras together give a place that is off along each axis alike: their geometry is not modelled.
    """
    return np.random.default_rng([seed, 100]).normal(size=(count, 3))


def fitted_flight(times: Array, seen: Array) -> tuple[Array, Array]:
    """Position and velocity (3) at time zero that fit the sightings best."""
    if len(times) < 2:
        raise InputError(f"a flight needs two sightings at least; got {len(times)}.")
    fallen = seen - 0.5 * times[:, None] ** 2 * GRAVITY
    A = np.column_stack([np.ones_like(times), times])
    answer = np.linalg.lstsq(A, fallen, rcond=None)[0]
    return answer[0], answer[1]


def estimated_plan(
    p: Array, v: Array, noise: float, seed: int, planned: Callable[[Meeting], Plan], k: float = 0.0
) -> Plan:
    """A plan from sightings alone.

    Args:
        p, v: the true flight (3), which only the sightings know.
        noise: their deviation along each axis [m].
        seed: of the noise.
        planned: the plan for a known meeting.
        k: drag rate [1/m] of the true flight; the fit knows nothing of it.
    """
    truth = meeting(p, v, start_coordinates()[:3])
    times, seen = sightings(p, v, noise, seed, truth.time, k)
    knots = [knot(0.0, start_coordinates()), knot(FIRST, start_coordinates())]
    now, plan = FIRST, None
    while plan is None or now < plan.catch_time - LAST:
        known = times <= now
        p_fit, v_fit = fitted_flight(times[known], seen[known])
        meet = meeting(p_fit, v_fit, start_coordinates()[:3])
        if meet.time - now < LAST:
            break
        plan = planned(meet)
        start = knots[-1]
        end = plan.knots[1].copy()
        end[0] = max(end[0], now + LAST)
        now += UPDATE
        knots.append(between(start, end, now))
    if plan is None:
        raise InputError("the ball is at the catch plane before it was seen often enough; throw it from farther away.")
    rest = plan.knots[1:]
    return dataclasses.replace(plan, knots=np.array([*(row for row in knots if row[0] < rest[0, 0] - 1e-6), *rest]))


def between(a: Array, b: Array, time: float | Array) -> Array:
    """The knot at a time (*batch, 1) on the cubic from knot a to b, (*batch, 13) each; b itself, at rest, from its time on."""
    length = b[..., :1] - a[..., :1]
    s = (time - a[..., :1]) / length
    x0, x1, m0, m1 = a[..., 1:7], b[..., 1:7], length * a[..., 7:], length * b[..., 7:]
    c2, c3 = 3 * (x1 - x0) - 2 * m0 - m1, 2 * (x0 - x1) + m0 + m1
    there, rate = x0 + s * (m0 + s * (c2 + s * c3)), (m0 + s * (2 * c2 + 3 * s * c3)) / length
    over = s >= 1.0
    return np.concatenate([0 * s + time, np.where(over, x1, there), np.where(over, 0.0, rate)], -1)
