"""A small general matrix factored once and used for several right sides: L U = P A with partial pivoting, in place.

Newton's method asks for the same matrix again (contacts that keep their branch, the steps of a finger), as does closing gaps;
`gauss.py`, which keeps no factors, would start anew each time.
"""

from carpal._jit import kernel


@kernel
def factor_general(A, pivots, slot, n):
    """Overwrite A[slot] (n, n) with its factors and pivots[slot] with the rows that were swapped; False if it is singular."""
    for j in range(n):
        pivot, largest = j, abs(A[slot, j, j])
        for i in range(j + 1, n):
            if abs(A[slot, i, j]) > largest:
                pivot, largest = i, abs(A[slot, i, j])
        if not largest > 0.0 or 0.0 * largest != 0.0:
            return False
        pivots[slot, j] = pivot
        if pivot != j:
            for k in range(n):
                A[slot, j, k], A[slot, pivot, k] = A[slot, pivot, k], A[slot, j, k]
        inverse = 1.0 / A[slot, j, j]
        for i in range(j + 1, n):
            if A[slot, i, j] == 0.0:  # blocks that know nothing of each other stay so
                continue
            factor = A[slot, i, j] * inverse
            A[slot, i, j] = factor
            for k in range(j + 1, n):
                A[slot, i, k] -= factor * A[slot, j, k]
    return True


@kernel
def solve_factored(A, pivots, x, slot, n):
    """Overwrite x[slot] with A^-1 x from the factors; False where that is not finite."""
    for j in range(n):
        pivot = int(pivots[slot, j])
        if pivot != j:
            x[slot, j], x[slot, pivot] = x[slot, pivot], x[slot, j]
    for i in range(n):
        s = x[slot, i]
        for k in range(i):
            s -= A[slot, i, k] * x[slot, k]
        x[slot, i] = s
    for i in range(n - 1, -1, -1):
        s = x[slot, i]
        for k in range(i + 1, n):
            s -= A[slot, i, k] * x[slot, k]
        x[slot, i] = s / A[slot, i, i]
        if 0.0 * x[slot, i] != 0.0:
            return False
    return True
