"""Geometric Jacobian of a frame, column by column along its chain (Whitney 1972)."""

from carpal._core.compile import entry, kernel
from carpal.kinematics.kernels.freedom import freedom_axis, slides
from carpal.kinematics.kernels.placement import P_WB, R_WB, place_body, place_world
from carpal.kinematics.kernels.state import all_finite, freedoms
from carpal.model.kernels.tables import KIND, POSITION, ROTATION, V_INDEX, matrix_at, vector_at
from carpal.spatial.kernels.scratch import get_matrix, get_vector
from carpal.spatial.kernels.vec3 import add, cross, product, rotate, rotate_back, sub


@kernel
def jacobian(joints, bodies, frames, frame, chain, in_frame, q, J, scratch, world, slot):
    """J of one world, linear rows first: in world axes at the frame's origin, or in the frame's own axes.

    Returns 1 when a number is not finite.
    """
    place_world(scratch, slot)
    for i in range(6):
        for j in range(J.shape[2]):
            J[world, i, j] = 0.0
    tip = 0
    for i in range(chain.shape[0]):
        tip = chain[i]
        place_body(joints, bodies, q, scratch, world, slot, tip, False)
    R_WT = get_matrix(scratch, slot, tip, R_WB)
    R_WF = product(R_WT, matrix_at(frames, frame, ROTATION))
    p_WF = add(get_vector(scratch, slot, tip, P_WB), rotate(R_WT, vector_at(frames, frame, POSITION)))
    for i in range(chain.shape[0]):
        body = chain[i]
        kind, first = joints[body, KIND], joints[body, V_INDEX]
        arm = sub(p_WF, get_vector(scratch, slot, body, P_WB))
        for k in range(freedoms(kind)):
            axis = freedom_axis(joints, bodies, scratch, slot, body, k)
            linear, angular = cross(axis, arm), axis
            if slides(kind, k):
                linear, angular = axis, (0.0, 0.0, 0.0)
            if in_frame:
                linear, angular = rotate_back(R_WF, linear), rotate_back(R_WF, angular)
            for r in range(3):
                J[world, r, first + k] = linear[r]
                J[world, 3 + r, first + k] = angular[r]
    finite = all_finite(q, world) and 0.0 * (R_WF[0] + R_WF[4] + R_WF[8] + p_WF[0] + p_WF[1] + p_WF[2]) == 0.0
    return 0 if finite else 1


@entry
def jacobian_batch(joints, bodies, frames, frame, chain, in_frame, q, J, scratch, start, stop, stride, slot):
    """`jacobian` over worlds."""
    bad = 0
    for world in range(start, stop, stride):
        if jacobian(joints, bodies, frames, frame, chain, in_frame, q, J, scratch, world, slot) and bad == 0:
            bad = world + 1
    return bad
