"""Couplings and loops eliminated: the directions that they forbid, orthonormal in the metric of the step.

With M^ = L L^T, Z = L^-1 G^T holds the rows behind the factor of the mass matrix. Gram-Schmidt makes them orthonormal, twice
each for the sake of rounding, and drops a row that the rows before it imply (a planar loop written as three equations in
space). The same operations turn the residuals into `steps`. Then

    v - L^-T Z (Z^T L^T v)  has G v = 0 and is nearest to v (the constraints' impulse is G^T times a multiplier),
    Y - Z (Z^T Y)           are contact rows whose impulses keep G v = 0, so Y^T Y is the contact matrix of the closed mechanism,
    -L^-T Z steps           is the mass-weighted move of `q` that removes the residuals, to first order.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.constraint_rows import RESIDUAL, SIZE, STEP, constraint_rows, largest_residual
from carpal.engines.modal.kernels.constraint_table import C_FIRST, C_KIND, COUPLED, WELDED
from carpal.engines.modal.kernels.contact_rows import SIDE_ROWS, components
from carpal.engines.modal.kernels.contact_table import (
    ORDER_DOF,
    TREE_A,
    TREE_B,
    TREE_COUNT,
    TREE_FIRST,
    TREE_HELD,
    TREE_HOLDS,
)
from carpal.engines.modal.kernels.tree_blocks import backward_tree, forward_row
from carpal.kinematics.kernels.integrate import integrate
from carpal.kinematics.kernels.placement import place_body

IMPLIED = 1e-7
"""Share of a row that is left when the rows before it are taken away, below which they imply it."""
ROUNDING = 1e-11
"""Share of a contact row that is left when couplings and loops are taken away, below which it is rounding."""
CLOSED = 1e-13
"""[m, rad] residual below which couplings and loops need no correction."""
MOST_MOVES = 30


@leaf
def _share_sizes(constraints, numbers, slot):
    """Rows of one kind of one loop are compared with the largest of them: alone, a row of rounding errors looks sound."""
    for k in range(constraints.shape[0]):
        kind, at = int(constraints[k, C_KIND]), int(constraints[k, C_FIRST])
        if kind == COUPLED:
            continue
        for first in range(at, at + (6 if kind == WELDED else 3), 3):
            largest = 0.0
            for i in range(3):
                largest = max(largest, numbers[slot, SIZE, first + i])
            for i in range(3):
                numbers[slot, SIZE, first + i] = largest


@kernel
def constraint_basis(trees, constraints, L, held, slot):
    """Fill Z and the steps of `held` from its G and residuals, and from the factors L."""
    G, Z, numbers = held.G, held.Z, held.numbers
    for tree in range(trees.shape[0]):
        first, n, low = trees[tree, TREE_FIRST], trees[tree, TREE_COUNT], trees[tree, TREE_HELD]
        for row in range(low, low + trees[tree, TREE_HOLDS]):
            forward_row(L, first, n, G, Z, row, slot)
            numbers[slot, STEP, row], size = numbers[slot, RESIDUAL, row], 0.0
            for i in range(n):
                size += Z[slot, row, i] * Z[slot, row, i]
            numbers[slot, SIZE, row] = size
    _share_sizes(constraints, numbers, slot)
    for tree in range(trees.shape[0]):
        n, low = trees[tree, TREE_COUNT], trees[tree, TREE_HELD]
        for row in range(low, low + trees[tree, TREE_HOLDS]):
            for _ in range(2):
                for other in range(low, row):
                    share = 0.0
                    for i in range(n):
                        share += Z[slot, row, i] * Z[slot, other, i]
                    for i in range(n):
                        Z[slot, row, i] -= share * Z[slot, other, i]
                    numbers[slot, STEP, row] -= share * numbers[slot, STEP, other]
            size = 0.0
            for i in range(n):
                size += Z[slot, row, i] * Z[slot, row, i]
            factor = 1.0 / math.sqrt(size) if size > IMPLIED * IMPLIED * numbers[slot, SIZE, row] else 0.0
            for i in range(n):
                Z[slot, row, i] *= factor
            numbers[slot, STEP, row] *= factor


@kernel
def hold_contacts(trees, con, Y, Z, slot, count):
    """Y of all contacts without its part along Z; rows that the closed mechanism cannot move become zero."""
    for c in range(count):
        for side in range(2):
            tree = int(con[slot, c, TREE_B if side else TREE_A])
            if tree < 0:
                continue
            n, low, at = trees[tree, TREE_COUNT], trees[tree, TREE_HELD], SIDE_ROWS * c + 4 * side
            for y in range(at, at + components(con, slot, c)):
                before, after = 0.0, 0.0
                for i in range(n):
                    before += Y[slot, y, i] * Y[slot, y, i]
                for row in range(low, low + trees[tree, TREE_HOLDS]):
                    share = 0.0
                    for i in range(n):
                        share += Y[slot, y, i] * Z[slot, row, i]
                    for i in range(n):
                        Y[slot, y, i] -= share * Z[slot, row, i]
                for i in range(n):
                    after += Y[slot, y, i] * Y[slot, y, i]
                if after <= ROUNDING * ROUNDING * before:
                    for i in range(n):
                        Y[slot, y, i] = 0.0


@leaf
def _spread(trees, order, L, Z, numbers, column, x, slot):
    """X = -L^-T Z times the numbers in a column of all rows."""
    for dof in range(x.shape[1]):
        x[slot, dof] = 0.0
    for tree in range(trees.shape[0]):
        first, n, low = trees[tree, TREE_FIRST], trees[tree, TREE_COUNT], trees[tree, TREE_HELD]
        if trees[tree, TREE_HOLDS] == 0:
            continue
        for row in range(low, low + trees[tree, TREE_HOLDS]):
            for i in range(n):
                x[slot, order[first + i, ORDER_DOF]] -= numbers[slot, column, row] * Z[slot, row, i]
        backward_tree(order, L, x, first, n, slot)


@kernel
def hold_velocity(trees, order, L, held, v, x, slot):
    """Take from v what couplings and loops forbid; x (nv) and the sizes are overwritten."""
    for tree in range(trees.shape[0]):
        first, n, low = trees[tree, TREE_FIRST], trees[tree, TREE_COUNT], trees[tree, TREE_HELD]
        if trees[tree, TREE_HOLDS] == 0:
            continue
        for i in range(n):  # L^T v; the diagonal of L is inverted
            a = order[first + i, ORDER_DOF]
            s = v[slot, a] / L[slot, first + i, i]
            for k in range(i + 1, n):
                s += L[slot, first + k, i] * v[slot, order[first + k, ORDER_DOF]]
            x[slot, a] = s
        for row in range(low, low + trees[tree, TREE_HOLDS]):
            speed = 0.0
            for i in range(n):
                speed += held.Z[slot, row, i] * x[slot, order[first + i, ORDER_DOF]]
            held.numbers[slot, SIZE, row] = speed
    _spread(trees, order, L, held.Z, held.numbers, SIZE, x, slot)
    for dof in range(v.shape[1]):
        v[slot, dof] += x[slot, dof]


@kernel
def rebuild_constraints(plant, work, slot):
    """Rows, residuals and basis at the poses in `placed` and with the factors in L."""
    constraints, held = plant.ties.constraints, work.held
    constraint_rows(
        plant.joints, plant.bodies, plant.order, constraints, work.vectors.q, work.tables.search.placed, held.G,
        held.numbers, slot,
    )  # fmt: skip
    constraint_basis(plant.trees, constraints, work.tables.L, held, slot)


@kernel
def closing_move(plant, work, move, slot):
    """Write to `move` (nv) the move of `q` that closes couplings and loops, to first order; residuals must be up to date."""
    constraint_basis(plant.trees, plant.ties.constraints, work.tables.L, work.held, slot)
    _spread(plant.trees, plant.order, work.tables.L, work.held.Z, work.held.numbers, STEP, move, slot)


@kernel
def close_constraints(plant, work, slot):
    """Correct `q` until couplings and loops are closed, contacts left aside; returns the largest residual [m, rad]."""
    vectors, placed, before = work.vectors, work.tables.search.placed, 1e300
    for _ in range(MOST_MOVES):
        for body in range(1, plant.joints.shape[0]):
            place_body(plant.joints, plant.bodies, vectors.q, placed, slot, slot, body, True)
        constraint_rows(
            plant.joints, plant.bodies, plant.order, plant.ties.constraints, vectors.q, placed, work.held.G,
            work.held.numbers, slot,
        )  # fmt: skip
        worst = largest_residual(work.held.numbers, slot)
        if worst <= CLOSED or worst > 0.5 * before:
            return worst
        before = worst
        closing_move(plant, work, vectors.spare, slot)
        integrate(plant.joints, vectors.q, vectors.spare, 1.0, vectors.q, slot)
    return before
