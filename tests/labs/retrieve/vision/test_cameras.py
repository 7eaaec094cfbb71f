"""The rover's cameras: they see the whole working area, apart as stated; the relay's surfaces are where it is."""

import numpy as np
import pytest

from carpal.labs.retrieve import RELAY, relay_pose, relay_surfaces, stereo_cameras
from carpal.perception import project
from carpal.spatial import pose

PAIR = stereo_cameras()


def test_the_working_area_is_in_view():
    area = np.array([[x, y, z] for x in (0.3, 0.85) for y in (-0.4, 0.4) for z in (0.0, 0.1)])
    for camera in (PAIR.left, PAIR.right):
        pixels = project(camera, area)
        assert (pixels > 0).all() and (pixels < [camera.width, camera.height]).all()
        assert camera.X_WC[2, 3] == pytest.approx(1.5, abs=0.01)
    assert PAIR.baseline == pytest.approx(0.30)
    assert project(PAIR.left, area[0])[0] > project(PAIR.right, area[0])[0]  # left is left


def test_a_wrong_mounting_shifts_what_is_seen():
    moved = stereo_cameras(pose(p=[0.01, 0, 0]))
    assert np.abs(project(moved.left, [0.6, 0, 0]) - project(PAIR.left, [0.6, 0, 0])).max() > 2


def test_surfaces_follow_the_relay():
    X = relay_pose(0.5, 0.1, 1.0)
    surfaces = relay_surfaces(X)
    dots = [dot for surface in surfaces for dot in surface.dots]
    marks = np.array([dot.centre for dot in dots if dot.radius == RELAY.mark_radius])
    assert np.allclose(marks, RELAY.marks.points @ X[:3, :3].T + X[:3, 3])
    heights = np.concatenate([surface.polygon for surface in surfaces])[:, 2]
    assert heights.min() == pytest.approx(0.0) and heights.max() == pytest.approx(RELAY.height)
    assert any(dot.radius == RELAY.hole / 2 for dot in dots)
    leaning = np.concatenate([s.polygon for s in relay_surfaces(X, antenna_tilt=(0.1, 0.0))])
    assert leaning[:, 2].max() < RELAY.height
