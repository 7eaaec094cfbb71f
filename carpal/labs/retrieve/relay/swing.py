"""Swing of the held relay while the arm moves: a rigid body on one axis under gravity, inertial forces and dry friction.

One true motion for the simulation of plans, not the planner's set. The torque that friction can hold is that of `adjust` (three
contacts, Leutenegger 2008, 7.5 with errata E5 to E8) under the effective gravity; static and sliding friction are equal.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from carpal.kinematics import fk, frame_acceleration, frame_velocity
from carpal.model import Model
from carpal.planning import Payload, Trajectory, adjust
from carpal.spatial import Array

FRAME = 0.02  # [s] between two poses of the arm
SUB = 4  # steps of the payload in a frame
SETTLE = 3.0  # [s] of waiting at the end of a motion
GRID = 121  # of the table of what friction holds
AHEAD = 400  # frames that are evaluated together while the payload rests


@functools.lru_cache(maxsize=64)
def _table(geometry: tuple[float, ...], mass: float) -> Array:
    """The pull per unit gravity that unit friction holds (GRID, GRID), over tilt and angle to gravity, 0 to pi each."""
    b, c, d, e = geometry
    payload = Payload(mass, d, c, 2.0 * mass * d * d, b, e)
    angles = np.linspace(0.0, np.pi, GRID)
    return np.ascontiguousarray(adjust(payload, angles[:, None], angles[None, :], gravity=1.0).holding)


def _held(tables: Array, gx: Array, gy: Array, gz: Array, phi: Array) -> Array:
    """What unit friction holds [m/s^2] under effective gravity (*batch, n) at angles (*batch, n); bilinear in n tables."""
    across = np.hypot(gx, gy)
    tilt = np.arctan2(across, gz)
    alpha = np.abs((phi - np.arctan2(gy, gx) + np.pi) % (2 * np.pi) - np.pi)
    n = GRID - 1
    x, y = np.minimum(tilt * (n / np.pi), n - 1e-9), np.minimum(alpha * (n / np.pi), n - 1e-9)
    i, j = x.astype(np.int64), y.astype(np.int64)
    x, y = x - i, y - j
    which = np.arange(len(tables))
    low = tables[which, i, j] * (1 - y) + tables[which, i, j + 1] * y
    high = tables[which, i + 1, j] * (1 - y) + tables[which, i + 1, j + 1] * y
    return np.asarray(np.hypot(across, gz) * (low * (1 - x) + high * x))


def gripper_motion(
    model: Model, payload: Payload, trajectory: Trajectory, offsets: Array
) -> tuple[Array, Array, Array, Array]:
    """Times (k), and in the gripper's axes: gravity less acceleration, angular velocity, angular acceleration (k, n, 3).

    Args:
        model: the arm.
        payload: says where the gripper's frame is.
        trajectory: as commanded; waiting follows.
        offsets: (n, 5) true joints less commanded ones [rad].
    """
    times = np.arange(0.0, trajectory.duration + SETTLE, FRAME)
    q, v, vdot = (x[:, None] for x in trajectory.at(times))
    q = q + offsets
    v, vdot = np.broadcast_to(v, q.shape), np.broadcast_to(vdot, q.shape)
    X_TG = np.asarray(payload.X_TG)
    R = fk(model, q)[..., :3, :3]
    V, A = frame_velocity(model, q, v), frame_acceleration(model, q, v, vdot)
    w, turn = V[..., 3:], A[..., 3:]
    r = R @ X_TG[:3, 3]
    linear = A[..., :3] + np.cross(turn, r) + np.cross(w, np.cross(w, r))
    R_WG = R @ X_TG[:3, :3]
    seen = [np.einsum("...ji,...j->...i", R_WG, x) for x in (np.asarray(model.gravity) - linear, w, turn)]
    return times, seen[0], seen[1], seen[2]


def swing(payloads: Sequence[Payload], motion: tuple[Array, Array, Array, Array], phi: Array, friction: Array) -> Array:
    """Angles (k, n) [rad] of payloads in moving grippers; one world's do not depend on the others.

    Args:
        payloads: n of them.
        motion: of `gripper_motion`.
        phi: (n) angles at the beginning, at rest.
        friction: (k, n) coefficients.
    """
    _, g_eff, w, turning = motion
    arm, drop, inertia, mass = (np.array([getattr(p, n) for p in payloads]) for n in ("arm", "drop", "inertia", "mass"))
    length = inertia / (mass * arm)
    tables = np.stack([_table(tuple(p.geometry.tolist()), p.mass) for p in payloads])

    seen = np.concatenate([np.swapaxes(a, 1, 2) for a in (g_eff, w, turning)], axis=1)  # (k, 9, n)

    def forces(frame: Array, phi: Array) -> tuple[Array, Array]:
        """Pull along the turning direction, and what unit friction holds (*batch, n) [m/s^2], of frames (9, *batch, n)."""
        gx, gy, gz, wx, wy, wz, tx, ty, tz = frame
        c, s = np.cos(phi), np.sin(phi)
        rx, ry = arm * c, arm * s
        # the gripper's turning adds centrifugal and Euler forces; what its turn about the axis itself does stands in the pull
        along, square = wx * rx + wy * ry + wz * drop, wx * wx + wy * wy + wz * wz
        gx = gx - wx * along + rx * square - ty * drop
        gy = gy - wy * along + ry * square + tx * drop
        gz = gz - wz * along + drop * square - tx * ry + ty * rx
        return c * gy - s * gx - length * tz, _held(tables, gx, gy, gz, phi)

    k, dt = 0, FRAME / SUB
    count = len(g_eff)
    out = np.empty((count, len(phi)))
    out[0] = phi = np.array(phi, float)
    rate = np.zeros_like(phi)
    while k < count - 1:
        if not rate.any():
            # at rest: find the first frame in which any payload would turn
            block = slice(k, min(k + AHEAD, count))
            pull, held = forces(np.swapaxes(seen[block], 0, 1), phi[None])
            moves = np.flatnonzero((np.abs(pull) > friction[block] * held).any(axis=1))
            still = int(moves[0]) if len(moves) else block.stop - 1 - k
            out[k : k + still + 1] = phi
            k += still
            if k >= count - 1 or not len(moves):
                continue
        # a payload at rest at the start of a frame rests through it, so that worlds do not depend on each other
        pull, held = forces(seen[k], phi)
        free = (rate != 0) | (np.abs(pull) > friction[k] * held)
        for step in range(SUB):
            x = (step + 0.5) / SUB
            pull, held = forces((1 - x) * seen[k] + x * seen[k + 1], phi)
            held = friction[k] * held
            start = np.sign(pull) * np.maximum(np.abs(pull) - held, 0.0) / length
            new = np.where(free, rate + dt * np.where(rate != 0, (pull - held * np.sign(rate)) / length, start), 0.0)
            # a payload that stops within the step restarts for the remaining time unless friction holds it
            stops = (rate != 0) & (new * rate < 0)
            share = np.where(stops, rate / np.where(stops, rate - new, 1.0), 1.0)
            new = np.where(stops, start * dt * (1.0 - share), new)
            phi, rate = phi + dt * new, new  # symplectic Euler: no numerical gain or loss of energy
        k += 1
        out[k] = phi
    return out
