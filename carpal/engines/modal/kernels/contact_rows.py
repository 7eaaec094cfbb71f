"""Rows of each contact: its Jacobian by trees, the same behind the Cholesky factor, and W = J M^-1 J^T.

Thesis 2, 2.2 to 2.4, with E5 to E7 corrected: velocities of B relative to A at the contact point itself, in C. Each contact has
two sides of four rows; row 2 is the normal, row 3 the spin about it. With Y = L^-1 J^T per tree, W is a sum of products of
Y over the trees that two contacts share.
"""

from carpal._jit import kernel, leaf
from carpal.contact.kernels.frames import contact_axes
from carpal.engines.modal.kernels.contact_table import (
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
)
from carpal.engines.modal.kernels.tree_blocks import backward_tree, forward_row
from carpal.kinematics.kernels.freedom import freedom_axis, slides
from carpal.kinematics.kernels.placement import P_WB
from carpal.kinematics.kernels.state import freedoms
from carpal.model.kernels.tables import KIND, PARENT, V_INDEX
from carpal.spatial.kernels.scratch import get_vector
from carpal.spatial.kernels.vec3 import add, cross, dot, scale, sub

SIDE_ROWS = 8  # two sides of four rows


@leaf
def _add_chain(joints, bodies, order, placed, con, J, slot, c, row, sign, base):
    """Add the motion of a body at the contact point to four rows of J."""
    t1, t2, n = contact_axes(get_vector(con, slot, c, NORMAL))
    p = get_vector(con, slot, c, POINT)
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


@kernel
def contact_rows(joints, bodies, trees, order, placed, con, J, slot, count):
    """Jacobian rows of all contacts."""
    for c in range(count):
        base = SIDE_ROWS * c
        a, b = int(con[slot, c, TREE_A]), int(con[slot, c, TREE_B])
        for side in range(2):
            tree = b if side else a
            if tree >= 0:
                for k in range(4):
                    for i in range(trees[tree, TREE_COUNT]):
                        J[slot, base + 4 * side + k, i] = 0.0
        row_a, row_b = int(con[slot, c, ROW_A]), int(con[slot, c, ROW_B])
        if row_a < 0:  # a joint's stop
            J[slot, base + 2, order[-1 - row_a, ORDER_PLACE]] = con[slot, c, NORMAL + 2]
            continue
        _add_chain(joints, bodies, order, placed, con, J, slot, c, row_a, -1.0, base)
        _add_chain(joints, bodies, order, placed, con, J, slot, c, row_b, 1.0, base + 4 if b >= 0 else base)


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
                for k in range(components(con, slot, c)):
                    row = SIDE_ROWS * c + 4 * side + k
                    forward_row(L, trees[tree, TREE_FIRST], trees[tree, TREE_COUNT], J, Y, row, slot)


@kernel
def contact_matrix(trees, con, Y, W, slot, count):
    """W (4 count, 4 count) of all contacts, symmetric."""
    for c in range(count):
        for d in range(c + 1):
            many, few = components(con, slot, c), components(con, slot, d)
            for k in range(4):
                for l in range(4):
                    W[slot, 4 * c + k, 4 * d + l] = 0.0
            for side in range(2):
                tree = int(con[slot, c, TREE_B if side else TREE_A])
                if tree < 0:
                    continue
                for other in range(2):
                    if int(con[slot, d, TREE_B if other else TREE_A]) != tree:
                        continue
                    n = trees[tree, TREE_COUNT]
                    for k in range(many):
                        y = SIDE_ROWS * c + 4 * side + k
                        for l in range(few):
                            z = SIDE_ROWS * d + 4 * other + l
                            s = 0.0
                            for i in range(n):
                                s += Y[slot, y, i] * Y[slot, z, i]
                            W[slot, 4 * c + k, 4 * d + l] += s
            if d < c:
                for k in range(4):
                    for l in range(4):
                        W[slot, 4 * d + l, 4 * c + k] = W[slot, 4 * c + k, 4 * d + l]


@kernel
def contact_velocities(trees, order, con, J, v, column, slot, count):
    """con[column + k] = J v, four components of each contact."""
    for c in range(count):
        for k in range(4):
            con[slot, c, column + k] = 0.0
        for side in range(2):
            tree = int(con[slot, c, TREE_B if side else TREE_A])
            if tree >= 0:
                first = trees[tree, TREE_FIRST]
                for k in range(4):
                    s = 0.0
                    for i in range(trees[tree, TREE_COUNT]):
                        s += J[slot, SIDE_ROWS * c + 4 * side + k, i] * v[slot, order[first + i, ORDER_DOF]]
                    con[slot, c, column + k] += s


@kernel
def add_impulses(trees, order, L, con, Y, column, x, v, slot, count):
    """V += M^-1 J^T r with r in con[column ...]; x is overwritten."""
    for dof in range(v.shape[1]):
        x[slot, dof] = 0.0
    for c in range(count):
        for side in range(2):
            tree = int(con[slot, c, TREE_B if side else TREE_A])
            if tree < 0:
                continue
            first = trees[tree, TREE_FIRST]
            for k in range(components(con, slot, c)):
                r = con[slot, c, column + k]
                if r != 0.0:
                    for i in range(trees[tree, TREE_COUNT]):
                        x[slot, order[first + i, ORDER_DOF]] += r * Y[slot, SIDE_ROWS * c + 4 * side + k, i]
    for tree in range(trees.shape[0]):
        backward_tree(order, L, x, trees[tree, TREE_FIRST], trees[tree, TREE_COUNT], slot)
    for dof in range(v.shape[1]):
        v[slot, dof] += x[slot, dof]


@kernel
def relative_turn(joints, bodies, order, placed, con, v, slot, c):
    """Angular velocity of B relative to A in world axes."""
    w = (0.0, 0.0, 0.0)
    for side in range(2):
        row = int(con[slot, c, ROW_B if side else ROW_A])
        sign = 1.0 if side else -1.0
        while row > 0:
            kind, first = joints[row, KIND], joints[row, V_INDEX]
            for k in range(freedoms(kind)):
                if not slides(kind, k):
                    axis = freedom_axis(joints, bodies, placed, slot, row, k)
                    w = add(w, scale(sign * v[slot, first + k], axis))
            row = joints[row, PARENT]
    return w
