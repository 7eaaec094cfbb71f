"""Simulated human hands: 21 landmarks from the channels of a handshape, for two kinematics and any proportions.

A handshape is 17 channels: bends of thumb to little finger (base joint, outer joints), spreads of the five, opposition
of the thumb, cup. `anatomical` hands train recognisers: hinges, a thumb that swings round the palm's long axis.
`oblique` hands test them, and no joint of theirs is the same: bending axes lie obliquely and meet towards the wrist,
knuckles stand on an arch and cup as a fist closes, the last joint follows the middle one, the thumb has a saddle of two
skew axes with an offset and turns about itself as it opposes (after Hollister et al. 1992). Bones are shares of the
hand's length after Buchholz et al. 1992 (docs/assumptions.md). Palm frame: x out of the palm, y to the thumb's side, z
along the fingers, origin at the wrist.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.errors import unknown_name
from carpal.perception.hand.landmarks import FINGERS, POINTS
from carpal.spatial import Array, rotation_about

CHANNELS = 17
THUMB_BASE, SPREAD, OPPOSITION, CUP = 0, slice(10, 15), 15, 16
"""Columns of the channels: bends are 2 f and 2 f + 1 of finger f."""
KINDS = ("anatomical", "oblique")
LENGTH = 0.185
"""[m] of the mean hand, wrist to tip of the middle finger."""
PHALANGES = np.array([
    [0.251, 0.196, 0.158], [0.245, 0.143, 0.097], [0.266, 0.170, 0.108], [0.244, 0.165, 0.107], [0.204, 0.117, 0.093],
])  # fmt: skip
"""Shares of the hand's length: metacarpal and phalanges of the thumb, phalanges of the fingers."""
KNUCKLE_PLACES = np.array([[0.0, 0.130, 0.450], [0.0, 0.022, 0.455], [0.0, -0.078, 0.425], [0.0, -0.170, 0.380]])
THUMB_PLACE = np.array([0.065, 0.110, 0.105])
ARCH = np.array([-0.012, 0.012, 0.004, -0.030])
"""Of an oblique hand's knuckles out of the palm, in shares of the length."""
BEND_DEG = {"anatomical": np.array([90.0, 100.0, 65.0]), "oblique": np.array([84.0, 108.0, 62.0])}
THUMB_DEG = {"anatomical": np.array([18.0, 40.0, 70.0]), "oblique": np.array([26.0, 30.0, 62.0])}
SPREAD_DEG = {"anatomical": np.array([13.0, 2.0, -7.0, -16.0]), "oblique": np.array([15.0, 4.0, -8.0, -20.0])}
CROSS_DEG = np.array([-12.0, 14.0, 0.0, 0.0])
REST_DEG = np.array([2.0, 0.0, -1.5, -3.0])
OPPOSITION_DEG = {"anatomical": 95.0, "oblique": 88.0}
TILT_DEG = {"anatomical": 50.0, "oblique": 43.0}
CUP_DEG = np.array([0.0, 0.0, 12.0, 25.0])
X, Y, Z = np.eye(3)


@dataclass(frozen=True, eq=False)
class Proportions:
    """Sizes of n hands as factors of the mean hand's, and how their joints are set.

    Args:
        size: (n) of the whole hand.
        bones: (n, 5, 3) of phalanges and the thumb's metacarpal.
        palm: (n, 5, 3) of the places of thumb and knuckles, coordinate by coordinate.
        tilt: (n) [rad] added to the thumb's tilt from the fingers.
        range: (n, 5) factors of the angles that the channels' 1 means, one for each finger.
    """

    size: Array
    bones: Array
    palm: Array
    tilt: Array
    range: Array

    @classmethod
    def mean(cls, count: int = 1) -> Proportions:
        """The mean hand."""
        return cls(np.ones(count), np.ones((count, 5, 3)), np.ones((count, 5, 3)), np.zeros(count), np.ones((count, 5)))

    def repeated(self, times: int) -> Proportions:
        """Every hand so many times, one after the other."""
        parts = (self.size, self.bones, self.palm, self.tilt, self.range)
        return Proportions(*(np.repeat(part, times, 0) for part in parts))

    @classmethod
    def drawn(cls, rng: np.random.Generator, count: int, spread: float, bending: float | None = None) -> Proportions:
        """Hands whose size, bones and palms each lie within ±spread of the mean, and their ranges of bending within ±bending."""
        bending = spread if bending is None else bending

        def factor(*shape: int, most: float = spread) -> Array:
            return rng.uniform(1.0 - most, 1.0 + most, shape)

        size, bones, palm = factor(count), factor(count, 5, 3), factor(count, 5, 3)
        tilt = np.radians(rng.uniform(-50.0, 50.0, count)) * spread
        # range of closing of the hand, and a small variation per finger
        closes = factor(count, 1, most=bending) * factor(count, 5, most=0.4 * bending)
        return cls(size, bones, palm, tilt, closes)


def hand_landmarks(channels: Array, hands: Proportions, kind: str = "anatomical") -> Array:
    """Landmarks (n, 21, 3) [m] in the palm's frame of handshapes (n, 17) shown by n hands, one each."""
    if kind not in KINDS:
        raise unknown_name("kind of simulated hand", kind, KINDS)
    c = np.asarray(channels, float)
    n = len(c)
    out = np.zeros((n, POINTS, 3))
    for f in range(1, 5):
        out[:, 1 + 4 * f : 5 + 4 * f] = _finger(c, hands, f, kind)
    out[:, 1:5] = (_thumb if kind == "anatomical" else _saddle_thumb)(c, hands)
    return out * (LENGTH * hands.size)[:, None, None]


def _chain(start: Array, R: Array, angles: Array, axes: Array, lengths: Array) -> Array:
    """Points (n, 4, 3) of a finger: its start and the ends of its bones, bent about axes (n, 3, 3) by angles (n, 3)."""
    points = [start]
    for k in range(3):
        R = R @ rotation_about(axes[:, k], angles[:, k])
        points.append(points[-1] + lengths[:, k, None] * R[:, :, 2])
    return np.stack(points, 1)


def _finger(c: Array, hands: Proportions, f: int, kind: str) -> Array:
    oblique = kind == "oblique"
    base, outer, spread = c[:, 2 * f], c[:, 2 * f + 1], c[:, 10 + f]
    ranges = np.radians(BEND_DEG[kind]) * hands.range[:, f, None]
    angles = ranges * np.stack([base, outer, outer], -1)
    if oblique:  # the last joint lags and then catches up with the middle one
        angles[:, 2] = ranges[:, 2] * outer * np.abs(outer)
    aside = np.where(spread >= 0, SPREAD_DEG[kind][f - 1] * spread, -CROSS_DEG[f - 1] * spread) + REST_DEG[f - 1]
    aside = np.radians(aside) * (1.0 - 0.7 * np.clip(base, 0.0, 1.0))  # bent fingers cannot spread
    start = KNUCKLE_PLACES[f - 1] * hands.palm[:, f]
    cup = np.radians(CUP_DEG[f - 1]) * (c[:, CUP] + (0.25 * base if oblique else 0.0))
    R_cup = rotation_about(Y, cup)
    if oblique:
        start = start + ARCH[f - 1] * X
    start = np.einsum("nij,nj->ni", R_cup, start)
    lean = np.radians((3.0 - 2.5 * f) if oblique else 0.0)  # axes that meet: index and little bend towards the scaphoid
    axis = np.cos(lean) * Y + np.sin(lean) * Z
    axes = np.broadcast_to(np.stack([axis, 0.5 * (axis + Y) / np.linalg.norm(0.5 * (axis + Y)), Y]), (len(c), 3, 3))
    return _chain(start, R_cup @ rotation_about(X, -aside), angles, axes, PHALANGES[f] * hands.bones[:, f])


def _thumb(c: Array, hands: Proportions) -> Array:
    base, outer, opposition = c[:, 0], c[:, 1], c[:, OPPOSITION]
    angles = np.radians(THUMB_DEG["anatomical"]) * hands.range[:, 0, None] * np.stack([base, base, outer], -1)
    swing = rotation_about(-Z, np.radians(OPPOSITION_DEG["anatomical"]) * hands.range[:, 0] * opposition)
    R = swing @ rotation_about(-X, np.radians(TILT_DEG["anatomical"]) + hands.tilt)
    axes = np.broadcast_to(np.stack([Y, Y, Y]), (len(c), 3, 3))
    return _chain(THUMB_PLACE * hands.palm[:, 0], R, angles, axes, PHALANGES[0] * hands.bones[:, 0])


def _saddle_thumb(c: Array, hands: Proportions) -> Array:
    base, outer, opposition = c[:, 0], c[:, 1], c[:, OPPOSITION]
    angles = np.radians(THUMB_DEG["oblique"]) * hands.range[:, 0, None] * np.stack([base, base, outer], -1)
    first = np.array([0.16, 0.10, -1.0])
    across = rotation_about(first / np.linalg.norm(first), np.radians(OPPOSITION_DEG["oblique"]) * opposition)
    tilt = rotation_about(-X, np.radians(TILT_DEG["oblique"]) + hands.tilt - np.radians(8.0) * opposition)
    about = rotation_about(Z, np.radians(-18.0) * opposition)  # the metacarpal turns about itself
    R = across @ tilt @ about
    offset = np.einsum("nij,j->ni", across, 0.030 * np.array([0.5, 0.8, 0.3]))  # the second axis passes the first by
    flexion = np.array([0.0, 0.96, 0.28])
    hinge = np.array([0.12, 0.99, 0.0])
    axes = np.stack([flexion / np.linalg.norm(flexion), hinge / np.linalg.norm(hinge), Y])
    start = THUMB_PLACE * hands.palm[:, 0] + offset - 0.030 * np.array([0.5, 0.8, 0.3])
    return _chain(start, R, angles, np.broadcast_to(axes, (len(c), 3, 3)), PHALANGES[0] * hands.bones[:, 0])


def channel_names() -> tuple[str, ...]:
    """Names of the 17 channels in order."""
    bends = [f"{finger}_{part}" for finger in FINGERS for part in ("base", "outer")]
    return (*bends, *(f"{finger}_spread" for finger in FINGERS), "opposition", "cup")
