"""LeRobot's numbers for an SO-101 (or SO-100) and back: joints in degrees, the gripper from 0 (closed) to 100 (open).

LeRobot counts degrees from the middle of each joint's range, as the catalogue's `so101` does. The gripper's 0 and 100 are
the ends of its range.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError, ModelError
from carpal.model.model import Model
from carpal.model.parts import real_array
from carpal.spatial import Array

LEROBOT_JOINTS = ("shoulder_pan", "shoulder_lift", "elbow_flex", "wrist_flex", "wrist_roll", "gripper")
"""In LeRobot's order."""
GRIPPER = 5
FULL = 100.0


def q_from_lerobot(model: Model, values: ArrayLike | Mapping[str, float]) -> Array:
    """Configurations (*batch, nq) [rad] of LeRobot's numbers.

    Args:
        model: a robot with the joints of LEROBOT_JOINTS; further joints are at home.
        values: (*batch, 6) in LeRobot's order; or an observation or action of LeRobot, "shoulder_pan.pos" and so on to a number.

    Example:
        >>> q_from_lerobot(carpal.load("so101"), [0, 0, 0, 0, 0, 50])
    """
    at, low, high = _joints(model)
    if isinstance(values, Mapping):
        values = [_of(values, joint) for joint in LEROBOT_JOINTS]
    given = real_array(values, "LeRobot's numbers")
    if given.ndim == 0 or given.shape[-1] != len(LEROBOT_JOINTS):
        raise InputError(
            f"LeRobot has {len(LEROBOT_JOINTS)} numbers ({', '.join(LEROBOT_JOINTS)}); got shape {given.shape}."
        )
    q = np.broadcast_to(np.asarray(model.q_home), (*given.shape[:-1], model.nq)).copy()
    q[..., at] = np.radians(given)
    q[..., at[GRIPPER]] = low + given[..., GRIPPER] / FULL * (high - low)
    return q


def lerobot_from_q(model: Model, q: ArrayLike) -> Array:
    """LeRobot's numbers (*batch, 6) of configurations (*batch, nq) [rad]: degrees, and 0 to 100."""
    at, low, high = _joints(model)
    given = real_array(q, "q")
    if given.ndim == 0 or given.shape[-1] != model.nq:
        raise InputError(f"q of model '{model.name}' needs {model.nq} numbers; got shape {given.shape}.")
    out: Array = np.degrees(given[..., at])
    out[..., GRIPPER] = FULL * (given[..., at[GRIPPER]] - low) / (high - low)
    return out


def lerobot_action(model: Model, q: ArrayLike) -> dict[str, float]:
    """One configuration (nq) [rad] as LeRobot's `send_action` takes it: "shoulder_pan.pos" and so on to a number."""
    numbers = lerobot_from_q(model, q)
    if numbers.ndim != 1:
        raise InputError(f"an action is one configuration; got shape {np.shape(q)}.")
    return {f"{joint}.pos": float(value) for joint, value in zip(LEROBOT_JOINTS, numbers, strict=True)}


def _joints(model: Model) -> tuple[list[int], float, float]:
    """Where LeRobot's joints are in q, and the gripper's limits."""
    missing = [joint for joint in LEROBOT_JOINTS if joint not in model.joint_names]
    if missing:
        raise ModelError(
            f"model '{model.name}' has no joint {', '.join(missing)}; LeRobot's arm has {', '.join(LEROBOT_JOINTS)}."
        )
    at = [model.q_index(joint) for joint in LEROBOT_JOINTS]
    low, high = float(model.q_min[at[GRIPPER]]), float(model.q_max[at[GRIPPER]])
    if not 0 < high - low < np.inf:
        raise ModelError(f"the gripper of model '{model.name}' has no range that 0 to 100 could stand for.")
    return at, low, high


def _of(values: Mapping[str, float], joint: str) -> float:
    for key in (f"{joint}.pos", joint):
        if key in values:
            return values[key]
    raise InputError(f"LeRobot's numbers lack '{joint}.pos'; got {', '.join(map(str, values)) or 'none'}.")
