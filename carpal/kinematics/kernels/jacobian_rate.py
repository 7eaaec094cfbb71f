"""Rate of a frame's geometric Jacobian while the robot moves, column by column along its chain."""

from carpal._core.compile import entry, kernel
from carpal.kinematics.kernels.freedom import freedom_axis, slides
from carpal.kinematics.kernels.placement import P_WB, R_WB, place_body, place_world
from carpal.kinematics.kernels.state import all_finite, freedoms
from carpal.model.kernels.tables import KIND, PARENT, POSITION, ROTATION, V_INDEX, matrix_at, vector_at
from carpal.spatial.kernels.scratch import get_matrix, get_vector, put_vector
from carpal.spatial.kernels.vec3 import add, cross, product, rotate, rotate_back, scale, sub

# scratch columns of one body, after its pose: velocity of its origin, angular velocity
_V, _W = 12, 15
COLUMNS = 18


@kernel
def _carry(joints, bodies, q, v, scratch, world, slot, body):
    """Pose and velocities of a body whose parent has them."""
    parent, first = joints[body, PARENT], joints[body, V_INDEX]
    _, p = place_body(joints, bodies, q, scratch, world, slot, body, False)
    speed, w = get_vector(scratch, slot, parent, _V), get_vector(scratch, slot, parent, _W)
    if parent > 0:
        speed = add(speed, cross(w, sub(p, get_vector(scratch, slot, parent, P_WB))))
    for k in range(freedoms(joints[body, KIND])):
        axis = scale(v[world, first + k], freedom_axis(joints, bodies, scratch, slot, body, k))
        if slides(joints[body, KIND], k):
            speed = add(speed, axis)
        else:
            w = add(w, axis)
    put_vector(scratch, slot, body, _V, speed)
    put_vector(scratch, slot, body, _W, w)


@kernel
def jacobian_rate(joints, bodies, frames, frame, chain, in_frame, q, v, rate, scratch, world, slot):
    """dJ/dt of one world, linear rows first: in world axes at the frame's origin, or of the Jacobian in the frame's own axes.

    Returns 1 when a number is not finite.
    """
    zero = (0.0, 0.0, 0.0)
    place_world(scratch, slot)
    put_vector(scratch, slot, 0, _V, zero)
    put_vector(scratch, slot, 0, _W, zero)
    for i in range(6):
        for j in range(rate.shape[2]):
            rate[world, i, j] = 0.0
    tip = 0
    for i in range(chain.shape[0]):
        tip = chain[i]
        _carry(joints, bodies, q, v, scratch, world, slot, tip)
    R_WT = get_matrix(scratch, slot, tip, R_WB)
    R_WF = product(R_WT, matrix_at(frames, frame, ROTATION))
    lever = rotate(R_WT, vector_at(frames, frame, POSITION))
    p_F, w_F = add(get_vector(scratch, slot, tip, P_WB), lever), get_vector(scratch, slot, tip, _W)
    v_F = add(get_vector(scratch, slot, tip, _V), cross(w_F, lever))
    total = 0.0
    for i in range(chain.shape[0]):
        body = chain[i]
        kind, first = joints[body, KIND], joints[body, V_INDEX]
        w_P = get_vector(scratch, slot, joints[body, PARENT], _W)  # the axes turn with the parent
        arm, drift = sub(p_F, get_vector(scratch, slot, body, P_WB)), sub(v_F, get_vector(scratch, slot, body, _V))
        for k in range(freedoms(kind)):
            axis = freedom_axis(joints, bodies, scratch, slot, body, k)
            turning = cross(w_P, axis)
            linear, angular = cross(axis, arm), axis
            linear_dot, angular_dot = add(cross(turning, arm), cross(axis, drift)), turning
            if slides(kind, k):
                linear, angular, linear_dot, angular_dot = axis, zero, turning, zero
            if in_frame:
                linear_dot = rotate_back(R_WF, sub(linear_dot, cross(w_F, linear)))
                angular_dot = rotate_back(R_WF, sub(angular_dot, cross(w_F, angular)))
            for r in range(3):
                rate[world, r, first + k] = linear_dot[r]
                rate[world, 3 + r, first + k] = angular_dot[r]
                total += 0.0 * (linear_dot[r] + angular_dot[r])
    return 0 if all_finite(q, world) and all_finite(v, world) and total == 0.0 else 1


@entry
def jacobian_rate_batch(joints, bodies, frames, frame, chain, in_frame, q, v, rate, scratch, start, stop, stride, slot):
    """`jacobian_rate` over worlds."""
    bad = 0
    for world in range(start, stop, stride):
        if jacobian_rate(joints, bodies, frames, frame, chain, in_frame, q, v, rate, scratch, world, slot) and bad == 0:
            bad = world + 1
    return bad
