"""Cutting a stream of landmarks into signs: where the fingers rest, a letter is shown.

Fingertips are followed in the palm's frame, so that a letter that moves as a whole (G, J, Z) is one rest and not many.
For the same reason two letters in a row that share their handshape (I and J, U and H, a letter twice) are one rest: the
fingers have to move between them.
"""

from __future__ import annotations

import numpy as np

from carpal.perception import checked_frames, in_palm, palm_frames
from carpal.spatial import Array

SPAN = 6
"""Frames that are averaged on both sides of a moment."""
MOVES, OVER, CALM = 0.2, 2.4, 0.3
"""Fingers move where a fingertip goes MOVES palm sizes from one average to the next, and OVER times what it does in the calmest
share CALM of the stream, which is the noise."""
LEAST = 8
"""Frames of a rest that count as a sign."""
TIPS = (4, 8, 12, 16, 20)


def finger_motion(points: Array) -> Array:
    """(n) how far the farthest fingertip goes from the SPAN frames before a moment to those after it, in palm sizes."""
    R, size = palm_frames(points)
    tips = in_palm(points, R, np.full(len(points), np.median(size)))[:, TIPS]
    total = np.concatenate([np.zeros((1, *tips.shape[1:])), np.cumsum(tips, 0)])
    n = len(points)
    if n < 2 * SPAN:
        return np.zeros(n)
    means = (total[SPAN:] - total[:-SPAN]) / SPAN
    motion = np.linalg.norm(means[SPAN:] - means[:-SPAN], axis=-1).max(-1)
    # at the ends there is only one side: they go on as what is next to them
    return np.pad(motion, (SPAN, SPAN - 1), mode="edge")


def cut_signs(landmarks: Array) -> list[tuple[int, int]]:
    """(first, last + 1) of the frames of every sign in a stream (n, 21, 3); a stream too short to cut is one sign."""
    points = checked_frames(landmarks, "a stream of landmarks")
    if len(points) < 2 * LEAST:
        return [(0, len(points))]
    motion = finger_motion(points)
    still = motion < max(MOVES, OVER * float(np.quantile(motion, CALM)))
    edges = np.flatnonzero(np.diff(np.concatenate([[False], still, [False]]).astype(int)))
    out = []
    for a, b in edges.reshape(-1, 2):
        # averages across the edge of a rest still hold some of the move
        first, last = int(a + (SPAN // 2 if a else 0)), int(b - (SPAN // 2 if b < len(points) else 0))
        if last - first >= LEAST:
            out.append((first, last))
    return out
