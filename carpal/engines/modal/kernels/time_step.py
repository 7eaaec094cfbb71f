"""One step of the time stepper (Moreau 1988, Jean 1999): velocities and impulses together at the step's end, then positions.

The stages are those of `docs/modal.md`, one kernel each. A step is cut at each collision, and a part of it is repeated with a
shorter length where positions contradict what the velocities were solved for. The work of a step is limited; one that reaches a
limit ends with that on its certificate (C_LIMIT).
"""

from carpal._core.compile import kernel
from carpal.engines.modal.kernels.certificate import certify_constraints, certify_positions, certify_step
from carpal.engines.modal.kernels.collisions import resolve_collisions
from carpal.engines.modal.kernels.constraint_rows import largest_residual
from carpal.engines.modal.kernels.contact_table import SET_STEP
from carpal.engines.modal.kernels.cutting import scale_guess, solve_velocities
from carpal.engines.modal.kernels.gap_closing import ACCEPTED, CONTACTS_TORN, close_gaps
from carpal.engines.modal.kernels.leading import start_contacts
from carpal.engines.modal.kernels.ledger import (
    COMPLETED,
    CUTS,
    HITS,
    LIMIT_PARTS,
    SINGULAR,
    reach_limit,
    report_contacts,
    restore_entries,
    step_entries,
)
from carpal.engines.modal.kernels.matching import transfer_contacts
from carpal.engines.modal.kernels.positions import update_positions
from carpal.engines.modal.kernels.resting import stays_at_rest
from carpal.engines.modal.kernels.retry import SHORTER, restore_start

MOST_ATTEMPTS = 60
"""Parts and repetitions of a step. After that many the rest is one part, without collisions and repetitions: a limit."""
MOST_HITS = 120
"""Collisions of a step; what still approaches then is left to the contact law: a limit."""
SHORTEST, LONGER, AFTER_TORN = 1e-2, 4.0, 1.3
"""Share of the step below which a part is not repeated; how much longer the part after a repeated one may be, and after one whose
pressing contacts were left open: the next parts are as curved as that one."""


@kernel
def modal_step(plant, work, u, ledger, touch, dt_total, dt_last, report, world, slot, count):
    """Advance a world by `dt_total`; `con` holds the contacts of the present configuration, afterwards of the new one.

    Args:
        plant, work: constants and scratch (`arrays.py`).
        u, ledger, touch: drive forces, ledger and reported contacts of all worlds.
        dt_total: length of the step [s].
        dt_last: length of the part of a step that the impulses in `con` belong to [s].
        report: whether to add the contacts and collisions of the step's parts to `touch`.
        count: contacts in `con`.

    Returns:
        (contacts or minus a status, length of the last part).
    """
    con, fresh, dt_step = work.tables.con, work.tables.fresh, plant.settings[SET_STEP]
    dt_left, dt_max, parts, attempts, hits, longer = dt_total, dt_total, 0, 0, ledger[world, HITS], LONGER
    while dt_left > 1e-9 * dt_total:
        may_cut = attempts < MOST_ATTEMPTS
        if attempts == MOST_ATTEMPTS:
            reach_limit(ledger, world, LIMIT_PARTS)
            dt_max = dt_left
        attempts += 1
        dt_try = min(dt_left, dt_max)
        status = resolve_collisions(
            plant, work, u, ledger, touch, dt_try, report, MOST_HITS + hits, world, slot, count
        )  # fmt: skip
        if status != COMPLETED:
            return -status, dt_left
        scale_guess(con, slot, count, dt_try / dt_last)
        dt = solve_velocities(plant, work, u, ledger, dt_try, may_cut, world, slot, count)
        if dt < 0.0:
            return -SINGULAR, dt_left
        entries = step_entries(ledger, world)
        certify_step(plant, work, u, ledger, dt, world, slot, count)
        if report:
            report_contacts(con, touch, ledger, world, slot, count, dt_step)
        update_positions(plant, work, dt, slot, count)
        if dt == dt_try and stays_at_rest(plant, work, dt, slot, count):
            certify_positions(con, con, slot, count, ledger, world)
        else:
            count, found, outcome = close_gaps(plant, work, dt_total, may_cut and dt > SHORTEST * dt_total, slot, count)
            if found < 0:
                return found, dt_left
            if outcome != ACCEPTED:
                count = restore_start(plant, work, dt_total, outcome, slot, count, found)
                if count < 0:
                    return count, dt_left
                restore_entries(ledger, world, entries)
                dt_last, dt_max, longer = dt, SHORTER * dt, AFTER_TORN if outcome == CONTACTS_TORN else LONGER
                continue
            certify_positions(con, fresh, slot, found, ledger, world)
            if plant.ties.constraints.shape[0] > 0:
                certify_constraints(largest_residual(work.held.numbers, slot), ledger, world)
            transfer_contacts(con, fresh, slot, count, found)
            count = found
            start_contacts(plant.trees, work.tables.search.placed, con, dt, slot, count)
        dt_last, dt_left, dt_max, parts = dt, dt_left - dt, max(dt_max, longer * dt), parts + 1
    ledger[world, CUTS] += parts - 1
    return count, dt_last
