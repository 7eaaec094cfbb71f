"""The walk from a frame to the world equals the walk from the world to the frame."""

import numpy as np
import pytest
from kernel_inputs import BODIES, FRAMES, JOINTS, MODEL, SLOT, WORLD, WORLDS, q, scratch, spoiled

from carpal.kinematics.kernels.forward import fk_batch, frame_pose
from carpal.kinematics.kernels.placement import COLUMNS, place_body, place_world


@pytest.mark.parametrize("frame", range(len(FRAMES)))
def test_inward_equals_outward(frame: int) -> None:
    work, R, p = scratch(COLUMNS), np.eye(3), np.zeros(3)
    place_world(work, SLOT)
    for body in MODEL.tables.chains[frame]:
        R, p = place_body(JOINTS, BODIES, q, work, WORLD, SLOT, body, True)
    R, p = np.reshape(R, (3, 3)), np.array(p)
    got_R, got_p = frame_pose(JOINTS, BODIES, FRAMES, frame, MODEL.tables.frame_body[frame], q, WORLD)
    assert np.allclose(np.reshape(got_R, (3, 3)), R @ FRAMES[frame, :9].reshape(3, 3), rtol=0, atol=1e-13)
    assert np.allclose(got_p, R @ FRAMES[frame, 9:] + p, rtol=0, atol=1e-13)


def test_the_entry_fills_its_share_and_names_the_first_refused_world() -> None:
    frame = MODEL.frame_index(None)
    X = np.full((WORLDS, 4, 4), 7.0)
    body = MODEL.tables.frame_body[frame]
    assert fk_batch(JOINTS, BODIES, FRAMES, frame, body, q, X, 1, 3, 1, 0) == 0
    assert (X[0] == 7.0).all()
    assert np.array_equal(X[1:, 3], [[0, 0, 0, 1]] * 2)
    assert fk_batch(JOINTS, BODIES, FRAMES, frame, body, spoiled(q), X, 0, 3, 1, 0) == WORLD + 1
    assert fk_batch(JOINTS, BODIES, FRAMES, frame, body, spoiled(q), X, 0, 3, 2, 0) == 0  # a stride over the bad one
