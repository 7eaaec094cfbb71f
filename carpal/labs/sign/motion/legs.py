"""A word's motion as legs from rest to rest: the arm along its samples, the hand's commands linear, one timing for both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.kinematics import fk
from carpal.labs.sign.files.behaviour import Behaviour
from carpal.labs.sign.robot import MountedHand
from carpal.spatial import Array

GRID = 49
"""Samples of a leg at which its speeds are checked."""
FASTEST, HARDEST = 1.875, 10.0 / np.sqrt(3.0)
"""Largest rate and acceleration of the quintic profile over a unit distance in one second."""
UNKNOWN_SPEED = 5.0
"""[rad/s] assumed for joints whose largest speed is not published (`cuhk_hand`)."""
SHORTEST = 0.05
"""[s] of a leg that moves."""


@dataclass(frozen=True, eq=False)
class Leg:
    """From rest to rest.

    Args:
        duration: [s].
        arm: (k, nq) samples of the arm, evenly paced; one sample: it stands.
        start, end: (n) commands of the hand.
        letter: shown during the leg; "" between letters.
        index: of the letter in the text.
    """

    duration: float
    arm: Array
    start: Array
    end: Array
    letter: str
    index: int

    def spline(self) -> Any:
        """The arm over 0 to 1."""
        from scipy.interpolate import CubicSpline

        return CubicSpline(np.linspace(0.0, 1.0, len(self.arm)), self.arm) if len(self.arm) > 1 else None


def pace(x: Array) -> tuple[Array, Array, Array]:
    """Path share, its rate and acceleration at time shares x (minimum-jerk quintic, Flash and Hogan 1985)."""
    return (
        x**3 * (10 - 15 * x + 6 * x**2),
        30 * x**2 * (1 - x) ** 2,
        60 * x * (1 - x) * (1 - 2 * x),
    )


class WordMotion:
    """Legs one after the other; asked at any times.

    Args:
        legs: one or more.
        n_arm: joints of the arm.
    """

    def __init__(self, legs: Sequence[Leg], n_arm: int) -> None:
        self.legs = tuple(legs)
        self.starts = np.concatenate([[0.0], np.cumsum([leg.duration for leg in self.legs])])
        self._splines = [leg.spline() for leg in self.legs]
        self._n = n_arm, len(self.legs[0].start)

    @property
    def duration(self) -> float:
        """[s]."""
        return float(self.starts[-1])

    def at(self, time: ArrayLike) -> tuple[Array, Array, Array]:
        """Position, rate and acceleration (m, arm joints + commands) at times (m) [s]; at rest before and after."""
        t = np.clip(np.atleast_1d(np.asarray(time, float)), 0.0, self.duration)
        which = np.clip(np.searchsorted(self.starts, t, side="right") - 1, 0, len(self.legs) - 1)
        out = np.zeros((3, len(t), sum(self._n)))
        a = self._n[0]
        for i in np.unique(which):
            leg, here = self.legs[i], which == i
            s, ds, dds = pace((t[here] - self.starts[i]) / leg.duration)
            ds, dds = ds[:, None] / leg.duration, dds[:, None] / leg.duration**2
            spline, travel = self._splines[i], leg.end - leg.start
            out[0, here, a:] = leg.start + s[:, None] * travel
            out[1, here, a:], out[2, here, a:] = ds * travel, dds * travel
            if spline is None:
                out[0, here, :a] = leg.arm[0]
            else:
                first, second = spline(s, 1), spline(s, 2)
                out[0, here, :a] = spline(s)
                out[1, here, :a], out[2, here, :a] = ds * first, dds * first + ds**2 * second
        return out[0], out[1], out[2]

    def letter_at(self, time: float) -> tuple[str, int]:
        """The letter shown at a time, "" between letters, and its index in the text."""
        i = int(np.clip(np.searchsorted(self.starts, time, side="right") - 1, 0, len(self.legs) - 1))
        return self.legs[i].letter, self.legs[i].index


def timed_leg(
    mounted: MountedHand, behaviour: Behaviour, arm: Array, start: Array, end: Array, index: int
) -> Leg | None:
    """The shortest leg that keeps the behaviour's limits on joints and fingertips; None where nothing moves."""
    leg = Leg(1.0, arm, start, end, "", index)
    s = np.linspace(0.0, 1.0, GRID)
    spline = leg.spline()
    q_arm = np.broadcast_to(arm[0], (GRID, arm.shape[1])) if spline is None else spline(s)
    q = mounted.configuration(q_arm, mounted.hand.joints(start + s[:, None] * (end - start)))
    if not np.abs(q - q[0]).max() > 1e-9:
        return None
    model, h = mounted.model, s[1]
    first = np.abs(np.diff(q, axis=0)) / h
    allowed = behaviour.speed * np.where(np.isfinite(model.v_max), model.v_max, UNKNOWN_SPEED)
    needed = FASTEST * float((first.max(0) / allowed).max())
    # what hangs on springs bends by kinks (a joint leaves its stop): only driven joints have an acceleration
    driven = driven_columns(mounted)
    slope = first[:, driven].max(0)
    bend = np.abs(np.diff(q[:, driven], n=2, axis=0)).max(0) / h**2
    hard = slope * HARDEST + bend * FASTEST**2
    needed = max(needed, float(np.sqrt(hard.max() / behaviour.acceleration)))
    for frame in tip_frames(mounted):
        speed = np.linalg.norm(np.diff(fk(model, q, frame)[:, :3, 3], axis=0), axis=1) / h
        needed = max(needed, FASTEST * float(speed.max()) / behaviour.tip_speed)
    return Leg(max(needed * (1 + 1e-9), SHORTEST), arm, start, end, "", index)


def tip_frames(mounted: MountedHand) -> list[str]:
    """The palm's and the fingertips' frames in the whole model."""
    return [str(mounted.model.tool), *(f"hand/{frame.name}" for frame in mounted.hand.model.extra_frames)]


def driven_columns(mounted: MountedHand) -> np.ndarray:
    """Columns of q whose joints a motor drives directly; the others hang on tendons."""
    hand = mounted.hand
    own = [hand.columns[name][0] for name in hand.commands if not name.endswith("_tendon")]
    return np.concatenate([mounted.arm_columns, mounted.hand_columns[own]]).astype(int)
