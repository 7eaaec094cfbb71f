"""Features of a frame: what must not matter does not."""

import numpy as np

from carpal.labs.sign import read_recordings
from carpal.labs.sign.reading.frame_features import FRAME_FEATURES, frame_features, mirror, unit_frames


def seen():
    return read_recordings("asl_webcam").points[::200]


def features(points):
    return frame_features(unit_frames(points))


def test_place_and_distance_do_not_matter():
    p = seen()
    assert features(p).shape == (len(p), FRAME_FEATURES)
    assert np.abs(features(0.3 * p + (0.2, -0.1, 0.0)) - features(p)).max() < 1e-9


def test_a_turn_in_the_picture_changes_the_direction_of_the_knuckles_only():
    p, a = seen(), 0.4
    R = np.array([[np.cos(a), np.sin(a), 0], [-np.sin(a), np.cos(a), 0], [0, 0, 1]])
    changed = np.abs(features(p @ R) - features(p)).max(0) > 1e-9
    assert changed.sum() == 2


def test_the_mirror_image_of_the_mirror_image_is_the_hand():
    p = unit_frames(seen())
    assert (mirror(mirror(p)) == p).all() and np.abs(frame_features(mirror(p)) - frame_features(p)).max() > 0.1


def test_a_hand_without_extent_has_finite_features():
    assert np.isfinite(features(np.zeros((1, 21, 3)))).all()
