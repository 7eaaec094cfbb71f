"""Measures of a run by name: each a number that an observation of an example bounds. Times [s], angles [deg], lengths [mm]."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from carpal.errors import unknown_name
from carpal.labs.dexterity.example_file import Observe
from carpal.labs.dexterity.outcome import Outcome
from carpal.labs.dexterity.robot import FINGERS, joint_slice

Measure = Callable[[Outcome, Observe], float]
MEASURES: dict[str, Measure] = {}
"""Everything that an observation may name."""
SEARCH = 0.005
"""Interval [s] at which force closure is checked."""


def _measure(function: Measure) -> Measure:
    MEASURES[function.__name__.lstrip("_")] = function
    return function


def measured(outcome: Outcome, wanted: Observe) -> float:
    """The number of an observation; NaN where what it asks for never happened."""
    if wanted.measure not in MEASURES:
        raise unknown_name(f"measure of observation '{wanted.name}'", wanted.measure, MEASURES)
    return float(MEASURES[wanted.measure](outcome, wanted))


def _hits(outcome: Outcome, wanted: Observe) -> list[tuple[int, float]]:
    """(row, time) of the hits of a finger, or of any."""
    after = -math.inf if math.isnan(wanted.after) else wanted.after
    found = [hit for hit in outcome.hits if wanted.finger in ("", hit.finger) and hit.time >= after]
    return [(outcome.row(hit.time), hit.time) for hit in found]


@_measure
def first_hit(outcome: Outcome, wanted: Observe) -> float:
    """When a finger first hits the object (after `after`) [s]."""
    found = _hits(outcome, wanted)
    return found[0][1] if found else math.nan


@_measure
def second_hit(outcome: Outcome, wanted: Observe) -> float:
    """When a finger hits it again [s]."""
    found = _hits(outcome, wanted)
    return found[1][1] if len(found) > 1 else math.nan


@_measure
def hit_count(outcome: Outcome, wanted: Observe) -> float:
    """How often a finger hits the object."""
    return float(len(_hits(outcome, wanted)))


@_measure
def speed_after_hit(outcome: Outcome, wanted: Observe) -> float:
    """Speed of the object's centre [m/s] right after the first hit."""
    found = _hits(outcome, wanted)
    if not found:
        return math.nan
    row = min(found[0][0] + 2, len(outcome.time) - 1)
    return float(np.linalg.norm(outcome.v[row, 15:18]))


@_measure
def rate_change(outcome: Outcome, wanted: Observe) -> float:
    """Largest change of a finger's joint rates [rad/s] in the two steps around the first hit of any finger after `after`."""
    after = wanted.after
    found = [hit for hit in outcome.hits if math.isnan(after) or hit.time >= after]
    if not found:
        return math.nan
    row = outcome.row(found[0].time)
    rates = outcome.v[:, joint_slice(wanted.finger)]
    return float(np.abs(rates[min(row + 2, len(rates) - 1)] - rates[row]).max())


@_measure
def largest_rate(outcome: Outcome, wanted: Observe) -> float:
    """Largest joint rate of a finger [rad/s] in the whole run."""
    return float(np.abs(outcome.v[:, joint_slice(wanted.finger)]).max())


@_measure
def touches_from(outcome: Outcome, wanted: Observe) -> float:
    """When a finger touches after it did not [s]."""
    touching = outcome.contacts.touches[:, FINGERS.index(wanted.finger)]
    starts = np.flatnonzero(touching[1:] & ~touching[:-1]) + 1
    return float(outcome.time[starts[0]]) if len(starts) else math.nan


@_measure
def leaves(outcome: Outcome, wanted: Observe) -> float:
    """When a finger that touches has let go for good [s]."""
    touching = outcome.contacts.touches[:, FINGERS.index(wanted.finger)]
    rows = np.flatnonzero(touching)
    if not len(rows) or rows[-1] == len(touching) - 1:
        return math.nan
    return float(outcome.time[rows[-1] + 1])


@_measure
def touching_count(outcome: Outcome, wanted: Observe) -> float:
    """How many fingers touch at a time."""
    return float(outcome.contacts.touches[outcome.row(wanted.at)].sum())


@_measure
def touching_share(outcome: Outcome, wanted: Observe) -> float:
    """Share of the rows after `after` in which a finger touches."""
    first = 0 if math.isnan(wanted.after) else outcome.row(wanted.after)
    return float(outcome.contacts.touches[first:, FINGERS.index(wanted.finger)].mean())


@_measure
def force_closed(outcome: Outcome, wanted: Observe) -> float:
    """1 where the tips that touch at a time close the grasp, else 0."""
    return float(outcome.closed_at(outcome.row(wanted.at)))


@_measure
def closure_lost(outcome: Outcome, wanted: Observe) -> float:
    """When force closure is first lost [s]; NaN where there is none at the start, or it is never lost."""
    every = max(1, round(SEARCH / float(outcome.time[1] - outcome.time[0])))
    if not outcome.closed_at(1):
        return math.nan
    known = 1
    for row in range(every, len(outcome.time), every):
        if outcome.same_grasp(known, row):
            continue
        if not outcome.closed_at(row):
            return float(outcome.time[row])
        known = row
    return math.nan


@_measure
def turned(outcome: Outcome, wanted: Observe) -> float:
    """Angle [deg] between the object's attitudes at the start and at a time."""
    return math.degrees(float(outcome.turned[outcome.row(wanted.at)]))


@_measure
def turning_from(outcome: Outcome, wanted: Observe) -> float:
    """When the object has turned by two degrees [s]."""
    rows = np.flatnonzero(outcome.turned > math.radians(2.0))
    return float(outcome.time[rows[0]]) if len(rows) else math.nan


@_measure
def moved(outcome: Outcome, wanted: Observe) -> float:
    """How far the object's centre is from its start at a time [mm]."""
    return 1e3 * float(np.linalg.norm(outcome.place[outcome.row(wanted.at)] - outcome.place[0]))


@_measure
def moved_across(outcome: Outcome, wanted: Observe) -> float:
    """The same along the world's x, from the fingers towards the thumb [mm]."""
    return 1e3 * float(outcome.place[outcome.row(wanted.at), 0] - outcome.place[0, 0])


@_measure
def out_of_plane_force(outcome: Outcome, wanted: Observe) -> float:
    """Largest force along y over the largest in the xz-plane, of the tips on the object."""
    force = outcome.contacts.force
    flat = np.nanmax(np.hypot(force[..., 0], force[..., 2]), initial=0.0)
    return float(np.nanmax(np.abs(force[..., 1]), initial=0.0) / flat) if flat > 0 else math.nan


@_measure
def out_of_plane_turn(outcome: Outcome, wanted: Observe) -> float:
    """Turning about x and z over turning about y, the largest of the run."""
    w = np.abs(outcome.v[:, 18:21])
    return float(np.hypot(w[:, 0], w[:, 2]).max() / w[:, 1].max()) if w[:, 1].max() > 0 else math.nan


@_measure
def steepest_coordinate(outcome: Outcome, wanted: Observe) -> float:
    """Change of the object's z over the larger change of x and y, in the whole run."""
    span = np.abs(outcome.place - outcome.place[0]).max(axis=0)
    return float(span[2] / max(span[0], span[1], 1e-12))


@_measure
def arc_ratio(outcome: Outcome, wanted: Observe) -> float:
    """Way of the contact on the tip over that on the object up to a time: 1 rolls, 0 slides (E9)."""
    tip, thing = outcome.arcs(wanted.finger, 0, outcome.row(wanted.at))
    return tip / thing if thing > 0 else math.nan


@_measure
def way_on_object(outcome: Outcome, wanted: Observe) -> float:
    """Way of a finger's contact on the object [mm], from `after` up to `at`."""
    first = 0 if math.isnan(wanted.after) else outcome.row(wanted.after)
    return 1e3 * outcome.arcs(wanted.finger, first, outcome.row(wanted.at))[1]


@_measure
def rolling_share(outcome: Outcome, wanted: Observe) -> float:
    """Share of a finger's touching rows up to a time in which it does not slide."""
    i, last = FINGERS.index(wanted.finger), outcome.row(wanted.at)
    modes = outcome.contacts.mode[: last + 1, i]
    touching = modes != "free"
    return float((modes[touching] != "sliding").mean()) if touching.any() else math.nan


@_measure
def sideways_on_object(outcome: Outcome, wanted: Observe) -> float:
    """How far along the object's own y a finger's contact went from its first touch to its last [mm]."""
    i = FINGERS.index(wanted.finger)
    rows = np.flatnonzero(outcome.contacts.touches[:, i])
    if len(rows) < 2:
        return math.nan
    ends = outcome.tips.on_object[rows[[0, -1]], i, 1]
    return 1e3 * float(abs(ends[1] - ends[0]))
