"""Forward kinematics of one frame: the chain is walked from the frame to the world, so it needs no scratch."""

from carpal._core.compile import entry, kernel
from carpal.kinematics.kernels.state import all_finite
from carpal.model.kernels.tables import (
    BALL,
    KIND,
    PARENT,
    POSITION,
    PRISMATIC,
    Q_INDEX,
    REVOLUTE,
    ROTATION,
    matrix_at,
    vector_at,
)
from carpal.spatial.kernels.quaternion import rotation_from_wxyz
from carpal.spatial.kernels.sincos import sincos
from carpal.spatial.kernels.vec3 import add, product, rotate, turn_z_left


@kernel
def frame_pose(joints, bodies, frames, frame, body, q, world):
    """R_WF (9 numbers) and p_WF of a frame that is fixed to `body`."""
    R, p = matrix_at(frames, frame, ROTATION), vector_at(frames, frame, POSITION)
    while body > 0:
        kind, first = joints[body, KIND], joints[body, Q_INDEX]
        if kind == REVOLUTE:
            s, c = sincos(q[world, first])
            R, p = turn_z_left(R, s, c), (c * p[0] - s * p[1], s * p[0] + c * p[1], p[2])
        elif kind == PRISMATIC:
            p = (p[0], p[1], p[2] + q[world, first])
        else:
            if kind != BALL:
                first += 3
            R_JB = rotation_from_wxyz(q[world, first], q[world, first + 1], q[world, first + 2], q[world, first + 3])
            R, p = product(R_JB, R), rotate(R_JB, p)
            if kind != BALL:
                p = (p[0] + q[world, first - 3], p[1] + q[world, first - 2], p[2] + q[world, first - 1])
        R_PJ = matrix_at(bodies, body, ROTATION)
        R, p = product(R_PJ, R), add(rotate(R_PJ, p), vector_at(bodies, body, POSITION))
        body = joints[body, PARENT]
    return R, p


@entry
def fk_batch(joints, bodies, frames, frame, body, q, X, start, stop, stride, slot):
    """X_WF of every world, as 4x4."""
    bad = 0
    for world in range(start, stop, stride):
        R, p = frame_pose(joints, bodies, frames, frame, body, q, world)
        for i in range(3):
            X[world, i, 0] = R[3 * i]
            X[world, i, 1] = R[3 * i + 1]
            X[world, i, 2] = R[3 * i + 2]
            X[world, i, 3] = p[i]
            X[world, 3, i] = 0.0
        X[world, 3, 3] = 1.0
        # a zero quaternion shows as NaN in R, a wild joint angle only in q
        ok = all_finite(q, world) and 0.0 * (R[0] + R[4] + R[8] + p[0] + p[1] + p[2]) == 0.0
        if not ok and bad == 0:
            bad = world + 1
    return bad
