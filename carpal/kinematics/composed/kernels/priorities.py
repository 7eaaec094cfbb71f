"""Strict priorities: what is left free by the rows of a level is the null space in which the next level moves.

With x = x_0 + N y, N an orthonormal basis of the directions that keep all higher levels' rows as they are, Householder
reflections of the rows A N (pivoted: the longest remaining row first) turn the columns of N; those beyond the rank are the
new basis.
"""

import math

from carpal._core.compile import kernel

_RANK = 1e-7  # in parts of the longest row: rows that are left shorter than this follow from the others


@kernel
def identity_basis(N, n, slot):
    """Nothing is fixed yet."""
    for i in range(n):
        for j in range(n):
            N[slot, i, j] = 1.0 if i == j else 0.0


@kernel
def _longest_row(P, first, end, column, width, slot):
    """(row, length) of the longest of rows first .. end of P[slot], from a column on."""
    best, length = first, -1.0
    for i in range(first, end):
        s = 0.0
        for k in range(column, width):
            s += P[slot, i, k] * P[slot, i, k]
        if s > length:
            best, length = i, s
    return best, math.sqrt(max(length, 0.0))


@kernel
def _reflect(A, row, P, pivot, column, width, scale, slot):
    """A[slot, row, column:] less its part along the reflection's vector, which stands in P[slot, pivot, column:]."""
    s = 0.0
    for k in range(column, width):
        s += A[slot, row, k] * P[slot, pivot, k]
    s *= scale
    for k in range(column, width):
        A[slot, row, k] -= s * P[slot, pivot, k]


@kernel
def narrow_basis(N, P, first, end, n, width, slot):
    """Take the directions that rows first .. end of P = A N see out of N (n, width); returns the new width. P is overwritten."""
    rank, largest = 0, 0.0
    for step in range(min(end - first, width)):
        pivot = first + step
        best, length = _longest_row(P, pivot, end, step, width, slot)
        if step == 0:
            largest = length
        if not length > _RANK * largest:
            break
        for k in range(width):
            P[slot, pivot, k], P[slot, best, k] = P[slot, best, k], P[slot, pivot, k]
        corner = P[slot, pivot, step]
        P[slot, pivot, step] = corner + (length if corner >= 0.0 else -length)
        scale = 1.0 / (length * (length + abs(corner)))
        for i in range(pivot + 1, end):
            _reflect(P, i, P, pivot, step, width, scale, slot)
        for i in range(n):
            _reflect(N, i, P, pivot, step, width, scale, slot)
        rank += 1
    for i in range(n):
        for j in range(width - rank):
            N[slot, i, j] = N[slot, i, rank + j]
    return width - rank
