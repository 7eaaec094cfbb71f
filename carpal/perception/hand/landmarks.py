"""The 21 landmarks of a hand used by camera trackers: names, frame, checks.

Camera trackers report a hand as 21 points: the wrist, then four for each of thumb, index, middle, ring and little
finger from the palm outwards. Here they are right hands in metres (any unit will do, sizes are taken out) in the
receiver's frame of the alphabets: x towards the receiver, y to the signer's left, z up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.model import real_array
from carpal.spatial import Array

FINGERS = ("thumb", "index", "middle", "ring", "little")
LANDMARKS = (
    "wrist", "thumb_cmc", "thumb_mcp", "thumb_ip", "thumb_tip",
    *(f"{finger}_{part}" for finger in FINGERS[1:] for part in ("mcp", "pip", "dip", "tip")),
)  # fmt: skip
"""Names in the common order."""
POINTS = len(LANDMARKS)
KNUCKLES = (5, 9, 13, 17)
MOST_FRAMES = 3_000
"""Of one sign: 100 s at 30 frames a second."""
FLAT = 1e-3
"""Share of the palm's length that its knuckles must spread by: less is no palm."""


def checked_frames(points: ArrayLike, what: str = "landmarks") -> Array:
    """Frames (n, 21, 3) from (21, 3) or (n, 21, 3), or one clear sentence."""
    p = real_array(points, what)
    if p.ndim == 2:
        p = p[None]
    if p.ndim != 3 or p.shape[1:] != (POINTS, 3):
        raise InputError(
            f"{what} must be {POINTS} points of 3 coordinates, (21, 3) or (frames, 21, 3); got shape {np.shape(points)}."
        )
    if not 1 <= len(p) <= MOST_FRAMES:
        raise InputError(f"{what} must hold 1 to {MOST_FRAMES} frames of one sign; got {len(p)}.")
    bad = np.argwhere(~np.isfinite(p))
    if len(bad):
        frame, point, axis = bad[0]
        raise InputError(
            f"{what} must be finite; '{LANDMARKS[point]}' of frame {frame} has {p[frame, point, axis]} at {'xyz'[axis]}."
        )
    along = p[:, KNUCKLES].mean(1) - p[:, 0]
    across = p[:, KNUCKLES[0]] - p[:, KNUCKLES[-1]]
    with np.errstate(over="ignore", invalid="ignore"):
        length = np.linalg.norm(along, axis=-1)
        area = np.linalg.norm(np.cross(along, across), axis=-1)
        no_palm = np.flatnonzero(~((length > 0) & np.isfinite(area) & (area > FLAT * length**2)))
    if len(no_palm):
        raise InputError(
            f"{what} show no palm in frame {no_palm[0]}: wrist and knuckles lie on one line or in one point."
        )
    return p


def mirrored(points: ArrayLike) -> Array:
    """Landmarks of a left hand as those of a right one: y, to the signer's left, changes its sign."""
    return np.asarray(points, float) * (1.0, -1.0, 1.0)


def from_camera(points: ArrayLike) -> Array:
    """Landmarks (*batch, 3) of a camera that faces the signer (x right, y down, z away from it) in the receiver's frame."""
    p = np.asarray(points, float)
    return np.stack([-p[..., 2], p[..., 0], -p[..., 1]], -1)


def to_camera(points: ArrayLike) -> Array:
    """Inverse of `from_camera`."""
    p = np.asarray(points, float)
    return np.stack([p[..., 1], -p[..., 2], -p[..., 0]], -1)
