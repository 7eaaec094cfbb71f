"""Does a trajectory keep the limits: positions, speeds, accelerations, and torques where masses are known.

Checked where pieces start and end (from both sides: accelerations jump there) and at seven places inside each piece. For
parabolas the ends alone hold the largest speed and acceleration, and the place where a joint turns round is checked too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.errors import InputError
from carpal.model import Model
from carpal.planning.trajectories.jerk_limits import jerk_values
from carpal.planning.trajectories.trajectory import Trajectory
from carpal.planning.trajectories.waypoint_checks import limit_values
from carpal.spatial import Array

INSIDE = np.array([0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0])
KINDS = ("position", "speed", "acceleration", "jerk", "torque")


@dataclass(frozen=True, eq=False)
class LimitCheck(Result):
    """How near a trajectory comes to each kind of limit; `bool(check)` is whether all are kept.

    Args:
        excess: for each kind the worst of |value| / limit - 1, for positions the worst [rad, m] beyond a limit.
        joint: for each kind the joint where that is.
        time: for each kind when that is [s].
        tolerance: how much of an excess is rounding.
    """

    excess: dict[str, float]
    joint: dict[str, str]
    time: dict[str, float]
    tolerance: float

    @property
    def ok(self) -> bool:
        """Whether every limit is kept."""
        return all(value <= self.tolerance for value in self.excess.values())

    @property
    def status(self) -> str:
        """One sentence: the limit that is broken worst, or the one that comes nearest."""
        kind = max((k for k in self.excess), key=lambda k: self.excess[k] if k != "position" else self.excess[k] * 1e3)
        for name in KINDS:
            if self.excess.get(name, -1.0) > self.tolerance:
                unit = " rad or m" if name == "position" else " of the limit"
                return (
                    f"joint '{self.joint[name]}' breaks its {name} limit by {self.excess[name]:.3g}{unit} at "
                    f"{self.time[name]:.4g} s."
                )
        if kind == "position" or not np.isfinite(self.excess[kind]):
            return "every limit is kept."
        return (
            f"every limit is kept; nearest is the {kind} of joint '{self.joint[kind]}', {100 * (1 + self.excess[kind]):.4g} % "
            f"of its limit at {self.time[kind]:.4g} s."
        )


def check_limits(
    trajectory: Trajectory,
    model: Model,
    *,
    v_max: ArrayLike | None,
    vdot_max: ArrayLike | None,
    torques: bool,
    jerk_max: ArrayLike | None,
    tolerance: float,
) -> LimitCheck:
    """See `Trajectory.check`."""
    if model.nq != trajectory.nq or model.nv != trajectory.nq:
        raise InputError(
            f"a trajectory of {trajectory.nq} joints cannot be checked against model '{model.name}' with {model.nq}."
        )
    speed = limit_values(model, "v_max", v_max, needed=False)
    hard = limit_values(model, "vdot_max", vdot_max, needed=False)
    times, q, v, a = dense_samples(trajectory)
    over = {
        "position": np.maximum(q - model.q_max, model.q_min - q),
        "speed": np.abs(v) / speed - 1.0,
        "acceleration": np.abs(a) / hard - 1.0,
    }
    if jerk_max is not None:
        over["jerk"] = np.abs(_jerk(trajectory)) / jerk_values(jerk_max, trajectory.joint_names) - 1.0
    if torques:
        from carpal.dynamics import inverse_dynamics

        over["torque"] = np.abs(inverse_dynamics(model, q, v, a)) / np.asarray(model.tau_max) - 1.0
    excess, joint, when = {}, {}, {}
    for kind, values in over.items():
        row, column = np.unravel_index(int(np.argmax(values)), values.shape)
        excess[kind] = float(values[row, column])
        joint[kind], when[kind] = trajectory.joint_names[int(column)], float(times[row])
    if trajectory.coefficients.shape[1] == 3:
        turns, at = _turning_points(trajectory)
        beyond = np.maximum(at - model.q_max, model.q_min - at)
        row, column = np.unravel_index(int(np.argmax(beyond)), beyond.shape)
        if beyond[row, column] > excess["position"]:
            excess["position"], joint["position"] = float(beyond[row, column]), trajectory.joint_names[int(column)]
            when["position"] = float(turns[row, column])
    return LimitCheck(excess, joint, when, tolerance)


def _jerk(trajectory: Trajectory) -> Array:
    """(samples, nq) at the times of `dense_samples`; infinite where the acceleration jumps, at the ends too."""
    c = trajectory.coefficients
    x = (np.diff(trajectory.times)[:, None] * INSIDE)[..., None]
    jerk = np.zeros((len(c), len(INSIDE), trajectory.nq))
    for k in range(c.shape[1] - 1, 2, -1):
        jerk = jerk * x + k * (k - 1) * (k - 2) * c[:, None, k]
    _, _, _, a = dense_samples(trajectory, np.array([0.0, 1.0]))
    a = np.vstack([np.zeros((1, trajectory.nq)), a, np.zeros((1, trajectory.nq))]).reshape(-1, 2, trajectory.nq)
    jumps = np.abs(a[:, 1] - a[:, 0]) > 1e-9 * max(1.0, float(np.abs(a).max()))
    jerk[:, 0][jumps[:-1]] = np.inf
    jerk[:, -1][jumps[1:]] = np.inf
    return jerk.reshape(-1, trajectory.nq)


def _turning_points(trajectory: Trajectory) -> tuple[Array, Array]:
    """Times and positions (pieces, nq) where joints on parabolas turn round, or the ends nearest to that."""
    c = trajectory.coefficients
    bent = c[:, 2] != 0.0
    x = np.where(bent, -c[:, 1] / np.where(bent, 2.0 * c[:, 2], 1.0), 0.0)
    x = np.clip(x, 0.0, np.diff(trajectory.times)[:, None])
    return trajectory.times[:-1, None] + x, c[:, 0] + x * (c[:, 1] + x * c[:, 2])


def dense_samples(trajectory: Trajectory, inside: Array = INSIDE) -> tuple[Array, Array, Array, Array]:
    """(times, q, v, vdot) at places inside every piece, ends included, each piece's own polynomial at its ends."""
    c = trajectory.coefficients
    lasts = np.diff(trajectory.times)
    x = (lasts[:, None] * inside)[..., None]
    q, v, a = (np.zeros((len(c), len(inside), trajectory.nq)) for _ in range(3))
    for k in range(c.shape[1] - 1, -1, -1):
        a = a * x + 2.0 * v
        v = v * x + q
        q = q * x + c[:, None, k]
    times = trajectory.times[:-1, None] + lasts[:, None] * inside
    rows = times.size
    return times.reshape(rows), q.reshape(rows, -1), v.reshape(rows, -1), a.reshape(rows, -1)
