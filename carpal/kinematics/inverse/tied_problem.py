"""What the search over a tied chain needs beside the constants of a free one."""

from __future__ import annotations

from typing import Any

import numpy as np

from carpal.errors import InputError
from carpal.kinematics.constraints import closure_scratch
from carpal.kinematics.inverse.kernels.ik_tied import TiedWork, Ties, ik_tied_batch
from carpal.kinematics.kernels.closure import Closure
from carpal.kinematics.kernels.placement import COLUMNS
from carpal.kinematics.tied_chain import TiedChain
from carpal.model import Model


def tied_work(*arrays: Any) -> TiedWork:
    """The scratch of `ik_tied_batch` from its arrays in their order."""
    return TiedWork._make((*arrays[:10], Closure._make(arrays[10:])))


def tied_problem(
    model: Model, ties: TiedChain, constants: tuple[Any, ...]
) -> tuple[Any, tuple[Any, ...], list[tuple[int, ...]]]:
    """The entry, its constants and the shapes of its scratch, from the constants of `ik_batch`."""
    tables = model.constraint_tables
    kinds = model.tables.joints[ties.free, 0]
    n = int(sum((0, 1, 1, 3, 6)[int(kind)] for kind in kinds))
    if not n:
        raise InputError(
            f"couplings and loops of model '{model.name}' leave no independent joint among {', '.join(ties.names)}: there "
            "is nothing to solve for."
        )
    checked = ties.checked[:, 0]
    table = Ties(
        tables, ties.free, ties.checked, ties.moved, np.array(model.q_min[checked]), np.array(model.q_max[checked])
    )
    low, high = (np.array(limits) for limits in model.coupled_limits)
    changed = (table, *constants[:5], low, high, *constants[7:])
    rows = 6 + len(ties.checked)
    closing = closure_scratch(model)[1:]
    wide = closing[4][0]
    shapes = [
        (model.nq,), (model.nq,), (rows, model.nv), (n, n), (n, n), (n,), (n,), (rows,), (wide,),
        (len(model.tables.joints), COLUMNS), *closing,
    ]  # fmt: skip
    return ik_tied_batch, changed, shapes
