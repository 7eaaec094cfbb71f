"""From a step's table of contacts to plain contacts of a recording."""

from __future__ import annotations

import numpy as np

from carpal.contact import contact_frame
from carpal.engines.modal.kernels import books as book
from carpal.engines.modal.tables import ModalTables
from carpal.engines.moments import Contact
from carpal.engines.moments import contact as plain_contact
from carpal.spatial import Array

MODES = ("free", "sticking", "rolling", "sliding")


def plain_contacts(tables: ModalTables, touch: Array) -> list[Contact]:
    """Contacts of one world; joints at their stops are left out.

    Args:
        tables: whose pairs.
        touch: (rows, TOUCH_COLUMNS) as the kernels wrote it.
    """
    ends = np.flatnonzero(touch[:, book.T_PAIR] < 0)  # what follows the last row was never written
    rows = range(int(ends[0]) if len(ends) else len(touch))
    kept = [k for k in rows if touch[k, book.T_PAIR] < tables.pair_count]
    if not kept:
        return []
    out = []
    # all frames at once: one call costs as much as one frame
    for R, row in zip(frame_of(touch[kept, book.T_NORMAL : book.T_NORMAL + 3]), touch[kept], strict=True):
        a, b = tables.pair_bodies(int(row[book.T_PAIR]))
        normal = row[book.T_NORMAL : book.T_NORMAL + 3]
        force = R @ row[book.T_FORCE : book.T_FORCE + 3]
        point = row[book.T_POINT : book.T_POINT + 3]
        out.append(plain_contact(a, b, MODES[int(row[book.T_MODE])], point, normal, -row[book.T_GAP], force))
    return out


def frame_of(normal: Array) -> Array:
    """R_WC (*batch, 3, 3) of contacts' normals (*batch, 3)."""
    return np.asarray(contact_frame(normal))
