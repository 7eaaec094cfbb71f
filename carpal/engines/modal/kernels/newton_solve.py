"""All contacts of a world at once: semismooth Newton on the law of `friction_law.py` (Alart and Curnier 1991).

Rows of contacts that press: stick and normal rows ask for their velocity, sliding rows for r_t = mu r_n t / |t|. Contacts
that are apart have no rows. W may be singular (a block on four corners, a finger at full stretch): only the Newton matrix gets
1e-9 of W's diagonal, the residual is taken with W itself, so redundant contacts carry their load without any
compliance. The first guess is the step before, and the null-space part of indeterminate forces stays as it was.
"""

import math

from carpal._jit import kernel, leaf
from carpal.engines.modal.kernels.contact_table import (
    AFTER,
    IMPULSE,
    INCLUDED,
    MU,
    SHIFT,
    TORSION,
    rows_of,
    takes,
)
from carpal.engines.modal.kernels.friction_law import (
    impulse_scale,
    law_residual,
    projected,
    steps_of,
    trial,
    velocities_under,
)
from carpal.engines.modal.kernels.sweep_solve import sweep
from carpal.spatial.kernels.gauss import solve_general

GOOD = 1e-12
"""Residual with which a first guess is kept."""
TOLERANCE = 1e-14
"""Residual, relative to the largest impulse, at which iterating stops."""
ACCEPTED = 1e-11
"""Residual with which a step is still accepted without another round."""
ITERATIONS = 16
ROUNDS = 9
_SOFT = (
    1e-9  # share of W's diagonal that the Newton matrix gets; a hundred times more in each further round, up to 1e-3
)


@leaf
def _put_row(W, A, index, slot, m, i, size, k):
    """Row i of the Newton matrix: k times the row of W that belongs to unknown i."""
    row = int(index[slot, i])
    for j in range(m):
        A[slot, i, j] = k * W[slot, row, int(index[slot, j])]


@kernel
def _newton_system(W, con, A, x, index, soft, slot, count):
    """Fill A and the right side x for the contacts that press; returns how many unknowns there are."""
    m = 0
    for c in range(count):
        if con[slot, c, INCLUDED] == 0.0:
            continue
        t = trial(W, con, slot, c)
        if t[2] <= 0.0:
            continue
        rows = rows_of(con, slot, c)
        for k in range(4):
            if takes(rows, k):
                index[slot, m] = 4 * c + k
                m += 1
    i = 0
    while i < m:
        c = int(index[slot, i]) // 4
        rows = rows_of(con, slot, c)
        t = trial(W, con, slot, c)
        _, rho, _ = steps_of(W, slot, c)
        n_at = i if rows == 1 else i + 2
        size = W[slot, 4 * c + 2, 4 * c + 2]
        if rows > 1:
            mu = con[slot, c, MU]
            size = max(size, max(W[slot, 4 * c, 4 * c], W[slot, 4 * c + 1, 4 * c + 1]))
            length = math.sqrt(t[0] * t[0] + t[1] * t[1])
            if length <= mu * t[2]:
                for k in range(2):
                    _put_row(W, A, index, slot, m, i + k, size, 1.0)
                    A[slot, i + k, i + k] += soft * size
                    x[slot, i + k] = -con[slot, c, AFTER + k]
            else:
                d1, d2 = t[0] / length, t[1] / length
                share = mu * t[2] / length
                p11, p12, p22 = share * d2 * d2, -share * d1 * d2, share * d1 * d1
                for j in range(m):
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
                # F + dF = 0 with F_t = r_t - mu r_n d, whose second part already holds the turning of d
                r_n = con[slot, c, IMPULSE + 2]
                x[slot, i] = mu * r_n * d1 - con[slot, c, IMPULSE]
                x[slot, i + 1] = mu * r_n * d2 - con[slot, c, IMPULSE + 1]
        _put_row(W, A, index, slot, m, n_at, size, 1.0)
        A[slot, n_at, n_at] += soft * size
        x[slot, n_at] = -(con[slot, c, AFTER + 2] + con[slot, c, SHIFT])
        if rows > 3:
            torsion = con[slot, c, TORSION]
            at = i + 3
            if abs(t[3]) <= torsion * t[2]:
                _put_row(W, A, index, slot, m, at, size, 1.0)
                A[slot, at, at] += soft * W[slot, 4 * c + 3, 4 * c + 3]
                x[slot, at] = -con[slot, c, AFTER + 3]
            else:
                sign = math.copysign(1.0, t[3])
                for j in range(m):
                    A[slot, at, j] = 0.0
                A[slot, at, at] = 1.0
                A[slot, at, n_at] = -sign * torsion
                x[slot, at] = sign * torsion * con[slot, c, IMPULSE + 2] - con[slot, c, IMPULSE + 3]
        i += rows
    return m


@kernel
def _newton(W, con, A, x, index, best, soft, most, slot, count):
    """Iterate from the present impulses; keeps the best ones in `best`. Returns (residual / scale, iterations)."""
    velocities_under(W, con, slot, count)
    worst, scale = law_residual(W, con, slot, count)
    least = worst
    _store(con, best, slot, count)
    spent, poor = 0, 0
    if worst <= GOOD * scale:
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
        m = _newton_system(W, con, A, x, index, soft, slot, count)
        if m and not solve_general(A, x, slot, m):
            worst = 1e300  # what came apart above was not judged
            break
        for i in range(m):
            row = int(index[slot, i])
            con[slot, row // 4, IMPULSE + row % 4] += x[slot, i]
        velocities_under(W, con, slot, count)
        worst, scale = law_residual(W, con, slot, count)
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
def solve_contacts(W, con, A, x, index, best, slot, count):
    """Impulses of all contacts that take part, from their present ones; returns (relative residual, Newton steps).

    AFTER is not kept: J v of the new velocity is the truth.

    Where Newton's method does not settle, sweeps contact by contact bring it nearer and it starts again.
    """
    soft, most, sweeps = _SOFT, ITERATIONS, 20
    least, spent = _newton(W, con, A, x, index, best, soft, most, slot, count)
    for turn in range(ROUNDS):
        if least <= ACCEPTED:
            break
        scale, largest = impulse_scale(W, con, slot, count)
        if largest > scale:  # ran away along directions that move nothing: from rest, then
            for c in range(count):
                for k in range(4):
                    con[slot, c, IMPULSE + k] = 0.0
        for _ in range(sweeps):
            sweep(W, con, slot, count)
        sweeps, soft, most = 2 * sweeps, min(100.0 * soft, 1e-3), 2 * most if turn > 1 else most
        least, more = _newton(W, con, A, x, index, best, soft, min(most, 100), slot, count)
        spent += more
    for c in range(count):
        if con[slot, c, INCLUDED] > 0.0:
            onto_cone(con, slot, c)
    return least, spent
