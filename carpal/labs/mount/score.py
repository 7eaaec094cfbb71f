"""Score of a run: its numbers and one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.dynamics import com, mount_force
from carpal.kinematics import JointMotion, fk
from carpal.labs.mount.kernels.control import PULSE_FROM, PULSE_UNTIL, PULSE_X, PULSE_Y
from carpal.labs.mount.loop_stability import largest_delay
from carpal.labs.mount.scene import arm_offsets, plant_engine
from carpal.labs.mount.table import pulley_torques
from carpal.model import State
from carpal.spatial import Array
from carpal.tasks import Score

if TYPE_CHECKING:
    from carpal.labs.mount.task import Mount

NOTHING = 1e-9
"""A distance [m] below which the sentence gives no number."""
SETTLED = 1e-6
"""A table that stays this near [m] to its origin has settled."""


def external_forces(pulses: Array, time: Array, dt: float) -> Array:
    """External force (rows, 2) [N] during the period that starts at each time."""
    middle = time[:, None] + 0.5 * dt
    acts = (pulses[:, PULSE_FROM] <= middle) & (middle < pulses[:, PULSE_UNTIL])
    return np.asarray(acts.astype(float) @ pulses[:, [PULSE_X, PULSE_Y]])


def torques_of(task: Mount, time: Array, u: Array) -> Array:
    """Torques (rows, 2) [N m] of the control pulleys."""
    if task.table.stiffness:
        return u[:, -2:]
    force = u[:, :2] - external_forces(task.pulses, time, task.dt)
    if task.table.rail:
        force[:, 1] = 0.0
    return pulley_torques(force, task.options.pulley_radius)


def tensions_of(task: Mount, time: Array, q: Array, v: Array, u: Array) -> Array:
    """Tensions (rows, 4) [N] of both sides of both cables; a negative one means that the cable would be slack.

    With stiff cables each side carries the pretension and half of its pulley's force.
    """
    if task.table.stiffness:
        engine = plant_engine(task.model, task.table, task.arm, dt=task.dt, prescribed=True)
        return engine.tensions(State(time, q, v))
    half = 0.5 * torques_of(task, time, u) / task.options.pulley_radius
    return task.options.pretension + np.stack([half[:, 0], -half[:, 0], half[:, 1], -half[:, 1]], axis=1)


def reaction_of(task: Mount, time: Array, q: Array, v: Array) -> Array:
    """Horizontal force (rows, 2) [N] that a mount at rest must supply for the arm's motion."""
    first_q, first_v = arm_offsets(task.floating)
    n = task.arm.nv
    q_arm, v_arm = q[:, first_q : first_q + n], v[:, first_v : first_v + n]
    vdot = np.zeros_like(v_arm)
    vdot[:-1] = np.diff(v_arm, axis=0) / np.diff(time)[:, None]
    return mount_force(task.arm, q_arm, v_arm, vdot)[:, :2]


def score_run(task: Mount, time: Array, q: Array, v: Array, u: Array, residual: Array) -> Score:
    """Score rows of a run, one every period."""
    options, arm, n = task.options, task.arm, task.arm.nv
    first_q, first_v = arm_offsets(task.floating)
    q_arm, v_arm = q[:, first_q : first_q + n], v[:, first_v : first_v + n]
    goal = task.target + np.array([options.circle, 0.0, 0.0])
    if options.endurance:  # rows are a second apart: the arm is judged by the move that it repeats
        periods = round(task.duration / task.dt) + 1
        out = JointMotion(task.dt, task.motion.q[:periods], task.motion.v[:periods], task.motion.vdot[:periods])
        way, at, force = out.q, out.time, mount_force(arm, out.q, out.v, out.vdot)[:, :2]
    else:
        way, at, force = q_arm, time, reaction_of(task, time, q, v)
    tool = fk(arm, way)[:, :3, 3]
    error = np.linalg.norm(tool - goal, axis=1)
    away = np.flatnonzero(error > options.tolerance)
    arrival = at[away[-1] + 1] if len(away) and away[-1] + 1 < len(at) else (np.nan if len(away) else 0.0)
    p, speed = q[:, :2], np.linalg.norm(v[:, :2], axis=1)
    distance = np.linalg.norm(p, axis=1)
    off = np.flatnonzero(distance > SETTLED)
    settling = 0.0 if not len(off) else time[off[-1] + 1] if off[-1] + 1 < len(time) else np.nan
    whole = com(task.model, q)[:, :2]
    broken = _broken(task, q_arm, v_arm)
    numbers: dict[str, Any] = {
        "reached_m": float(error[-1]), "duration_s": float(time[-1]), "arrival_s": float(arrival),
        "shift_m": p[-1].tolist(), "peak_displacement_m": float(distance.max()),
        "final_displacement_m": float(distance[-1]), "final_speed_m_s": float(speed[-1]),
        "cm_drift_m": float(np.linalg.norm(whole - whole[0], axis=1).max()),
        "peak_force_N": float(np.linalg.norm(force, axis=1).max()),
        "settling_s": float(settling), "energy_residual_J": float(np.abs(residual).max()),
        "joint_speed_share": _speed_share(v_arm, arm.v_max),
    }  # fmt: skip
    numbers["peak_torque_Nm"] = 0.0
    if not task.floating:
        numbers["peak_torque_Nm"] = float(np.abs(torques_of(task, time, u)).max())
    if not (task.floating or task.table.stand):
        tension = tensions_of(task, time, q, v, u)
        numbers |= {"least_tension_N": float(tension.min()), "largest_tension_N": float(tension.max())}
        numbers["slack"] = bool(tension.min() <= 0.0)
    if options.control == "closed":
        numbers["pid_gains"] = [task.gains.kp, task.gains.ki, task.gains.kd]
        if (limit := largest_delay(task)) is not None:
            numbers["delay_limit_s"] = limit
    if options.motion == "tracking" and not options.joints:
        numbers["damping_factor"] = options.damping  # it decides the posture, so the shift, of redundant moves
    if task.case is not None:
        numbers["printed_miss_m"] = float(np.linalg.norm(tool[-1] - np.array(task.case.printed)))
    if options.circle:
        from carpal.labs.mount.motions import circle_error

        numbers["tracking_error_m"] = circle_error(task)
    return _sentence(task, numbers, broken)


def _speed_share(v: Array, v_max: Array) -> float:
    """Largest speed of a joint over its limit; NaN (unknown) where no joint has one."""
    known = np.isfinite(v_max)
    return float((np.abs(v[:, known]) / v_max[known]).max()) if known.any() else np.nan


def _broken(task: Mount, q: Array, v: Array) -> str | None:
    """The first joint limit that the arm breaks, or None; the unlimited gain breaks them on purpose."""
    motion = JointMotion(task.dt, q, v, np.zeros_like(v))
    return motion.broken_limit(task.arm, tolerance=1e-6)


def _sentence(task: Mount, numbers: dict[str, Any], broken: str | None) -> Score:
    options = task.options
    miss = "a nanometre" if numbers["reached_m"] < NOTHING else f"{1e3 * numbers['reached_m']:.2g} mm"
    x, y = (0.0 if abs(x) < NOTHING else x for x in numbers["shift_m"])
    what = f"the mount ended {1e3 * x:+.4g}, {1e3 * y:+.4g} mm from where it stood (control {options.control})"
    if numbers["final_displacement_m"] < NOTHING:
        what = f"the mount ended less than a nanometre from where it stood (control {options.control})"
    arrived = numbers["reached_m"] <= options.tolerance
    if not arrived:
        return Score(
            False, f"the tool missed its target by {miss} after {numbers['duration_s']:.3g} s; {what}.", numbers
        )
    if broken and options.gain == "limited":
        return Score(False, f"{broken}; {what}.", numbers)
    held = options.control == "none" or numbers["final_displacement_m"] <= options.tolerance
    if not held:
        allowed = f"{1e3 * options.tolerance:g} mm are allowed"
        cause = f"; {task.unstable}" if task.unstable else ""
        return Score(False, f"the tool arrived, but {what}; {allowed}{cause}.", numbers)
    text = f"the tool arrived within {miss} and {what}"
    if broken:
        text += f", though {broken}"
    if task.unstable:
        text += f", though {task.unstable}"
    return Score(True, f"{text}.", numbers, _published(task, numbers))


def _published(task: Mount, numbers: dict[str, Any]) -> list[tuple[str, float, float, str]]:
    """Published figures beside ours."""
    rows: list[tuple[str, float, float, str]] = []
    control = task.options.control
    if task.case is None:
        return rows
    if control == "none" and task.case.drift_m is not None and not len(task.pulses):
        rows.append(("drift of the free table", task.case.drift_m, numbers["peak_displacement_m"], "m"))
    if control != "none":
        rows.append((f"residual, {control} loop", 1e-15, numbers["final_displacement_m"], "m"))
    return rows
