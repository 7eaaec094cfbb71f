"""How far each joint of a mechanism is open, and what each actuator measures, from recorded poses."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.model import Mechanism, RotaryActuator, SlotJoint
from carpal.spatial import Array, rotation_from_wxyz

GAP_SHARE = 1e-2
"""Largest joint gap of a run that is ok, over the mechanism's size."""


def body_poses(mechanism: Mechanism, q: ArrayLike) -> tuple[Array, Array]:
    """Rotations R_WB (*batch, bodies + 1, 3, 3) and origins (*batch, bodies + 1, 3) [m]; the last is the world.

    Args:
        mechanism: whose bodies.
        q: the engine's (*batch, 7 bodies).
    """
    rows = np.asarray(q, float)
    count = len(mechanism.bodies)
    if rows.shape[-1:] != (7 * count,):
        raise InputError(
            f"q of mechanism '{mechanism.name}' needs {7 * count} numbers on its last axis; got {rows.shape}."
        )
    rows = rows.reshape(*rows.shape[:-1], count, 7)
    R = np.broadcast_to(np.eye(3), (*rows.shape[:-2], count + 1, 3, 3)).copy()
    p = np.zeros((*rows.shape[:-2], count + 1, 3))
    R[..., :-1, :, :], p[..., :-1, :] = rotation_from_wxyz(rows[..., 3:]), rows[..., :3]
    return R, p


def allowed_gap(mechanism: Mechanism) -> float:
    """Largest joint gap [m] of a run that is ok: `GAP_SHARE` of the mechanism's size, as it is described.

    A joint that opens further changes the lengths between joints by as much: the run is that of another mechanism.
    """
    q = np.concatenate([[*body.X_WB[:3, 3], 1.0, 0.0, 0.0, 0.0] for body in mechanism.bodies])
    R, p = body_poses(mechanism, q)
    R[:-1] = [body.X_WB[:3, :3] for body in mechanism.bodies]
    at = [p[:-1]]
    for joint in mechanism.joints:
        a = mechanism.body_index(joint.a)
        at.append((R[a] @ joint.p_AP + p[a])[None])
    for k, body in enumerate(mechanism.bodies):
        at.append((R[k] @ body.inertia.com + p[k])[None])
    return GAP_SHARE * float(np.linalg.norm(np.ptp(np.concatenate(at), axis=0)))


def joint_gaps(mechanism: Mechanism, q: ArrayLike) -> Array:
    """Distance (*batch, joints) [m] between the two sides of every joint, in the order of `mechanism.joints`."""
    R, p = body_poses(mechanism, q)
    out = np.zeros((*p.shape[:-2], len(mechanism.joints)))
    for k, joint in enumerate(mechanism.joints):
        a, b = mechanism.body_index(joint.a), mechanism.body_index(joint.b)
        at = R[..., a, :, :] @ joint.p_AP + p[..., a, :]
        if isinstance(joint, SlotJoint):
            local = np.einsum("...ji,...j->...i", R[..., b, :, :], at - p[..., b, :])
            starts, ways = joint.path[:-1], np.diff(joint.path, axis=0)
            shares = np.clip(((local[..., None, :] - starts) * ways).sum(-1) / (ways * ways).sum(-1), 0, 1)
            off = starts + shares[..., None] * ways - local[..., None, :]
            out[..., k] = np.linalg.norm(off, axis=-1).min(-1)
        else:
            out[..., k] = np.linalg.norm(R[..., b, :, :] @ joint.p_BP + p[..., b, :] - at, axis=-1)
    return out


def actuator_values(mechanism: Mechanism, q: ArrayLike) -> Array:
    """Angle [rad] in (-pi, pi] or length [m] (*batch, actuators) that every actuator measures, in their order."""
    R, p = body_poses(mechanism, q)
    out = np.zeros((*p.shape[:-2], len(mechanism.actuators)))
    for k, actuator in enumerate(mechanism.actuators):
        a, b = mechanism.body_index(actuator.a), mechanism.body_index(actuator.b)
        if isinstance(actuator, RotaryActuator):
            axis, line_A = R[..., a, :, :] @ actuator.axis, R[..., a, :, :] @ actuator.line_A
            line_B = R[..., b, :, :] @ actuator.line_B
            across = (axis * np.cross(line_A, line_B)).sum(-1)
            out[..., k] = np.arctan2(across, (line_A * line_B).sum(-1))
        else:
            ends = [R[..., i, :, :] @ x + p[..., i, :] for i, x in ((a, actuator.p_AP), (b, actuator.p_BP))]
            out[..., k] = np.linalg.norm(ends[1] - ends[0], axis=-1)
    return out
