"""Derivatives of forward dynamics: those of inverse dynamics at the same motion, multiplied by the inverse mass matrix."""

import math

from carpal._core.compile import entry, kernel
from carpal.dynamics.kernels.rnea_derivatives import rnea_derivatives


@kernel
def factor_rows(M, world):
    """Overwrite the lower triangle of M[world] with its Cholesky factor; False if it is not positive."""
    n = M.shape[1]
    for j in range(n):
        d = M[world, j, j]
        for k in range(j):
            d -= M[world, j, k] * M[world, j, k]
        if not d > 0.0:
            return False
        M[world, j, j] = math.sqrt(d)
        for i in range(j + 1, n):
            s = M[world, i, j]
            for k in range(j):
                s -= M[world, i, k] * M[world, j, k]
            M[world, i, j] = s / M[world, j, j]
    return True


@kernel
def solve_rows(L, B, world, sign):
    """B[world] = sign (L L^T)^-1 B[world]."""
    n = L.shape[1]
    for i in range(n):
        for k in range(i):
            factor = L[world, i, k]
            for j in range(n):
                B[world, i, j] -= factor * B[world, k, j]
        for j in range(n):
            B[world, i, j] /= L[world, i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            factor = L[world, k, i]
            for j in range(n):
                B[world, i, j] -= factor * B[world, k, j]
        for j in range(n):
            B[world, i, j] /= L[world, i, i]
    for i in range(n):
        for j in range(n):
            B[world, i, j] *= sign


@kernel
def invert_rows(L, world):
    """L[world], a lower triangle, becomes (L L^T)^-1, both triangles."""
    n = L.shape[1]
    for j in range(n):  # the inverse of the triangle, below the diagonal
        L[world, j, j] = 1.0 / L[world, j, j]
        for i in range(j + 1, n):
            s = 0.0
            for k in range(j, i):
                s -= L[world, i, k] * L[world, k, j]
            L[world, i, j] = s / L[world, i, i]
    for i in range(n):
        for j in range(i, n):
            s = 0.0
            for k in range(j, n):
                s += L[world, k, i] * L[world, k, j]
            L[world, i, j] = s
    for i in range(n):
        for j in range(i):
            L[world, i, j] = L[world, j, i]


@entry
def forward_derivatives_batch(joints, bodies, q, v, vdot, dq, dv, inverse, scratch, motions, start, stop, stride, slot):
    """D vdot / dq, d vdot / dv and M^-1 of every world; refused where M is singular."""
    bad = 0
    for world in range(start, stop, stride):
        wrong = rnea_derivatives(joints, bodies, q, v, vdot, dq, dv, inverse, scratch, motions, world, slot)
        if wrong or not factor_rows(inverse, world):
            bad = world + 1 if bad == 0 else bad
            continue
        solve_rows(inverse, dq, world, -1.0)
        solve_rows(inverse, dv, world, -1.0)
        invert_rows(inverse, world)
    return bad
