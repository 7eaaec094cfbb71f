"""Filming: noise as large as asked, viewpoints in their range, motions that begin and end where they should."""

import numpy as np
from scipy.spatial.transform import Rotation

from carpal.labs.sign import drawn_views, filmed, palm_motions
from carpal.labs.sign.reading.filming import SIGN_FRAMES, turns
from carpal.spatial import rotation_from_vector


def test_noise_is_as_asked(figure):
    rng = np.random.default_rng(0)
    R = np.broadcast_to(np.eye(3), (200, 24, 3, 3))
    shapes = rng.uniform(-0.1, 0.1, (200, 21, 3))
    seen = filmed(rng, shapes, R, 0.005) - shapes[:, None]
    figure("noise of landmarks against 5 mm, relative", abs(seen.std() / 0.005 - 1), 0.01)
    held = filmed(rng, shapes, R, 0.005, 0.64) - shapes[:, None]
    assert abs(held.std() / 0.005 - 1) < 0.02
    assert abs(held.mean(1).std() / 0.005 - np.sqrt(0.64 + 0.36 / 24)) < 0.02
    assert np.array_equal(filmed(rng, shapes, R, 0.0), np.broadcast_to(shapes[:, None], seen.shape))


def test_viewpoints_turn_by_each_angle_up_to_its_bound():
    views = drawn_views(np.random.default_rng(1), 2000, np.radians(30))
    angles = np.degrees(Rotation.from_matrix(views).as_euler("xyz"))
    assert np.abs(angles).max() <= 30 + 1e-9 and (angles.std(0) > 16).all()


def test_small_turns_are_scipys():
    w = np.random.default_rng(2).standard_normal((50, 3))
    w[0] = 0
    assert np.allclose(rotation_from_vector(w), Rotation.from_rotvec(w).as_matrix(), atol=1e-14)


def test_a_motion_goes_through_its_points():
    path = Rotation.from_rotvec(np.radians([0, 20, -10, 0])[:, None] * [0, 1, 0]).as_matrix()
    at = turns(path, np.array([[0, 1 / 3, 2 / 3, 1.0, 1.5]]), np.ones(1))[0]
    assert np.allclose(at[:4], path, atol=1e-12) and np.allclose(at[4], path[-1])
    moved = palm_motions(np.random.default_rng(3), [np.eye(3)[None], path], np.array([0, 1, -1]), SIGN_FRAMES)
    angle = np.degrees(Rotation.from_matrix(moved.reshape(-1, 3, 3)).magnitude()).reshape(3, -1)
    assert angle[0].max() < 6 and angle[2].max() < 6 and angle[1].max() > 12
    short = palm_motions(np.random.default_rng(3), [path], np.zeros(40, int), 3)
    assert (
        np.degrees(
            Rotation.from_matrix((np.swapaxes(short[:, :1], -1, -2) @ short).reshape(-1, 3, 3)).magnitude()
        ).max()
        < 3
    )
