"""The sequence of a catch as knots: approach, hold, carry, and the digits closing and opening (Yesmunt 2014, appendix A)."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.kinematics import fk
from carpal.labs.catch.flight import Meeting
from carpal.labs.catch.kernels.path import KNOT_COLUMNS
from carpal.labs.catch.robot import arm_model
from carpal.spatial import Array, zxz_from_rotation

HOLD, CARRY, SETTLE = 0.2, 1.0, 0.75
"""After the catch the hand stays, carries, opens, and the ball is watched until it rests [s]."""
DROP_PLACE = (0.3, -0.3, -0.35)
DROP_TURN = (0.3, 0.2, 2.5)
"""Added to the start's (theta, phi, psi) [rad]: the script's -2.5 is of its mirrored angle (errata E2, E23)."""
RAMP = 0.02
"""[s] over which the digits are commanded to close, with the rate that belongs to it."""
FIRST_CHECK = 1.0
"""[s] when a ball must be in the hand for the first time, as in the thesis."""


@dataclass(frozen=True, eq=False)
class Plan:
    """What the hand shall do.

    Args:
        knots: (n, 13): time, six coordinates, their rates.
        grip: (m, 2): time, share closed.
        catch_time, open_time: [s].
        duration: of the whole run [s].
        target: centre (3) [m] of the disc that a ball thrown back shall hit; None: it is dropped in the bin.
        matched: share of the ball's velocity with which the palm goes along at the catch.
        joint_speed: the largest that the plan asks for before the ball is stopped [rad/s]; NaN where it was not computed.
    """

    knots: Array
    grip: Array
    catch_time: float
    open_time: float
    duration: float
    target: Array | None = None
    matched: float = 0.0
    joint_speed: float = math.nan

    def to_dict(self) -> dict[str, Any]:
        """As strict JSON holds it: what is not finite becomes None."""
        return {
            "knots": self.knots.tolist(), "grip": self.grip.tolist(), "catch_time": self.catch_time, "open_time": self.open_time,
            "duration": self.duration, "target": None if self.target is None else self.target.tolist(),
            "matched": self.matched, "joint_speed": self.joint_speed if math.isfinite(self.joint_speed) else None,
        }  # fmt: skip

    @staticmethod
    def from_dict(data: dict[str, Any]) -> Plan:
        """The plan of `to_dict`; other keys are ignored."""
        target, speed = data["target"], data["joint_speed"]
        return Plan(
            np.array(data["knots"], float), np.array(data["grip"], float), data["catch_time"], data["open_time"],
            data["duration"], None if target is None else np.array(target, float), data["matched"],
            math.nan if speed is None else speed,
        )  # fmt: skip


@functools.cache
def start_coordinates() -> Array:
    """(theta, phi, psi, x, y, z) (6) of the hand in the start pose; the arm is built once, a study plans thousands of throws."""
    arm = arm_model()
    X = fk(arm, np.asarray(arm.q_home))
    coordinates = np.r_[zxz_from_rotation(X[:3, :3]), X[:3, 3]]
    coordinates.flags.writeable = False
    return coordinates


def drop_coordinates() -> Array:
    """The same over the bin."""
    return np.r_[start_coordinates()[:3] + DROP_TURN, DROP_PLACE]


def knot(time: float, coordinates: Array, rates: Array | None = None) -> Array:
    """A row of `Plan.knots`."""
    row = np.zeros(KNOT_COLUMNS)
    row[0], row[1:7] = time, coordinates
    row[7:] = 0.0 if rates is None else rates
    return row


def closing(signal: float, open_time: float, how: str, dt: float) -> Array:
    """Knots of the digits.

    Args:
        signal: when they are commanded to close [s].
        open_time: when to open [s].
        how: "ramp" over 20 ms with its rate; "step" without a rate; "kick", one step of the engine with the rate of the
            whole way, as the script's difference has it (erratum E24).
        dt: step of the engine [s].
    """
    rows = [[0.0, 0.0]]
    for when, before, after in ((signal, 0.0, 1.0), (open_time, 1.0, 0.0)):
        begin = dt * round(when / dt)
        length = {"ramp": RAMP, "kick": dt, "step": 0.0}[how]
        rows += [[begin, before], [begin + length, after]]
    return np.array(rows)


def catch_plan(meet: Meeting, *, close_early: float, approach: float, how: str, dt: float) -> Plan:
    """Approach, hold, carry, open.

    Args:
        meet: where the ball is met.
        close_early: the digits' signal before the catch [s].
        approach: share of the flight that the approach takes.
        how: as of `closing`.
        dt: step of the engine [s].
    """
    t = meet.time
    open_time = t + HOLD + CARRY
    rows = [knot(0.0, start_coordinates()), knot(approach * t, meet.coordinates)]
    rows += [knot(t + HOLD, meet.coordinates), knot(open_time, drop_coordinates())]
    grip = closing(t - close_early, open_time, how, dt)
    return Plan(np.array(rows), grip, t, open_time, open_time + SETTLE)
