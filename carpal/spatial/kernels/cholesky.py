"""Solving a small symmetric positive-definite system in place, by hand because kernels call no library."""

import math

from carpal._core.compile import kernel


@kernel
def solve_spd(A, x, slot, n):
    """Overwrite the lower triangle of A[slot] with its Cholesky factor and x[slot] with A^-1 x; False if not positive."""
    for j in range(n):
        d = A[slot, j, j]
        for k in range(j):
            d -= A[slot, j, k] * A[slot, j, k]
        if not d > 0.0:
            return False
        d = math.sqrt(d)
        A[slot, j, j] = d
        inverse = 1.0 / d
        for i in range(j + 1, n):
            s = A[slot, i, j]
            for k in range(j):
                s -= A[slot, i, k] * A[slot, j, k]
            A[slot, i, j] = s * inverse
    for i in range(n):
        s = x[slot, i]
        for k in range(i):
            s -= A[slot, i, k] * x[slot, k]
        x[slot, i] = s / A[slot, i, i]
    for i in range(n - 1, -1, -1):
        s = x[slot, i]
        for k in range(i + 1, n):
            s -= A[slot, k, i] * x[slot, k]
        x[slot, i] = s / A[slot, i, i]
    return True
