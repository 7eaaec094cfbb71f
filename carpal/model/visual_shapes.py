"""Visuals made of plain shapes: boxes, rods between two points, and the hull of some balls."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.model.mesh_shapes import ConvexMesh
from carpal.model.shapes import Box, Cylinder
from carpal.model.visuals import Visual
from carpal.spatial import Array, align_z, pose

Colour = tuple[float, float, float, float]
POINTS = 90
"""On each ball of a hull."""


def visual_box(name: str, body: str | None, size: ArrayLike, middle: ArrayLike, rgba: Colour) -> Visual:
    """A box with sides (3) [m] along the body's axes, its middle (3) in the body."""
    x, y, z = (float(side) for side in np.asarray(size, float))
    return Visual(name, body, shape=Box((x, y, z)), X_BV=pose(p=np.asarray(middle, float)), rgba=rgba)


def visual_rod(name: str, body: str | None, start: ArrayLike, end: ArrayLike, radius: float, rgba: Colour) -> Visual:
    """A cylinder between two points (3) [m] of the body."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    length = float(np.linalg.norm(b - a))
    X = pose(align_z((b - a) / length), 0.5 * (a + b))
    return Visual(name, body, shape=Cylinder(radius, length), X_BV=X, rgba=rgba)


def visual_hull(name: str, body: str | None, balls: list[tuple[ArrayLike, float]], rgba: Colour) -> Visual:
    """The hull of balls, each its middle (3) in the body and its radius [m]: tapered links, palms, trunks."""
    unit = _ball()
    points = np.concatenate([np.asarray(middle, float) + radius * unit for middle, radius in balls])
    return Visual(name, body, shape=ConvexMesh(np.round(points, 5)), rgba=rgba)


def _ball() -> Array:
    """Points (POINTS, 3) spread evenly on a unit ball (a Fibonacci spiral)."""
    k = np.arange(POINTS) + 0.5
    z, turn = 1 - 2 * k / POINTS, np.pi * (1 + np.sqrt(5)) * k
    flat = np.sqrt(1 - z * z)
    return np.column_stack([flat * np.cos(turn), flat * np.sin(turn), z])
