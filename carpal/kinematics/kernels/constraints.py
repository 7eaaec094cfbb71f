"""Couplings and loops of one world: followers from their leaders, residuals of the loops and their Jacobian.

A loop's residual is p_A - p_B in world axes; where frames coincide, also twice the vector part of the quaternion that turns B's
closing frame to A's. With E the rotation from B to A, s that residual and W = w_A - E w_B, its rate is
cos(angle / 2) W + W x s / 2.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.kinematics.kernels.freedom import freedom_axis, slides
from carpal.kinematics.kernels.placement import P_WB, R_WB, place_body, place_world
from carpal.kinematics.kernels.state import freedoms
from carpal.model.kernels.constraint_tables import (
    BODY_A,
    BODY_B,
    COEFFICIENTS,
    FIRST,
    FOLLOWER_MAX,
    FOLLOWER_MIN,
    FOLLOWER_REF,
    IS_WELD,
    LEADER_REF,
    MOVES_A,
    MOVES_B,
    POSITION_A,
    POSITION_B,
    Q_FOLLOWER,
    Q_LEADER,
    ROTATION_A,
    ROTATION_B,
    V_FOLLOWER,
    V_LEADER,
)
from carpal.model.kernels.tables import KIND, V_INDEX, matrix_at, vector_at
from carpal.spatial.kernels.quaternion import rotation_vector_between
from carpal.spatial.kernels.scratch import get_matrix, get_vector
from carpal.spatial.kernels.vec3 import add, cross, dot, product, rotate, scale, sub

_ROUNDING = 1e-12  # a follower that its polynomial puts so little beyond a limit is put on the limit


@leaf
def leader_position(couplings, k, q, world):
    """How far the leader of a coupling is from where its polynomial counts; zero without a leader."""
    leader = int(couplings[k, Q_LEADER])
    return 0.0 if leader < 0 else q[world, leader] - couplings[k, LEADER_REF]


@leaf
def follower_position(couplings, k, q, world):
    """Where a coupling has its follower."""
    x, y = leader_position(couplings, k, q, world), 0.0
    for i in range(4, -1, -1):
        y = couplings[k, COEFFICIENTS + i] + x * y
    return couplings[k, FOLLOWER_REF] + y


@leaf
def follower_slope(couplings, k, q, world):
    """Speed of a follower for unit speed of its leader."""
    x, y = leader_position(couplings, k, q, world), 0.0
    for i in range(4, 0, -1):
        y = i * couplings[k, COEFFICIENTS + i] + x * y
    return y


@kernel
def put_followers(couplings, q, world):
    """Put every follower where its coupling has it; leaders come first in the table."""
    for k in range(couplings.shape[0]):
        x = follower_position(couplings, k, q, world)
        low, high = couplings[k, FOLLOWER_MIN], couplings[k, FOLLOWER_MAX]
        if low - _ROUNDING * (1.0 + abs(low)) <= x < low:
            x = low
        elif high < x <= high + _ROUNDING * (1.0 + abs(high)):
            x = high
        q[world, int(couplings[k, Q_FOLLOWER])] = x


@kernel
def fold_followers(couplings, q, world, G, rows, slot):
    """Add the columns of followers in G[slot] to those of their leaders, and clear them: rates of followers are eliminated."""
    for k in range(couplings.shape[0] - 1, -1, -1):
        follower, leader = int(couplings[k, V_FOLLOWER]), int(couplings[k, V_LEADER])
        slope = 0.0 if leader < 0 else follower_slope(couplings, k, q, world)
        for i in range(rows):
            if leader >= 0:
                G[slot, i, leader] += slope * G[slot, i, follower]
            G[slot, i, follower] = 0.0


@kernel
def place_loops(joints, bodies, tables, q, scratch, world, slot):
    """Poses of all bodies that the loops need, positions absolute."""
    place_world(scratch, slot)
    for i in range(tables.placed.shape[0]):
        place_body(joints, bodies, q, scratch, world, slot, tables.placed[i], True)


@kernel
def _closing_frame(loops, i, body, rotation, position, scratch, slot):
    """R_WL, p_WL of a loop's frame on one of its bodies."""
    R_WK = get_matrix(scratch, slot, int(loops[i, body]), R_WB)
    p = add(get_vector(scratch, slot, int(loops[i, body]), P_WB), rotate(R_WK, vector_at(loops, i, position)))
    return product(R_WK, matrix_at(loops, i, rotation)), p


@kernel
def loop_residual(tables, r, first, scratch, out, slot):
    """r[out, first ...] of all loops, for bodies placed by `place_loops`; returns (the largest, the sum of squares)."""
    loops = tables.loops
    largest, squares = 0.0, 0.0
    for i in range(loops.shape[0]):
        R_A, p_A = _closing_frame(loops, i, BODY_A, ROTATION_A, POSITION_A, scratch, slot)
        R_B, p_B = _closing_frame(loops, i, BODY_B, ROTATION_B, POSITION_B, scratch, slot)
        row = first + int(loops[i, FIRST])
        d = sub(p_A, p_B)
        s, n = (0.0, 0.0, 0.0), 3
        if loops[i, IS_WELD] > 0.0:
            s, _ = _half_turn(_turn_to_a(R_B, R_A))
            n = 6
        for k in range(3):
            r[out, row + k] = d[k]
            if n == 6:
                r[out, row + 3 + k] = s[k]
            largest = max(largest, abs(d[k]), abs(s[k]))
        squares += dot(d, d) + dot(s, s)
    return largest, squares


@kernel
def _turn_to_a(R_B, R_A):
    """Rotation vector [rad] that turns B's closing frame to A's, in world axes."""
    return rotation_vector_between(R_B, R_A)


@kernel
def _half_turn(e):
    """(2 sin(angle / 2) along the axis, cos(angle / 2)) of a rotation vector."""
    angle = math.sqrt(dot(e, e))
    k = 1.0 - angle * angle / 24.0 if angle < 1e-4 else 2.0 * math.sin(0.5 * angle) / angle
    return scale(k, e), math.cos(0.5 * angle)


@kernel
def _turned(e, a):
    """The vector a turned by a rotation vector (Rodrigues)."""
    angle = math.sqrt(dot(e, e))
    if angle < 1e-12:
        return add(a, cross(e, a))
    u = scale(1.0 / angle, e)
    s, c = math.sin(angle), math.cos(angle)
    return add(add(scale(c, a), scale(s, cross(u, a))), scale((1.0 - c) * dot(u, a), u))


@kernel
def loop_jacobian(joints, bodies, tables, G, first, scratch, out, slot):
    """G[out, first ..., :] of all loops (followers not eliminated), for bodies placed by `place_loops`."""
    loops, sides = tables.loops, tables.sides
    for i in range(loops.shape[0]):
        R_A, p_A = _closing_frame(loops, i, BODY_A, ROTATION_A, POSITION_A, scratch, slot)
        R_B, p_B = _closing_frame(loops, i, BODY_B, ROTATION_B, POSITION_B, scratch, slot)
        weld = loops[i, IS_WELD] > 0.0
        row = first + int(loops[i, FIRST])
        e = _turn_to_a(R_B, R_A) if weld else (0.0, 0.0, 0.0)
        s, c = _half_turn(e)
        for j in range(G.shape[2]):
            for k in range(6 if weld else 3):
                G[out, row + k, j] = 0.0
        for b in range(tables.placed.shape[0]):
            body = tables.placed[b]
            side = sides[i, body]
            if side == 0:
                continue
            kind, column = joints[body, KIND], joints[body, V_INDEX]
            origin = get_vector(scratch, slot, body, P_WB)
            for k in range(freedoms(kind)):
                axis = freedom_axis(joints, bodies, scratch, slot, body, k)
                sliding = slides(kind, k)
                linear, angular = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
                if side & MOVES_A:
                    linear = axis if sliding else cross(axis, sub(p_A, origin))
                    angular = (0.0, 0.0, 0.0) if sliding else axis
                if side & MOVES_B:
                    linear = sub(linear, axis if sliding else cross(axis, sub(p_B, origin)))
                    angular = angular if sliding else sub(angular, _turned(e, axis))
                for n in range(3):
                    G[out, row + n, column + k] = linear[n]
                if weld:
                    rate = add(scale(c, angular), scale(0.5, cross(angular, s)))
                    for n in range(3):
                        G[out, row + 3 + n, column + k] = rate[n]
