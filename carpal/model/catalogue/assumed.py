"""Mass properties that nobody published: solid cylinders and rods, listed in docs/assumptions.md."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import unknown_name
from carpal.spatial import Inertia, align_z

CHOICES = (None, "assumed")


def wants_assumed(inertia: str | None) -> bool:
    """Check the `inertia` option of a robot whose masses are not published."""
    if inertia not in CHOICES:
        raise unknown_name("inertia", inertia, ("None", "assumed"))
    return inertia == "assumed"


def cylinder(mass: float, start: ArrayLike, end: ArrayLike, radius: float) -> Inertia:
    """A solid cylinder between two points [m]; radius 0 is a thin rod."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    length = float(np.linalg.norm(b - a))
    R = align_z((b - a) / length)
    across = mass * (3.0 * radius**2 + length**2) / 12.0
    along = max(0.5 * mass * radius**2, 1e-9 * across)  # a rod of no radius would have a singular inertia
    return Inertia(mass, 0.5 * (a + b), R @ np.diag([across, across, along]) @ R.T)
