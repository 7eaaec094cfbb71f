"""A mount task's settings as the kernels take them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.engines import RigidEngine
from carpal.labs.mount.kernels import control as kernels
from carpal.labs.mount.table import drive_table, loop_table
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.labs.mount.task import Mount

ARM_KP, ARM_KD = 400.0, 40.0
"""Feedback of the torque drive [1/s^2, 1/s]: critically damped, 20 rad/s."""
FILTER_SHARE = 0.1
"""The derivative's filter is this share of the loop's own time 1 / bandwidth."""
FRICTION_SPEED = 0.01
"""Speed [rad/s] over which Coulomb friction is smoothed; the engine's own default."""


def arm_places(task: Mount) -> tuple[int, int]:
    """Where the arm's q and v begin in the plant's."""
    return (7, 6) if task.floating else (2, 2)


def control_constants(task: Mount) -> tuple[Any, ...]:
    """What the control kernels take, from the arm's tables to `setup`."""
    options, tables, motion = task.options, task.arm.tables, task.motion
    feedback = options.feedback if options.control == "closed" else "none"
    loop = loop_table(
        task.gains, dt=task.dt, filter_time=FILTER_SHARE / options.bandwidth, feedback=feedback,
        noise=options.sensor_noise, step=options.sensor_step, delay=delay_periods(task), bias=options.sensor_bias,
    )  # fmt: skip
    drive = drive_table(
        options.pulley_radius, largest=options.torque_max or math.inf, slip=options.slip_torque or math.inf,
        step=options.torque_step, noise=options.command_noise if options.control != "none" else 0.0,
    )  # fmt: skip
    law = kernels.PRINTED if options.law == "printed" else kernels.EXACT
    samples = [np.ascontiguousarray(part) for part in (motion.q, motion.v, motion.vdot)]
    return (
        tables.joints, tables.bodies, law, *samples, _friction(task), loop, drive, task.pulses, _setup(task)
    )  # fmt: skip


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


def _setup(task: Mount) -> Array:
    o, setup = task.options, np.zeros(kernels.SETUP_NUMBERS)
    setup[kernels.TABLE] = not task.floating
    setup[kernels.CABLES] = o.cable_stiffness > 0
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
    """The engine's table of joints with the arm's prescribed: what the torque drive calculates with."""
    joints = tuple(f"arm/{name}" for name in task.arm.joint_names)
    return RigidEngine(task.model, dt=task.dt, prescribed=joints).dofs


def desk_shapes(task: Mount) -> list[tuple[int, ...]]:
    """Shapes, for one slot, of the arrays of the kernels' `Desk`."""
    n, nv, rows, arm_rows = task.arm.nv, task.model.nv, len(task.model.tables.joints), len(task.arm.tables.joints)
    return [
        (kernels.MEMORY_ROWS, kernels.MEMORY_WIDTH), (delay_periods(task) + 1, 2), (2, n), (n,), (n,), (n,), (3,),
        (nv,), (rows, kernels.HYBRID_COLUMNS), (nv,), (arm_rows, kernels.REACTION_COLUMNS),
    ]  # fmt: skip
