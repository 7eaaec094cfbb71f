"""Where along its flight a ball is best met, and how fast the palm goes along: the choice of `controller best`.

The flight is cut by planes across the thrower's direction. In each of them the palm faces the ball, and goes along with a share
of its velocity at the touch, which it loses evenly over `STOP` seconds. Each of these motions is followed by the
inverse kinematics from the start pose; out are those that come near a singular pose, leave the joints' range, or ask for
more speed or torque than is allowed. Of the rest the largest share wins, because it makes the softest catch, and in it the
least joint speed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carpal.dynamics import inverse_dynamics
from carpal.labs.catch.air_flight import crossing
from carpal.labs.catch.arm_tables import follow_knots
from carpal.labs.catch.flight import hand_at
from carpal.labs.catch.kernels.path import KNOT_COLUMNS
from carpal.labs.catch.plan import CARRY, HOLD, drop_coordinates, start_coordinates
from carpal.labs.catch.robot import arm_model
from carpal.spatial import Array

Verdicts = NDArray[np.bool_]
PLANES = tuple(float(z) for z in np.linspace(-0.50, -0.08, 8))
"""z [m] of the places where a ball may be met; the thesis's plane is -0.35."""
SHARES = (0.45, 0.3, 0.15, 0.0)
"""Of the ball's velocity, the largest first."""
STOP = 0.12
"""[s] in which the palm comes to rest with the ball."""
PERIOD = 0.02
"""[s] between two samples of a motion."""
CLOSER = 0.004
"""[s] between two samples of the one that would be chosen: between samples every `PERIOD` joints were up to 8 % faster."""
LEAST_DET = 0.005
"""|det J| that a motion keeps, so that it can still be mended; at 0.004 the inverse kinematics begins to damp."""
LEAST_DET_CARRY = 0.0065
"""The same on the way to the bin, which is near it by itself: 0.008 where the thesis drops."""
REST = 2 * PERIOD
"""[s] that every motion is sampled after its stop, so that it is judged alike alone and among longer ones."""
TORQUE_SHARE = 0.5
"""Of the torque limit that a motion may ask for; the rest is for the ball and for what the controller corrects."""


@dataclass(frozen=True, eq=False)
class Choice:
    """What was chosen for each ball: moment [s], share, largest joint speed [rad/s], and whether any motion was possible."""

    time: Array
    share: Array
    joint_speed: Array
    possible: Verdicts


def catch_knots(time: Array, p: Array, v: Array, share: Array, radius: Array) -> tuple[Array, Array]:
    """Knots (*batch, 13) of the touch and of the stop.

    Args:
        time: of the touch (*batch) [s].
        p, v: of the ball then (*batch, 3) [m, m/s].
        share: of its velocity that the palm has (*batch).
        radius: of the ball (*batch) [m].
    """
    hand = hand_at(p, v, start_coordinates()[:3], radius)
    along = share[..., None] * v
    still = np.zeros((*time.shape, 3))
    touch = np.concatenate([time[..., None], hand, still, along], -1)
    after = hand + np.concatenate([still, 0.5 * STOP * along], -1)
    stop = np.concatenate([time[..., None] + STOP, after, still, still], -1)
    return touch, stop


def after_touch(stop: Array, time: ArrayLike) -> Array:
    """Knots (*batch, 3, 13) from the stop on: rest there, and the drop; `time` (*batch) [s] is the touch's."""
    rest, drop = np.zeros((2, *stop.shape))
    rest[..., 0], rest[..., 1:7] = np.asarray(time) + HOLD, stop[..., 1:7]
    drop[..., 0], drop[..., 1:7] = np.asarray(time) + HOLD + CARRY, drop_coordinates()
    return np.stack([stop, rest, drop], -2)


def chosen(
    p: Array, v: Array, k: Array, radius: Array, now: Array, speed_limit: Array, torque_limit: Array
) -> Choice:  # fmt: skip
    """The best interception of each of N balls, for an arm that rests in its start pose.

    Args:
        p, v: of the balls, as far as is known (N, 3) [m, m/s].
        k: drag rates (N) [1/m].
        radius: of the balls (N) [m].
        now: the moment (N) [s] that this is known and the hand sets off.
        speed_limit, torque_limit: of the joints (N) [rad/s, N m].
    """
    count, planes, shares = len(p), np.array(PLANES), np.array(SHARES)
    wide = (count, len(planes))
    guess = (planes - p[:, 2:]) / v[:, 2:]
    many_p, many_v, many_k = (np.broadcast_to(x[:, None], (*wide, *x.shape[1:])) for x in (p, v, k))
    after, there, speed = crossing(many_p, many_v, many_k, 2, planes, guess)
    full = (*wide, len(shares))

    def spread(x: Array) -> Array:
        return np.broadcast_to(x[:, :, None], (*full, *x.shape[2:]))

    sizes = np.broadcast_to(radius[:, None, None], full)
    usable = np.isfinite(after) & (after > 2 * PERIOD)
    after = np.where(usable, after, 1.0)
    there, speed = (np.where(usable[..., None], x, np.array([0.0, 0.0, 1.0])) for x in (there, speed))
    touch, stop = catch_knots(spread(after), spread(there), spread(speed), np.broadcast_to(shares, full), sizes)
    start = np.zeros((*full, KNOT_COLUMNS))
    start[..., 1:7] = start_coordinates()
    knots = np.stack([start, touch, stop], -2).reshape(-1, 3 * KNOT_COLUMNS)
    fastest, within = _asked(
        knots, float(after.max()) + STOP + REST, np.repeat(torque_limit, len(planes) * len(shares))
    )
    fastest = fastest.reshape(full)
    allowed = within.reshape(full) & usable[..., None] & (fastest <= speed_limit[:, None, None])
    order = np.where(allowed, fastest, np.inf) + 1e6 * np.arange(len(shares))  # a larger share comes first
    rank = order.reshape(count, -1)
    best, fastest = _that_can_be_kept(rank, knots.reshape(count, -1, 3, KNOT_COLUMNS), speed_limit)
    plane, share = np.divmod(best, len(shares))
    rows = np.arange(count)
    possible = np.isfinite(rank[rows, best])
    return Choice(now + after[rows, plane], shares[share], fastest, possible)


def _that_can_be_kept(rank: Array, knots: Array, speed_limit: Array) -> tuple[NDArray[np.intp], Array]:
    """The first of each ball's motions (N) that can be kept, and its largest joint speed (N) [rad/s]; others get no rank.

    Kept: sampled more closely it is not too fast, and from its stop the arm also comes to the bin.

    Args:
        rank: (N, motions), the least is tried first; infinite where a motion is out.
        knots: (N, motions, 3, 13): start, touch, stop.
        speed_limit: (N) [rad/s].
    """
    everyone = np.arange(len(rank))
    best, fastest = rank.argmin(1), np.full(len(rank), np.nan)
    waiting = np.isfinite(rank[everyone, best])
    while waiting.any():
        those = np.flatnonzero(waiting)
        tried = knots[those, best[those]]
        full = np.concatenate([tried[:, :2], after_touch(tried[:, 2], tried[:, 1, 0])], 1)
        report = follow_knots(full.reshape(len(those), -1), float(full[:, -1, 0].max()), PERIOD)[2]
        closer = follow_knots(tried.reshape(len(those), -1), float(tried[:, -1, 0].max()), CLOSER)[1]
        fastest[those] = np.abs(closer).max((1, 2))
        lost = those[(report[:, 2] >= 0) | (report[:, 1] < LEAST_DET_CARRY) | (fastest[those] > speed_limit[those])]
        rank[lost, best[lost]] = np.inf
        best = rank.argmin(1)
        waiting[:] = False
        waiting[lost] = np.isfinite(rank[lost, best[lost]])
    return best, fastest


def _asked(knots: Array, duration: float, torque_limit: Array) -> tuple[Array, Verdicts]:
    """Largest joint speed (n) [rad/s] along motions, and if they keep to their path, the joints' range and the torque."""
    arm = arm_model()
    angles, rates, report = follow_knots(knots, duration, PERIOD)
    within = (report[:, 2] < 0) & (report[:, 1] > LEAST_DET)
    within &= ((angles >= np.asarray(arm.q_min)) & (angles <= np.asarray(arm.q_max))).all((1, 2))
    sane = np.where(within[:, None, None], rates, 0.0)
    change = np.diff(sane, axis=1) / PERIOD
    poses = np.where(within[:, None, None], angles, np.asarray(arm.q_home))[:, :-1]
    torque = inverse_dynamics(arm, poses, sane[:, :-1], change)
    within &= np.abs(torque).max((1, 2)) <= TORQUE_SHARE * torque_limit
    return np.abs(rates).max((1, 2)), within
