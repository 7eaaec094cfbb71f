"""Pose of a body in its parent, for every kind of joint.

Ball and free joints measure pose and velocity in the joint's frame on the parent side (for a joint on the world: the
world): q = (p, wxyz), v = (v, w), linear first.
"""

from carpal._core.compile import leaf
from carpal.model.kernels.tables import (
    BALL,
    KIND,
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
from carpal.spatial.kernels.vec3 import add, product, rotate, turn_z


@leaf
def joint_pose(joints, bodies, q, world, body):
    """R_PB (9 numbers) and p_PB (3) of a body in its parent."""
    kind, first = joints[body, KIND], joints[body, Q_INDEX]
    R_PJ = matrix_at(bodies, body, ROTATION)
    p_PJ = vector_at(bodies, body, POSITION)
    if kind == REVOLUTE:
        s, c = sincos(q[world, first])
        return turn_z(R_PJ, s, c), p_PJ
    if kind == PRISMATIC:
        d = q[world, first]
        return R_PJ, (p_PJ[0] + d * R_PJ[2], p_PJ[1] + d * R_PJ[5], p_PJ[2] + d * R_PJ[8])
    if kind == BALL:
        R_JB = rotation_from_wxyz(q[world, first], q[world, first + 1], q[world, first + 2], q[world, first + 3])
        return product(R_PJ, R_JB), p_PJ
    R_JB = rotation_from_wxyz(q[world, first + 3], q[world, first + 4], q[world, first + 5], q[world, first + 6])
    p_JB = (q[world, first], q[world, first + 1], q[world, first + 2])
    return product(R_PJ, R_JB), add(p_PJ, rotate(R_PJ, p_JB))
