"""A small LU factorisation that is kept and used for several right sides (partial pivoting, Golub and Van Loan, 3.4)."""

from carpal._jit import kernel


@kernel
def factor(A, order, slot, n):
    """Overwrite A[slot] with its factors, rows exchanged as `order[slot]` says; False if it is singular or not finite."""
    for j in range(n):
        pivot, largest = j, abs(A[slot, j, j])
        for i in range(j + 1, n):
            if abs(A[slot, i, j]) > largest:
                pivot, largest = i, abs(A[slot, i, j])
        if not largest > 0.0 or 0.0 * largest != 0.0:
            return False
        order[slot, j] = pivot
        if pivot != j:
            for k in range(n):
                A[slot, j, k], A[slot, pivot, k] = A[slot, pivot, k], A[slot, j, k]
        inverse = 1.0 / A[slot, j, j]
        for i in range(j + 1, n):
            share = A[slot, i, j] * inverse
            A[slot, i, j] = share
            for k in range(j + 1, n):
                A[slot, i, k] -= share * A[slot, j, k]
    return True


@kernel
def solve_factored(A, order, x, slot, n):
    """Overwrite x[slot] with A^-1 x, from what `factor` left."""
    for j in range(n):
        pivot = int(order[slot, j])
        x[slot, j], x[slot, pivot] = x[slot, pivot], x[slot, j]
    for i in range(1, n):
        s = x[slot, i]
        for k in range(i):
            s -= A[slot, i, k] * x[slot, k]
        x[slot, i] = s
    for i in range(n - 1, -1, -1):
        s = x[slot, i]
        for k in range(i + 1, n):
            s -= A[slot, i, k] * x[slot, k]
        x[slot, i] = s / A[slot, i, i]
