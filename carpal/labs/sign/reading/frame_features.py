"""Features of one frame of image landmarks, which do not depend on place, distance and turn in the picture.

The wrist is the origin, the root mean square distance in the picture is the unit, and the knuckles point up; the direction
in which they pointed is a feature of its own, because letters such as K and P differ by nothing else. A left hand is the
mirror image of a right one: a reader averages its scores over a frame and its mirror image, so handedness cannot matter.
What the aspect of the picture changes (unknown in most recordings) is learnt from stretched copies.
"""

from __future__ import annotations

import numpy as np

from carpal.perception import POINTS
from carpal.spatial import Array

KNUCKLES = [5, 9, 13, 17]
BONES = np.array([(0 if k % 4 == 1 else k - 1, k) for k in range(1, POINTS)])
"""(from, to) of every bone, fingers one after the other."""
TIPS = (4, 8, 12, 16, 20)
PAIRS = np.array([
    *((a, b) for i, a in enumerate(TIPS) for b in TIPS[i + 1 :]),
    *((tip, k) for tip in TIPS for k in KNUCKLES), *((4, k) for k in (6, 7, 10, 11, 14, 15, 18, 19)),
])  # fmt: skip
"""Points whose distance is a feature."""
FRAME_FEATURES = 6 * len(BONES) + 2 * len(PAIRS) + 15 + 6
TINY = 1e-9


def frame_features(points: Array) -> Array:
    """Features (n, FRAME_FEATURES) of frames (n, 21, 3) that `unit_frames` made."""
    palm = points[:, KNUCKLES, :2].mean(1)
    length = np.maximum(np.linalg.norm(palm, axis=-1), TINY)
    up = palm / length[:, None]
    turned = points.copy()  # the knuckles point up: y is down in a picture
    turned[:, :, 0] = -points[:, :, 0] * up[:, 1, None] + points[:, :, 1] * up[:, 0, None]
    turned[:, :, 1] = -points[:, :, 0] * up[:, 0, None] - points[:, :, 1] * up[:, 1, None]
    bones = turned[:, BONES[:, 1]] - turned[:, BONES[:, 0]]
    bones = bones / np.maximum(np.linalg.norm(bones, axis=-1, keepdims=True), TINY)
    fingers = bones.reshape(-1, 5, 4, 3)
    bends = (fingers[:, :, 1:] * fingers[:, :, :-1]).sum(-1)
    apart = turned[:, PAIRS[:, 1]] - turned[:, PAIRS[:, 0]]
    normal = np.cross(turned[:, 5] - turned[:, 0], turned[:, 17] - turned[:, 0])
    normal = normal / np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), TINY)
    parts = (
        turned[:, 1:], bones, np.linalg.norm(apart, axis=-1), np.linalg.norm(apart[..., :2], axis=-1), bends,
        up, length[:, None], normal,
    )  # fmt: skip
    return np.concatenate([part.reshape(len(points), -1) for part in parts], -1)


def unit_frames(points: Array) -> Array:
    """Frames (n, 21, 3) with the wrist at the origin and the root mean square distance in the picture as unit."""
    p = points - points[:, :1]
    size = np.sqrt((p[:, :, :2] ** 2).sum(-1).mean(-1))
    return p / np.maximum(size, TINY)[:, None, None]


def mirror(points: Array) -> Array:
    """The other hand."""
    return points * (-1.0, 1.0, 1.0)
