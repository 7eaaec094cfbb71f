"""How far an arm's axes may be from its class's shape, and by how much kernels open their tests then."""

from __future__ import annotations

import numpy as np

from carpal.spatial import Array

ANGLE_TOL = LENGTH_TOL = 2e-5
EXACT = 1e-11  # deviations below this are rounding


def line_angle(a: Array, b: Array) -> float:
    """Between two lines [rad]."""
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), abs(a @ b)))


def loose(slack: float, size: float) -> float:
    """By how much a kernel may open its tests for an arm that is not quite of its class [m or rad]."""
    return 0.0 if slack <= EXACT else 10.0 * slack * max(size, 1.0)
