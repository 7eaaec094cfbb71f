"""The mount's controller: the arm follows its motion, the table cancels the arm's reaction.

The kernels of `kernels/control.py` calculate it. Here are their tables for a task, and the controller as a policy, one period
at a time; the compiled run loop calls the same kernels.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal._core.compile import direct
from carpal.engines import RigidEngine, Staged
from carpal.errors import InputError
from carpal.labs.mount.kernels import control as kernels
from carpal.labs.mount.kernels.run import PeriodInput, control_batch
from carpal.labs.mount.scene import arm_offsets
from carpal.labs.mount.table import drive_table, loop_table
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.labs.mount.task import Drawn, Mount
    from carpal.model import State

ARM_KP, ARM_KD = 400.0, 40.0
"""Feedback of the torque drive [1/s^2, 1/s]: critically damped, 20 rad/s."""
FILTER_SHARE = 0.1
"""Time constant of the derivative's filter over the loop's own time 1 / bandwidth."""
FRICTION_SPEED = 0.01
"""Speed [rad/s] over which Coulomb friction is smoothed; the engine's default."""


class HoldStill:
    """Policy: the arm follows its motion, the table cancels the arm's reaction.

    It keeps the sensors' history, so it must be called once for every period, in order.
    """

    def __init__(self, task: Mount, drawn: Drawn) -> None:
        tables, nv = task.model.tables, task.model.nv
        self._dt, self._next, self._shape = task.dt, 0, (3, nv)
        self._held = task.options.drive == "torque"
        self._tables = (*control_tables(task), tables.joints, tables.bodies)
        q, v = np.array(task.start)[None], np.zeros((1, nv))
        self._state = PeriodInput(drawn.weights[None].copy(), np.array([[drawn.seed]]), q, v)
        self._u = np.zeros((1, 3 * nv))
        self._scratch = kernels.ControlScratch(*(np.zeros((1, *shape)) for shape in control_scratch(task)))
        self._control = direct(control_batch, self._arguments(0))

    def _arguments(self, k: int) -> tuple[Any, ...]:
        return *self._tables, k, self._state, self._u, self._scratch, 0, 1, 1, 0

    def __call__(self, time: float, state: State) -> Staged | Array:
        """Controls of the period that starts now: staged, or held where the arm is driven by torques."""
        k = round(time / self._dt)
        if k != self._next:
            raise InputError(f"the mount's policy must be called once for each period; expected {self._next}, got {k}.")
        self._next += 1
        self._state.q[0], self._state.v[0] = state.q, state.v
        self._u[:] = 0.0
        self._control(*self._arguments(k))
        start, middle, end = self._u.reshape(self._shape).copy()
        return start if self._held else Staged(start, middle, end)


def control_tables(task: Mount) -> tuple[kernels.Arm, kernels.Table, kernels.ArmInPlant]:
    """What the control kernels take."""
    place = kernels.ArmInPlant(drive_dofs(task), *arm_offsets(task.floating))
    return arm_table(task), control_table(task), place


def arm_table(task: Mount) -> kernels.Arm:
    """The arm as the controller knows it, and its motion."""
    tables, motion = task.arm.tables, task.motion
    law = kernels.PRINTED if task.options.law == "printed" else kernels.EXACT
    q, v, vdot = (np.ascontiguousarray(part) for part in (motion.q, motion.v, motion.vdot))
    return kernels.Arm(tables.joints, tables.bodies, law, q, v, vdot, _friction(task))


def control_table(task: Mount) -> kernels.Table:
    """The table's loop, drives and disturbances, and the settings of the run."""
    options = task.options
    feedback = options.feedback if options.control == "closed" else "none"
    loop = loop_table(
        task.gains, dt=task.dt, filter_time=FILTER_SHARE / options.bandwidth, feedback=feedback,
        noise=options.sensor_noise, step=options.sensor_step, delay=delay_periods(task), bias=options.sensor_bias,
    )  # fmt: skip
    drive = drive_table(
        options.pulley_radius, largest=options.torque_max or math.inf, slip=options.slip_torque or math.inf,
        step=options.torque_step, noise=options.command_noise if options.control != "none" else 0.0,
    )  # fmt: skip
    return kernels.Table(loop, drive, task.pulses, _settings(task))


def delay_periods(task: Mount) -> int:
    """The sensor's delay in periods."""
    return round(task.options.delay / task.dt)


def _friction(task: Mount) -> Array:
    """Rows (damping, Coulomb friction, largest torque) of the arm's joints, as its drive knows them."""
    n = task.arm.nv
    table = np.empty((n, 3))
    table[:, 0], table[:, 1] = task.options.joint_damping, task.options.joint_friction
    table[:, 2] = task.arm.tau_max
    return table


def _settings(task: Mount) -> Array:
    """Settings of the run by the kernels' column names."""
    o, setup = task.options, np.zeros(kernels.SETUP_NUMBERS)
    setup[kernels.TABLE] = not task.floating
    setup[kernels.CABLES] = o.cable_stiffness > 0
    setup[kernels.RAIL] = task.table.rail
    setup[kernels.PREDICTED] = o.control != "none"
    setup[kernels.MEASURED] = o.disturbance == "measured"
    setup[kernels.TORQUES] = o.drive == "torque"
    setup[kernels.ARM_KP], setup[kernels.ARM_KD] = ARM_KP, ARM_KD
    setup[kernels.DEAD_JOINT], setup[kernels.DEAD_TIME] = o.dead_joint - 1, o.dead_time
    setup[kernels.WORN_JOINT], setup[kernels.WORN_RATE] = o.worn_joint - 1, o.worn_rate
    setup[kernels.WORN_SPEED], setup[kernels.FRICTION_KNOWN] = FRICTION_SPEED, o.friction_known
    setup[kernels.ENCODER_NOISE], setup[kernels.ENCODER_STEP] = o.encoder_noise, o.encoder_step
    setup[kernels.PERIOD] = task.dt
    return setup


def drive_dofs(task: Mount) -> Array:
    """The engine's joint table with the arm's joints prescribed: the torque drive's inverse dynamics use it."""
    joints = tuple(f"arm/{name}" for name in task.arm.joint_names)
    return RigidEngine(task.model, dt=task.dt, prescribed=(*joints, *task.table.locked)).dofs


def control_scratch(task: Mount) -> list[tuple[int, ...]]:
    """Shapes, for one slot, of the arrays of the kernels' `ControlScratch`."""
    n, nv, rows, arm_rows = task.arm.nv, task.model.nv, len(task.model.tables.joints), len(task.arm.tables.joints)
    return [
        (kernels.MEMORY_ROWS, kernels.MEMORY_WIDTH), (delay_periods(task) + 1, 2), (2, n), (n,), (n,), (n,), (3,),
        (nv,), (rows, kernels.HYBRID_COLUMNS), (nv,), (arm_rows, kernels.REACTION_COLUMNS),
    ]  # fmt: skip
