"""The flap's frame: a made frame comes back, and the printed (6.3) has none for a rectangle."""

import numpy as np
import pytest
from relay_views import LAYOUT, in_world, random_poses

from carpal.errors import InputError
from carpal.perception import MarkLayout, frame_from_marks
from carpal.spatial import inverse

RECTANGLE = np.array([[-0.05, -0.03, 0], [0.05, -0.03, 0], [0.05, 0.03, 0], [-0.05, 0.03, 0]])


def test_frames_come_back(figure):
    poses = random_poses(0, 200, tilted=1.0)
    frames = frame_from_marks(in_world(poses, RECTANGLE))
    figure("E10: flap's frame from a rectangle, largest error", np.abs(frames - poses).max(), 1e-12)
    made = frame_from_marks(in_world(poses, LAYOUT.points)) @ inverse(LAYOUT.frame)
    figure("E10: relay's pose from its marks, largest error", np.abs(made - poses).max(), 1e-12)


def test_the_printed_bracket_is_zero():
    P1, P2, P3, P4 = RECTANGLE
    assert np.abs((P3 - P2) + (P1 - P4)).max() == 0.0
    assert np.linalg.norm((P3 - P2) + (P4 - P1)) > 0.1


def test_the_layout_reads_from_outside():
    assert LAYOUT.frame[2, 2] == pytest.approx(1.0)  # counter-clockwise from above: the normal points up
    sides = np.linalg.norm(np.roll(LAYOUT.points, -1, axis=0) - LAYOUT.points, axis=-1)
    assert len(set(np.round(sides[[0, 1, 2]], 4))) == 3  # no turn of the marks looks like another


def test_bad_input():
    with pytest.raises(InputError, match="4 finite points"):
        MarkLayout(np.zeros((3, 3)))
    with pytest.raises(InputError, match="not on one line"):
        MarkLayout(np.outer(np.arange(4), [1.0, 0, 0]))
    with pytest.raises(InputError, match="in one plane"):
        MarkLayout(RECTANGLE + 0.01 * np.eye(4)[:, [3, 3, 0]] * [0, 0, 1])
    with pytest.raises(InputError, match=r"marks must be finite, \(\*batch, 4, 3\)"):
        frame_from_marks(np.zeros((3, 3)))
    with pytest.raises(InputError, match="they give no frame"):
        frame_from_marks(np.zeros((4, 3)))
