"""The hand's joint servo: PD with gravity compensation (Chan 1998, eq. 5.1), and overrides that change it during a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from carpal.dynamics import inverse_dynamics
from carpal.errors import InputError, unknown_name
from carpal.kinematics import fk, jacobian
from carpal.labs.dexterity.robot import joint_slice
from carpal.model import Model, State
from carpal.spatial import Array

STIFFNESS, DAMPING = 0.15, 0.02
"""Gains [N m/rad, N m s/rad] (Chan 1998, C.3)."""
JOINTS = 15
OVERRIDES = ("targets", "friction", "restitution", "gravity")


@dataclass
class Overrides:
    """Values that replace the example's during a run; None keeps the example's.

    Args:
        targets: (15) [rad] instead of the example's schedule.
        friction, restitution, gravity: instead of the example's.
        version: counts the changes of friction, restitution and gravity, which need a rebuilt engine.
    """

    targets: Array | None = None
    friction: float | None = None
    restitution: float | None = None
    gravity: float | None = None
    version: int = field(default=0)

    def set(self, name: str, value: Any) -> None:
        """Set one of them; it takes effect with the next step."""
        if name not in OVERRIDES:
            raise unknown_name("override", name, OVERRIDES)
        if name == "targets":
            values = np.asarray(value, float)
            if values.shape != (JOINTS,) or not np.isfinite(values).all():
                raise InputError(f"targets must be {JOINTS} finite angles [rad]; got {value!r:.60}.")
            self.targets = values
            return
        number = float(value)
        top = 1.0 if name == "restitution" else np.inf
        if not 0 <= number <= top or not np.isfinite(number):
            raise InputError(
                f"{name} must be a finite number, zero or above{' and at most 1' * (top == 1)}; got {value!r:.40}."
            )
        setattr(self, name, number)
        self.version += 1


def servo_torque(model: Model, state: State, q_target: Array, v_target: Array) -> Array:
    """Servo torques (nv) [N m] at a state: PD and gravity compensation on the hand's 15 joints, zero for the object.

    Args:
        model: of hand and object.
        state: of that model.
        q_target, v_target: (nv) [rad, rad/s].
    """
    tau = np.zeros(model.nv)
    still = np.zeros_like(state.v)
    weight = np.asarray(inverse_dynamics(model, state.q, still, still))
    error = STIFFNESS * (q_target - state.q[: model.nv]) + DAMPING * (v_target - state.v)
    tau[:JOINTS] = error[:JOINTS] + weight[:JOINTS]
    return tau


def press_target(hand: Model, q: Array, finger: str, point: Array, force: Array) -> Array:
    """Targets (3) [rad] with which a finger at rest at q (15) pushes with a force (3) [N] at a point (3) [m] of its tip.

    The servo's static balance: q + J^T f / stiffness, gravity being compensated.
    """
    X = np.asarray(fk(hand, q, f"{finger}_tip"))
    J = np.asarray(jacobian(hand, q, f"{finger}_tip"))
    torque = np.cross(np.asarray(point) - X[:3, 3], force)
    tau = J[:3].T @ force + J[3:].T @ torque
    return np.asarray(q)[joint_slice(finger)] + tau[joint_slice(finger)] / STIFFNESS
