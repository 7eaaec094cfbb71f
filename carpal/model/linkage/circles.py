"""Two circles, and a circle and a line: the closed forms behind every dyad, for many at a time."""

from __future__ import annotations

import numpy as np

from carpal.spatial import Array


def circle_circle(c1: Array, r1: Array | float, c2: Array, r2: Array | float, side: float) -> tuple[Array, Array]:
    """The point (..., 2) at r1 from c1 and r2 from c2, on the left (side 1) or right (-1) of the line c1 -> c2.

    Returns:
        The point, and by how much [m] the circles miss each other (0 where they meet; the point is then the true one).
    """
    between = c2 - c1
    D = np.linalg.norm(between, axis=-1)
    safe = np.where(D > 0, D, 1.0)
    along = (D**2 + (r1 - r2) * (r1 + r2)) / (2 * safe)
    # Heron's product keeps the digits that r1^2 - along^2 loses near a stretched or folded dyad
    area = (D + r1 + r2) * (r1 + r2 - D) * (D - r1 + r2) * (D + r1 - r2)
    height = np.sqrt(np.maximum(area, 0.0)) / (2 * safe)
    u = between / safe[..., None]
    across = np.stack([-u[..., 1], u[..., 0]], -1)
    gap = np.maximum(np.maximum(D - (r1 + r2), abs(r1 - r2) - D), 0.0)
    return c1 + along[..., None] * u + side * height[..., None] * across, gap


def circle_line(centre: Array, radius: Array | float, base: Array, u: Array, side: float) -> tuple[Array, Array]:
    """How far (...) along the line base + s u (unit u) it meets the circle, the later (side 1) or earlier (-1) time.

    Returns:
        s, and by how much [m] the line misses the circle.
    """
    offset = centre - base
    middle = (offset * u).sum(-1)
    distance = np.abs(offset[..., 0] * u[..., 1] - offset[..., 1] * u[..., 0])
    half = np.sqrt(np.maximum((radius - distance) * (radius + distance), 0.0))
    return middle + side * half, np.maximum(distance - radius, 0.0)
