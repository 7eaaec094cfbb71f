"""Many contacts at once, in the space of the bodies: the Newton matrix and the gap projection without their dense matrix.

The rows of the contacts read P (Y^T y) + Q x = b with y = Y x, Y = L^-1 J^T behind the factor of the mass matrix, P and Q small
matrices of each contact. So (I + Y Q^-1 P Y^T) y = Y Q^-1 b: as many unknowns as the bodies have freedoms, however many contacts
they share, and a body is coupled only with those it touches. The bodies stand in the order of a breadth-first walk over the
contacts (Cuthill and McKee 1969), so that all entries lie in an envelope around the diagonal; it is factored in place without
pivoting, rows of L and columns of U both as rows. Q holds only the softening where a contact sticks: a solve is good to about
1e-7, and Newton's method repeats it on the true residual.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.contact_rows import SIDE_ROWS
from carpal.engines.modal.kernels.contact_table import (
    ACTIVE,
    BRANCH,
    ISLAND_END,
    MU,
    STRETCH,
    TORSION,
    TREE_A,
    TREE_B,
    TREE_COUNT,
)
from carpal.engines.modal.kernels.friction_law import SLIDES, SPINS, steps_of, trial

LEAST = 1e-12
"""Share of a sliding contact's friction that may be missing to its limit."""


@kernel
def order_trees(trees, con, bodies, slot, count):
    """Write the order of the trees that have contacts (queue, place), their first unknown and the envelope; returns unknowns."""
    place, queue, at, reach = bodies.place, bodies.queue, bodies.at, bodies.reach
    for tree in range(trees.shape[0]):
        place[slot, tree] = -1.0
    first, placed = 0, 0
    while first < count:
        end = int(con[slot, first, ISLAND_END])
        a = int(con[slot, first, TREE_A])
        root = a if a >= 0 else int(con[slot, first, TREE_B])
        last = _walk(con, queue, place, slot, first, end, root, placed)
        root = int(queue[slot, last - 1])  # the walk from the far end has the narrower levels
        for k in range(placed, last):
            place[slot, int(queue[slot, k])] = -1.0
        placed = _walk(con, queue, place, slot, first, end, root, placed)
        first = end
    unknowns = 0
    for k in range(placed):
        at[slot, k], reach[slot, k] = unknowns, k
        unknowns += trees[int(queue[slot, k]), TREE_COUNT]
    for c in range(count):
        a, b = int(con[slot, c, TREE_A]), int(con[slot, c, TREE_B])
        if a >= 0 and b >= 0:
            low = min(place[slot, a], place[slot, b])
            high = int(max(place[slot, a], place[slot, b]))
            reach[slot, high] = min(reach[slot, high], low)
    at[slot, placed] = unknowns
    return unknowns


@leaf
def _walk(con, queue, place, slot, first, end, root, start):
    """Breadth first over the contacts first to end; trees get places from `start` on. Returns the place after the last."""
    queue[slot, start], place[slot, root] = root, start
    head, tail = start, start + 1
    while head < tail:
        tree = int(queue[slot, head])
        head += 1
        for c in range(first, end):
            a, b = int(con[slot, c, TREE_A]), int(con[slot, c, TREE_B])
            other = b if a == tree else a if b == tree else -1
            if other >= 0 and place[slot, other] < 0.0:
                queue[slot, tail], place[slot, other] = other, tail
                tail += 1
    return tail


@leaf
def _rho(W, con, slot, c):
    return (1.0 + con[slot, c, STRETCH]) * steps_of(W, slot, c)[1]


@leaf
def _small(W, con, soft, slot, c):
    """(softening, torsional softening, k, d1, d2, twist): Q and P of a contact by its branch.

    k: -1 where it sticks; where it slides along d, Q^-1 P is k e e^T across d. twist: torsional impulse for a normal one.
    """
    i = 4 * c
    size = W[slot, i + 2, i + 2]
    rows, branch = int(con[slot, c, ACTIVE]), int(con[slot, c, BRANCH])
    if rows > 1:
        size = max(size, max(W[slot, i, i], W[slot, i + 1, i + 1]))
    s = soft * size
    k, d1, d2, twist = -1.0, 0.0, 0.0, 0.0
    if rows > 1 and branch & SLIDES:
        t = trial(W, con, slot, c)
        rho = _rho(W, con, slot, c)
        length = math.sqrt(t[0] * t[0] + t[1] * t[1])
        d1, d2 = t[0] / length, t[1] / length
        share = min(con[slot, c, MU] * t[2] / length / (1.0 + soft), 1.0 - LEAST)
        k = rho * share / (1.0 - share)
    if rows > 3 and branch & SPINS:
        twist = math.copysign(con[slot, c, TORSION], trial(W, con, slot, c)[3])
    return s, soft * W[slot, i + 3, i + 3], k, d1, d2, twist


@leaf
def _gained(small, mu, rows, spins, z0, z1, z2, z3):
    """Q^-1 P z of a contact."""
    s, s4, k, d1, d2, twist = small
    g2 = z2 / s
    g0, g1, g3 = 0.0, 0.0, 0.0
    if rows > 1:
        if k < 0.0:
            g0, g1 = z0 / s, z1 / s
        else:
            across = k * (d1 * z1 - d2 * z0)
            g0, g1 = mu * d1 * g2 - across * d2, mu * d2 * g2 + across * d1
    if rows > 3:
        g3 = twist * g2 if spins else z3 / s4
    return g0, g1, g2, g3


@leaf
def _given(small, mu, rows, spins, rho, b0, b1, b2, b3):
    """Q^-1 b of a contact."""
    s, s4, k, d1, d2, twist = small
    g2 = b2 / s
    g0, g1, g3 = 0.0, 0.0, 0.0
    if rows > 1:
        if k < 0.0:
            g0, g1 = b0 / s, b1 / s
        else:  # (I - p)^-1 = I + share / (1 - share) e e^T
            across = (k / rho) * (d1 * b1 - d2 * b0)
            g0, g1 = b0 + mu * d1 * g2 - across * d2, b1 + mu * d2 * g2 + across * d1
    if rows > 3:
        g3 = b3 + twist * g2 if spins else b3 / s4
    return g0, g1, g2, g3


@kernel
def _fill_bodies(trees, W, con, Y, bodies, soft, slot, count, unknowns):
    """I + Y Q^-1 P Y^T: the lower triangle in rows of `low`, the upper one transposed in rows of `up`."""
    place, at, reach, queue = bodies.place, bodies.at, bodies.reach, bodies.queue
    low, up, k = bodies.low, bodies.up, 0
    while at[slot, k] < unknowns:
        tree = int(queue[slot, k])
        first, begin = int(at[slot, k]), int(at[slot, int(reach[slot, k])])
        for i in range(first, first + trees[tree, TREE_COUNT]):
            for j in range(begin, i + 1):
                low[slot, i, j], up[slot, i, j] = 0.0, 0.0
            low[slot, i, i], up[slot, i, i] = 1.0, 1.0
        k += 1
    for c in range(count):
        rows = int(con[slot, c, ACTIVE])
        if rows == 0:
            continue
        small, mu = _small(W, con, soft, slot, c), con[slot, c, MU]
        spins = int(con[slot, c, BRANCH]) & SPINS != 0
        for side in range(2):
            tree = int(con[slot, c, TREE_B if side else TREE_A])
            if tree < 0:
                continue
            z, first = SIDE_ROWS * c + 4 * side, int(at[slot, int(place[slot, tree])])
            for j in range(trees[tree, TREE_COUNT]):
                twist = Y[slot, z + 3, j] if rows > 3 else 0.0
                g = _gained(small, mu, rows, spins, Y[slot, z, j], Y[slot, z + 1, j], Y[slot, z + 2, j], twist)
                column = first + j
                for other in range(2):
                    tree_o = int(con[slot, c, TREE_B if other else TREE_A])
                    if tree_o < 0:
                        continue
                    y, begin = SIDE_ROWS * c + 4 * other, int(at[slot, int(place[slot, tree_o])])
                    for i in range(trees[tree_o, TREE_COUNT]):
                        value = Y[slot, y + 2, i] * g[2]
                        if rows > 1:
                            value += Y[slot, y, i] * g[0] + Y[slot, y + 1, i] * g[1]
                        if rows > 3:
                            value += Y[slot, y + 3, i] * g[3]
                        row = begin + i
                        if row >= column:
                            low[slot, row, column] += value
                        if row <= column:
                            up[slot, column, row] += value


@leaf
def _products(A, B, slot, i, j, begin, end):
    """Sum of products of two rows from begin to end; four sums, so that none waits for the one before."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    k = begin
    while k + 3 < end:
        s0 += A[slot, i, k] * B[slot, j, k]
        s1 += A[slot, i, k + 1] * B[slot, j, k + 1]
        s2 += A[slot, i, k + 2] * B[slot, j, k + 2]
        s3 += A[slot, i, k + 3] * B[slot, j, k + 3]
        k += 4
    while k < end:
        s0 += A[slot, i, k] * B[slot, j, k]
        k += 1
    return (s0 + s1) + (s2 + s3)


@kernel
def factor_bodies(trees, W, con, Y, bodies, soft, slot, count, unknowns):
    """Factor the matrix of the bodies in place (L with a unit diagonal in `low`, U transposed in `up`); False if singular."""
    _fill_bodies(trees, W, con, Y, bodies, soft, slot, count, unknowns)
    at, reach, low, up = bodies.at, bodies.reach, bodies.low, bodies.up
    k, begin, end = -1, 0, 0
    for i in range(unknowns):
        while i >= end:
            k += 1
            begin, end = int(at[slot, int(reach[slot, k])]), int(at[slot, k + 1])
        other = int(reach[slot, k])
        start, stop = int(at[slot, int(reach[slot, other])]), int(at[slot, other + 1])
        for j in range(begin, i):
            while j >= stop:
                other += 1
                start, stop = int(at[slot, int(reach[slot, other])]), int(at[slot, other + 1])
            low_from = max(begin, start)
            up[slot, i, j] -= _products(low, up, slot, j, i, low_from, j)
            low[slot, i, j] = (low[slot, i, j] - _products(low, up, slot, i, j, low_from, j)) / up[slot, j, j]
        pivot = up[slot, i, i] - _products(low, up, slot, i, i, begin, i)
        if not abs(pivot) > 1e-12 or not abs(pivot) < 1e300:
            return False
        up[slot, i, i] = pivot
    return True


@kernel
def solve_bodies(trees, W, con, Y, bodies, x, soft, slot, count, unknowns):
    """Overwrite x (the unknowns of the contacts in their order) with the solution; False where not finite."""
    place, at, y = bodies.place, bodies.at, bodies.y
    for i in range(unknowns):
        y[slot, i] = 0.0
    at_row = 0
    for c in range(count):
        rows = int(con[slot, c, ACTIVE])
        if rows == 0:
            continue
        small, mu = _small(W, con, soft, slot, c), con[slot, c, MU]
        spins = int(con[slot, c, BRANCH]) & SPINS != 0
        b = _row_values(x, slot, at_row, rows)
        g = _given(small, mu, rows, spins, _rho(W, con, slot, c), b[0], b[1], b[2], b[3])
        for side in range(2):
            tree = int(con[slot, c, TREE_B if side else TREE_A])
            if tree < 0:
                continue
            z, first = SIDE_ROWS * c + 4 * side, int(at[slot, int(place[slot, tree])])
            for j in range(trees[tree, TREE_COUNT]):
                value = Y[slot, z + 2, j] * g[2]
                if rows > 1:
                    value += Y[slot, z, j] * g[0] + Y[slot, z + 1, j] * g[1]
                if rows > 3:
                    value += Y[slot, z + 3, j] * g[3]
                y[slot, first + j] += value
        at_row += rows
    _substitute(at, bodies.reach, bodies.low, bodies.up, y, slot, unknowns)
    at_row = 0
    for c in range(count):
        rows = int(con[slot, c, ACTIVE])
        if rows == 0:
            continue
        u0, u1, u2, u3 = 0.0, 0.0, 0.0, 0.0
        for side in range(2):
            tree = int(con[slot, c, TREE_B if side else TREE_A])
            if tree < 0:
                continue
            z, first = SIDE_ROWS * c + 4 * side, int(at[slot, int(place[slot, tree])])
            for j in range(trees[tree, TREE_COUNT]):
                w = y[slot, first + j]
                u0 += Y[slot, z, j] * w
                u1 += Y[slot, z + 1, j] * w
                u2 += Y[slot, z + 2, j] * w
                if rows > 3:
                    u3 += Y[slot, z + 3, j] * w
        small, mu = _small(W, con, soft, slot, c), con[slot, c, MU]
        spins = int(con[slot, c, BRANCH]) & SPINS != 0
        rho, b = _rho(W, con, slot, c), _row_values(x, slot, at_row, rows)
        k, d1, d2, b2 = small[2], small[3], small[4], b[2] - u2
        if rows > 1 and k >= 0.0:  # P of a sliding contact: rho share e e^T
            share = k / (rho + k)
            across = rho * share * (d1 * u1 - d2 * u0)
            u0, u1 = -across * d2, across * d1
        b3 = b[3] if spins else b[3] - u3
        g = _given(small, mu, rows, spins, rho, b[0] - u0, b[1] - u1, b2, b3)
        for i in range(rows):
            value = g[2] if rows == 1 else g[i]
            if 0.0 * value != 0.0:
                return False
            x[slot, at_row + i] = value
        at_row += rows
    return True


@leaf
def _row_values(x, slot, at, rows):
    """The unknowns of a contact as (t1, t2, n, torsion)."""
    if rows == 1:
        return 0.0, 0.0, x[slot, at], 0.0
    return x[slot, at], x[slot, at + 1], x[slot, at + 2], x[slot, at + 3] if rows > 3 else 0.0


@leaf
def _substitute(at, reach, low, up, y, slot, unknowns):
    """Overwrite y with the solution, by rows of L and columns of U."""
    k, end, begin = -1, 0, 0
    for i in range(unknowns):
        while i >= end:
            k += 1
            begin, end = int(at[slot, int(reach[slot, k])]), int(at[slot, k + 1])
        s = y[slot, i]
        for j in range(begin, i):
            s -= low[slot, i, j] * y[slot, j]
        y[slot, i] = s
    first = unknowns
    for i in range(unknowns - 1, -1, -1):
        while i < first:
            first = int(at[slot, k])
            begin = int(at[slot, int(reach[slot, k])])
            k -= 1
        y[slot, i] /= up[slot, i, i]
        for j in range(begin, i):
            y[slot, j] -= up[slot, i, j] * y[slot, i]
