"""Camera poses and fields of view."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.spatial import Array, pose


def looking_at(eye: ArrayLike, at: ArrayLike) -> Array:
    """Camera pose X_WC (4, 4): z towards `at`, x to the right, y down."""
    z = np.asarray(at, float) - np.asarray(eye, float)
    z /= np.linalg.norm(z)
    x = np.cross(z, (0.0, 0.0, 1.0))
    x /= np.linalg.norm(x)
    return pose(np.column_stack([x, np.cross(z, x), z]), eye)


def in_view(X_WC: Array, points: Array, width_angle: float, height_angle: float) -> np.ndarray:
    """Whether points (*batch, 3) are in a camera's field of view; full angles [rad]."""
    p = (points - X_WC[:3, 3]) @ X_WC[:3, :3]
    across, up = np.tan(width_angle / 2), np.tan(height_angle / 2)
    return (p[..., 2] > 0) & (np.abs(p[..., 0]) <= across * p[..., 2]) & (np.abs(p[..., 1]) <= up * p[..., 2])
