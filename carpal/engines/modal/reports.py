"""From a step's table of contacts to plain contacts of a recording."""

from __future__ import annotations

import numpy as np

from carpal.contact import contact_frame
from carpal.engines.modal.kernels import ledger as columns
from carpal.engines.modal.tables import ModalTables
from carpal.engines.moments import Contact
from carpal.spatial import Array

MODES = ("free", "sticking", "rolling", "sliding")


def plain_contacts(tables: ModalTables, touch: Array) -> list[Contact]:
    """Contacts of one world; joints at their stops are left out.

    Args:
        tables: whose pairs.
        touch: (rows, TOUCH_COLUMNS) as the kernels wrote it.
    """
    ends = np.flatnonzero(touch[:, columns.T_PAIR] < 0)  # what follows the last row was never written
    rows = touch[: int(ends[0]) if len(ends) else len(touch)]
    rows = rows[rows[:, columns.T_PAIR] < tables.pair_count]
    if not len(rows):
        return []
    # all at once: one call of NumPy costs as much as one contact
    point, normal, force = (rows[:, at : at + 3] for at in (columns.T_POINT, columns.T_NORMAL, columns.T_FORCE))
    force = (frame_of(normal) @ force[..., None])[..., 0]
    named = rows[:, [columns.T_PAIR, columns.T_MODE, columns.T_GAP]]
    out = []
    for (pair, mode, gap), p, n, f in zip(*(x.tolist() for x in (named, point, normal, force)), strict=True):
        a, b = tables.pair_bodies(int(pair))
        out.append(Contact(a, b, MODES[int(mode)], tuple(p), tuple(n), -gap, tuple(f)))
    return out


def frame_of(normal: Array) -> Array:
    """R_WC (*batch, 3, 3) of contacts' normals (*batch, 3)."""
    return np.asarray(contact_frame(normal))
