"""Rows of couplings and loops: gaps, Jacobian, and the acceleration that velocities alone cause in them.

A coupling is one row, g = q_f - f_0 - sum of c_k (q_l - l_0)^k. A loop is three rows, the vector from B's point to A's in world
axes, and for a weld three more, the rotation vector that turns B's frame to A's. Each row demands

    g = 0        J v = 0        J vdot + Jdot v = 0

`size` holds the length that a row of J would have if its parts did not cancel, in the metric 1 / `weight`: what is left of a row
far below it is rounding, as in the row across the plane of a planar loop.
"""

from typing import Any, NamedTuple

from carpal._core.compile import kernel, leaf
from carpal.kinematics.kernels.freedom import freedom_axis, slides
from carpal.kinematics.kernels.motion import body_motion
from carpal.kinematics.kernels.state import freedoms
from carpal.model.kernels.tables import KIND, PARENT, POSITION, ROTATION, V_INDEX, matrix_at, vector_at
from carpal.spatial.kernels.quaternion import rotation_vector_between
from carpal.spatial.kernels.scratch import get_matrix, get_vector, put_matrix, put_vector
from carpal.spatial.kernels.vec3 import add, cross, dot, product, rotate, sub

# scratch columns of one body: pose, velocity and the acceleration at vdot = 0, in world axes
_R, _P, _V, _W, _A, _ALPHA = 0, 9, 12, 15, 18, 21
MOTION_COLUMNS = 24
# columns of `couplings`: indices in q and v of the follower and of the leader, -1 without one
FOLLOWER_Q, FOLLOWER_V, LEADER_Q, LEADER_V = 0, 1, 2, 3
# columns of `polynomials`: five coefficients, the constant first, and the positions from which they count
COEFFICIENTS, FOLLOWER_REF, LEADER_REF = 0, 5, 6
# columns of `loops`: number of rows (3 or 6), table rows of bodies A and B
LOOP_ROWS, BODY_A, BODY_B = 0, 1, 2
# columns of `closings`: poses of the closing frame in A and in B
_IN_A, _IN_B = 0, 12


class Constraints(NamedTuple):
    """Couplings and loops of a model, as kernels take them; see `dynamics/constraint_packing.py`."""

    couplings: Any
    polynomials: Any
    loops: Any
    closings: Any


@leaf
def _place(joints, bodies, q, v, still, motion, world, slot):
    """Pose, velocity and bias acceleration of every body; `still` is vdot, zero."""
    zero = (0.0, 0.0, 0.0)
    put_matrix(motion, slot, 0, _R, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    for column in (_P, _V, _W, _A, _ALPHA):
        put_vector(motion, slot, 0, column, zero)
    for body in range(1, joints.shape[0]):
        parent = joints[body, PARENT]
        of_parent = (
            get_vector(motion, slot, parent, _V), get_vector(motion, slot, parent, _W),
            get_vector(motion, slot, parent, _A), get_vector(motion, slot, parent, _ALPHA),
        )  # fmt: skip
        R_WP = get_matrix(motion, slot, parent, _R)
        R, step, own = body_motion(joints, bodies, q, v, still, world, body, R_WP, of_parent)
        put_matrix(motion, slot, body, _R, R)
        put_vector(motion, slot, body, _P, add(get_vector(motion, slot, parent, _P), step))
        put_vector(motion, slot, body, _V, own[0])
        put_vector(motion, slot, body, _W, own[1])
        put_vector(motion, slot, body, _A, own[2])
        put_vector(motion, slot, body, _ALPHA, own[3])


@leaf
def _coupling_row(constraints, i, q, v, weight, J, gap, bias, size, world, slot):
    """Row i of the couplings, which come first."""
    couplings, polynomials = constraints.couplings, constraints.polynomials
    value, slope, bend, speed, rows = 0.0, 0.0, 0.0, 0.0, 0.0
    leader = couplings[i, LEADER_V]
    x = 0.0
    if leader >= 0:
        x = q[world, couplings[i, LEADER_Q]] - polynomials[i, LEADER_REF]
        speed = v[world, leader]
    for k in range(4, -1, -1):  # Horner's rule for the polynomial and its first two derivatives
        bend = bend * x + 2.0 * slope
        slope = slope * x + value
        value = value * x + polynomials[i, COEFFICIENTS + k]
    follower = couplings[i, FOLLOWER_V]
    J[slot, i, follower] = 1.0
    rows = weight[slot, follower]
    if leader >= 0:
        J[slot, i, leader] = -slope
        rows += slope * slope * weight[slot, leader]
    gap[slot, i] = q[world, couplings[i, FOLLOWER_Q]] - polynomials[i, FOLLOWER_REF] - value
    bias[slot, i] = -bend * speed * speed
    size[slot, i] = rows


@leaf
def _add_columns(joints, bodies, motion, body, p, row, count, sign, weight, J, size, slot):
    """Add what the joints between the world and a body do to a loop's rows; p is the closing point."""
    while body > 0:
        arm = sub(p, get_vector(motion, slot, body, _P))
        for k in range(freedoms(joints[body, KIND])):
            column = joints[body, V_INDEX] + k
            axis = freedom_axis(joints, bodies, motion, slot, body, k)
            slide = slides(joints[body, KIND], k)
            linear = axis if slide else cross(axis, arm)
            length = dot(linear, linear) * weight[slot, column]
            for r in range(3):
                J[slot, row + r, column] += sign * linear[r]
                size[slot, row + r] += length
            if count == 6 and not slide:
                for r in range(3):
                    J[slot, row + 3 + r, column] += sign * axis[r]
                    size[slot, row + 3 + r] += weight[slot, column]
        body = joints[body, PARENT]


@leaf
def _point(motion, closings, loop, column, body, slot):
    """Frame, point, its bias acceleration and the body's, of one side of a loop."""
    R = get_matrix(motion, slot, body, _R)
    arm, w = rotate(R, vector_at(closings, loop, column + POSITION)), get_vector(motion, slot, body, _W)
    alpha = get_vector(motion, slot, body, _ALPHA)
    p = add(get_vector(motion, slot, body, _P), arm)
    a = add(get_vector(motion, slot, body, _A), add(cross(alpha, arm), cross(w, cross(w, arm))))
    return product(R, matrix_at(closings, loop, column + ROTATION)), p, a, alpha


@kernel
def constraint_rows(joints, bodies, constraints, q, v, still, weight, motion, J, gap, bias, size, world, slot):
    """Fill J (rows, nv), gap, bias = Jdot v and size (rows) of one world, all indexed by slot.

    `still` (nv) holds zeros, `weight` (nv) the metric of `size`, `motion` is scratch of `MOTION_COLUMNS` a body.
    """
    for r in range(J.shape[1]):
        size[slot, r] = 0.0
        for j in range(J.shape[2]):
            J[slot, r, j] = 0.0
    first = constraints.couplings.shape[0]
    for i in range(first):
        _coupling_row(constraints, i, q, v, weight, J, gap, bias, size, world, slot)
    loops, closings = constraints.loops, constraints.closings
    if loops.shape[0] == 0:
        return
    _place(joints, bodies, q, v, still, motion, world, slot)
    for loop in range(loops.shape[0]):
        count = loops[loop, LOOP_ROWS]
        R_A, p_A, a_A, alpha_A = _point(motion, closings, loop, _IN_A, loops[loop, BODY_A], slot)
        R_B, p_B, a_B, alpha_B = _point(motion, closings, loop, _IN_B, loops[loop, BODY_B], slot)
        for side in range(2):
            body, sign = (loops[loop, BODY_A], 1.0) if side == 0 else (loops[loop, BODY_B], -1.0)
            p = p_A if side == 0 else p_B
            _add_columns(joints, bodies, motion, body, p, first, count, sign, weight, J, size, slot)
        apart, bent = sub(p_A, p_B), sub(a_A, a_B)
        for r in range(3):
            gap[slot, first + r], bias[slot, first + r] = apart[r], bent[r]
        if count == 6:
            turned, spun = rotation_vector_between(R_B, R_A), sub(alpha_A, alpha_B)
            for r in range(3):
                gap[slot, first + 3 + r], bias[slot, first + 3 + r] = turned[r], spun[r]
        first += count
