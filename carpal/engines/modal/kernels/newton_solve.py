"""All contacts of a world at once: semismooth Newton on the law of `friction_law.py` (Alart and Curnier 1991).

Rows of contacts that press: stick and normal rows ask for their velocity, sliding rows for r_t = mu r_n t / |t|. Contacts
that are apart have no rows. W may be singular (a block on four corners, a finger at full stretch): only the Newton matrix gets
1e-9 of W's diagonal, the residual is taken with W itself, so redundant contacts carry their load without any
compliance. The first guess is the step before, and the null-space part of indeterminate forces stays as it was.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.body_solve import factor_bodies, order_trees, solve_bodies
from carpal.engines.modal.kernels.contact_table import (
    ACTIVE,
    AFTER,
    BRANCH,
    IMPULSE,
    INCLUDED,
    ISLAND_END,
    LARGE,
    MU,
    SHIFT,
    TORSION,
    WORKED,
    rows_of,
    takes,
)
from carpal.engines.modal.kernels.friction_law import (
    APART,
    HELD,
    SLIDES,
    SPINS,
    impulse_scale,
    law_residual,
    projected,
    steps_of,
    trial,
    velocities_under,
)
from carpal.engines.modal.kernels.sweep_solve import sweep
from carpal.spatial.kernels.lu import factor_block, factor_general, solve_block, solve_factored

GOOD = 1e-13
"""Residual with which a first guess is kept, unless the step before had to iterate.

Impulses of such a step also take away velocities that had come up; as a guess they are off by as much, and accepted
would bring the velocities back: every other step would have to iterate. Solved once more, contacts at rest stay at rest.
"""
TOLERANCE = 1e-14
"""Residual, relative to the largest impulse, at which iterating stops."""
ACCEPTED = 1e-11
"""Residual with which a step is still accepted without another round."""
STEADY = 0.03
"""Share of the residual that a Newton step may leave and be followed by one with the same factors."""
ITERATIONS = 16
ROUNDS = 9
MOST_NEWTON, MOST_OF_MANY = 240, 80
"""Newton steps of one solve, and of one of more than LARGE contacts; one that does not settle ends with its best impulses, whose
residual the certificate shows."""
_SOFT = (
    1e-9  # share of W's diagonal that the Newton matrix gets; a hundred times more in each further round, up to 1e-3
)


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
                _, rho, _ = steps_of(W, slot, c)
                length = math.sqrt(t[0] * t[0] + t[1] * t[1])
                d1, d2 = t[0] / length, t[1] / length
                share = mu * t[2] / length
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
def _factor(trees, W, con, A, Y, index, pivots, bodies, unknowns, soft, slot, count):
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
def _solve(trees, W, con, A, Y, x, index, pivots, bodies, unknowns, soft, slot, m, count):
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
def _right_side(W, con, x, index, slot, m):
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


@kernel
def _newton(trees, W, con, A, Y, x, index, best, pivots, bodies, unknowns, good, soft, most, slot, count):
    """Iterate from the present impulses; keeps the best ones in `best`. Returns (residual / scale, iterations).

    While it converges well and no contact changes its branch, the factors of the step before serve again.
    """
    velocities_under(W, con, slot, count)
    worst, scale = law_residual(W, con, slot, count)
    least = worst
    _store(con, best, slot, count)
    spent, poor, m, well = 0, 0, 0, False
    if worst <= good * scale:
        return worst / scale if scale > 0.0 else 0.0, 0
    while spent < most and worst > TOLERANCE * scale:
        changed = False
        for c in range(count):  # contacts that come apart have no rows
            presses = con[slot, c, INCLUDED] > 0.0 and con[slot, c, IMPULSE + 2] != 0.0
            if presses and trial(W, con, slot, c)[2] <= 0.0:
                for k in range(4):
                    con[slot, c, IMPULSE + k] = 0.0
                changed = True
        if changed:
            velocities_under(W, con, slot, count)
        same = mark_branches(W, con, slot, count)
        if not (same and well):
            m = _factor(trees, W, con, A, Y, index, pivots, bodies, unknowns, soft, slot, count)
            if m < 0:
                worst = 1e300  # what came apart above was not judged
                break
        _right_side(W, con, x, index, slot, m)
        if not _solve(trees, W, con, A, Y, x, index, pivots, bodies, unknowns, soft, slot, m, count):
            worst = 1e300
            break
        for i in range(m):
            row = int(index[slot, i])
            con[slot, row // 4, IMPULSE + row % 4] += x[slot, i]
        before = worst
        velocities_under(W, con, slot, count)
        worst, scale = law_residual(W, con, slot, count)
        well = worst < STEADY * before
        spent += 1
        if worst < least:
            poor = 0 if worst < 0.5 * least else poor + 1
            least = worst
            _store(con, best, slot, count)
        else:
            poor += 1
        if poor >= (2 if least <= ACCEPTED * scale else most // 2):
            break
    if worst > least:
        _recall(con, best, slot, count)
    return least / scale if scale > 0.0 else 0.0, spent


@leaf
def _store(con, best, slot, count):
    for c in range(count):
        for k in range(4):
            best[slot, 4 * c + k] = con[slot, c, IMPULSE + k]


@leaf
def _recall(con, best, slot, count):
    for c in range(count):
        for k in range(4):
            con[slot, c, IMPULSE + k] = best[slot, 4 * c + k]


@leaf
def onto_cone(con, slot, c):
    """Cut an impulse to its cone: rounding must not leave it outside."""
    t = (con[slot, c, IMPULSE], con[slot, c, IMPULSE + 1], con[slot, c, IMPULSE + 2], con[slot, c, IMPULSE + 3])
    r = projected(con, slot, c, t)
    for k in range(4):
        con[slot, c, IMPULSE + k] = r[k]


@kernel
def solve_contacts(trees, W, con, A, Y, x, index, best, pivots, bodies, slot, count):
    """Impulses of all contacts that take part, from their present ones; returns (relative residual, Newton steps).

    AFTER is not kept: J v of the new velocity is the truth.

    Where Newton's method does not settle, sweeps contact by contact bring it nearer and it starts again.
    """
    soft, most, sweeps, good = _SOFT, ITERATIONS, 20, GOOD
    for c in range(count):
        if con[slot, c, WORKED] > 0.0:
            good = TOLERANCE
    unknowns = order_trees(trees, con, bodies, slot, count) if count > LARGE else 0
    least, spent = _newton(
        trees, W, con, A, Y, x, index, best, pivots, bodies, unknowns, good, soft, most, slot, count
    )  # fmt: skip
    for turn in range(ROUNDS):
        if least <= ACCEPTED or spent >= (MOST_OF_MANY if unknowns > 0 else MOST_NEWTON):
            break
        scale, largest = impulse_scale(W, con, slot, count)
        if largest > scale:  # ran away along directions that move nothing: from rest, then
            for c in range(count):
                for k in range(4):
                    con[slot, c, IMPULSE + k] = 0.0
        for _ in range(sweeps):
            sweep(W, con, slot, count)
        sweeps, soft, most = 2 * sweeps, min(100.0 * soft, 1e-3), 2 * most if turn > 1 else most
        least, more = _newton(
            trees, W, con, A, Y, x, index, best, pivots, bodies, unknowns, good, soft, min(most, 60), slot, count
        )  # fmt: skip
        spent += more
    for c in range(count):
        con[slot, c, WORKED] = 1.0 if spent > 0 else 0.0
        if con[slot, c, INCLUDED] > 0.0:
            onto_cone(con, slot, c)
    return least, spent
