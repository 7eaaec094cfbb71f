"""Controller of arm and hand: computed torque for the motor-driven joints, tendons and springs for the fingers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from carpal.dynamics import inverse_dynamics
from carpal.kinematics import fk, jacobian
from carpal.labs.sign.hand.tendons import TendonFinger
from carpal.labs.sign.motion.legs import driven_columns
from carpal.model import State
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.labs.sign.motion.word_plan import WordPlan

STIFFNESS, DAMPING = 2500.0, 100.0
"""Of the motors' joints [1/s^2], [1/s]: critically damped at 50 rad/s."""
STOP, STOP_DAMPING = 1.5, 2.0e-3
"""Of a bending joint's stop [N m/rad], [N m s/rad]; engines without joint limits have no stops of their own."""
TOUCH_FROM, TOUCH_TO = 0.25, 0.75
"""Shares of a letter's hold between which the receiver touches."""


class SignPolicy:
    """Generalised forces along a plan.

    Args:
        plan: whose motion is played.
        dt: step [s] of the engine.
        touch: force [N] of the receiver on the index fingertip, against the palm's normal, in the middle of every letter.
    """

    def __init__(self, plan: WordPlan, dt: float, touch: float = 0.0) -> None:
        assert plan.motion is not None  # checked by the task
        self.plan, self.dt, self.touch = plan, dt, touch
        mounted = plan.mounted
        self._model, hand = mounted.model, mounted.hand
        self._driven = driven_columns(mounted)
        kinds = [body.joint for body in self._model.bodies if body.joint.kind != "fixed"]
        self._friction = np.array([joint.damping for joint in kinds])
        n = mounted.arm.nq
        own = [n + i for i, name in enumerate(hand.commands) if not name.endswith("_tendon")]
        self._asked = np.concatenate([np.arange(n), own]).astype(int)
        steps = int(np.ceil(plan.duration / dt)) + 2
        self._x, self._v, self._a = plan.motion.at(dt * np.arange(steps))
        self._tendons = [n + i for i in hand.tendons]
        self._fingers = list(hand.fingers.values())
        self._bend = [mounted.hand_columns[list(hand.columns[hand.commands[i]])] for i in hand.tendons]

    def __call__(self, time: float, state: State) -> Array:
        """Forces u (nv) [N m] for the period that starts now."""
        k = min(round(time / self.dt), len(self._x) - 1)
        q, v, at = state.q, state.v, self._driven
        wanted = np.zeros(self._model.nv)
        x, dx, ddx = (table[k, self._asked] for table in (self._x, self._v, self._a))
        wanted[at] = ddx + STIFFNESS * (x - q[at]) + DAMPING * (dx - v[at])
        u = inverse_dynamics(self._model, q, v, wanted)
        u[at] += self._friction[at] * dx
        for finger, columns, i in zip(self._fingers, self._bend, self._tendons, strict=True):
            u[columns] = finger_torques(finger, self._x[k, i], self._v[k, i], q[columns], v[columns])
        if self.touch and self._touched(time):
            force = -self.touch * fk(self._model, q)[:3, 0]
            u += jacobian(self._model, q, "hand/index_tip")[:3].T @ force
        return np.asarray(u)

    def _touched(self, time: float) -> bool:
        motion = self.plan.motion
        assert motion is not None
        i = int(np.clip(np.searchsorted(motion.starts, time, side="right") - 1, 0, len(motion.legs) - 1))
        leg = motion.legs[i]
        return bool(leg.letter) and TOUCH_FROM < (time - motion.starts[i]) / leg.duration < TOUCH_TO


def finger_torques(finger: TendonFinger, travel: float, rate: float, angle: Array, speed: Array) -> Array:
    """(3) [N m] of tendon, springs and stops on a finger's joints.

    Args:
        finger: a `TendonFinger`.
        travel, rate: [m], [m/s] by which the tendon is pulled in.
        angle, speed: (3) of the joints.
    """
    tension = finger.stiffness * max(travel - float(finger.pulleys @ angle), 0.0)
    passed = np.exp(-np.sign(rate) * finger.friction * np.cumsum(finger.wraps + angle)) if finger.friction else 1.0
    under, over = np.minimum(angle - finger.low, 0.0), np.maximum(angle - finger.high, 0.0)
    stop = -STOP * (under + over) - STOP_DAMPING * speed * ((under < 0) | (over > 0))
    return np.asarray(tension * finger.pulleys * passed - finger.springs * (angle - finger.rest) + stop)
