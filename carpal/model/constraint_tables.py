"""From couplings and loops to the packed tables that kernels read (layout: `model/kernels/constraint_tables.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from carpal.model.kernels.constraint_tables import (
    BODY_A,
    COEFFICIENTS,
    COUPLING_COLUMNS,
    FOLLOWER_MAX,
    LOOP_COLUMNS,
    MOVES_A,
    MOVES_B,
    POSITION_A,
    POSITION_B,
    ROTATION_A,
    ROTATION_B,
    ConstraintTables,
)
from carpal.model.loop_kinematics import ancestors, ordered_couplings
from carpal.model.loop_partition import dependent_rows, loop_bodies
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.model.model import Model


def build_constraint_tables(model: Model) -> ConstraintTables:
    """Pack couplings and loops, and choose the joints that close the loops."""
    couplings = np.zeros((len(model.couplings), COUPLING_COLUMNS))
    for numbers, i in zip(couplings, ordered_couplings(model.couplings), strict=True):
        coupling = model.couplings[i]
        follower, leader = coupling.follower, coupling.leader
        q_leader, v_leader = (-1, -1) if leader is None else (model.q_index(leader), model.v_index(leader))
        q_follower = model.q_index(follower)
        numbers[:COEFFICIENTS] = (
            i, q_follower, q_leader, model.v_index(follower), v_leader, coupling.follower_ref, coupling.leader_ref,
        )  # fmt: skip
        numbers[COEFFICIENTS : COEFFICIENTS + len(coupling.coefficients)] = coupling.coefficients
        numbers[FOLLOWER_MAX - 1 : FOLLOWER_MAX + 1] = model.q_min[q_follower], model.q_max[q_follower]
    loops = np.zeros((len(model.loops), LOOP_COLUMNS))
    sides = np.zeros((len(model.loops), len(model.tables.joints)), np.int64)
    placed: set[int] = set()
    first = 0
    for i, loop in enumerate(model.loops):
        a, b = loop_bodies(model, i)
        X_KA = model.tables.body_rows[loop.body_a][1] @ loop.X_AL
        X_KB = loop.X_BL if loop.body_b is None else model.tables.body_rows[loop.body_b][1] @ loop.X_BL
        loops[i, BODY_A:ROTATION_A] = a, b, loop.kind == "weld", first
        for X, rotation, position in ((X_KA, ROTATION_A, POSITION_A), (X_KB, ROTATION_B, POSITION_B)):
            loops[i, rotation : rotation + 9] = X[:3, :3].ravel()
            loops[i, position : position + 3] = X[:3, 3]
        for row, bit in ((a, MOVES_A), (b, MOVES_B)):
            above = ancestors(model, row)
            sides[i, list(above)] |= bit
            placed |= above
        first += loop.rows
    return ConstraintTables(
        couplings, loops, sides, np.array(sorted(placed), np.int64), np.array(dependent_rows(model), np.int64)
    )


def coupled_limits(model: Model) -> tuple[Array, Array]:
    """Limits (nq) that are tight enough for followers: a leader stays where its followers are inside their own limits.

    Where such positions are several intervals, the limits are their hull; a coupling whose follower is inside nowhere leaves its
    leader's limits as they are.
    """
    low, high = np.array(model.q_min), np.array(model.q_max)
    for i in reversed(ordered_couplings(model.couplings)):
        coupling = model.couplings[i]
        if coupling.leader is None:
            continue
        follower, leader = model.q_index(coupling.follower), model.q_index(coupling.leader)
        shift = -coupling.follower_ref
        inside = _preimage(
            np.array(coupling.coefficients), low[follower] + shift, high[follower] + shift,
            low[leader] - coupling.leader_ref, high[leader] - coupling.leader_ref,
        )  # fmt: skip
        if inside is not None:
            low[leader], high[leader] = inside[0] + coupling.leader_ref, inside[1] + coupling.leader_ref
    return low, high


def _preimage(coefficients: Array, low: float, high: float, x_min: float, x_max: float) -> tuple[float, float] | None:
    """Hull of the x in [x_min, x_max] where a polynomial is in [low, high]; None where there is none."""
    value = np.polynomial.polynomial.polyval
    slack = 1e-12 * (1.0 + min(abs(low), abs(high)))
    ends = [x for x in (x_min, x_max) if np.isfinite(x)]
    kept = [x for x in ends if low - slack <= value(x, coefficients) <= high + slack]
    for bound in (low, high):
        shifted = coefficients.copy()
        shifted[0] -= bound
        if np.isfinite(bound) and shifted[1:].any():
            for root in np.polynomial.polynomial.polyroots(np.trim_zeros(shifted, "b")):
                if abs(root.imag) < 1e-9 * (1.0 + abs(root)) and x_min <= root.real <= x_max:
                    kept.append(float(root.real))
    # an unlimited leader stays so on the side where the polynomial stays inside
    if np.isinf(x_min) and low <= value(min([*kept, *ends], default=0.0) - 1.0, coefficients) <= high:
        kept.append(x_min)
    if (
        np.isinf(x_max)
        and low <= value(max([x for x in (*kept, *ends) if np.isfinite(x)], default=0.0) + 1.0, coefficients) <= high
    ):
        kept.append(x_max)
    return (min(kept), max(kept)) if kept else None
