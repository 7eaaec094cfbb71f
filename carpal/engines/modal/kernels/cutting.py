"""How long a step may be: solve, look which open gaps close, cut the step at a fast hit or let a slow one take part.

A gap takes part without friction until it is closed: with it, the sticking rows of redundant neighbours would contradict
each other. A fast approach must not take part at all, or the step would swallow its restitution.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.books import NEWTON_STEPS, SINGULAR, SOLVES
from carpal.engines.modal.kernels.contact_rows import add_impulses, behind_factor, contact_matrix, contact_velocities
from carpal.engines.modal.kernels.contact_table import (
    AFTER,
    BEFORE,
    CLOSED,
    DUE,
    GAP,
    IMPULSE,
    INCLUDED,
    SET_STEP,
    SET_THRESHOLD,
    SHIFT,
    TREE_A,
    TREE_B,
    TREE_SINGLE,
    UNHELD,
)
from carpal.engines.modal.kernels.free_motion import free_velocity
from carpal.engines.modal.kernels.newton_solve import solve_contacts
from carpal.engines.modal.kernels.tree_blocks import factor_trees

MOST_CUTS, MOST_LOOKS = 40, 6


@kernel
def assemble(plant, tables, vectors, robots, dt, anew, u, target, world, slot, count):
    """M^ and its factor, W, and velocities without contact impulses, for a step of length dt; False where M^ is singular.

    anew: whether factor and W are those of another place or step.
    """
    placed = tables.search.placed
    if anew:
        if not factor_trees(
            plant.bodies, plant.trees, plant.order, plant.dofs, vectors.v, dt, tables.M, placed, tables.L, slot
        ):
            return False
        behind_factor(plant.trees, tables.L, tables.con, tables.J, tables.Y, slot, count)
        contact_matrix(plant.trees, tables.con, tables.Y, tables.W, slot, count)
    free_velocity(
        plant.bodies, plant.trees, plant.order, plant.dofs, robots, dt, vectors.q, vectors.v, u, target, world,
        vectors.bias, vectors.weight, placed, tables.L, vectors.free, vectors.move, vectors.spare, slot,
    )  # fmt: skip
    contact_velocities(plant.trees, plant.order, tables.con, tables.J, vectors.free, UNHELD, slot, count)
    return True


@leaf
def _averaged(trees, con, slot, c):
    """Whether both sides of a contact are single free bodies or the world."""
    for side in range(2):
        tree = int(con[slot, c, TREE_B if side else TREE_A])
        if tree >= 0 and trees[tree, TREE_SINGLE] == 0:
            return False
    return True


@leaf
def _closing(trees, con, slot, c, dt):
    """(whether an open gap closes within dt, when, how fast) with velocities running from BEFORE to AFTER."""
    gap, u0, u1 = con[slot, c, GAP], con[slot, c, BEFORE + 2], con[slot, c, AFTER + 2]
    if _averaged(trees, con, slot, c):
        if gap + 0.5 * dt * (u0 + u1) >= 0.0:
            return False, dt, 0.0
        root = u0 * u0 - 2.0 * (u1 - u0) / dt * gap
        if root <= 0.0 or math.sqrt(root) - u0 <= 0.0:
            return True, dt, 0.0
        return True, 2.0 * gap / (math.sqrt(root) - u0), math.sqrt(root)
    if gap + dt * u1 >= 0.0:
        return False, dt, 0.0
    if u1 >= 0.0:
        return True, dt, 0.0
    return True, gap / -u1, -u1


@kernel
def _solve(plant, tables, vectors, books, world, slot, count):
    """The contact law for the contacts that take part; new velocities in `free`, AFTER = J v of them."""
    room = vectors.solving
    _, spent = solve_contacts(tables.W, tables.con, tables.A, room.x, room.places, room.best, room.pivots, slot, count)
    books[world, NEWTON_STEPS] += spent
    books[world, SOLVES] += 1.0
    for dof in range(vectors.v.shape[1]):
        vectors.step[slot, dof] = vectors.free[slot, dof]
    add_impulses(
        plant.trees, plant.order, tables.L, tables.con, tables.Y, IMPULSE, vectors.spare, vectors.step, slot, count
    )
    contact_velocities(plant.trees, plant.order, tables.con, tables.J, vectors.step, AFTER, slot, count)


@leaf
def scale_guess(con, slot, count, share):
    """Impulses of a step of another length, as a first guess."""
    for c in range(count):
        for k in range(4):
            con[slot, c, IMPULSE + k] *= share


@kernel
def choose_step(plant, tables, vectors, robots, dt, cuts, u, target, books, world, slot, count):
    """Solve for a step of at most dt; where an open gap closes fast, for a shorter one. Returns its length, or minus SINGULAR.

    New velocities are in `step`.
    """
    con, threshold = tables.con, plant.settings[SET_THRESHOLD]
    for c in range(count):
        con[slot, c, INCLUDED], con[slot, c, SHIFT], con[slot, c, DUE] = con[slot, c, CLOSED], 0.0, 0.0
        if con[slot, c, CLOSED] == 0.0:
            for k in range(4):
                con[slot, c, IMPULSE + k] = 0.0
    for look in range(MOST_LOOKS):
        _solve(plant, tables, vectors, books, world, slot, count)
        if look == MOST_LOOKS - 1:
            break
        soonest, more = dt, False
        for c in range(count):
            if con[slot, c, INCLUDED] == 0.0 or con[slot, c, DUE] > 0.0:
                closes, when, speed = _closing(plant.trees, con, slot, c, dt)
                if closes and speed > threshold and cuts < MOST_CUTS and when < dt * (1.0 - 1e-9):
                    soonest = min(soonest, when)
                elif closes and speed > threshold and cuts < MOST_CUTS:
                    con[slot, c, DUE] = 1.0
                elif closes and con[slot, c, INCLUDED] == 0.0:
                    con[slot, c, INCLUDED], con[slot, c, SHIFT] = 1.0, con[slot, c, GAP] / dt
                    more = True
        if soonest < dt:
            shorter = max(soonest, 1e-9 * plant.settings[SET_STEP])
            scale_guess(con, slot, count, shorter / dt)
            dt = shorter
            for c in range(count):
                con[slot, c, DUE] = 0.0
                if con[slot, c, CLOSED] == 0.0:
                    con[slot, c, INCLUDED] = 0.0
                    for k in range(4):
                        con[slot, c, IMPULSE + k] = 0.0
            if not assemble(plant, tables, vectors, robots, dt, True, u, target, world, slot, count):
                return -SINGULAR
        elif not more:
            break
    # the hit at which the step was cut is at its end
    for c in range(count):
        if con[slot, c, INCLUDED] == 0.0:
            mean = con[slot, c, AFTER + 2]
            if _averaged(plant.trees, con, slot, c):
                mean = 0.5 * (con[slot, c, BEFORE + 2] + mean)
            if con[slot, c, GAP] + dt * mean < 1e-12 and con[slot, c, AFTER + 2] < -threshold:
                con[slot, c, DUE] = 1.0
    return dt
