"""The Newton matrix of the contact law, its factors and its right side; rows as in `newton_solve.py`.

Few contacts have it as a dense matrix for each island, many in the space of the bodies (`body_solve.py`).
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.body_solve import factor_bodies, solve_bodies
from carpal.engines.modal.kernels.contact_table import (
    ACTIVE,
    AFTER,
    BRANCH,
    IMPULSE,
    INCLUDED,
    ISLAND_END,
    MU,
    SHIFT,
    STRETCH,
    TORSION,
    rows_of,
    takes,
)
from carpal.engines.modal.kernels.friction_law import APART, HELD, SLIDES, SPINS, steps_of, trial
from carpal.spatial.kernels.lu import factor_block, factor_general, solve_block, solve_factored


@leaf
def _put_row(W, A, index, slot, low, high, i):
    """Row i of the Newton matrix: the row of W that belongs to unknown i, for the unknowns low to high."""
    row = int(index[slot, i])
    for j in range(low, high):
        A[slot, i, j] = W[slot, row, int(index[slot, j])]


@leaf
def mark_branches(W, con, slot, count):
    """Write to con[BRANCH] what the law says of each contact now; True where all are as they were written before."""
    same = True
    for c in range(count):
        branch = APART
        if con[slot, c, INCLUDED] > 0.0:
            t, rows = trial(W, con, slot, c), rows_of(con, slot, c)
            if t[2] > 0.0:
                branch = HELD
                if rows > 1 and math.sqrt(t[0] * t[0] + t[1] * t[1]) > con[slot, c, MU] * t[2]:
                    branch = SLIDES
                if rows > 3 and abs(t[3]) > con[slot, c, TORSION] * t[2]:
                    branch += SPINS
        if con[slot, c, BRANCH] != branch:
            con[slot, c, BRANCH], same = branch, False
    return same


@leaf
def _number_unknowns(con, index, slot, count):
    """Write to `index` the row of W of each unknown, those of contacts that press; returns how many there are."""
    m = 0
    for c in range(count):
        con[slot, c, ACTIVE] = 0.0
        if con[slot, c, BRANCH] == APART:
            continue
        rows = rows_of(con, slot, c)
        con[slot, c, ACTIVE] = rows
        for k in range(4):
            if takes(rows, k):
                index[slot, m] = 4 * c + k
                m += 1
    return m


@leaf
def _fill(W, con, A, index, soft, slot, low, high):
    """Rows and columns low to high of the Newton matrix, by the branches of the contacts."""
    i = low
    while i < high:
        c = int(index[slot, i]) // 4
        rows, branch = rows_of(con, slot, c), int(con[slot, c, BRANCH])
        n_at = i if rows == 1 else i + 2
        size = W[slot, 4 * c + 2, 4 * c + 2]
        if rows > 1:
            size = max(size, max(W[slot, 4 * c, 4 * c], W[slot, 4 * c + 1, 4 * c + 1]))
            if branch & SLIDES == 0:
                for k in range(2):
                    _put_row(W, A, index, slot, low, high, i + k)
                    A[slot, i + k, i + k] += soft * size
            else:
                mu, t = con[slot, c, MU], trial(W, con, slot, c)
                rho = (1.0 + con[slot, c, STRETCH]) * steps_of(W, slot, c)[1]
                length = math.sqrt(t[0] * t[0] + t[1] * t[1])
                d1, d2 = t[0] / length, t[1] / length
                share = mu * t[2] / length / (1.0 + soft)
                p11, p12, p22 = share * d2 * d2, -share * d1 * d2, share * d1 * d1
                for j in range(low, high):
                    column = int(index[slot, j])
                    w1, w2 = rho * W[slot, 4 * c, column], rho * W[slot, 4 * c + 1, column]
                    A[slot, i, j] = p11 * w1 + p12 * w2
                    A[slot, i + 1, j] = p12 * w1 + p22 * w2
                A[slot, i, i] += 1.0 - p11
                A[slot, i, i + 1] -= p12
                A[slot, i + 1, i] -= p12
                A[slot, i + 1, i + 1] += 1.0 - p22
                A[slot, i, n_at] -= mu * d1
                A[slot, i + 1, n_at] -= mu * d2
        _put_row(W, A, index, slot, low, high, n_at)
        A[slot, n_at, n_at] += soft * size
        if rows > 3:
            at = i + 3
            if branch & SPINS == 0:
                _put_row(W, A, index, slot, low, high, at)
                A[slot, at, at] += soft * W[slot, 4 * c + 3, 4 * c + 3]
            else:
                sign = math.copysign(1.0, trial(W, con, slot, c)[3])
                for j in range(low, high):
                    A[slot, at, j] = 0.0
                A[slot, at, at] = 1.0
                A[slot, at, n_at] = -sign * con[slot, c, TORSION]
        i += rows


@kernel
def _fill_island(W, con, A, index, soft, slot, low, high):
    _fill(W, con, A, index, soft, slot, low, high)


@leaf
def _island_end(con, index, slot, low, m):
    """Where the unknowns end that belong to the same island as unknown `low`, the first of them."""
    end, high = con[slot, int(index[slot, low]) // 4, ISLAND_END], low
    while high < m and int(index[slot, high]) // 4 < end:
        high += 1
    return high


@kernel
def factor_newton(trees, W, con, A, Y, index, pivots, bodies, unknowns, soft, slot, count):
    """The Newton matrix and its factors, island by island; returns how many unknowns there are, or -1 if it is singular.

    One island has its own way: LLVM makes more of indices that begin at zero, and hands are one island.
    """
    m = _number_unknowns(con, index, slot, count)
    if unknowns > 0:
        return m if factor_bodies(trees, W, con, Y, bodies, soft, slot, count, unknowns) else -1
    if int(con[slot, 0, ISLAND_END]) == count:
        _fill(W, con, A, index, soft, slot, 0, m)
        return m if m == 0 or factor_general(A, pivots, slot, m) else -1
    low = 0
    while low < m:
        high = _island_end(con, index, slot, low, m)
        _fill_island(W, con, A, index, soft, slot, low, high)
        if not factor_block(A, pivots, slot, low, high):
            return -1
        low = high
    return m


@kernel
def solve_newton(trees, W, con, A, Y, x, index, pivots, bodies, unknowns, soft, slot, m, count):
    """X becomes A^-1 x from those factors; False where that is not finite."""
    if unknowns > 0:
        return solve_bodies(trees, W, con, Y, bodies, x, soft, slot, count, unknowns)
    if int(con[slot, 0, ISLAND_END]) == count:
        return m == 0 or solve_factored(A, pivots, x, slot, m)
    low = 0
    while low < m:
        high = _island_end(con, index, slot, low, m)
        if not solve_block(A, pivots, x, slot, low, high):
            return False
        low = high
    return True


@leaf
def right_side(W, con, x, index, slot, m):
    """Minus the residual of every row, which the Newton matrix takes away."""
    i = 0
    while i < m:
        c = int(index[slot, i]) // 4
        rows, branch = rows_of(con, slot, c), int(con[slot, c, BRANCH])
        r_n, t = con[slot, c, IMPULSE + 2], trial(W, con, slot, c)
        if rows > 1:
            if branch & SLIDES == 0:
                x[slot, i], x[slot, i + 1] = -con[slot, c, AFTER], -con[slot, c, AFTER + 1]
            else:  # F + dF = 0 with F_t = r_t - mu r_n d, whose second part already holds the turning of d
                k = con[slot, c, MU] * r_n / math.sqrt(t[0] * t[0] + t[1] * t[1])
                x[slot, i], x[slot, i + 1] = k * t[0] - con[slot, c, IMPULSE], k * t[1] - con[slot, c, IMPULSE + 1]
        x[slot, i if rows == 1 else i + 2] = -(con[slot, c, AFTER + 2] + con[slot, c, SHIFT])
        if rows > 3:
            x[slot, i + 3] = -con[slot, c, AFTER + 3]
            if branch & SPINS:
                x[slot, i + 3] = math.copysign(con[slot, c, TORSION], t[3]) * r_n - con[slot, c, IMPULSE + 3]
        i += rows
