"""Following a point with the tool by damped least squares, inside the joints' limits (Alkire 2020, section 5.1, corrected).

    dq = J^T (J J^T + a^2)^-1 (e, 0)         how far the joints still have to go, for the tool's error e
    v  = s dq + J^T (J J^T + a^2)^-1 (x', 0)  with x' the target's own velocity

The zeros ask the tool not to turn, as Alkire does; `TURNING` weighs these rows (0 leaves the tool's attitude free).

One factor s for all joints keeps the path's shape: it is the largest for which every joint can still brake in time
(|s dq_i| <= sqrt(2 b vdot_max_i |dq_i|)), at most the gain near the target. Then the whole v is scaled to the largest
speeds, and the whole change of v to the largest accelerations. So q is a chain of parabolas, which a plant can follow
exactly. A joint near the end of its range is left out where it would run on, and is braked on its own if it must be.

Alkire's unlimited gain asks for hundreds of rad/s (erratum E14); `LIMITED` = 0 does just that, for comparison.
"""

import math
from typing import NamedTuple

import numpy as np

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.kernels.forward import frame_pose
from carpal.kinematics.kernels.jacobian import jacobian
from carpal.kinematics.kernels.placement import COLUMNS as _COLUMNS
from carpal.kinematics.kernels.state import all_finite
from carpal.spatial.kernels.cholesky import solve_spd

TRACKING_SCRATCH = _COLUMNS
# columns of `limits`, one row per joint
LOWEST, HIGHEST, FASTEST, HARDEST, ALLOWED = 0, 1, 2, 3, 4
LIMIT_COLUMNS = 5
# entries of `numbers`
DAMPING, GAIN, BRAKING, PERIOD, LIMITED, TURNING = 0, 1, 2, 3, 4, 5
NUMBERS = 6
NEAR_LIMIT = 0.02
"""A joint this near [rad, m] to the end of its range takes no part in motion beyond it."""


@leaf
def _least_squares(J, A, y, right, free, damping, out, slot):
    """out[slot] = W J^T (J W J^T + a^2)^-1 (right, 0), with W the joints that are free."""
    for i in range(6):
        for j in range(i + 1):
            s = 0.0
            for c in range(out.shape[1]):
                s += free[slot, c] * J[slot, i, c] * J[slot, j, c]
            A[slot, i, j] = s
        A[slot, i, i] += damping * damping
        y[slot, i] = right[i] if i < 3 else 0.0
    solved = solve_spd(A, y, slot, 6)
    for c in range(out.shape[1]):
        s = 0.0
        for i in range(6):
            s += J[slot, i, c] * y[slot, i]
        out[slot, c] = free[slot, c] * s if solved else 0.0


@leaf
def _shut_out(limits, q, dq, free, slot):
    """Leave out every joint that is at the end of its range and would go on; True when there was one."""
    found = False
    for i in range(dq.shape[1]):
        room = limits[i, HIGHEST] - q[slot, i] if dq[slot, i] > 0.0 else q[slot, i] - limits[i, LOWEST]
        if free[slot, i] != 0.0 and dq[slot, i] != 0.0 and room < NEAR_LIMIT:
            free[slot, i] = 0.0
            found = True
    return found


@leaf
def _wanted_speeds(limits, numbers, dq, ahead, slot):
    """Turn dq[slot], how far to go, into speeds: s dq + ahead, within the largest speeds."""
    s = numbers[GAIN]
    for i in range(dq.shape[1]):
        distance = abs(dq[slot, i])
        if distance > 0.0:
            s = min(s, math.sqrt(2.0 * numbers[BRAKING] * limits[i, HARDEST] / distance))
    share = 1.0
    for i in range(dq.shape[1]):
        dq[slot, i] = s * dq[slot, i] + ahead[slot, i]
        if abs(dq[slot, i]) > limits[i, FASTEST]:
            share = min(share, limits[i, FASTEST] / abs(dq[slot, i]))
    for i in range(dq.shape[1]):
        dq[slot, i] *= share


@leaf
def _accelerations(limits, numbers, q, v, wanted, vdot, slot):
    """vdot[slot] towards the wanted speeds, scaled together to the largest accelerations; joints brake at their ends."""
    dt, share = numbers[PERIOD], 1.0
    for i in range(v.shape[1]):
        change = abs(wanted[slot, i] - v[slot, i])
        if change > limits[i, HARDEST] * dt:
            share = min(share, limits[i, HARDEST] * dt / change)
    for i in range(v.shape[1]):
        speed = v[slot, i] + share * (wanted[slot, i] - v[slot, i])
        room = limits[i, HIGHEST] - q[slot, i] if speed > 0.0 else q[slot, i] - limits[i, LOWEST]
        most = math.sqrt(2.0 * numbers[BRAKING] * limits[i, HARDEST] * max(room, 0.0))
        if abs(speed) > most:
            speed = math.copysign(max(most, abs(v[slot, i]) - limits[i, HARDEST] * dt), speed)
        vdot[slot, i] = (speed - v[slot, i]) / dt


@kernel
def track(joints, bodies, frames, frame, chain, limits, numbers, target, rate, q, v, vdot, work, scratch, slot):
    """Fill vdot[slot] for one period towards the point `target` (3), which moves at `rate` (3).

    `work` is (J, A, y, free, ahead); returns 1 when a number is not finite.
    """
    J, A, y, free, ahead = work
    bad = jacobian(joints, bodies, frames, frame, chain, False, q, J, scratch, slot, slot)
    _, p = frame_pose(joints, bodies, frames, frame, chain[chain.shape[0] - 1], q, slot)
    error = (target[0] - p[0], target[1] - p[1], target[2] - p[2])
    for i in range(v.shape[1]):
        free[slot, i] = limits[i, ALLOWED]
        for r in range(3, 6):
            J[slot, r, i] *= numbers[TURNING]
    _least_squares(J, A, y, error, free, numbers[DAMPING], vdot, slot)
    if numbers[LIMITED] == 0.0:
        for i in range(v.shape[1]):
            vdot[slot, i] = (numbers[GAIN] * vdot[slot, i] - v[slot, i]) / numbers[PERIOD]
        return bad if all_finite(vdot, slot) else 1
    for _ in range(v.shape[1]):
        if not _shut_out(limits, q, vdot, free, slot):
            break
        _least_squares(J, A, y, error, free, numbers[DAMPING], vdot, slot)
    _least_squares(J, A, y, rate, free, numbers[DAMPING], ahead, slot)
    _wanted_speeds(limits, numbers, vdot, ahead, slot)
    _accelerations(limits, numbers, q, v, vdot, vdot, slot)
    return bad if all_finite(vdot, slot) else 1


class TrackedArm(NamedTuple):
    """The robot and the frame that follows the points."""

    joints: np.ndarray
    bodies: np.ndarray
    frames: np.ndarray
    frame: int
    chain: np.ndarray


class TrackedPoints(NamedTuple):
    """One point [m] and its velocity [m/s] per period, each (periods, 3)."""

    targets: np.ndarray
    rates: np.ndarray


class TrackOutput(NamedTuple):
    """q and v [world, period, joint] at every period's start and at the end; vdot within each period (0 at the end)."""

    q: np.ndarray
    v: np.ndarray
    vdot: np.ndarray


class TrackScratch(NamedTuple):
    """A slot's state, the arrays of the damped least squares, and body poses."""

    q: np.ndarray
    v: np.ndarray
    vdot: np.ndarray
    J: np.ndarray
    A: np.ndarray
    y: np.ndarray
    free: np.ndarray
    ahead: np.ndarray
    bodies: np.ndarray


@entry
def track_batch(arm, limits, numbers, path, q0, found, scratch, start, stop, stride, slot):
    """From rest at q0[world], follow the points of the path, one per period."""
    bad, dt, steps = 0, numbers[PERIOD], path.targets.shape[0]
    joints, bodies, frames, frame, chain = arm
    targets, rates = path.targets, path.rates
    q_out, v_out, vdot_out = found.q, found.v, found.vdot
    q, v, vdot = scratch.q, scratch.v, scratch.vdot
    work = (scratch.J, scratch.A, scratch.y, scratch.free, scratch.ahead)
    for world in range(start, stop, stride):
        for i in range(q.shape[1]):
            q[slot, i], v[slot, i] = q0[world, i], 0.0
        refused = 0
        for k in range(steps + 1):
            for i in range(q.shape[1]):
                q_out[world, k, i], v_out[world, k, i], vdot_out[world, k, i] = q[slot, i], v[slot, i], 0.0
            if k == steps:
                break
            target = (targets[k, 0], targets[k, 1], targets[k, 2])
            rate = (rates[k, 0], rates[k, 1], rates[k, 2])
            refused |= track(
                joints,
                bodies,
                frames,
                frame,
                chain,
                limits,
                numbers,
                target,
                rate,
                q,
                v,
                vdot,
                work,
                scratch.bodies,
                slot,
            )
            for i in range(q.shape[1]):
                vdot_out[world, k, i] = vdot[slot, i]
                q[slot, i] += dt * (v[slot, i] + 0.5 * dt * vdot[slot, i])
                v[slot, i] += dt * vdot[slot, i]
        if refused and bad == 0:
            bad = world + 1
    return bad
