"""Velocity and acceleration of a frame, carried from the world outwards along its chain, in world axes.

With vdot = 0 the acceleration is the Jacobian's rate times v.
"""

from carpal._core.compile import entry, kernel
from carpal.kinematics.kernels.joint import joint_pose
from carpal.kinematics.kernels.state import all_finite, vector_of
from carpal.model.kernels.tables import (
    FREE,
    KIND,
    POSITION,
    PRISMATIC,
    REVOLUTE,
    ROTATION,
    V_INDEX,
    matrix_at,
    vector_at,
)
from carpal.spatial.kernels.vec3 import add, cross, product, rotate, scale


@kernel
def body_motion(joints, bodies, q, v, vdot, world, body, R_WP, parent_motion):
    """Rotation, step from the parent's origin, and (v, w, a, alpha) of a body from its parent's, in world axes."""
    v_P, w_P, a_P, alpha_P = parent_motion
    kind, first = joints[body, KIND], joints[body, V_INDEX]
    R_PB, p_PB = joint_pose(joints, bodies, q, world, body)
    R, step = product(R_WP, R_PB), rotate(R_WP, p_PB)
    slide, slide_dot, turn, turn_dot = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    axis = (R[2], R[5], R[8])
    if kind == REVOLUTE:
        turn, turn_dot = scale(v[world, first], axis), scale(vdot[world, first], axis)
    elif kind == PRISMATIC:
        slide, slide_dot = scale(v[world, first], axis), scale(vdot[world, first], axis)
    else:
        R_WJ = product(R_WP, matrix_at(bodies, body, ROTATION))
        if kind == FREE:
            slide = rotate(R_WJ, vector_of(v, world, first))
            slide_dot = rotate(R_WJ, vector_of(vdot, world, first))
            first += 3
        turn = rotate(R_WJ, vector_of(v, world, first))
        turn_dot = rotate(R_WJ, vector_of(vdot, world, first))
    v_B = add(v_P, add(cross(w_P, step), slide))
    a_B = add(a_P, add(cross(alpha_P, step), cross(w_P, cross(w_P, step))))
    a_B = add(a_B, add(slide_dot, scale(2.0, cross(w_P, slide))))
    w_B = add(w_P, turn)
    alpha_B = add(alpha_P, add(turn_dot, cross(w_P, turn)))
    return R, step, (v_B, w_B, a_B, alpha_B)


@entry
def motion_batch(joints, bodies, frames, frame, chain, q, v, vdot, V, A, start, stop, stride, slot):
    """Velocity V and acceleration A (6, linear first, at the frame's origin, in world axes) of every world."""
    bad = 0
    zero = (0.0, 0.0, 0.0)
    for world in range(start, stop, stride):
        R = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
        motion = (zero, zero, zero, zero)
        for i in range(chain.shape[0]):
            R, _, motion = body_motion(joints, bodies, q, v, vdot, world, chain[i], R, motion)
        v_B, w_B, a_B, alpha_B = motion
        arm = rotate(R, vector_at(frames, frame, POSITION))
        v_F = add(v_B, cross(w_B, arm))
        a_F = add(a_B, add(cross(alpha_B, arm), cross(w_B, cross(w_B, arm))))
        for i in range(3):
            V[world, i], V[world, 3 + i] = v_F[i], w_B[i]
            A[world, i], A[world, 3 + i] = a_F[i], alpha_B[i]
        # joints that do not move the frame are checked too
        given = all_finite(q, world) and all_finite(v, world) and all_finite(vdot, world)
        if not (given and all_finite(V, world) and all_finite(A, world)) and bad == 0:
            bad = world + 1
    return bad
