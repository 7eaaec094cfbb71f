"""Simulated filming of a signing hand: frames from shapes, palm directions, motions, tremor, viewpoints and noise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from carpal.errors import InputError
from carpal.spatial import Array, rotation_from_rpy, rotation_from_vector, rotation_vector

SIGN_FRAMES, RATE = 24, 30.0
"""Frames of one sign and frames a second: 0.8 s."""
TREMOR = np.radians(1.0)
"""[rad] by which a hand that stands sways."""


def turns(path: Array, share: Array, amount: Array) -> Array:
    """Rotations (n, T, 3, 3) along a path (k, 3, 3) of palm turns, at shares (n, T) of its length, scaled by amounts (n)."""
    points = rotation_vector(path)
    at = np.clip(share, 0.0, 1.0) * (len(points) - 1)
    k = np.minimum(at.astype(int), max(len(points) - 2, 0))
    after = np.minimum(k + 1, len(points) - 1)
    w = points[k] + (at - k)[..., None] * (points[after] - points[k])
    return rotation_from_vector(w * amount[:, None, None])


def drawn_views(rng: np.random.Generator, count: int, view: float) -> Array:
    """Viewpoints R (count, 3, 3): azimuth, elevation and roll, each drawn within ±view [rad]."""
    if not view >= 0.0:
        raise InputError(f"view must be 0 rad or above; got {view!r:.60}.")
    return rotation_from_rpy(rng.uniform(-view, view, (count, 3)))


def palm_motions(
    rng: np.random.Generator, paths: Sequence[Array], which: Array, frames: int, vary: float = 0.2
) -> Array:
    """Turns (n, frames, 3, 3) of the palm for signs whose motion is paths[which], with tremor.

    A motion fills the window but for a beginning and an end of up to a fifth each, and is up to `vary` larger or smaller; of a
    window shorter than half a sign only one moment is seen.
    """
    n = len(which)
    begin, end, amount = rng.uniform(0, 0.2, n), rng.uniform(0.8, 1.0, n), rng.uniform(1 - vary, 1 + vary, n)
    moment, phase = rng.uniform(0, 1, n), rng.uniform(0, 2 * np.pi, (n, 3))
    sway = TREMOR * rng.standard_normal((n, 3))
    time = (np.arange(frames) + 0.5) / SIGN_FRAMES
    if frames >= SIGN_FRAMES // 2:
        share = (time * SIGN_FRAMES / frames - begin[:, None]) / (end - begin)[:, None]
    else:
        share = np.repeat(moment[:, None], frames, 1)
    out = rotation_from_vector(sway[:, None] * np.sin(2 * np.pi * time[None, :, None] + phase[:, None]))
    for k, path in enumerate(paths):
        rows = np.flatnonzero(which == k)
        if len(path) > 1 and len(rows):
            out[rows] = turns(path, share[rows], amount[rows]) @ out[rows]
    return out


def filmed(
    rng: np.random.Generator, shapes: Array, R_VP: Array, noise: Array | float, steady: Array | float = 0.0
) -> Array:
    """Frames (n, T, 21, 3) [m] of shapes (n, 21, 3) or (n, T, 21, 3) in palms R_VP (n, T, 3, 3).

    Args:
        rng: of the noise.
        shapes: landmarks in the palm's frame [m].
        R_VP: palms in the view.
        noise: (n) or one standard deviation [m] of every coordinate of every landmark in every frame.
        steady: (n) or one share of the noise's variance that stays the same through the sign, as trackers' errors partly do.
    """
    n = len(R_VP)
    still = shapes[:, None] if shapes.ndim == 3 else shapes
    points = still @ np.swapaxes(R_VP, -1, -2)
    share = np.broadcast_to(np.asarray(steady, float), n)[:, None, None, None]
    sd = np.broadcast_to(np.asarray(noise, float), n)[:, None, None, None]
    moving, held = rng.standard_normal(points.shape), rng.standard_normal((n, 1, *points.shape[2:]))
    return np.asarray(points + sd * (np.sqrt(1.0 - share) * moving + np.sqrt(share) * held))
