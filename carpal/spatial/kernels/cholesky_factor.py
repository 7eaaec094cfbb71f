"""A small symmetric positive-definite matrix factored once and used for many right sides: A = L L^T, L in the lower triangle.

The strict upper triangle keeps what it held. `cholesky.py`, which factors and solves at once, keeps no factor for later.
"""

import math

from carpal._core.compile import kernel

SINGULAR = 1e-14
"""A pivot below this share of its diagonal entry is rounding."""


@kernel
def factor_spd(A, slot, n):
    """Overwrite the lower triangle of A[slot] with L; False where a pivot is not above rounding, or not finite."""
    for j in range(n):
        d = A[slot, j, j]
        least = SINGULAR * d
        for k in range(j):
            d -= A[slot, j, k] * A[slot, j, k]
        if not d > least:
            return False
        d = math.sqrt(d)
        A[slot, j, j] = d
        inverse = 1.0 / d
        for i in range(j + 1, n):
            s = A[slot, i, j]
            for k in range(j):
                s -= A[slot, i, k] * A[slot, j, k]
            A[slot, i, j] = s * inverse
    return True


@kernel
def solve_lower(A, x, slot, row, n):
    """Overwrite x[slot, row] with L^-1 x."""
    for i in range(n):
        s = x[slot, row, i]
        for k in range(i):
            s -= A[slot, i, k] * x[slot, row, k]
        x[slot, row, i] = s / A[slot, i, i]


@kernel
def solve_upper(A, x, slot, row, n):
    """Overwrite x[slot, row] with L^-T x."""
    for i in range(n - 1, -1, -1):
        s = x[slot, row, i]
        for k in range(i + 1, n):
            s -= A[slot, k, i] * x[slot, row, k]
        x[slot, row, i] = s / A[slot, i, i]
