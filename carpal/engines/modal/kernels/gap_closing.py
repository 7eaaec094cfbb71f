"""Gap closing: mass-weighted projections of `q` until pressing contacts touch, nothing overlaps, and couplings and loops hold.

Where gaps and held tangents contradict each other, gaps alone are closed; where gaps do, bodies are only pushed apart. An
overlap that the solve did not expect, or pressing contacts that are left open, ask for a shorter step (`retry.py`).
"""

from carpal._core.compile import kernel
from carpal.engines.modal.kernels.assembly import contact_operator
from carpal.engines.modal.kernels.constraint_basis import closing_move, constraint_basis
from carpal.engines.modal.kernels.constraint_rows import constraint_rows, largest_residual
from carpal.engines.modal.kernels.contact_rows import contact_rows, contact_velocities
from carpal.engines.modal.kernels.contact_table import BEFORE, LOCAL, PAIR
from carpal.engines.modal.kernels.detection import find_contacts
from carpal.engines.modal.kernels.matching import match_contacts, transfer_contacts
from carpal.engines.modal.kernels.projection import (
    CLOSABLE,
    FINE,
    MISSED,
    TORN,
    gaps_to_close,
    left_open,
    missed_overlap,
    overlaps_are_new,
    project_positions,
    push_apart,
)
from carpal.engines.modal.kernels.resting import UNKNOWN, reset_rest
from carpal.kinematics.kernels.integrate import integrate

MOST_MOVES = 40
"""Corrections of one part of a step."""
QUICK = 0.03
"""Share of the gaps that a correction may leave for the next one to use the same rows."""
HOLDING, CLOSING, PUSHING = 0, 1, 2
"""What corrections do: close gaps and hold the tangents of sticking contacts; close gaps; push overlaps apart."""
ACCEPTED, OVERLAP_MISSED, CONTACTS_TORN = 0, 1, 2
"""Outcome: go on; repeat, an unexpected overlap; repeat, pressing contacts were left open."""


@kernel
def rebuild_rows(plant, work, slot, count, found):
    """Replace the contacts by those found, with their rows and W."""
    tables = work.tables
    con = tables.con
    transfer_contacts(con, tables.fresh, slot, count, found)
    contact_rows(
        plant.joints,
        plant.bodies,
        plant.trees,
        plant.order,
        plant.ties.tendons,
        tables.search.placed,
        con,
        tables.J,
        slot,
        found,
    )
    if plant.ties.constraints.shape[0] > 0:
        constraint_basis(plant.trees, plant.ties.constraints, tables.L, work.held, slot)
    contact_operator(plant, work, slot, found)


@kernel
def position_correction(plant, work, what, factored, slot, count, found):
    """Write the next move of `q` to `step`; returns the rows that are factored, 0 if there is no move."""
    tables, vectors, solving = work.tables, work.vectors, work.vectors.solving
    held = plant.ties.constraints.shape[0] > 0
    if held:
        closing_move(plant, work, vectors.move, slot)
        contact_velocities(plant.trees, plant.order, tables.con, tables.J, vectors.move, BEFORE, slot, count)
    rows = 1
    if what == PUSHING:
        push_apart(
            plant.trees, plant.order, tables.W, tables.L, tables.Y, tables.con, tables.fresh, vectors.step, vectors.spare,
            slot, count, found,
        )  # fmt: skip
    else:
        rows = project_positions(
            plant.trees, plant.order, tables.W, tables.L, tables.Y, tables.con, tables.fresh, tables.A, solving.x,
            solving.places, solving.pivots, work.bodies, vectors.step, vectors.spare, what == HOLDING, factored, held,
            slot, count, found,
        )  # fmt: skip
    if held:
        for dof in range(vectors.step.shape[1]):
            vectors.step[slot, dof] = vectors.move[slot, dof] + (vectors.step[slot, dof] if rows > 0 else 0.0)
    return rows


@kernel
def close_gaps(plant, work, dt_total, may_repeat, slot, count):
    """Stage: find contacts at the new `q` (in `fresh`) and correct `q` until their gaps are closed.

    may_repeat: whether the part may be repeated, shorter.

    Returns (contacts in `con`, contacts in `fresh` or minus a status, outcome).
    """
    tables, vectors, q, kept_q = work.tables, work.vectors, work.vectors.q, work.vectors.before.kept_q
    con, fresh = tables.con, tables.fresh
    found, moves, worst, before, what, factored = 0, 0, 0.0, 1e300, HOLDING, 0
    held = plant.ties.constraints.shape[0] > 0
    while True:
        found = find_contacts(plant, tables.search, q, vectors.v, vectors.by_tree.speeds, dt_total, fresh, slot)
        if found < 0:
            return count, found, ACCEPTED
        match_contacts(con, PAIR, LOCAL, count, fresh, slot, found)
        if moves == 0 and may_repeat and missed_overlap(con, fresh, slot, found) > MISSED:
            reset_rest(vectors.rest, slot, UNKNOWN)
            return count, found, OVERLAP_MISSED
        worst = gaps_to_close(con, fresh, 0.0 if what == PUSHING else CLOSABLE, slot, found)
        if held:
            constraint_rows(
                plant.joints, plant.bodies, plant.order, plant.ties.constraints, q, tables.search.placed, work.held.G,
                work.held.numbers, slot,
            )  # fmt: skip
            worst = max(worst, largest_residual(work.held.numbers, slot))
        if (worst > before and what != PUSHING) or worst > 10.0 * before:  # they contradict each other: ask for less
            for i in range(q.shape[1]):
                q[slot, i] = kept_q[slot, i]
            moves = MOST_MOVES if what == PUSHING else moves + 1
            before, what, factored = 1e300, min(what + 1, PUSHING), 0
            continue
        if worst <= FINE or moves >= MOST_MOVES:
            break
        stale = moves > 0 and (what == PUSHING or before == 1e300 or worst > QUICK * before)
        if stale or overlaps_are_new(fresh, slot, found):
            factored = 0
            rebuild_rows(plant, work, slot, count, found)
            count = found
        factored = position_correction(plant, work, what, factored, slot, count, found)
        if factored == 0 and not held:
            break
        for i in range(q.shape[1]):
            kept_q[slot, i] = q[slot, i]
        before, moves = worst, moves + 1
        integrate(plant.joints, q, vectors.step, 1.0, q, slot)
    closed = what != PUSHING and worst <= FINE
    reset_rest(vectors.rest, slot, 0.0 if closed else UNKNOWN)
    torn = not closed and may_repeat and left_open(con, fresh, slot, found) > TORN
    return count, found, CONTACTS_TORN if torn else ACCEPTED
