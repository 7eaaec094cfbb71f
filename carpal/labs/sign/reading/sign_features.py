"""Features of a sign: what its frames say about the handshape, the palm's direction and its motion.

A sign is a window of frames. Every frame is brought into its own palm frame and the frames are averaged there, so that
a hand that turns (letters that move) keeps a sharp shape and noise averages out. Shape: joints in palm sizes,
directions of bones (which do not know their lengths), distances of the thumb's tip from the other tips and middle
joints. Direction: the mean palm's axes. Motion: the first cosine coefficients of the palm's turn about its own mean.
The last feature says how much was averaged: one number for one frame or many, so that confidence falls where there is
little to go by.
"""

from __future__ import annotations

import numpy as np

from carpal.perception import POINTS, in_palm, orthonormal, palm_frames
from carpal.spatial import Array

BONES = (*((k - 1, k) for k in range(1, POINTS) if k % 4 != 1), (0, 1))
"""(from, to): phalanges and the thumb's metacarpal; the other metacarpals make the palm's frame."""
REACH = tuple((4, k) for k in (8, 12, 16, 20, 6, 10, 14, 18))
COSINES = 5
TIPS = (4, 8, 12, 16, 20)
FEATURES = 3 * (POINTS - 1) + 3 * len(BONES) + len(REACH) + len(TIPS) + 9 + 3 * COSINES + 1
SHORT = 1e-9


def sign_features(frames: Array) -> Array:
    """Features (*batch, FEATURES) of signs (*batch, n, 21, 3), checked before."""
    n = frames.shape[-3]
    R, size = palm_frames(frames)
    local = in_palm(frames, R, np.broadcast_to(size.mean(-1, keepdims=True), size.shape))
    shape = local.mean(-3)
    R_mean = orthonormal(R[..., 0].mean(-2), R[..., 2].mean(-2))
    start, end = (np.array([bone[k] for bone in BONES]) for k in (0, 1))
    bones = shape[..., end, :] - shape[..., start, :]
    bones = bones / np.maximum(np.linalg.norm(bones, axis=-1, keepdims=True), SHORT)
    a, b = (np.array([pair[k] for pair in REACH]) for k in (0, 1))
    reach = np.linalg.norm(shape[..., b, :] - shape[..., a, :], axis=-1)
    many = np.full((*shape.shape[:-2], 1), 1.0 / np.sqrt(n))
    batch = shape.shape[:-2]
    parts = (shape[..., 1:, :], bones, reach, finger_drift(local[..., TIPS, :]), R_mean, turn_cosines(R, R_mean), many)
    return np.concatenate([part.reshape(*batch, -1) for part in parts], -1)


def finger_drift(tips: Array) -> Array:
    """How far each tip (*batch, n, 5, 3) goes from the first half of a sign to the second, (*batch, 5); zero for one frame."""
    half = tips.shape[-3] // 2
    if not half:
        return np.zeros((*tips.shape[:-3], tips.shape[-2]))
    return np.asarray(np.linalg.norm(tips[..., -half:, :, :].mean(-3) - tips[..., :half, :, :].mean(-3), axis=-1))


def turn_cosines(R: Array, R_mean: Array) -> Array:
    """Cosine coefficients (*batch, COSINES, 3) of the palm's turn (*batch, n, 3, 3) about its mean; zero for one frame."""
    n = R.shape[-3]
    turn = np.swapaxes(R_mean, -1, -2)[..., None, :, :] @ R
    w = 0.5 * np.stack(
        [turn[..., 2, 1] - turn[..., 1, 2], turn[..., 0, 2] - turn[..., 2, 0], turn[..., 1, 0] - turn[..., 0, 1]], -1
    )
    waves = np.cos(np.pi * np.outer(np.arange(1, COSINES + 1), (np.arange(n) + 0.5) / n)) * np.sqrt(2.0) / n
    return np.stack([(w * wave[:, None]).sum(-2) for wave in waves], -2)
