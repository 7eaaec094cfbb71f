"""Palm frame and palm size from landmarks, which normalise viewpoint and hand size.

z runs from the wrist to the middle of the knuckles, y towards the index finger's side, x out of the palm, as in the
models of hands. The size is the mean distance of the four knuckles from the wrist.
"""

from __future__ import annotations

import numpy as np

from carpal.perception.hand.landmarks import KNUCKLES
from carpal.spatial import Array

ACROSS = (3.0, 1.0, -1.0, -3.0)
"""Weights of the knuckles in the direction across: the slope of a line through four points evenly apart."""


def palm_frames(points: Array) -> tuple[Array, Array]:
    """Palms R_VP (*batch, 3, 3) in the landmarks' frame and their sizes (*batch), of landmarks (*batch, 21, 3)."""
    knuckles = points[..., KNUCKLES, :] - points[..., :1, :]
    size = np.linalg.norm(knuckles, axis=-1).mean(-1)
    across = sum(w * knuckles[..., k, :] for k, w in enumerate(ACROSS))
    return orthonormal(np.cross(across, z := knuckles.mean(-2)), z), size


def orthonormal(x: Array, z: Array) -> Array:
    """Rotations (*batch, 3, 3) whose z axis is along z and whose x axis is as near to x as can be."""
    z = z / np.linalg.norm(z, axis=-1, keepdims=True)
    y = np.cross(z, x)
    y = y / np.linalg.norm(y, axis=-1, keepdims=True)
    return np.stack([np.cross(y, z), y, z], -1)


def in_palm(points: Array, R_VP: Array, size: Array) -> Array:
    """Landmarks (*batch, 21, 3) in the palm's frame, in palm sizes, the wrist at the origin."""
    return np.asarray((points - points[..., :1, :]) @ R_VP) / size[..., None, None]
