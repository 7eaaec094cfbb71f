"""Landmarks from data-glove readings: the sensors bend the mean hand, so that one recogniser reads gloves and cameras.

A glove does not sense the palm direction: it is an argument. Wrist pitch and yaw turn the palm, so letters that move by them can
be read; rotation about the forearm is not sensed. Angles are those of the simulated hand's joints [deg].
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.model import real_array
from carpal.perception.glove.glove_map import SENSORS
from carpal.perception.hand.human_hand import (
    BEND_DEG,
    CHANNELS,
    CUP,
    CUP_DEG,
    OPPOSITION,
    OPPOSITION_DEG,
    SPREAD_DEG,
    THUMB_DEG,
    Proportions,
    hand_landmarks,
)
from carpal.spatial import Array, rotation_about

FINGER_SENSORS = ("index", "middle", "ring", "pinkie")
APART = tuple(f"{b}_{a}_abduction" for a, b in pairwise(FINGER_SENSORS))
BETWEEN = -np.diff(SPREAD_DEG["anatomical"])
"""[deg] between neighbouring fingers that are fanned."""
WRIST = ("wrist_pitch", "wrist_yaw")


def _values(sensors: Mapping[str, ArrayLike]) -> dict[str, Array]:
    missing = [name for name in SENSORS if name not in sensors]
    if missing:
        raise InputError(f"the glove's sensors {', '.join(missing[:6])} are missing.")
    out = {name: real_array(sensors[name], f"sensor '{name}'") for name in SENSORS}
    for name, column in out.items():
        if not np.isfinite(column).all():
            raise InputError(f"sensor '{name}' of the glove is not finite.")
    shapes = {column.shape for column in out.values()}
    if len(shapes) != 1 or len(next(iter(shapes))) > 1:
        raise InputError(f"a glove's sensors must be numbers or columns of one length; got shapes {sorted(shapes)}.")
    return {name: np.atleast_1d(column) for name, column in out.items()}


def glove_channels(sensors: Mapping[str, ArrayLike]) -> Array:
    """Channels (n, 17) of handshapes from a glove's 22 sensors [deg] by name, each (n) or a number."""
    s = _values(sensors)
    c = np.zeros((len(next(iter(s.values()))), CHANNELS))
    _, mcp, ip = THUMB_DEG["anatomical"]
    c[:, 0], c[:, 1] = s["thumb_MPJ"] / mcp, s["thumb_IJ"] / ip
    c[:, OPPOSITION] = s["thumb_TMJ"] / OPPOSITION_DEG["anatomical"]
    base, middle, last = BEND_DEG["anatomical"]
    for f, name in enumerate(FINGER_SENSORS, start=1):
        c[:, 2 * f] = s[f"{name}_MPJ"] / base
        c[:, 2 * f + 1] = (s[f"{name}_PIJ"] * middle + s[f"{name}_DIJ"] * last) / (middle**2 + last**2)
    fan = np.stack([s[name] / degrees for name, degrees in zip(APART, BETWEEN, strict=True)], -1)
    # one number for all where fingers fan; index and middle alone can cross
    c[:, 11:15] = np.where(fan[:, :1] < -0.5, 0.0, np.clip(np.median(fan, -1), 0.0, 1.0)[:, None])
    c[:, 11:13] = np.where(fan[:, :1] < -0.5, fan[:, :1] * BETWEEN[0] / 26.0, c[:, 11:13])
    c[:, CUP] = s["palm_arch"] / CUP_DEG[3]
    return c


def glove_landmarks(sensors: Mapping[str, ArrayLike], R_palm: ArrayLike) -> Array:
    """Landmarks (n, 21, 3) [m] of the mean hand bent as the glove reads, in the receiver's frame.

    Args:
        sensors: 22 sensors [deg] by name, each (n) or a number; wrist_pitch is flexion, wrist_yaw deviation.
        R_palm: (3, 3) palm direction at a straight wrist, an alphabet's `palms[name]`.
    """
    c = glove_channels(sensors)
    R = real_array(R_palm, "a palm direction")
    if R.shape != (3, 3) or not np.allclose(R @ R.T, np.eye(3), atol=1e-6):
        raise InputError(f"a palm direction must be a rotation (3, 3); got {R.tolist()!r:.80}.")
    s = _values(sensors)
    pitch, yaw = (np.radians(s[name]) for name in WRIST)
    turned = R @ rotation_about((0.0, 1.0, 0.0), pitch) @ rotation_about((1.0, 0.0, 0.0), yaw)
    return np.asarray(hand_landmarks(c, Proportions.mean(len(c))) @ np.swapaxes(turned, 1, 2))


def glove_sensors(channels: Array, wrist: Array | None = None) -> dict[str, Array]:
    """Sensors [deg] that a glove on the mean hand would show for handshapes (n, 17) and wrists (n, 2) [rad]: for simulation."""
    c = np.atleast_2d(channels)
    s = {name: np.zeros(len(c)) for name in SENSORS}
    s["thumb_MPJ"], s["thumb_IJ"] = c[:, 0] * THUMB_DEG["anatomical"][1], c[:, 1] * THUMB_DEG["anatomical"][2]
    s["thumb_TMJ"] = c[:, OPPOSITION] * OPPOSITION_DEG["anatomical"]
    for f, name in enumerate(FINGER_SENSORS, start=1):
        for part, bend, k in (("MPJ", c[:, 2 * f], 0), ("PIJ", c[:, 2 * f + 1], 1), ("DIJ", c[:, 2 * f + 1], 2)):
            s[f"{name}_{part}"] = bend * BEND_DEG["anatomical"][k]
    for k, name in enumerate(APART):
        s[name] = np.where(c[:, 11] < 0, (26.0 * c[:, 11] if k == 0 else 0.0), c[:, 11 + k] * BETWEEN[k])
    s["palm_arch"] = c[:, CUP] * CUP_DEG[3]
    if wrist is not None:
        s["wrist_pitch"], s["wrist_yaw"] = np.degrees(np.atleast_2d(wrist)).T
    return s
