"""Tables of a model's couplings and loops, as `kernels/constraint_rows.py` takes them."""

from __future__ import annotations

import numpy as np

from carpal.dynamics.kernels.constraint_rows import FOLLOWER_REF, LEADER_REF, Constraints
from carpal.model import Model, need_model
from carpal.spatial import Array

ROW_NAMES = ("x", "y", "z", "turn x", "turn y", "turn z")


def constraint_tables(model: Model) -> Constraints:
    """Couplings and loops of a model, packed."""
    need_model(model, "constraint_tables")
    couplings = np.full((len(model.couplings), 4), -1, np.int64)
    polynomials = np.zeros((len(model.couplings), 7))
    for i, coupling in enumerate(model.couplings):
        couplings[i, :2] = model.q_index(coupling.follower), model.v_index(coupling.follower)
        if coupling.leader is not None:
            couplings[i, 2:] = model.q_index(coupling.leader), model.v_index(coupling.leader)
            polynomials[i, : len(coupling.coefficients)] = coupling.coefficients
        else:
            polynomials[i, 0] = coupling.coefficients[0]
        polynomials[i, FOLLOWER_REF], polynomials[i, LEADER_REF] = coupling.follower_ref, coupling.leader_ref
    loops, closings = np.zeros((len(model.loops), 3), np.int64), np.zeros((len(model.loops), 24))
    for i, loop in enumerate(model.loops):
        row_a, in_a = _closing(model, loop.body_a, loop.X_AL)
        row_b, in_b = _closing(model, loop.body_b, loop.X_BL)
        loops[i], closings[i] = (loop.rows, row_a, row_b), np.concatenate([in_a, in_b])
    return Constraints(couplings, polynomials, loops, closings)


def constraint_names(model: Model) -> tuple[str, ...]:
    """What each row is, for messages: "coupling 'gear'" or "loop 'closing', x"."""
    need_model(model, "constraint_names")
    names = [f"coupling '{coupling.name}'" for coupling in model.couplings]
    for loop in model.loops:
        names += [f"loop '{loop.name}', {axis}" for axis in ROW_NAMES[: loop.rows]]
    return tuple(names)


def _closing(model: Model, body: str | None, X_BL: Array) -> tuple[int, Array]:
    """Table row of a body, and the closing frame's pose in the row's frame as twelve numbers."""
    row, X_KB = (0, np.eye(4)) if body is None else model.tables.body_rows[body]
    X_KL = X_KB @ X_BL
    return row, np.concatenate([X_KL[:3, :3].ravel(), X_KL[:3, 3]])
