"""Mass matrix by trees: one Cholesky factor per robot tree, closed blocks for single free bodies.

M^ = M + dt D + dt^2 P holds the damping and springs of joints and tendons and the servo's gains
as they are at the end of the step, so stiff gains
need no small step. dt = 0 gives M itself, which is what an impulse meets.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.contact_table import (
    DOF_DAMPING,
    DOF_FRICTION,
    DOF_SMOOTH,
    DOF_SPRING,
    DOF_STIFFNESS,
    ORDER_DOF,
    TREE_COUNT,
    TREE_FIRST,
    TREE_SINGLE,
)
from carpal.engines.modal.kernels.gyroscopic import free_turn
from carpal.engines.modal.kernels.passive_forces import add_tendons
from carpal.kinematics.kernels.placement import R_WB
from carpal.kinematics.kernels.state import vector_of
from carpal.model.kernels.tables import INERTIA, MASS, MOMENT, symmetric_at, vector_at
from carpal.spatial.kernels.scratch import get_matrix
from carpal.spatial.kernels.vec3 import dot, product, rotate, rotate_symmetric


@leaf
def damping_of(dofs, dof, v):
    """Viscous damping of a freedom, with Coulomb friction as the damping that gives its force at this speed."""
    return dofs[dof, DOF_DAMPING] + dofs[dof, DOF_FRICTION] / max(abs(v), dofs[dof, DOF_SMOOTH])


@leaf
def _free_body_block(bodies, placed, slot, body, w_B, dt, L, first):
    """The 6 x 6 block of a free body, linear first, into the lower triangle of L.

    Where its frame is at the mass centre the inertia is that after its free turn: impulses then change momentum in space.
    """
    R = get_matrix(placed, slot, body, R_WB)
    m, h, I = bodies[body, MASS], vector_at(bodies, body, MOMENT), symmetric_at(bodies, body, INERTIA)
    if dt > 0.0 and dot(w_B, w_B) > 0.0 and dot(h, h) <= (1e-9 * m) ** 2:
        _, _, turn = free_turn(I, R, w_B, dt)
        R = product(turn, R)
    h, I = rotate(R, h), rotate_symmetric(R, I)
    for i in range(3):
        for j in range(3):
            L[slot, first + i, j] = m if i == j else 0.0
    # angular rows: moment of momentum about the origin of a unit linear velocity, h x e
    L[slot, first + 3, 0], L[slot, first + 3, 1], L[slot, first + 3, 2] = 0.0, -h[2], h[1]
    L[slot, first + 4, 0], L[slot, first + 4, 1], L[slot, first + 4, 2] = h[2], 0.0, -h[0]
    L[slot, first + 5, 0], L[slot, first + 5, 1], L[slot, first + 5, 2] = -h[1], h[0], 0.0
    L[slot, first + 3, 3], L[slot, first + 4, 4], L[slot, first + 5, 5] = I[0], I[1], I[2]
    L[slot, first + 4, 3], L[slot, first + 5, 3], L[slot, first + 5, 4] = I[3], I[4], I[5]


@kernel
def factor_trees(bodies, trees, order, dofs, tendons, q, v, dt, M, placed, L, slot):
    """Cholesky factors of every tree's block of M^ into L (rows in `order`, diagonal inverted); False if one is singular."""
    for tree in range(trees.shape[0]):
        first, n = trees[tree, TREE_FIRST], trees[tree, TREE_COUNT]
        if trees[tree, TREE_SINGLE] > 0:
            w_B = vector_of(v, slot, order[first, ORDER_DOF] + 3)
            _free_body_block(bodies, placed, slot, trees[tree, TREE_SINGLE], w_B, dt, L, first)
        else:
            for i in range(n):
                a = order[first + i, ORDER_DOF]
                for j in range(i + 1):
                    L[slot, first + i, j] = M[slot, a, order[first + j, ORDER_DOF]]
        for i in range(n):
            a = order[first + i, ORDER_DOF]
            stiff = dofs[a, DOF_STIFFNESS] + dofs[a, DOF_SPRING]
            L[slot, first + i, i] += dt * (damping_of(dofs, a, v[slot, a]) + dt * stiff)
        if tendons.shape[0] > 0:
            add_tendons(tendons, trees, order, dofs, q, v, dt, tree, L, slot)
        for j in range(n):
            d = L[slot, first + j, j]
            for k in range(j):
                d -= L[slot, first + j, k] * L[slot, first + j, k]
            if not d > 0.0:
                return False
            d = 1.0 / math.sqrt(d)
            L[slot, first + j, j] = d
            for i in range(j + 1, n):
                s = L[slot, first + i, j]
                for k in range(j):
                    s -= L[slot, first + i, k] * L[slot, first + j, k]
                L[slot, first + i, j] = s * d
    return True


@leaf
def forward_row(L, first, n, source, target, row, slot):
    """target[row] = L^-1 source[row] of one tree."""
    for i in range(n):
        s = source[slot, row, i]
        for k in range(i):
            s -= L[slot, first + i, k] * target[slot, row, k]
        target[slot, row, i] = s * L[slot, first + i, i]


@leaf
def forward_rows(L, first, n, source, target, row, slot):
    """The same of three rows at once, which share what is read of L."""
    for i in range(n):
        a, b, c = source[slot, row, i], source[slot, row + 1, i], source[slot, row + 2, i]
        for k in range(i):
            l = L[slot, first + i, k]
            a -= l * target[slot, row, k]
            b -= l * target[slot, row + 1, k]
            c -= l * target[slot, row + 2, k]
        l = L[slot, first + i, i]
        target[slot, row, i], target[slot, row + 1, i], target[slot, row + 2, i] = l * a, l * b, l * c


@kernel
def solve_trees(trees, order, L, x, slot):
    """Overwrite x (nv, in the order of freedoms) with M^-1 x."""
    for tree in range(trees.shape[0]):
        first, n = trees[tree, TREE_FIRST], trees[tree, TREE_COUNT]
        for i in range(n):
            a = order[first + i, ORDER_DOF]
            s = x[slot, a]
            for k in range(i):
                s -= L[slot, first + i, k] * x[slot, order[first + k, ORDER_DOF]]
            x[slot, a] = s * L[slot, first + i, i]
        backward_tree(order, L, x, first, n, slot)


@leaf
def backward_tree(order, L, x, first, n, slot):
    """Overwrite one tree's part of x with L^-T x."""
    for i in range(n - 1, -1, -1):
        a = order[first + i, ORDER_DOF]
        s = x[slot, a]
        for k in range(i + 1, n):
            s -= L[slot, first + k, i] * x[slot, order[first + k, ORDER_DOF]]
        x[slot, a] = s * L[slot, first + i, i]
