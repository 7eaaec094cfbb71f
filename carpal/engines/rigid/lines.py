"""Lines of the general step: joint springs, the model's fixed tendons, the engine's own tendons and actuators; their energy."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np

from carpal.engines.rigid.kernels.lines import (
    BIAS,
    CORD,
    CTRL,
    CTRL_HIGH,
    CTRL_LOW,
    DAMPING,
    DRIVE,
    FORCE_HIGH,
    FORCE_LOW,
    FRICTION,
    GAIN,
    HIGH,
    LAW,
    LINE_COLUMNS,
    LOW,
    PRETENSION,
    PULL,
    STIFFNESS,
)
from carpal.engines.rigid.tendons import Tendon
from carpal.errors import InputError, unknown_name
from carpal.model import Actuator, Model
from carpal.spatial import Array

SCALAR = ("revolute", "prismatic")


def line_table(model: Model, tendons: Sequence[Tendon], actuators: Sequence[Actuator], *, damping: bool) -> Array:
    """The kernels' table (lines, nq + nv + LINE_COLUMNS): springs, fixed tendons, one-sided tendons, actuators.

    Args:
        model: whose joint springs and fixed tendons act.
        tendons: the engine's own, one-sided.
        actuators: which drive; their order is that of their commands.
        damping: whether dampers and friction of the model's tendons act.
    """
    rows = []
    for body in model.bodies:
        joint = body.joint
        if joint.stiffness > 0 and joint.kind in SCALAR:
            rows.append(_row(model, {joint.name: 1.0}, CORD))
            rows[-1][-LINE_COLUMNS + STIFFNESS] = joint.stiffness
            rows[-1][-LINE_COLUMNS + LOW] = rows[-1][-LINE_COLUMNS + HIGH] = joint.q_spring
    for cord in model.tendons:
        if cord.joints and (cord.stiffness or (damping and (cord.damping or cord.friction))):
            rows.append(_row(model, cord.joints, CORD))
            last = rows[-1][-LINE_COLUMNS:]
            last[STIFFNESS], last[LOW], last[HIGH] = cord.stiffness, *cord.rest
            if damping:
                last[DAMPING], last[FRICTION] = cord.damping, cord.friction
    for tendon in tendons:
        rows.append(_row(model, tendon.joints, PULL))
        last = rows[-1][-LINE_COLUMNS:]
        last[STIFFNESS], last[DAMPING], last[PRETENSION] = tendon.stiffness, tendon.damping, tendon.pretension
    for i, actuator in enumerate(actuators):
        rows.append(_row(model, _driven(model, actuator), DRIVE))
        last = rows[-1][-LINE_COLUMNS:]
        last[GAIN], last[BIAS : BIAS + 3], last[CTRL] = actuator.gain, actuator.bias, i
        last[FORCE_LOW], last[FORCE_HIGH] = actuator.force_range
        last[CTRL_LOW], last[CTRL_HIGH] = actuator.ctrl_range
    return np.array(rows).reshape(len(rows), model.nq + model.nv + LINE_COLUMNS)


def _row(model: Model, joints: Mapping[str, float], law: int) -> Array:
    row = np.zeros(model.nq + model.nv + LINE_COLUMNS)
    for joint, coefficient in joints.items():
        row[model.q_index(joint)] = row[model.nq + model.v_index(joint)] = coefficient
    row[model.nq + model.nv + LAW] = law
    return row


def _driven(model: Model, actuator: Actuator) -> dict[str, float]:
    """Joint to coefficient of what an actuator drives, times its gear."""
    if actuator.joint is not None:
        kinds = {body.joint.name: body.joint.kind for body in model.bodies}
        if kinds.get(actuator.joint) not in SCALAR:
            raise unknown_name(
                f"revolute or prismatic joint of actuator '{actuator.name}'",
                actuator.joint,
                [joint for joint, kind in kinds.items() if kind in SCALAR],
            )
        return {actuator.joint: actuator.gear}
    tendon = {tendon.name: tendon for tendon in model.tendons}.get(str(actuator.tendon))
    if tendon is None:
        names = [tendon.name for tendon in model.tendons]
        raise unknown_name(f"tendon of actuator '{actuator.name}'", str(actuator.tendon), names)
    if tendon.path:
        raise InputError(
            f"actuator '{actuator.name}' pulls the spatial tendon '{tendon.name}'; the rigid engine has fixed tendons only."
        )
    return {joint: actuator.gear * coefficient for joint, coefficient in tendon.joints.items()}


def line_energy(model: Model, table: Array, q: Array) -> Array:
    """Energy (*batch) [J] that joint springs and the model's fixed tendons store."""
    nq = model.nq
    cords = table[table[:, nq + model.nv + LAW] == CORD]
    last = cords[:, nq + model.nv :]
    s = (cords[:, :nq] * np.asarray(q)[..., None, :]).sum(axis=-1)
    beyond = np.maximum(s - last[:, HIGH], 0.0) + np.minimum(s - last[:, LOW], 0.0)
    return np.asarray((0.5 * last[:, STIFFNESS] * beyond**2).sum(axis=-1))


def warn_of_what_is_left_out(model: Model) -> None:
    """One `UserWarning` that names what acts in the model's file and not in this engine."""
    left = [
        f"the spring of {body.joint.kind} joint '{body.joint.name}'"
        for body in model.bodies
        if body.joint.stiffness > 0 and body.joint.kind not in (*SCALAR, "fixed")
    ]
    for tendon in model.tendons:
        if tendon.path and (tendon.stiffness or tendon.damping or tendon.friction):
            left.append(f"the spatial tendon '{tendon.name}'")
        if np.isfinite(tendon.limits).any():
            left.append(f"the limits of tendon '{tendon.name}'")
    if left:
        warnings.warn(
            f"the rigid engine leaves out of model '{model.name}': {', '.join(left)}.", UserWarning, stacklevel=3
        )
