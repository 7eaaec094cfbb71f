"""Where a robot's tool goes if nobody says: a point that it reaches for certain."""

from __future__ import annotations

import numpy as np

from carpal.errors import InputError
from carpal.model import Model
from carpal.spatial import Array

USUAL = (0.5, 0.2, 0.4)
"""In front of a robot of an arm's size [m]."""
MOVING, SPREAD = 2.0, 0.05
"""How long reach moves by default [s], and how far from home joints may start [rad, m]."""
PEAK = 1.875
"""Largest speed of a quintic from rest to rest, in parts of the mean."""
DRAWN = 500
"""Configurations among which one is sought that the joints can hold, where the near one is too heavy."""
SHARE, TURN, SLIDE = 0.15, 0.3, 0.05
"""Each joint moves by this share of its range, at most by so much [rad, m]."""


def default_target(model: Model) -> Array:
    """A point (3) [m] that the tool reaches inside the limits of positions, and where it can of speeds and efforts.

    (0.5, 0.2, 0.4) where the robot reaches it; otherwise, or where that asks too much of a joint, where the tool is after every
    joint has moved from home towards the middle of its range, by 15 % of the range but at most 0.3 rad or 0.05 m. Where the
    joints cannot hold the robot there, the nearest of some drawn configurations to which they can move.
    """
    from carpal.kinematics import fk, ik, satisfy_constraints

    if not len(model.tables.chains[model.frame_index(None)]):
        raise InputError(
            f"no joint of model '{model.name}' moves its tool '{model.tool}', so it can reach for nothing; choose another "
            f"tool; frames: {', '.join(model.frames[:20])}{' ...' if len(model.frames) > 20 else ''}."
        )
    usual = ik(model, np.array(USUAL), model.q_home)
    if usual and motion_possible(model, usual.q):
        return np.array(USUAL)
    q = moved_from_home(model)
    if model.couplings or model.loops:
        q = satisfy_constraints(model, q).q
    if not _holdable(model, q):
        drawn = _nearest_possible(model)
        if drawn is None and usual:
            return np.array(USUAL)
        q = q if drawn is None else drawn
    X: Array = fk(model, q)
    return X[:3, 3]


def _nearest_possible(model: Model) -> Array | None:
    """Of some drawn configurations (nq) the nearest to home that the joints can move to, or None."""
    from carpal.kinematics import random_configurations

    drawn = random_configurations(model, DRAWN)
    far = np.abs(drawn - np.asarray(model.q_home)).max(axis=1)
    return next((q for q in drawn[np.argsort(far)] if _reached_possibly(model, q)), None)


def _holdable(model: Model, q: Array) -> bool:
    """Whether joints are strong enough to hold the robot where `ik` puts it for the tool's place at q (nq)."""
    from carpal.kinematics import fk, ik
    from carpal.tasks.reach.servo import holding_forces

    found = ik(model, fk(model, q)[:3, 3], model.q_home)
    if not model.has_inertia or model.nq != model.nv:
        return bool(found)
    held = np.abs(holding_forces(model, found.q)) <= model.tau_max
    return bool(found) and bool(held[_moving_the_tool(model)].all())


def _moving_the_tool(model: Model) -> np.ndarray:
    """Indices in v of the joints between the world and the tool."""
    return np.array([model.v_index(model.joint_names[row - 1]) for row in model.tables.chains[model.frame_index(None)]])


def _reached_possibly(model: Model, q: Array) -> bool:
    """Whether joints can move to q (nq), and to the configuration that `ik` finds for the same point."""
    from carpal.kinematics import fk, ik

    if not motion_possible(model, q):
        return False
    found = ik(model, fk(model, q)[:3, 3], model.q_home)
    return bool(found) and motion_possible(model, found.q)


def motion_possible(model: Model, goal: Array) -> bool:
    """Whether joints are fast and strong enough, friction aside, to move from home to a goal (nq) in 2 s and to hold there."""
    from carpal.dynamics import inverse_dynamics
    from carpal.kinematics import quintic_move
    from carpal.tasks.reach.servo import damping_and_friction, holding_forces

    if not model.has_inertia or model.nq != model.nv:
        return True
    home = np.asarray(model.q_home)
    if (PEAK * (np.abs(goal - home) + SPREAD) > model.v_max * MOVING).any():
        return False
    damping, _ = damping_and_friction(model)
    motion = quintic_move(home, goal, MOVING, MOVING / 32)
    needed = inverse_dynamics(model, motion.q, motion.v, motion.vdot)
    needed += damping * motion.v
    needed += holding_forces(model, goal) - needed[-1]
    return bool((np.abs(needed) <= model.tau_max)[:, _moving_the_tool(model)].all())


def moved_from_home(model: Model) -> Array:
    """Home (nq) with every revolute and prismatic joint moved a little, inside its limits."""
    q = np.array(model.q_home)
    for kind, i in model.joint_slices():
        if kind not in ("revolute", "prismatic"):
            continue
        low, high = model.q_min[i], model.q_max[i]
        step = min(SHARE * (high - low), TURN if kind == "revolute" else SLIDE)
        towards = 1.0 if not np.isfinite(high - low) or q[i] <= (low + high) / 2 else -1.0
        if not low <= q[i] + towards * step <= high:
            towards = -towards
        q[i] = min(max(q[i] + towards * step, low), high)
    return q
