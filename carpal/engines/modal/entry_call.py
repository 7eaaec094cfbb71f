"""How the modal engine calls its entries: shapes and names of the scratch arrays."""

from __future__ import annotations

from typing import Any

from carpal._core.batch import Groups
from carpal.engines.modal.kernels.arrays import (
    PAIR_ROOM,
    PLACED_WIDTH,
    TREE_WORK_WIDTH,
    AccurateWork,
    Before,
    Bodies,
    ByTree,
    Held,
    Inputs,
    Outputs,
    Search,
    Solving,
    Tables,
    Vectors,
    Work,
    vector_room,
)
from carpal.engines.modal.kernels.constraint_rows import NUMBERS
from carpal.engines.modal.kernels.contact_rows import SIDE_ROWS
from carpal.engines.modal.kernels.contact_table import CONTACT_COLUMNS, KEPT_COLUMNS
from carpal.engines.modal.kernels.event_step import LEVELS, level_width
from carpal.engines.modal.kernels.impact_islands import WORK_COLUMNS
from carpal.engines.modal.tables import ModalTables


def scratch_shapes(tables: ModalTables, contacts: int, accurate: bool) -> list[tuple[int, ...]]:
    """Shape of each scratch array for one slot, in the order of `work_of` or `accurate_work_of`.

    Args:
        tables: of the engine.
        contacts: most contacts of a world.
        accurate: with the scratch of the accurate scheme.
    """
    model, n, wide = tables.contact.model, contacts, tables.widest
    rows, side, square = len(model.tables.joints), (SIDE_ROWS * n, wide), (4 * n, 4 * n)
    held = tables.held_rows
    inside, table = int(tables.dofs_of_robots), (n, CONTACT_COLUMNS)
    return [
        (tables.contact.placed_rows, PLACED_WIDTH), PAIR_ROOM, (4, 4), (rows, TREE_WORK_WIDTH), (inside, inside),
        (model.nv, wide), table, table, (n, KEPT_COLUMNS), side, side, square, square, (n, WORK_COLUMNS),
        *((length,) for length in vector_room.py_func(model.nq, model.nv, n, len(tables.trees))),
        (2 * model.nv,), (held, wide), (held, wide), (NUMBERS, held),
        (model.nv, model.nv), (model.nv, model.nv), (model.nv,), *(((len(tables.trees) + 1,),) * 4),
        *([table, (LEVELS + 1, level_width.py_func(model.nq, model.nv))] if accurate else ()),
    ]  # fmt: skip


def work_of(*arrays: Any) -> Work:
    """`Work` from its arrays in order."""
    tables = Tables(Search(*arrays[:4]), *arrays[4:14])
    nested = Solving(*arrays[23:29]), Before(*arrays[29:32]), ByTree(*arrays[32:34])
    return Work(
        tables, Vectors._make((*arrays[14:23], *nested)), arrays[34], Held(*arrays[35:38]), Bodies(*arrays[38:45])
    )


def accurate_work_of(*arrays: Any) -> AccurateWork:
    """`AccurateWork` from its arrays in order."""
    return AccurateWork(work_of(*arrays[:-2]), *arrays[-2:])


GROUPS, ACCURATE_GROUPS = Groups(Inputs, Outputs, work_of), Groups(Inputs, Outputs, accurate_work_of)
