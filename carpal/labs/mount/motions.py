"""Motions of the arm on its mount: to a point by damped least squares, round a circle, or from posture to posture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.control import track_point
from carpal.errors import InputError, UnreachableError
from carpal.kinematics import JointMotion, fk, ik, quintic_move, quintic_time
from carpal.model import Model
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.labs.mount.task import Mount

PUBLISHED_GAIN = 350.0
"""Position part of the gain matrix of Alkire (2020), (5.5) [1/s]; its rotation part meets an error of zero (erratum E13)."""


REDUNDANT = 7
"""Joints with which a tool can go anywhere without turning."""


def motion_of(task: Mount) -> JointMotion:
    """The whole motion of a task's arm, at rest after it until the end."""
    options = task.options
    if options.joints:
        return _joint_move(task)
    if options.circle:
        return _circle(task)
    if options.motion == "reaction-aware":
        return _reaction_aware(task)
    if options.motion == "quintic":
        return quintic_to(task, _posture(task))
    limited = options.gain == "limited"
    return _tracked(task, limited=limited, **({} if limited else {"gain": PUBLISHED_GAIN}))


def _tracked(task: Mount, **how: Any) -> JointMotion:
    """Damped least squares to the target."""
    options, arm, case = task.options, task.arm, task.case
    periods = round(task.duration / task.dt)
    return track_point(
        arm, np.tile(task.target, (periods, 1)), dt=task.dt, joints=case.joints(arm) if case else None,
        damping=options.damping, vdot_max=options.acceleration, turning=turning(task), **how,
    )  # fmt: skip


def turning(task: Mount) -> float:
    """Metres that a radian of the tool's turning counts as while it is tracked; 0 frees its attitude."""
    kept = task.options.attitude == "kept" or (task.options.attitude == "auto" and task.arm.nv >= REDUNDANT)
    return 1.0 if kept else 0.0


def quintic_to(task: Mount, goal: Array) -> JointMotion:
    """The quintic from home to a posture, in the asked time or the shortest that the limits allow."""
    options, arm = task.options, task.arm
    home = np.array(arm.q_home)
    shortest = quintic_time(home, goal, arm.v_max, options.acceleration)
    wanted = options.move_time or math.ceil(shortest / task.dt) * task.dt
    if wanted < shortest * (1 - 1e-9):
        raise InputError(
            f"move_time {wanted:g} s is too short for the joints' limits: this move takes {shortest:.4g} s or more."
        )
    if wanted > task.duration:
        raise InputError(f"the move takes {wanted:.4g} s, the run only {task.duration:g} s; give a longer duration.")
    return quintic_move(home, goal, wanted, task.dt).lasting(task.duration)


def _joint_move(task: Mount) -> JointMotion:
    arm, goal = task.arm, np.array(task.options.joints)
    if goal.shape != (arm.nq,):
        raise InputError(f"joints needs {arm.nq} numbers ({', '.join(arm.joint_names)}); got {len(goal)}.")
    over = np.flatnonzero((goal < arm.q_min) | (goal > arm.q_max))
    if len(over):
        i = int(over[0])
        raise InputError(
            f"joints[{i}] = {goal[i]:g} is outside joint '{arm.joint_names[i]}': {arm.q_min[i]:g} to {arm.q_max[i]:g} rad."
        )
    return quintic_to(task, goal)


def _posture(task: Mount) -> Array:
    """The posture in which damped least squares ends: the same goal, reached another way; where it misses, `ik`'s."""
    end = _tracked(task).q[-1]
    if np.linalg.norm(fk(task.arm, end)[:3, 3] - task.target) > task.options.tolerance:
        found = ik(task.arm, task.target, task.arm.q_home)
        end = found.q if found else end
    return np.array(end)


def _circle(task: Mount) -> JointMotion:
    """A circle about the target in the table's plane, at rest at both ends."""
    options, arm, dt = task.options, task.arm, task.dt
    periods = round(options.circle_time / dt)
    s = np.arange(periods) / periods
    angle = 2 * np.pi * s**3 * (10 - 15 * s + 6 * s**2)
    rate = 2 * np.pi * 30 * s**2 * (1 - s) ** 2 / options.circle_time
    round_it = np.stack([np.cos(angle), np.sin(angle), np.zeros(periods)], axis=1)
    along = rate[:, None] * np.stack([-np.sin(angle), np.cos(angle), np.zeros(periods)], axis=1)
    points = task.target + options.circle * round_it
    for name, point in (("start", points[0]), ("far side", points[periods // 2])):
        found = ik(arm, point, arm.q_home)
        if not found:
            raise UnreachableError(f"the circle's {name} {point.round(4).tolist()} m is not reachable: {found.status}")
    start = ik(arm, points[0], arm.q_home).q
    return track_point(
        arm, points, rates=options.circle * along, dt=dt, q0=start, damping=options.damping,
        vdot_max=options.acceleration, turning=turning(task),
    ).lasting(task.duration)  # fmt: skip


def circle_error(task: Mount) -> float:
    """Largest distance [m] of the tool from its reference on the circle."""
    options = task.options
    periods = round(options.circle_time / task.dt)
    s = np.arange(periods) / periods
    angle = 2 * np.pi * s**3 * (10 - 15 * s + 6 * s**2)
    points = task.target + options.circle * np.stack([np.cos(angle), np.sin(angle), np.zeros(periods)], axis=1)
    tool = fk(task.arm, task.motion.q[:periods])[:, :3, 3]
    return float(np.linalg.norm(tool - points, axis=-1).max())


def _reaction_aware(task: Mount) -> JointMotion:
    from carpal.planning import least_reaction_move

    move = least_reaction_move(
        task.arm, task.target, duration=task.options.move_time or 1.5, vdot_max=task.options.acceleration,
        minimise=task.options.minimise, weights=task.options.weights,
    )  # fmt: skip
    if not move:
        raise UnreachableError(move.status)
    q, v, _ = move.sample(task.dt)
    motion = JointMotion.from_velocities(task.dt, q[0], v)
    # the trapezoid's last digits, as in `quintic_move`
    s = np.linspace(0.0, 1.0, len(q))[:, None]
    return JointMotion(task.dt, motion.q + s * (q[-1] - motion.q[-1]), motion.v, motion.vdot).lasting(task.duration)


def check_reachable(arm: Model, target: Array) -> None:
    """Raise where no posture brings the tool to the target."""
    found = ik(arm, target, arm.q_home)
    if not found:
        where = ", ".join(f"{x:g}" for x in target)
        raise UnreachableError(f"the target ({where}) m is not reachable: {found.status}")
