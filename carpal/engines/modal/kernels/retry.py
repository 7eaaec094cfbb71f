"""Retry: back to the start of a part of a step, to take it again with a quarter of its length."""

from carpal._core.compile import kernel
from carpal.contact.kernels.placing import place_shapes
from carpal.engines.modal.kernels.contact_table import LOCAL, MODE, MODE_BEFORE, PAIR
from carpal.engines.modal.kernels.detection import find_contacts
from carpal.engines.modal.kernels.gap_closing import CONTACTS_TORN
from carpal.engines.modal.kernels.matching import match_contacts, transfer_contacts
from carpal.engines.modal.kernels.positions import copy_state

SHORTER = 0.25
"""Length of the next attempt, as a share of the one that failed."""


@kernel
def restore_start(plant, work, dt_total, outcome, slot, count, found):
    """Stage: restore state, poses and contacts of the start of this part; returns their number, or minus a status.

    outcome: of `close_gaps`. After CONTACTS_TORN `con` no longer holds the contacts of the start: they are found again.
    """
    tables, vectors, solids = work.tables, work.vectors, plant.solids
    con, fresh = tables.con, tables.fresh
    copy_state(vectors.before.start_q, vectors.before.start_v, vectors.q, vectors.v, slot)
    place_shapes(
        plant.joints, plant.bodies, solids.shapes, solids.groups, vectors.q, tables.search.placed, slot, slot
    )  # fmt: skip
    if outcome != CONTACTS_TORN:
        for c in range(count):
            con[slot, c, MODE] = con[slot, c, MODE_BEFORE]
        return count
    transfer_contacts(con, fresh, slot, count, found)
    again = find_contacts(
        plant, tables.search, vectors.q, vectors.v, vectors.by_tree.speeds, dt_total, fresh, slot
    )  # fmt: skip
    if again >= 0:
        match_contacts(con, PAIR, LOCAL, found, fresh, slot, again)
        transfer_contacts(con, fresh, slot, found, again)
    return again
