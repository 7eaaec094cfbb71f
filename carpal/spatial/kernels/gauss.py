"""Solving a small general system in place by Gaussian elimination with partial pivoting (Yesmunt 2014, section 5.1.2)."""

from carpal._core.compile import kernel


@kernel
def solve_general(A, x, slot, n):
    """Overwrite A[slot] with its elimination and x[slot] with A^-1 x; False if A is singular or not finite."""
    for j in range(n):
        pivot, largest = j, abs(A[slot, j, j])
        for i in range(j + 1, n):
            if abs(A[slot, i, j]) > largest:
                pivot, largest = i, abs(A[slot, i, j])
        if not largest > 0.0 or 0.0 * largest != 0.0:
            return False
        if pivot != j:
            for k in range(j, n):
                A[slot, j, k], A[slot, pivot, k] = A[slot, pivot, k], A[slot, j, k]
            x[slot, j], x[slot, pivot] = x[slot, pivot], x[slot, j]
        for i in range(j + 1, n):
            factor = A[slot, i, j] / A[slot, j, j]
            for k in range(j + 1, n):
                A[slot, i, k] -= factor * A[slot, j, k]
            x[slot, i] -= factor * x[slot, j]
    for i in range(n - 1, -1, -1):
        s = x[slot, i]
        for k in range(i + 1, n):
            s -= A[slot, i, k] * x[slot, k]
        x[slot, i] = s / A[slot, i, i]
        if 0.0 * x[slot, i] != 0.0:  # infinite or NaN came in beside the pivots
            return False
    return True
