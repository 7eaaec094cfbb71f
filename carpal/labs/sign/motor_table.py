"""Motors of a signing robot in the order in which a board has them: joints of the arm, then commands of the hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.labs.sign.motion.legs import UNKNOWN_SPEED
from carpal.labs.sign.robot import MountedHand
from carpal.spatial import Array

TENDON_SPEED = 0.2
"""[m/s] at which a motor pulls a tendon in, at most."""


@dataclass(frozen=True, eq=False)
class MotorTable:
    """n motors.

    Args:
        names: joints, and "<finger>_tendon".
        low, high: (n) [rad, m].
        speed: (n) [rad/s, m/s].
    """

    names: tuple[str, ...]
    low: Array
    high: Array
    speed: Array


def motors_of(mounted: MountedHand) -> MotorTable:
    """The motors of arm and hand with their ranges and largest speeds."""
    arm, hand = mounted.arm, mounted.hand
    joints = [body.joint.name for body in arm.bodies if body.joint.kind != "fixed"]
    speed = [
        TENDON_SPEED if i in hand.tendons else float(hand.model.v_max[hand.columns[name][0]])
        for i, name in enumerate(hand.commands)
    ]
    speeds = np.concatenate([arm.v_max, speed])
    return MotorTable(
        (*joints, *hand.commands), np.concatenate([arm.q_min, hand.low]), np.concatenate([arm.q_max, hand.high]),
        np.where(np.isfinite(speeds), speeds, UNKNOWN_SPEED),
    )  # fmt: skip
