"""Preview of a plan as rows over time, and stored plans that can be executed without planning."""

from __future__ import annotations

from typing import Any

import numpy as np

from carpal.errors import InputError
from carpal.labs.retrieve.relay.held_relay import carried_poses, gripper_poses, relay_in_payload
from carpal.labs.retrieve.relay.relay import RELAY
from carpal.labs.retrieve.robot import SPEED
from carpal.labs.retrieve.scene import OPEN
from carpal.labs.retrieve.simulation.true_scene import true_rows
from carpal.model import Model
from carpal.planning import JointPath, Trajectory, joint_trajectory, retime
from carpal.spatial import Array

FORMAT = "carpal-retrieve-plan-1"
BLEND = 0.005  # [rad] at the corners of a stored path


def corners_stopped(model: Model, path: Array, vdot_max: float | None = None) -> Trajectory:
    """Along straight edges (n, 5), stopping at every corner: a payload plan is verified on the edges only."""
    legs = np.linalg.norm(np.diff(path, axis=0), axis=1)
    coefficients = np.zeros((len(legs), 4, model.nq))
    coefficients[:, 0], coefficients[:, 1] = path[:-1], np.diff(path, axis=0) / legs[:, None]
    knots = np.concatenate([[0.0], np.cumsum(legs)])
    return retime(model, JointPath.of(knots, coefficients, model.joint_names), vdot_max=vdot_max)


def corners_blended(model: Model, path: Array) -> Trajectory:
    """Through corners (n, 5), which are passed within BLEND."""
    return joint_trajectory(model, path, deviation=BLEND)


def preview_rows(
    model: Model, moves: list[tuple[str, Trajectory, bool]], X_WO: Array, angles: dict[str, float], rows: int
) -> tuple[Array, Array]:
    """Times (n) [s] and coordinates (n, 13) of a whole plan.

    Args:
        model: the arm.
        moves: name, motion, whether the relay is held.
        X_WO: the relay's estimated pose.
        angles: of the relay in the gripper [rad]: after the grasp ("lift"), and at the end of "carry" and "bring".
        rows: about so many in all.
    """
    gap, X_PO = RELAY.flap_thickness, relay_in_payload()
    whole = sum(motion.duration for _, motion, _ in moves) + 2 * (OPEN - gap) / SPEED
    times: list[Array] = []
    found: list[Array] = []
    now, opening, angle = 0.0, OPEN, angles["lift"]

    def add(name: str, span: float, q: Array, gaps: Array, X: Array) -> None:
        nonlocal now
        times.append(now + np.linspace(0.0, span, len(q)))
        found.append(true_rows(q, gaps, X))
        now += span

    for name, motion, held in moves:
        if name in ("lift", "retreat"):
            to = gap if name == "lift" else OPEN
            span = abs(to - opening) / SPEED
            q = np.repeat(motion.q_start[None], 6, axis=0)
            add("gripper", span, q, np.linspace(opening, to, 6), np.repeat(X_WO[None], 6, axis=0))
            opening = to
        n = max(3, int(rows * motion.duration / whole))
        q = motion.at(np.linspace(0.0, motion.duration, n))[0]
        X = np.repeat(X_WO[None], n, axis=0)
        if held:
            end = angle + (angles.get(name, angle) - angle + np.pi) % (2 * np.pi) - np.pi
            X = carried_poses(gripper_poses(model, q), np.linspace(angle, end, n), X_PO)
            angle, X_WO = end, X[-1]
        add(name, motion.duration, q, np.full(n, opening), X)
    return np.concatenate(times), np.concatenate(found)


def stored_numbers(data: Any, names: dict[str, tuple[int | None, ...]]) -> dict[str, Array]:
    """Arrays of a stored plan by name, each of its shape (None: any length), or one clear sentence."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(f"this is not a stored plan of the format '{FORMAT}'.")
    out = {}
    for name, shape in names.items():
        try:
            array = np.array(data[name], float)
        except (KeyError, ValueError, TypeError):
            raise InputError(f"the stored plan has no numbers '{name}'.") from None
        fits = array.ndim == len(shape) and all(n is None or n == m for n, m in zip(shape, array.shape, strict=True))
        if not fits or not np.isfinite(array).all():
            raise InputError(f"'{name}' of the stored plan must be finite, {shape}; got shape {array.shape}.")
        out[name] = array
    return out
