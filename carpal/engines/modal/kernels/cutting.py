"""Solve the contact law and cut the step at the first collision.

Open gaps that close slowly take part in the solve, without friction: with it, the sticking rows of redundant neighbours would
contradict each other. A gap that closes fast must not take part, or its restitution would be lost: the step ends there.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.assembly import assemble_velocities
from carpal.engines.modal.kernels.contact_modes import FREE, TOUCH, holds
from carpal.engines.modal.kernels.contact_rows import add_impulses, contact_velocities
from carpal.engines.modal.kernels.contact_table import (
    AFTER,
    BEFORE,
    CLOSED,
    DUE,
    GAP,
    IMPULSE,
    INCLUDED,
    MODE,
    MU,
    MU_HELD,
    MU_SLIDES,
    SET_STEP,
    SET_THRESHOLD,
    SHIFT,
    TREE_A,
    TREE_B,
    TREE_SINGLE,
)
from carpal.engines.modal.kernels.ledger import NEWTON_STEPS, SINGULAR, SOLVES
from carpal.engines.modal.kernels.newton_solve import solve_contacts

MOST_SOLVES = 6
STILL = 1e-9
"""[m/s] a new contact that slips no faster has static friction."""


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
def solve_contact_law(plant, work, ledger, world, slot, count):
    """Impulses of the contacts that take part; new velocities in `step`, AFTER = J v of them."""
    tables, vectors, solving = work.tables, work.vectors, work.vectors.solving
    _, spent = solve_contacts(
        plant.trees, tables.W, tables.con, tables.A, tables.Y, solving.x, solving.places, solving.best, solving.pivots,
        work.bodies, slot, count,
    )  # fmt: skip
    ledger[world, NEWTON_STEPS] += spent
    ledger[world, SOLVES] += 1.0
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


@leaf
def choose_friction(con, slot, c):
    """Static friction where a contact held in the step before, or is new and does not slip; kinetic friction elsewhere.

    A contact breaks away with static friction, and slides with the kinetic one from the step after that on.
    """
    if con[slot, c, MU_HELD] > con[slot, c, MU_SLIDES]:
        mode = int(con[slot, c, MODE])
        slip = math.sqrt(con[slot, c, BEFORE] ** 2 + con[slot, c, BEFORE + 1] ** 2)
        fast = holds(mode) or (mode in (FREE, TOUCH) and slip <= STILL)
        con[slot, c, MU] = con[slot, c, MU_HELD if fast else MU_SLIDES]


@kernel
def include_closed(con, slot, count):
    """Closed contacts take part in the solve, open gaps do not."""
    for c in range(count):
        choose_friction(con, slot, c)
        con[slot, c, INCLUDED], con[slot, c, SHIFT], con[slot, c, DUE] = con[slot, c, CLOSED], 0.0, 0.0
        if con[slot, c, CLOSED] == 0.0:
            for k in range(4):
                con[slot, c, IMPULSE + k] = 0.0


@kernel
def closing_gaps(trees, con, dt, threshold, may_cut, slot, count):
    """Find open gaps that close within `dt`: a slow one is included, a fast one is a collision.

    Returns (time of the first collision or dt, whether a contact was included).
    """
    soonest, more = dt, False
    for c in range(count):
        if con[slot, c, INCLUDED] == 0.0 or con[slot, c, DUE] > 0.0:
            closes, when, speed = _closing(trees, con, slot, c, dt)
            if closes and speed > threshold and may_cut and when < dt * (1.0 - 1e-9):
                soonest = min(soonest, when)
            elif closes and speed > threshold and may_cut:
                con[slot, c, DUE] = 1.0
            elif closes and con[slot, c, INCLUDED] == 0.0:
                con[slot, c, INCLUDED], con[slot, c, SHIFT] = 1.0, con[slot, c, GAP] / dt
                more = True
    return soonest, more


@kernel
def exclude_open(con, slot, count):
    """Open gaps leave the solve again: the step was cut before they close."""
    for c in range(count):
        con[slot, c, DUE] = 0.0
        if con[slot, c, CLOSED] == 0.0:
            con[slot, c, INCLUDED] = 0.0
            for k in range(4):
                con[slot, c, IMPULSE + k] = 0.0


@kernel
def mark_collisions(trees, con, dt, threshold, slot, count):
    """Set DUE of the gaps that close fast at the end of a step of length `dt`."""
    for c in range(count):
        if con[slot, c, INCLUDED] == 0.0:
            mean = con[slot, c, AFTER + 2]
            if _averaged(trees, con, slot, c):
                mean = 0.5 * (con[slot, c, BEFORE + 2] + mean)
            if con[slot, c, GAP] + dt * mean < 1e-12 and con[slot, c, AFTER + 2] < -threshold:
                con[slot, c, DUE] = 1.0


@kernel
def solve_velocities(plant, work, u, ledger, dt, may_cut, world, slot, count):
    """Stage: the contact law over at most `dt`, cut at the first collision; new velocities are in `step`.

    may_cut: whether the step may be cut; if not, fast approaches end in contact without restitution. Returns the length of
    this part [s], or minus SINGULAR.
    """
    con, threshold = work.tables.con, plant.settings[SET_THRESHOLD]
    include_closed(con, slot, count)
    for solve in range(MOST_SOLVES):
        solve_contact_law(plant, work, ledger, world, slot, count)
        if solve == MOST_SOLVES - 1:
            break
        dt_hit, more = closing_gaps(plant.trees, con, dt, threshold, may_cut, slot, count)
        if dt_hit < dt:
            shorter = max(dt_hit, 1e-9 * plant.settings[SET_STEP])
            scale_guess(con, slot, count, shorter / dt)
            dt = shorter
            exclude_open(con, slot, count)
            if not assemble_velocities(plant, work, u, dt, True, world, slot, count):
                return -SINGULAR
        elif not more:
            break
    mark_collisions(plant.trees, con, dt, threshold, slot, count)
    return dt
