"""The directions in which a joint lets its body move, in world axes, from poses kept by `placement`."""

from carpal._core.compile import leaf
from carpal.kinematics.kernels.placement import R_WB
from carpal.model.kernels.tables import FREE, KIND, PARENT, PRISMATIC, REVOLUTE, ROTATION
from carpal.spatial.kernels.scratch import get_matrix
from carpal.spatial.kernels.vec3 import cross, rotate


@leaf
def freedom_axis(joints, bodies, scratch, slot, body, k):
    """Unit vector of a joint's k-th freedom."""
    kind = joints[body, KIND]
    if kind == REVOLUTE or kind == PRISMATIC:
        return scratch[slot, body, R_WB + 2], scratch[slot, body, R_WB + 5], scratch[slot, body, R_WB + 8]
    i = ROTATION + k % 3  # ball and free joints move along the axes of the joint's frame on the parent side
    column = (bodies[body, i], bodies[body, i + 3], bodies[body, i + 6])
    return rotate(get_matrix(scratch, slot, joints[body, PARENT], R_WB), column)


@leaf
def slides(kind, k):
    """Whether the k-th freedom is a translation."""
    return kind == PRISMATIC or (kind == FREE and k < 3)


@leaf
def freedom(joints, bodies, scratch, slot, body, p, k):
    """Motion (sv, sw) of a joint's k-th freedom, at the point from which the body's origin is seen at p."""
    axis = freedom_axis(joints, bodies, scratch, slot, body, k)
    if slides(joints[body, KIND], k):
        return axis, (0.0, 0.0, 0.0)
    return cross(p, axis), axis
