"""Constraint rows solved by mass-weighted projection: J x = target with the least x^T A x, A = L L^T.

With W = L^-1 J^T the answer is x = L^-T W (W^T W)^-1 target. W is factored as Q R by the modified Gram-Schmidt method, each
vector orthogonalised twice (Giraud, Langou, Rozloznik, "The loss of orthogonality in the Gram-Schmidt orthogonalization
process", 2005), the row with most left over first. A row whose rest is below `RANK` of its size depends on the others: it is
left out, which is exact where it is consistent with them (the row across the plane of a planar loop, a second loop that says
the same). W^T W itself would square the condition number.
"""

import math

from carpal._core.compile import kernel
from carpal.engines.rigid.kernels.passive import PRESCRIBED
from carpal.spatial.kernels.cholesky_factor import solve_lower, solve_upper

RANK = 1e-8
"""Share of a row's size below which it counts as dependent."""


@kernel
def _swap_rows(Q, R, order, a, b, slot):
    """Swap vectors a and b with what is known of them."""
    for j in range(Q.shape[2]):
        Q[slot, a, j], Q[slot, b, j] = Q[slot, b, j], Q[slot, a, j]
    for i in range(R.shape[1]):
        R[slot, i, a], R[slot, i, b] = R[slot, i, b], R[slot, i, a]
    order[slot, a], order[slot, b] = order[slot, b], order[slot, a]


@kernel
def _remove(Q, R, k, j, slot):
    """Take vector k out of vector j."""
    s = 0.0
    for i in range(Q.shape[2]):
        s += Q[slot, k, i] * Q[slot, j, i]
    for i in range(Q.shape[2]):
        Q[slot, j, i] -= s * Q[slot, k, i]
    R[slot, k, j] += s


@kernel
def factor_rows(A, dofs, J, size, count, Q, R, order, slot):
    """Fill Q, R and the order of the rows; returns the rank. Prescribed joints do not answer to the rows' forces.

    Args are indexed by slot: A (nv, nv) holds the factor L, J (rows, nv), size (rows), of which `count` rows are used.
    """
    n = J.shape[2]
    for r in range(count):
        order[slot, r] = r
        for j in range(n):
            Q[slot, r, j] = 0.0 if dofs[j, PRESCRIBED] != 0.0 else J[slot, r, j]
        solve_lower(A, Q, slot, r, n)
        for k in range(count):
            R[slot, k, r] = 0.0
    for k in range(count):
        best, most = k, -1.0
        for r in range(k, count):
            rest = 0.0
            for j in range(n):
                rest += Q[slot, r, j] * Q[slot, r, j]
            whole = size[slot, int(order[slot, r])]
            share = rest / whole if whole > 0.0 else 0.0
            if share > most:
                best, most = r, share
        if not most > RANK * RANK:
            return k
        if best != k:
            _swap_rows(Q, R, order, k, best, slot)
        for i in range(k):
            _remove(Q, R, i, k, slot)
        length = 0.0
        for j in range(n):
            length += Q[slot, k, j] * Q[slot, k, j]
        length = math.sqrt(length)
        R[slot, k, k] = length
        for j in range(n):
            Q[slot, k, j] /= length
        for r in range(k + 1, count):
            _remove(Q, R, k, r, slot)
    return count


@kernel
def solve_rows(A, Q, R, order, rank, target, y, x, slot):
    """Fill x[slot, 0] (nv) with the least motion whose rows are target[slot]; y[slot] (rows) is scratch."""
    n = Q.shape[2]
    for j in range(n):
        x[slot, 0, j] = 0.0
    for k in range(rank):
        s = target[slot, int(order[slot, k])]
        for i in range(k):
            s -= R[slot, i, k] * y[slot, i]
        y[slot, k] = s / R[slot, k, k]
        for j in range(n):
            x[slot, 0, j] += y[slot, k] * Q[slot, k, j]
    solve_upper(A, x, slot, 0, n)


@kernel
def multipliers(R, order, rank, y, factors, slot):
    """Fill factors[slot] (rows) with the rows' forces from y of `solve_rows`; rows that were left out have none."""
    for r in range(factors.shape[1]):
        factors[slot, r] = 0.0
    for k in range(rank - 1, -1, -1):
        s = y[slot, k]
        for i in range(k + 1, rank):
            s -= R[slot, k, i] * factors[slot, int(order[slot, i])]
        factors[slot, int(order[slot, k])] = s / R[slot, k, k]
