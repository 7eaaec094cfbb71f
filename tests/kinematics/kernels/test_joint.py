"""Pose of a body in its parent, kind by kind, against its definition."""

import numpy as np
import pytest
from kernel_inputs import BODIES, JOINTS, ROWS, WORLD, q
from scipy.spatial.transform import Rotation

from carpal.kinematics.kernels.joint import joint_pose
from carpal.model.tables import KINDS


@pytest.mark.parametrize("body", ROWS)
def test_pose_in_the_parent(body: int) -> None:
    kind, _, first, _ = JOINTS[body]
    R, p = BODIES[body, :9].reshape(3, 3), BODIES[body, 9:12]
    x = q[WORLD, first:]
    if KINDS[kind] == "revolute":
        R = R @ Rotation.from_euler("z", x[0]).as_matrix()
    elif KINDS[kind] == "prismatic":
        p = p + x[0] * R[:, 2]
    elif KINDS[kind] == "ball":
        R = R @ Rotation.from_quat(x[:4], scalar_first=True).as_matrix()
    else:
        R, p = R @ Rotation.from_quat(x[3:7], scalar_first=True).as_matrix(), p + R @ x[:3]
    got_R, got_p = joint_pose(JOINTS, BODIES, q, WORLD, body)
    assert np.allclose(np.reshape(got_R, (3, 3)), R, rtol=0, atol=1e-14)
    assert np.allclose(got_p, p, rtol=0, atol=1e-14)


def test_the_rows_cover_every_moving_kind() -> None:
    assert {KINDS[kind] for kind in JOINTS[1:, 0]} == {"revolute", "prismatic", "ball", "free"}
