"""What is measured on the catcher: joint angles, hand and ball, from the poses of its bodies alone.

The thesis takes its errors from joint angles (fk of the measured angles); `body_pose(..., "palm")` is the true hand beside
it, which differs by what the penalty joints give way. All functions take q (*batch, 7 bodies) of the engine's state.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.labs.catch.hand_geometry import FINGERS
from carpal.labs.catch.robot import arm_model
from carpal.model import LinearActuator, Mechanism, RotaryActuator
from carpal.spatial import Array, inverse, pose, rotation_from_wxyz


def body_pose(mechanism: Mechanism, q: ArrayLike, body: str) -> Array:
    """X_WB (*batch, 4, 4) of a body; "palm" is the hand frame."""
    row = _rows(mechanism, q)[..., mechanism.body_index(body), :]
    return pose(rotation_from_wxyz(row[..., 3:]), row[..., :3])


def arm_angles(mechanism: Mechanism, q: ArrayLike, near: ArrayLike | None = None) -> Array:
    """Joint angles (*batch, 6) [rad], as the encoders on the joints' axes give them.

    Args:
        mechanism, q: the catcher and its state's q.
        near: angles (*batch, 6) [rad] to whose turn they belong; the start pose by default.
    """
    drives = [part for part in mechanism.actuators if isinstance(part, RotaryActuator)][:6]
    angles = np.stack([_angle(mechanism, q, drive) for drive in drives], -1)
    about = np.asarray(arm_model().q_home if near is None else near, float)
    return angles + 2 * np.pi * np.round((about - angles) / (2 * np.pi))


def digit_values(mechanism: Mechanism, q: ArrayLike) -> Array:
    """(*batch, 5): the four actuators' lengths [m], index first, and the thumb's angle [rad]."""
    lengths = []
    for drive in mechanism.actuators:
        if isinstance(drive, LinearActuator) and drive.command is not None:
            ends = [_point(mechanism, q, drive.a, drive.p_AP), _point(mechanism, q, drive.b, drive.p_BP)]
            lengths.append(np.linalg.norm(ends[1] - ends[0], axis=-1))
    thumb = next(drive for drive in mechanism.actuators if drive.name == "thumb/drive")
    assert isinstance(thumb, RotaryActuator)  # made so by the plant
    return np.stack([*lengths, _angle(mechanism, q, thumb)], -1)


def finger_angles(mechanism: Mechanism, q: ArrayLike) -> Array:
    """(*batch, 4 fingers, 3 joints) [rad]: how far each phalanx is bent against the one before, the palm first."""
    turns = []
    for finger in FINGERS:
        chain = ["palm", f"{finger}/proximal", f"{finger}/middle", f"{finger}/distal"]
        R = [body_pose(mechanism, q, name)[..., :3, :3] for name in chain]
        bent = []
        for i, (before, after) in enumerate(itertools.pairwise(R)):
            # the phalanges' x runs along them and y to the palm's side; the palm's normal is z
            x, y = before[..., :, 0], before[..., :, 2 if i == 0 else 1]
            along = after[..., :, 0]
            bent.append(np.arctan2((y * along).sum(-1), (x * along).sum(-1)))
        turns.append(np.stack(bent, -1))
    return np.stack(turns, -2)


def ball_in_hand(mechanism: Mechanism, q: ArrayLike) -> Array:
    """Centre of the ball (*batch, 3) [m] in the hand frame."""
    X_WH = body_pose(mechanism, q, "palm")
    ball = _rows(mechanism, q)[..., mechanism.body_index("ball"), :3]
    return (inverse(X_WH) @ np.concatenate([ball, np.ones((*ball.shape[:-1], 1))], -1)[..., None])[..., :3, 0]


def _rows(mechanism: Mechanism, q: ArrayLike) -> Array:
    array, count = np.asarray(q, float), len(mechanism.bodies)
    if array.shape[-1:] != (7 * count,):
        raise InputError(f"q of mechanism '{mechanism.name}' needs {7 * count} numbers; got shape {array.shape}.")
    return array.reshape(*array.shape[:-1], count, 7)


def _angle(mechanism: Mechanism, q: ArrayLike, drive: RotaryActuator) -> Array:
    """B's angle against A about the drive's axis, as the engine measures it."""
    R_A = np.eye(3) if drive.a is None else body_pose(mechanism, q, drive.a)[..., :3, :3]
    R_B = np.eye(3) if drive.b is None else body_pose(mechanism, q, drive.b)[..., :3, :3]
    axis, a, b = R_A @ drive.axis, R_A @ drive.line_A, R_B @ drive.line_B
    return np.arctan2((axis * np.cross(a, b)).sum(-1), (a * b).sum(-1))


def _point(mechanism: Mechanism, q: ArrayLike, body: str | None, p: Array) -> Array:
    if body is None:
        return p
    X = body_pose(mechanism, q, body)
    return X[..., :3, :3] @ p + X[..., :3, 3]
