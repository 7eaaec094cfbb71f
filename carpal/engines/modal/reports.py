"""From a step's table of contacts to plain contacts of a recording."""

from __future__ import annotations

import numpy as np

from carpal.contact import contact_frame
from carpal.engines.modal.kernels import ledger as columns
from carpal.engines.modal.kernels.contact_modes import IMPACT
from carpal.engines.modal.tables import ModalTables
from carpal.engines.moments import Contact
from carpal.spatial import Array

MODES = ("free", "sticking", "rolling", "sliding", "spinning", "touching", "impact")
SAME = 1e-3
"""[m] contacts of the same shapes and mode, nearer than that in two parts of a step, are one contact."""


def plain_contacts(tables: ModalTables, touch: Array, parts: bool = False) -> list[Contact]:
    """Contacts of one world in a step: forces over the step, joints at their stops, collisions, torques of soft tips.

    Args:
        tables: whose pairs.
        touch: (rows, TOUCH_COLUMNS) as the kernels wrote it.
        parts: whether the step had several, each with rows of its own.
    """
    ends = np.flatnonzero(touch[:, columns.T_PAIR] < 0)  # what follows the last row was never written
    rows = touch[: int(ends[0]) if len(ends) else len(touch)].copy()
    if not len(rows):
        return []
    touching = rows[:, columns.T_PAIR] < tables.pair_count
    # all at once: one call of NumPy costs as much as one contact
    normal, force = (rows[touching, at : at + 3] for at in (columns.T_NORMAL, columns.T_FORCE))
    rows[touching, columns.T_FORCE : columns.T_FORCE + 3] = (frame_of(normal) @ force[..., None])[..., 0]
    rows = _merged(rows) if parts else rows
    stops = rows[:, columns.T_PAIR] >= tables.pair_count
    out = [_stop(tables, row) for row in rows[stops]]
    rows = rows[~stops]
    point, normal, force = (rows[:, at : at + 3] for at in (columns.T_POINT, columns.T_NORMAL, columns.T_FORCE))
    named = rows[:, [columns.T_PAIR, columns.T_MODE, columns.T_GAP, columns.T_FORCE + 3]]
    found = []
    for (pair, mode, gap, twist), p, n, f in zip(*(x.tolist() for x in (named, point, normal, force)), strict=True):
        a, b = tables.pair_bodies(int(pair))
        found.append(Contact(a, b, MODES[int(mode)], tuple(p), tuple(n), -gap, tuple(f)))
        if twist:
            out.append(Contact(a, b, "torsion", tuple(p), tuple(n), -gap, tuple(twist * x for x in n)))
    return found + out


def _merged(rows: Array) -> Array:
    """Rows of a step in which a contact that lasts over several of its parts is one, with the sum of its forces."""
    kept: list[Array] = []
    for row in rows:
        same = (
            one for one in kept
            if one[columns.T_PAIR] == row[columns.T_PAIR] and (one[columns.T_MODE] == IMPACT) == (row[columns.T_MODE] == IMPACT)
            and np.abs(one[columns.T_POINT : columns.T_FORCE] - row[columns.T_POINT : columns.T_FORCE]).max() < SAME
        )  # fmt: skip
        first = next(same, None)
        if first is None:
            kept.append(row.copy())
        else:
            first[columns.T_FORCE : columns.T_FORCE + 4] += row[columns.T_FORCE : columns.T_FORCE + 4]
    return np.array(kept)


def _stop(tables: ModalTables, row: Array) -> Contact:
    """A joint or tendon at its stop: its generalised force [N, N m] along its coordinate is force[0]."""
    name, _ = tables.pair_bodies(int(row[columns.T_PAIR]))
    sign = float(row[columns.T_NORMAL + 2])
    force = (sign * float(row[columns.T_FORCE + 2]), 0.0, 0.0)
    return Contact(name, name, "stop", (0.0, 0.0, 0.0), (sign, 0.0, 0.0), -float(row[columns.T_GAP]), force)


def frame_of(normal: Array) -> Array:
    """R_WC (*batch, 3, 3) of contacts' normals (*batch, 3)."""
    return np.asarray(contact_frame(normal))
