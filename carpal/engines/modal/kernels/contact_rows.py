"""Rows of each contact: its Jacobian by trees, the same behind the Cholesky factor, and W = J M^-1 J^T.

Chan 1998, 2.2 to 2.4, with E5 to E7 corrected: velocities of B relative to A at the contact point itself, in C. Each contact has
two sides of four rows; row 2 is the normal, row 3 the spin about it. With Y = L^-1 J^T per tree, W is a sum of products of
Y over the trees that two contacts share.
"""

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.frames import contact_axes
from carpal.engines.modal.kernels.constraint_table import T_COEFFICIENT
from carpal.engines.modal.kernels.contact_table import (
    AXIS,
    ISLAND_FIRST,
    LARGE,
    LEAD,
    NORMAL,
    ORDER_DOF,
    ORDER_PLACE,
    POINT,
    ROW_A,
    ROW_B,
    TORSION,
    TREE_A,
    TREE_B,
    TREE_COUNT,
    TREE_FIRST,
    TREE_SINGLE,
    share_tree,
)
from carpal.engines.modal.kernels.tree_blocks import backward_tree, forward_row, forward_rows
from carpal.kinematics.kernels.freedom import freedom_axis, slides
from carpal.kinematics.kernels.placement import P_WB
from carpal.kinematics.kernels.state import freedoms, vector_of
from carpal.model.kernels.tables import KIND, PARENT, V_INDEX
from carpal.spatial.kernels.scratch import get_vector
from carpal.spatial.kernels.vec3 import add, cross, dot, scale, sub

SIDE_ROWS = 8  # two sides of four rows


@leaf
def _add_chain(joints, bodies, order, placed, J, slot, p, axes, row, sign, base):
    """Add the motion of a body at the contact point to four rows of J."""
    t1, t2, n = axes
    while row > 0:
        kind, first = joints[row, KIND], joints[row, V_INDEX]
        arm = sub(p, get_vector(placed, slot, row, P_WB))
        for k in range(freedoms(kind)):
            axis = freedom_axis(joints, bodies, placed, slot, row, k)
            at = order[first + k, ORDER_PLACE]
            linear = axis if slides(kind, k) else cross(axis, arm)
            J[slot, base, at] += sign * dot(t1, linear)
            J[slot, base + 1, at] += sign * dot(t2, linear)
            J[slot, base + 2, at] += sign * dot(n, linear)
            if not slides(kind, k):
                J[slot, base + 3, at] += sign * dot(n, axis)
        row = joints[row, PARENT]


@leaf
def _put_single(placed, J, slot, p, axes, row, sign, base):
    """The four rows of a single free body, whose axes are those of the world."""
    t1, t2, n = axes
    arm = sub(p, get_vector(placed, slot, row, P_WB))
    a1, a2, a3 = cross(arm, t1), cross(arm, t2), cross(arm, n)
    for i in range(3):
        J[slot, base, i], J[slot, base, 3 + i] = sign * t1[i], sign * a1[i]
        J[slot, base + 1, i], J[slot, base + 1, 3 + i] = sign * t2[i], sign * a2[i]
        J[slot, base + 2, i], J[slot, base + 2, 3 + i] = sign * n[i], sign * a3[i]
        J[slot, base + 3, i], J[slot, base + 3, 3 + i] = 0.0, sign * n[i]


@kernel
def contact_rows(joints, bodies, trees, order, tendons, placed, con, J, slot, count):
    """Jacobian rows of all contacts."""
    for c in range(count):
        base = SIDE_ROWS * c
        row_a = int(con[slot, c, ROW_A])
        axes, p = contact_axes(get_vector(con, slot, c, AXIS)), get_vector(con, slot, c, POINT)
        for side in range(2):
            tree = int(con[slot, c, TREE_B if side else TREE_A])
            row, sign = int(con[slot, c, ROW_B if side else ROW_A]), 1.0 if side else -1.0
            at = base + 4 * side
            if tree >= 0 and row >= 0 and trees[tree, TREE_SINGLE] > 0:
                ahead = add(p, get_vector(con, slot, c, LEAD + 3 * side))
                _put_single(placed, J, slot, ahead, axes, row, sign, at)
                continue
            if tree >= 0:
                for k in range(4):
                    for i in range(trees[tree, TREE_COUNT]):
                        J[slot, at + k, i] = 0.0
            if row_a >= 0:  # without a tree of its own, B hangs on that of A, or on the world
                _add_chain(joints, bodies, order, placed, J, slot, p, axes, row, sign, at if tree >= 0 else base)
        if row_a < 0 and -1 - row_a < order.shape[0]:  # a joint's stop
            J[slot, base + 2, order[-1 - row_a, ORDER_PLACE]] = con[slot, c, NORMAL + 2]
        elif row_a < 0:  # a tendon's limit
            for i in range(trees[int(con[slot, c, TREE_A]), TREE_COUNT]):
                pull = tendons[-1 - row_a - order.shape[0], T_COEFFICIENT + i]
                J[slot, base + 2, i] = con[slot, c, NORMAL + 2] * pull


@leaf
def components(con, slot, c):
    """How many rows of a contact are worked on."""
    return 4 if con[slot, c, TORSION] > 0.0 else 3


@kernel
def behind_factor(trees, L, con, J, Y, slot, count):
    """Y = L^-1 J^T of all contacts."""
    for c in range(count):
        for side in range(2):
            tree = int(con[slot, c, TREE_B if side else TREE_A])
            if tree >= 0:
                row, first, n = SIDE_ROWS * c + 4 * side, trees[tree, TREE_FIRST], trees[tree, TREE_COUNT]
                forward_rows(L, first, n, J, Y, row, slot)
                if components(con, slot, c) > 3:
                    forward_row(L, first, n, J, Y, row + 3, slot)


@leaf
def _block(Y, slot, y, z, n, S):
    """S (9 numbers, row by row) plus the products of three rows of Y from y with three from z."""
    s0, s1, s2, s3, s4, s5, s6, s7, s8 = S
    for i in range(n):
        a, b, c = Y[slot, y, i], Y[slot, y + 1, i], Y[slot, y + 2, i]
        d, e, f = Y[slot, z, i], Y[slot, z + 1, i], Y[slot, z + 2, i]
        s0, s1, s2 = s0 + a * d, s1 + a * e, s2 + a * f
        s3, s4, s5 = s3 + b * d, s4 + b * e, s5 + b * f
        s6, s7, s8 = s6 + c * d, s7 + c * e, s8 + c * f
    return s0, s1, s2, s3, s4, s5, s6, s7, s8


@leaf
def _torsional(Y, W, slot, y, z, n, i, j, many, few):
    """Add to W what the fourth rows of contacts with soft tips share."""
    for k in range(many):
        for l in range(3 if k < 3 else 0, few):
            s = 0.0
            for m in range(n):
                s += Y[slot, y + k, m] * Y[slot, z + l, m]
            W[slot, i + k, j + l] += s


@kernel
def contact_matrix(trees, con, Y, W, slot, count):
    """W (4 count, 4 count) of all contacts, symmetric; between contacts that share no tree it may be left as it was."""
    for c in range(count):
        for d in range(c + 1):
            if con[slot, d, ISLAND_FIRST] != con[slot, c, ISLAND_FIRST]:
                continue
            if count > LARGE and not share_tree(con, slot, c, d):
                continue
            many, few = components(con, slot, c), components(con, slot, d)
            i, j = 4 * c, 4 * d
            for k in range(4):
                W[slot, i + k, j + 3] = 0.0
                W[slot, i + 3, j + k] = 0.0
            S = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            for side in range(2):
                tree = int(con[slot, c, TREE_B if side else TREE_A])
                if tree < 0:
                    continue
                for other in range(2):
                    if int(con[slot, d, TREE_B if other else TREE_A]) != tree:
                        continue
                    y, z = SIDE_ROWS * c + 4 * side, SIDE_ROWS * d + 4 * other
                    S = _block(Y, slot, y, z, trees[tree, TREE_COUNT], S)
                    if many > 3 or few > 3:
                        _torsional(Y, W, slot, y, z, trees[tree, TREE_COUNT], i, j, many, few)
            for k in range(3):
                for l in range(3):
                    W[slot, i + k, j + l] = S[3 * k + l]
            if d < c:
                for k in range(4):
                    for l in range(4):
                        W[slot, j + l, i + k] = W[slot, i + k, j + l]


@kernel
def contact_velocities(trees, order, con, J, v, column, slot, count):
    """con[column + k] = J v, four components of each contact."""
    for c in range(count):
        s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
        for side in range(2):
            tree = int(con[slot, c, TREE_B if side else TREE_A])
            if tree >= 0:
                first, row = trees[tree, TREE_FIRST], SIDE_ROWS * c + 4 * side
                for i in range(trees[tree, TREE_COUNT]):
                    w = v[slot, order[first + i, ORDER_DOF]]
                    s0 += J[slot, row, i] * w
                    s1 += J[slot, row + 1, i] * w
                    s2 += J[slot, row + 2, i] * w
                    s3 += J[slot, row + 3, i] * w
        con[slot, c, column], con[slot, c, column + 1] = s0, s1
        con[slot, c, column + 2], con[slot, c, column + 3] = s2, s3


@kernel
def add_impulses(trees, order, L, con, Y, column, x, v, slot, count):
    """V += M^-1 J^T r with r in con[column ...]; x is overwritten."""
    for dof in range(v.shape[1]):
        x[slot, dof] = 0.0
    for c in range(count):
        r0, r1, r2, r3 = (
            con[slot, c, column],
            con[slot, c, column + 1],
            con[slot, c, column + 2],
            con[slot, c, column + 3],
        )
        if r0 == 0.0 and r1 == 0.0 and r2 == 0.0 and r3 == 0.0:
            continue
        soft = components(con, slot, c) > 3
        for side in range(2):
            tree = int(con[slot, c, TREE_B if side else TREE_A])
            if tree < 0:
                continue
            first, row = trees[tree, TREE_FIRST], SIDE_ROWS * c + 4 * side
            for i in range(trees[tree, TREE_COUNT]):
                s = r0 * Y[slot, row, i] + r1 * Y[slot, row + 1, i] + r2 * Y[slot, row + 2, i]
                if soft:
                    s += r3 * Y[slot, row + 3, i]
                x[slot, order[first + i, ORDER_DOF]] += s
    for tree in range(trees.shape[0]):
        backward_tree(order, L, x, trees[tree, TREE_FIRST], trees[tree, TREE_COUNT], slot)
    for dof in range(v.shape[1]):
        v[slot, dof] += x[slot, dof]


@kernel
def relative_turn(joints, bodies, trees, placed, con, v, slot, c):
    """Angular velocity of B relative to A in world axes."""
    w = (0.0, 0.0, 0.0)
    for side in range(2):
        row, tree = int(con[slot, c, ROW_B if side else ROW_A]), int(con[slot, c, TREE_B if side else TREE_A])
        sign = 1.0 if side else -1.0
        if tree >= 0 and trees[tree, TREE_SINGLE] > 0:
            w = add(w, scale(sign, vector_of(v, slot, joints[row, V_INDEX] + 3)))
            continue
        while row > 0:
            kind, first = joints[row, KIND], joints[row, V_INDEX]
            for k in range(freedoms(kind)):
                if not slides(kind, k):
                    axis = freedom_axis(joints, bodies, placed, slot, row, k)
                    w = add(w, scale(sign * v[slot, first + k], axis))
            row = joints[row, PARENT]
    return w
