"""A small general matrix factored once and used for several right sides: L U = P A with partial pivoting, in place.

Newton's method asks for the same matrix again (contacts that keep their branch, the steps of a finger), as does closing gaps;
`gauss.py`, which keeps no factors, would start again each time.
"""

from carpal._core.compile import kernel, leaf


@leaf
def _factor(A, pivots, slot, first, last):
    for j in range(first, last):
        pivot, largest = j, abs(A[slot, j, j])
        for i in range(j + 1, last):
            if abs(A[slot, i, j]) > largest:
                pivot, largest = i, abs(A[slot, i, j])
        if not largest > 0.0 or 0.0 * largest != 0.0:
            return False
        pivots[slot, j] = pivot
        if pivot != j:
            for k in range(first, last):
                A[slot, j, k], A[slot, pivot, k] = A[slot, pivot, k], A[slot, j, k]
        inverse = 1.0 / A[slot, j, j]
        for i in range(j + 1, last):
            if A[slot, i, j] == 0.0:  # blocks that know nothing of each other stay so
                continue
            factor = A[slot, i, j] * inverse
            A[slot, i, j] = factor
            for k in range(j + 1, last):
                A[slot, i, k] -= factor * A[slot, j, k]
    return True


@leaf
def _solve(A, pivots, x, slot, first, last):
    for j in range(first, last):
        pivot = int(pivots[slot, j])
        if pivot != j:
            x[slot, j], x[slot, pivot] = x[slot, pivot], x[slot, j]
    for i in range(first, last):
        s = x[slot, i]
        for k in range(first, i):
            s -= A[slot, i, k] * x[slot, k]
        x[slot, i] = s
    for i in range(last - 1, first - 1, -1):
        s = x[slot, i]
        for k in range(i + 1, last):
            s -= A[slot, i, k] * x[slot, k]
        x[slot, i] = s / A[slot, i, i]
        if 0.0 * x[slot, i] != 0.0:
            return False
    return True


@kernel
def factor_general(A, pivots, slot, n):
    """Overwrite A[slot] (n, n) with its factors and pivots[slot] with the rows that were swapped; False if it is singular."""
    return _factor(A, pivots, slot, 0, n)


@kernel
def solve_factored(A, pivots, x, slot, n):
    """Overwrite x[slot] with A^-1 x from the factors; False where that is not finite."""
    return _solve(A, pivots, x, slot, 0, n)


@kernel
def factor_block(A, pivots, slot, first, last):
    """As `factor_general` for the rows and columns first to last alone."""
    return _factor(A, pivots, slot, first, last)


@kernel
def solve_block(A, pivots, x, slot, first, last):
    """As `solve_factored` for the places first to last alone, from the factors of that block."""
    return _solve(A, pivots, x, slot, first, last)
