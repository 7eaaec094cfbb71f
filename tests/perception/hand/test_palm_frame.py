"""The palm's frame: closed forms, and what turning, moving and scaling a hand do to it."""

import numpy as np
from scipy.spatial.transform import Rotation

from carpal.perception import Proportions, hand_landmarks
from carpal.perception.hand.palm_frame import in_palm, orthonormal, palm_frames


def _hands(rng, n):
    return hand_landmarks(rng.uniform(0, 1, (n, 17)), Proportions.drawn(rng, n, 0.15))


def test_a_flat_symmetric_palm_is_its_own_frame():
    p = np.zeros((21, 3))
    p[[5, 9, 13, 17]] = [[0, 3, 4], [0, 1, 4], [0, -1, 4], [0, -3, 4]]
    R, size = palm_frames(p)
    assert np.allclose(R, np.eye(3), atol=1e-15)
    assert np.isclose(size, (5 + np.sqrt(17)) / 2, rtol=1e-15)


def test_shape_in_the_palm_does_not_know_viewpoint_place_or_size(figure):
    rng = np.random.default_rng(0)
    p = _hands(rng, 200)
    R = Rotation.random(200, random_state=1).as_matrix()
    scale, place = rng.uniform(0.1, 1000, (200, 1, 1)), rng.uniform(-5, 5, (200, 1, 3))
    moved = scale * (p @ np.swapaxes(R, 1, 2)) + place
    (R0, s0), (R1, s1) = palm_frames(p), palm_frames(moved)
    figure("palm frame of a turned hand against the turned palm frame, 200 hands", np.abs(R1 - R @ R0).max(), 1e-12)
    away = np.abs(in_palm(moved, R1, s1) - in_palm(p, R0, s0)).max()
    figure("shape in the palm of hands turned, moved and scaled, against the first", away, 1e-10)
    assert np.allclose(s1, scale[:, 0, 0] * s0)


def test_axes_are_rotations_with_z_kept():
    rng = np.random.default_rng(2)
    x, z = rng.standard_normal((2, 50, 3))
    R = orthonormal(x, z)
    assert np.allclose(np.swapaxes(R, 1, 2) @ R, np.eye(3), atol=1e-12) and np.allclose(np.linalg.det(R), 1)
    assert np.allclose(np.cross(R[:, :, 2], z), 0, atol=1e-12)
    assert ((R[:, :, 0] * x).sum(-1) > 0).all()
