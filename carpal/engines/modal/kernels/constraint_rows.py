"""Couplings and loops as equations: their residuals and Jacobian rows in one configuration.

A coupling has the row of its polynomial. A loop has the distance of its two points in world axes, a weld also the turn of A
against B. Rows are written by the places of the tree that they belong to (`constraint_table.py`).
"""

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.constraint_table import (
    C_DOF_A,
    C_DOF_B,
    C_FIRST,
    C_KIND,
    C_P_A,
    C_P_B,
    C_POLYNOMIAL,
    C_Q_A,
    C_Q_B,
    C_R_A,
    C_R_B,
    C_REF_A,
    C_REF_B,
    C_ROW_A,
    C_ROW_B,
    COUPLED,
    DEGREES,
    WELDED,
)
from carpal.engines.modal.kernels.contact_table import (
    ORDER_DOF,
    ORDER_PLACE,
    TREE_COUNT,
    TREE_FIRST,
    TREE_HELD,
    TREE_HOLDS,
)
from carpal.kinematics.kernels.freedom import freedom_axis, slides
from carpal.kinematics.kernels.placement import P_WB, R_WB
from carpal.kinematics.kernels.state import freedoms
from carpal.model.kernels.tables import KIND, PARENT, V_INDEX, matrix_at, vector_at
from carpal.spatial.kernels.scratch import get_matrix, get_vector
from carpal.spatial.kernels.vec3 import add, cross, product, rotate, sub

# numbers of each row: residual [m, rad]; residual after `constraint_basis`; squared size of the row, then scratch
RESIDUAL, STEP, SIZE = 0, 1, 2
NUMBERS = 3


@leaf
def _add_body(joints, bodies, order, placed, G, slot, p, row, sign, at, turns):
    """Add the motion of a body at a point to three rows of G, and its turning to the next three."""
    while row > 0:
        kind, first = joints[row, KIND], joints[row, V_INDEX]
        arm = sub(p, get_vector(placed, slot, row, P_WB))
        for k in range(freedoms(kind)):
            axis = freedom_axis(joints, bodies, placed, slot, row, k)
            place = order[first + k, ORDER_PLACE]
            linear = axis if slides(kind, k) else cross(axis, arm)
            for i in range(3):
                G[slot, at + i, place] += sign * linear[i]
            if turns and not slides(kind, k):
                for i in range(3):
                    G[slot, at + 3 + i, place] += sign * axis[i]
        row = joints[row, PARENT]


@leaf
def _polynomial(constraints, k, x):
    """Value and slope of a coupling's polynomial."""
    value, slope = 0.0, 0.0
    for i in range(DEGREES - 1, -1, -1):
        slope = slope * x + value
        value = value * x + constraints[k, C_POLYNOMIAL + i]
    return value, slope


@leaf
def _turned(R_a, R_b):
    """Sine of the turn of frame A against frame B, along its axis: half the sum of b_i x a_i over the axes."""
    x, y, z = 0.0, 0.0, 0.0
    for i in range(3):
        a, b = (R_a[i], R_a[i + 3], R_a[i + 6]), (R_b[i], R_b[i + 3], R_b[i + 6])
        s = cross(b, a)
        x, y, z = x + 0.5 * s[0], y + 0.5 * s[1], z + 0.5 * s[2]
    return x, y, z


@kernel
def constraint_rows(joints, bodies, order, constraints, q, placed, G, numbers, slot):
    """Write the Jacobian of all couplings and loops to G and their residuals [m, rad] to `numbers`.

    Args:
        joints, bodies, order: of the plant.
        constraints: (n, CONSTRAINT_COLUMNS).
        q: (slots, nq).
        placed: (slots, rows, 18) poses of the bodies at q.
        G: (slots, rows, widest tree).
        numbers: (slots, NUMBERS, rows).
    """
    for row in range(G.shape[1]):
        for i in range(G.shape[2]):
            G[slot, row, i] = 0.0
    for k in range(constraints.shape[0]):
        kind, at = int(constraints[k, C_KIND]), int(constraints[k, C_FIRST])
        if kind == COUPLED:
            follower, leader, x = int(constraints[k, C_DOF_A]), int(constraints[k, C_DOF_B]), 0.0
            if leader >= 0:
                x = q[slot, int(constraints[k, C_Q_B])] - constraints[k, C_REF_B]
            value, slope = _polynomial(constraints, k, x)
            numbers[slot, RESIDUAL, at] = q[slot, int(constraints[k, C_Q_A])] - constraints[k, C_REF_A] - value
            G[slot, at, order[follower, ORDER_PLACE]] = 1.0
            if leader >= 0:
                G[slot, at, order[leader, ORDER_PLACE]] = -slope
            continue
        a, b = int(constraints[k, C_ROW_A]), int(constraints[k, C_ROW_B])
        R_a, R_b = get_matrix(placed, slot, a, R_WB), get_matrix(placed, slot, b, R_WB)
        p_a = add(get_vector(placed, slot, a, P_WB), rotate(R_a, vector_at(constraints, k, C_P_A)))
        p_b = add(get_vector(placed, slot, b, P_WB), rotate(R_b, vector_at(constraints, k, C_P_B)))
        apart = sub(p_a, p_b)
        for i in range(3):
            numbers[slot, RESIDUAL, at + i] = apart[i]
        if kind == WELDED:
            turn = _turned(
                product(R_a, matrix_at(constraints, k, C_R_A)), product(R_b, matrix_at(constraints, k, C_R_B))
            )
            for i in range(3):
                numbers[slot, RESIDUAL, at + 3 + i] = turn[i]
        _add_body(joints, bodies, order, placed, G, slot, p_a, a, 1.0, at, kind == WELDED)
        _add_body(joints, bodies, order, placed, G, slot, p_b, b, -1.0, at, kind == WELDED)


@kernel
def largest_residual(numbers, slot):
    """The largest residual of couplings and loops [m, rad]; infinite where one is NaN."""
    worst = 0.0
    for row in range(numbers.shape[2]):
        size = abs(numbers[slot, RESIDUAL, row])
        worst = max(worst, size if size < 1e300 else 1e300)
    return worst


@kernel
def row_speed(trees, order, G, v, slot):
    """The largest velocity G v of couplings and loops [m/s, rad/s]."""
    worst = 0.0
    for tree in range(trees.shape[0]):
        first, n, held = trees[tree, TREE_FIRST], trees[tree, TREE_COUNT], trees[tree, TREE_HELD]
        for row in range(held, held + trees[tree, TREE_HOLDS]):
            speed = 0.0
            for i in range(n):
                speed += G[slot, row, i] * v[slot, order[first + i, ORDER_DOF]]
            worst = max(worst, abs(speed) if abs(speed) < 1e300 else 1e300)
    return worst
