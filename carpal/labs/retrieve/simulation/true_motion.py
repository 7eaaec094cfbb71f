"""Executed motions: trajectories with joint offsets and the true relay, checked for collisions every 2 mm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.contact import CollisionChecker
from carpal.labs.retrieve.relay.held_relay import carried_poses, gripper_poses, held_relay
from carpal.labs.retrieve.relay.swing import FRAME, gripper_motion, swing
from carpal.labs.retrieve.scene import free_arm
from carpal.labs.retrieve.simulation.true_scene import STANDS, true_checker, true_rows
from carpal.model import TriangleMesh
from carpal.planning import AngleHistory, Trajectory
from carpal.spatial import Array

CHECK_STEP = 0.002  # [m] largest motion of any point between two collision checks
REACH = 1.3  # [m] from any joint's axis to the farthest point of arm and relay
FINEST = 0.02  # [s]


@dataclass(frozen=True, eq=False)
class TrueMotion:
    """An executed motion for n draws.

    Args:
        time: (k) of the samples [s].
        rows: (n, k, 13) coordinates of the true scene.
        met: (n) names of the two that touched first, or ("", "").
        met_at: (n) when [s]; infinite where nothing touched.
        angles: (n, k) of the relay in the gripper [rad]; empty where it is not held.
        outside: (n) whether the angle left its set at some time.
    """

    time: Array
    rows: Array
    met: list[tuple[str, str]]
    met_at: Array
    angles: Array
    outside: np.ndarray


def check_times(trajectory: Trajectory) -> Array:
    """Times (k) [s] between which no point moves farther than CHECK_STEP."""
    fine = np.append(np.arange(0.0, trajectory.duration, FINEST), trajectory.duration)
    gone = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(trajectory.at(fine)[0], axis=0)).sum(axis=1))]) * REACH
    count = max(2, int(np.ceil(gone[-1] / CHECK_STEP)) + 1)
    rising = gone + np.arange(len(gone)) * 1e-12  # the inverse needs it to rise where the arm stands
    return np.asarray(np.interp(np.linspace(0.0, rising[-1], count), rising, fine))


def follow_free(
    trajectory: Trajectory, offsets: Array, opening: float, X_WO: Array, terrain: TriangleMesh | None = None
) -> TrueMotion:
    """With the relay standing at its true poses (n, 4, 4); offsets (n, 5)."""
    time = check_times(trajectory)
    q = trajectory.at(time)[0] + offsets[:, None]
    rows = true_rows(q, opening, np.broadcast_to(X_WO[:, None], (*q.shape[:2], 4, 4)))
    met, at = first_met(true_checker(STANDS, terrain), rows, time)
    n = len(offsets)
    return TrueMotion(time, rows, met, at, np.zeros((n, 0)), np.zeros(n, bool))


def follow_held(
    trajectory: Trajectory,
    offsets: Array,
    opening: Array,
    phi: Array,
    X_PO: Array,
    friction: Array,
    how: str,
    history: AngleHistory | None = None,
    terrain: TriangleMesh | None = None,
) -> TrueMotion:
    """With the relay in the gripper.

    Args:
        trajectory: as commanded; waiting follows.
        offsets: (n, 5) of the joints [rad].
        opening: (n) of the gripper [m].
        phi: (n) angles of the relay at the beginning [rad].
        X_PO: (n, 4, 4) poses in the payload's frame.
        friction: (n, frames) coefficients, every FRAME of motion and waiting.
        how: which collisions count, as of `true_checker`.
        history: planned angle sets to check against; None: no check.
        terrain: instead of flat ground.
    """
    model = free_arm(terrain).model
    payloads = [held_relay(X) for X in X_PO]
    motion = gripper_motion(model, payloads[0], trajectory, offsets)
    angles_of = swing(payloads, motion, phi, friction.T).T
    frames: Array = np.arange(len(angles_of[0]), dtype=np.float64) * FRAME
    waiting = np.arange(trajectory.duration + 10 * FRAME, frames[-1], 10 * FRAME)
    time = np.concatenate([check_times(trajectory), waiting])
    angles = np.array([np.interp(time, frames, angle) for angle in angles_of])
    q = trajectory.at(time)[0] + offsets[:, None]
    X_WG = gripper_poses(model, q)
    X_WO = np.stack([carried_poses(X_WG[i], angles[i], X_PO[i]) for i in range(len(q))])
    rows = true_rows(q, opening[:, None], X_WO)
    met, at = first_met(true_checker(how, terrain), rows, time)
    outside = np.zeros(len(offsets), bool)
    if history is not None:
        outside = np.array([leaves_set(history, trajectory, frames, angle) for angle in angles_of])
    return TrueMotion(time, rows, met, at, angles, outside)


def leaves_set(history: AngleHistory, trajectory: Trajectory, times: Array, angles: Array) -> bool:
    """Whether angles (k) at times (k) [s] of a motion along the planned path ever leave the angle set of their sample."""

    def along(q: Array) -> Array:
        return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(q, axis=0), axis=1))])

    samples, gone = along(history.q), along(trajectory.at(times)[0])
    gone *= samples[-1] / gone[-1]  # samples cut the corners, where the arm stops, by parts in a million
    sample = np.minimum(np.searchsorted(samples, gone - 1e-9), len(samples) - 1)
    cells = history.states.shape[1]
    cell = np.floor((angles + np.pi) / (2 * np.pi) * cells + 0.5).astype(np.int64) % cells
    inside = history.states[sample, cell] > 0
    return bool(not inside.all() or angles[-1] not in history.settled)


def first_met(checker: CollisionChecker, rows: Array, time: Array) -> tuple[list[tuple[str, str]], Array]:
    """Names and times of the first contacts of n draws, rows (n, k, 13)."""
    found = checker.collides(rows)
    met, at = [], np.full(len(rows), np.inf)
    for i, hit in enumerate(found.hit):
        first = int(np.argmax(hit))
        met.append(checker.tables.pair_names(int(found.pair[i, first])) if hit.any() else ("", ""))
        if hit.any():
            at[i] = time[first]
    return met, at
