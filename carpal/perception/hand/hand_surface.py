"""Surface of a hand as capsules along its bones, and its simulated depth image."""

from __future__ import annotations

import numpy as np

from carpal.perception.hand.landmarks import POINTS
from carpal.perception.stereo.camera_model import Camera, sight_lines
from carpal.spatial import Array

BARS = (
    *((k - 1, k) for k in range(1, POINTS) if k % 4 != 1),
    (0, 1), (0, 5), (0, 9), (0, 13), (0, 17), (1, 5), (5, 9), (9, 13), (13, 17),
)  # fmt: skip
"""Landmarks that a capsule joins: 15 phalanges and the thumb's metacarpal, then the palm."""
TIP_SHARES = {2: 0.060, 3: 0.055, 4: 0.048, 6: 0.046, 7: 0.042, 8: 0.038, 10: 0.046, 11: 0.042, 12: 0.038, 14: 0.044, 15: 0.040,
              16: 0.036, 18: 0.040, 19: 0.036, 20: 0.032}  # fmt: skip
PALM_SHARE = 0.068
RADII = np.array([TIP_SHARES[b] if b in TIP_SHARES and b - a == 1 else PALM_SHARE for a, b in BARS])
"""Of the capsules, in shares of the hand's length."""
STARTS, ENDS = np.array([a for a, _ in BARS]), np.array([b for _, b in BARS])


def surface_distance(points: Array, landmarks: Array, radii: Array) -> Array:
    """Signed distances (n, m) [m] of points (m, 3) from the surfaces of n hands: landmarks (n, 21, 3), radii (n, capsules)."""
    a, b = landmarks[:, STARTS], landmarks[:, ENDS]
    along = b - a
    length = np.maximum((along**2).sum(-1), 1e-12)
    # |p - a - t d|^2 = |p - a|^2 - 2 t (p - a).d + t^2 |d|^2, without an array of vectors for every pair
    flat = (points**2).sum(-1)[None, :, None] - 2.0 * (points @ np.swapaxes(a, 1, 2)) + (a**2).sum(-1)[:, None]
    dot = points @ np.swapaxes(along, 1, 2) - (a * along).sum(-1)[:, None]
    t = np.clip(dot / length[:, None], 0.0, 1.0)
    gap = np.sqrt(np.maximum(flat - 2.0 * t * dot + t**2 * length[:, None], 0.0)) - radii[:, None]
    return np.asarray(gap.min(-1))


def simulate_depth(
    camera: Camera, landmarks: Array, length: float, *, noise: float = 0.0, rng: np.random.Generator | None = None
) -> Array:
    """Depths (height, width) [m] along the camera's z axis of a hand, 0 where nothing is seen.

    Args:
        camera: with its pose in the landmarks' frame.
        landmarks: (21, 3) [m].
        length: of the hand [m], which its thickness goes by.
        noise: [m] standard deviation; rng: which it is drawn from.
    """
    pixels = np.stack(np.meshgrid(np.arange(camera.width), np.arange(camera.height)), -1).astype(float)
    _, rays = sight_lines(camera, pixels)
    eye, forward = camera.X_WC[:3, 3], camera.X_WC[:3, 2]
    best = np.full(rays.shape[:2], np.inf)
    for (a, b), share in zip(BARS, RADII, strict=True):
        np.minimum(best, _along_ray(eye, rays, landmarks[a], landmarks[b], share * length), out=best)
    depth = best * (rays @ forward)
    seen = np.isfinite(best)
    if noise and rng is not None:
        depth = depth + noise * rng.standard_normal(depth.shape)
    return np.where(seen, depth, 0.0)


def _along_ray(eye: Array, rays: Array, a: Array, b: Array, radius: float) -> Array:
    """Where rays (h, w, 3) from a point first meet a capsule [m], inf where they do not."""
    out = np.full(rays.shape[:-1], np.inf)
    d, o = b - a, eye - a
    dd, od, rd = d @ d, o @ d, rays @ d
    ro = rays @ o
    # the side: |o + s r - ((o + s r).d / dd) d| = radius
    A, B, C = dd - rd**2, dd * ro - rd * od, dd * (o @ o) - od**2 - radius**2 * dd
    root = B**2 - A * C
    with np.errstate(invalid="ignore", divide="ignore"):
        s = (-B - np.sqrt(root)) / A
        at = (od + s * rd) / dd
    np.copyto(out, s, where=(root >= 0) & (A > 1e-15) & (s > 0) & (at >= 0) & (at <= 1))
    for end in (a, b):
        e = eye - end
        re = rays @ e
        root = re**2 - (e @ e - radius**2)
        with np.errstate(invalid="ignore"):
            s = -re - np.sqrt(root)
        np.minimum(out, np.where((root >= 0) & (s > 0), s, np.inf), out=out)
    return out
