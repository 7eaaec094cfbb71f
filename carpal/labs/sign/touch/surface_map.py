"""Tactile map of a palm laid on a hand: the height of the surface within the palm's compliance, blurred as by skin.

A receiver lays a palm on the hand from above and one from the side that faces them. Each feels a map: how far the
surface stands up into the palm, no deeper than the palm gives way, smeared by a Gaussian as wide as the two-point
threshold of the palm (the low-pass view of tactile patterns of Loomis 1990). Numbers are assumed: docs/assumptions.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.kinematics import fk
from carpal.labs.sign.files.alphabet import Alphabet, Handshape
from carpal.labs.sign.hand.parallel_wrist import wrist_rotation
from carpal.labs.sign.hand.sign_hand import SignHand
from carpal.labs.sign.reading.alphabet_signs import palm_path
from carpal.model import Box, Capsule, PlacedShape, Sphere
from carpal.spatial import Array

STEP, HALF = 0.004, 0.26
"""[m] of the grid and half of its side."""
BEADS = 3
"""Spheres to each radius of a capsule by which its top is found: between two it sags by 1.4 % of the radius."""
MOMENTS = 4
"""Of a motion that are felt."""
SIDES = {"above": (0, 1, 2), "front": (1, 2, 0)}
"""Side from which a palm comes: columns of the receiver's axes across, up and towards that palm."""


@dataclass(frozen=True)
class Skin:
    """What a receiver's palm feels.

    Args:
        two_point: [m] two-point threshold of the palm, the width of the blur at half its height.
        give: [m] that the palm moulds itself round what it lies on.
        jnd: [m] just noticeable root mean square difference of two maps.
        shift: [m] by which a palm may lie elsewhere the next time.
    """

    two_point: float = 0.010
    give: float = 0.030
    jnd: float = 0.0015
    shift: float = 0.008

    @property
    def sigma(self) -> float:
        """[m] of the Gaussian."""
        return self.two_point / (2.0 * np.sqrt(2.0 * np.log(2.0)))


def height_map(shapes: list[tuple[PlacedShape, Array]], side: str) -> Array:
    """Heights (n, n) [m] of a surface towards a palm that comes from a side; -inf where there is none.

    Args:
        shapes: with their poses (4, 4).
        side: "above" or "front".
    """
    u, v, w = SIDES[side]
    axis = np.arange(-HALF, HALF + 0.5 * STEP, STEP)
    at = np.stack(np.meshgrid(axis, axis, indexing="ij"), -1)
    out = np.full(at.shape[:2], -np.inf)
    for placed, X in shapes:
        shape = placed.shape
        if isinstance(shape, Capsule):
            reach = (
                np.linspace(-0.5, 0.5, 1 + int(np.ceil(BEADS * shape.length / shape.radius)))[:, None]
                * shape.length
                * X[:3, 2]
            )
            centres, radius = X[:3, 3] + reach, shape.radius
        elif isinstance(shape, Sphere):
            centres, radius = X[None, :3, 3], shape.radius
        elif isinstance(shape, Box):
            np.maximum(out, _box_tops(at, X, 0.5 * np.asarray(shape.size), (u, v, w)), out=out)
            continue
        else:
            continue  # hands here are made of these three
        low = np.searchsorted(axis, centres[:, (u, v)].min(0) - radius)
        high = np.searchsorted(axis, centres[:, (u, v)].max(0) + radius)
        cells = at[low[0] : high[0], low[1] : high[1]]
        gap = ((cells[:, :, None] - centres[:, (u, v)]) ** 2).sum(-1)
        with np.errstate(invalid="ignore"):
            top = np.where(gap <= radius**2, centres[:, w] + np.sqrt(np.maximum(radius**2 - gap, 0.0)), -np.inf)
        part = out[low[0] : high[0], low[1] : high[1]]
        if part.size:
            np.maximum(part, top.max(-1), out=part)
    return out


def _box_tops(at: Array, X: Array, half: Array, columns: tuple[int, int, int]) -> Array:
    """Where vertical lines leave a box, -inf where they miss it (slabs)."""
    u, v, w = columns
    start = np.zeros((*at.shape[:2], 3))
    start[..., u], start[..., v] = at[..., 0], at[..., 1]
    p, d = (start - X[:3, 3]) @ X[:3, :3], X[w, :3]
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (-half - p) / d, (half - p) / d
    inside = np.abs(p) <= half
    near = np.where(d == 0, np.where(inside, -np.inf, np.inf), np.minimum(a, b)).max(-1)
    far = np.where(d == 0, np.where(inside, np.inf, -np.inf), np.maximum(a, b)).min(-1)
    return np.where(near <= far, far, -np.inf)


def felt_map(heights: Array, skin: Skin) -> Array:
    """What is felt (n, n) [m] of heights: how far each place stands into the palm, blurred."""
    from scipy.ndimage import gaussian_filter

    top = heights.max()
    into = np.maximum(heights - (top - skin.give), 0.0) if np.isfinite(top) else np.zeros_like(heights)
    return np.asarray(gaussian_filter(into, skin.sigma / STEP, mode="constant", truncate=3.0))


def letter_touch(hand: SignHand, alphabet: Alphabet, shape: Handshape, commands: Array, skin: Skin) -> Array:
    """What a letter feels like (moments, sides, n, n) [m]: the hand at commands, in the letter's palm direction and motion."""
    q = hand.joints(commands)
    bodies = {name: fk(hand.model, q, name) for name in {placed.body for placed in hand.model.shapes if placed.body}}
    X_PM = np.linalg.inv(fk(hand.model, q, hand.driver.palm))
    root = hand.model.bodies[0].name
    placed = [
        (one, X_PM @ bodies[one.body] @ one.X_BS)
        for one in hand.model.shapes
        if one.body and (one.body != root or not hand.wrist)  # a forearm is not laid hands on
    ]
    R = alphabet.palms[shape.palm] @ wrist_rotation(shape.wrist)
    path = palm_path(alphabet, shape)
    maps: dict[int, Array] = {}
    rows = []
    for k in np.round(np.linspace(0, len(path) - 1, MOMENTS + 2)[1:-1]).astype(int):
        if k not in maps:
            X = np.eye(4)
            X[:3, :3] = R @ path[k]
            turned = [(one, X @ X_PS) for one, X_PS in placed]
            maps[k] = np.stack([felt_map(height_map(turned, side), skin) for side in SIDES])
        rows.append(maps[k])
    return np.stack(rows)
