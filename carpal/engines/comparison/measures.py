"""Numbers of a comparison, from tracks: parting, convergence, energy, creep, penetration, cost."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from carpal.engines.comparison.track import Track, distances
from carpal.spatial import Array

SAME = 1e-13
"""Distance [m] below which two runs are called the same."""
RESTING = 0.01
"""Speed [m/s] below which a body counts as resting, for creep."""


@dataclass(frozen=True)
class Parting:
    """Where and when two trajectories part.

    Args:
        a, b: engines, or "reference".
        time: first moment [s] at which a body is farther apart than the tolerance; None: never.
        body: which; of the largest distance where they never part.
        distance: the largest [m].
    """

    a: str
    b: str
    time: float | None
    body: str
    distance: float


@dataclass(frozen=True)
class Convergence:
    """How an engine converges in its own step.

    Args:
        order: log2 of the ratio of the changes from dt to dt/2 and from dt/2 to dt/4; NaN where both are rounding.
        error: estimate of the error at dt [m]: Richardson's extrapolation where the order is above 0.3, else the change itself.
    """

    order: float
    error: float


def parting(a: str, b: str, apart: Array, time: Array, bodies: tuple[str, ...], tolerance: float) -> Parting:
    """From distances (rows, bodies) [m] of two tracks."""
    beyond = np.argwhere(apart > tolerance)
    worst = np.unravel_index(int(np.argmax(apart)), apart.shape) if apart.size else (0, 0)
    largest = float(apart[worst]) if apart.size else 0.0
    if len(beyond):
        row, body = beyond[0]
        return Parting(a, b, float(time[row]), bodies[int(body)], largest)
    return Parting(a, b, None, bodies[int(worst[1])] if bodies else "", largest)


def convergence(tracks: dict[int, Track], reach: Array) -> Convergence | None:
    """From tracks at dt, dt/2 and dt/4; None where one is missing."""
    if not all(k in tracks for k in (1, 2, 4)):
        return None
    first, second = (float(distances(tracks[k], tracks[2 * k], reach).max(initial=0.0)) for k in (1, 2))
    if second < SAME or first < SAME:
        return Convergence(math.nan, first)
    order = math.log2(first / second)
    return Convergence(order, first * 2**order / (2**order - 1) if order > 0.3 else first)


def energy_gain(track: Track) -> float:
    """Most that the energy rises above its start and the work put in [J]; zero where it only falls."""
    total = track.energy["kinetic"] + track.energy["potential"]
    return max(0.0, float((total - total[0] - track.energy["work_in"]).max()))


def ledger_residual(track: Track) -> float:
    """Largest energy that the ledger leaves unexplained [J]."""
    return float(np.abs(track.energy["residual"]).max())


def creep(track: Track) -> float:
    """Drift [m/s] over the second half of the run of the body that drifts most among those that rest; NaN where none rests."""
    rows = len(track.time)
    if rows < 4:
        return math.nan
    half = slice(rows // 2, rows)
    p, t = track.poses[half, :, :3, 3], track.time[half]
    speed = np.linalg.norm(np.diff(p, axis=0), axis=-1) / np.diff(t)[:, None]
    resting = speed.max(axis=0) < RESTING
    drift = np.linalg.norm(p[-1] - p[0], axis=-1) / (t[-1] - t[0])
    return float(drift[resting].max()) if resting.any() else math.nan


def cost(track: Track) -> float:
    """Wall time of the steps for a simulated second."""
    span = float(track.time[-1] - track.time[0])
    return track.wall / span if span > 0 else math.nan
