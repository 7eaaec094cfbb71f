"""Couplings and loops in a search: what follows what, what is held still, and the limits that follow from them.

The kernels close the loops at every configuration they make (`kernels/edges.py`). A payload's sets are proven for straight edges:
with one the joints of loops are held still.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from carpal.errors import InputError
from carpal.kinematics import constraint_residual, satisfy_constraints, tied_groups, worst_constraint
from carpal.model import Coupling, Model
from carpal.planning.planners.kernels.edges import STRETCH
from carpal.spatial import Array

SATISFIED = 1e-9
"""Residual [rad, m] up to which a given configuration counts as satisfying couplings and loops."""
_GRID = 401


class PlannedTies(NamedTuple):
    """Couplings of a search, leaders before their followers; with a payload the joints of loops are among them, held still.

    tables: couplings and loops for the kernels; drawn (nq): 0 where a joint closes a loop, 1 elsewhere; bent: whether a joint
    moves in a curve while others go straight; steepest: the most that a joint moves for a unit of another's motion, by which
    the resolution is divided.
    """

    couplings: tuple[Coupling, ...]
    tables: Any
    drawn: Array
    bent: bool
    steepest: float


def satisfied_end(model: Model, name: str, q: Array) -> Array:
    """A given configuration (nq) with its dependent joints exactly in place, or one sentence where it violates a constraint."""
    if not model.is_constrained:
        return q
    residual = float(np.abs(constraint_residual(model, q)).max())
    if residual > SATISFIED:
        raise InputError(
            f"the {name} violates what ties its joints: {worst_constraint(model, q)}; "
            "satisfy_constraints(model, q) moves the dependent joints."
        )
    result = satisfy_constraints(model, q)
    return result.q if result.ok else q


def held_columns(model: Model, with_payload: bool = True) -> np.ndarray:
    """Indices in q of the joints that loops tie: with a payload a search holds them still."""
    if not model.loops or not with_payload:
        return np.zeros(0, np.int64)
    in_loops = np.isin(model.constraint_tables.sides, (1, 2)).any(axis=0)
    names = {model.joint_names[row - 1] for row in np.flatnonzero(in_loops)}
    tied = set().union(*(group for group in tied_groups(model) if group & names))
    return np.array([model.q_index(name) for name in model.joint_names if name in tied], np.int64)


def check_held(model: Model, starts: Array, goals: Array) -> None:
    """Refuse goals (n, nq) that ask joints of a loop to move."""
    columns = held_columns(model)
    apart = np.abs(goals - starts)[:, columns]
    if apart.size and apart.max() > SATISFIED:
        _, worst = np.unravel_index(int(np.argmax(apart)), apart.shape)
        names = ", ".join(f"'{loop.name}'" for loop in model.loops[:4])
        raise InputError(
            f"joint '{model.joint_names[int(columns[worst])]}' moves {apart.max():.3g} from start to goal, but a loop ties it "
            f"({names}): with a payload plan holds the joints of loops still; give start and goal the same values there."
        )


def planned_ties(model: Model, held: Array | None = None) -> PlannedTies:
    """The ties of a search; with `held` (one number per column of `held_columns`) the joints of loops stay there."""
    tied = model
    if model.loops and held is not None:
        names = [model.joint_names[column] for column in held_columns(model)]  # planned joints have one coordinate each
        kept = [coupling for coupling in model.couplings if coupling.follower not in names]
        still = [
            Coupling(f"{name}, held", name, None, (float(x),)) for name, x in zip(names, held.tolist(), strict=True)
        ]
        tied = model.replace(couplings=(*kept, *still), loops=())
    tables = tied.constraint_tables
    couplings = tuple(tied.couplings[int(row)] for row in np.asarray(tables.couplings)[:, 0])
    drawn = np.ones(model.nq)
    for row in tables.dependent:
        kind, first = int(model.tables.joints[row, 0]), int(model.tables.joints[row, 2])
        drawn[first : first + (0, 1, 1, 4, 7)[kind]] = 0.0
    bent = any(any(coupling.coefficients[2:]) for coupling in couplings)
    steepest = _steepest(model, couplings) if bent else 1.0
    if (
        tied.loops
    ):  # twice as fine, so that no joint moves more than the resolution between two checks (`edges.STRETCH`)
        bent, steepest = True, max(steepest, STRETCH)
    return PlannedTies(couplings, tables, drawn, bent, steepest)


def follower_ranges(model: Model, couplings: tuple[Coupling, ...], low: Array, high: Array) -> None:
    """Write the ranges of followers into limits (nq) that are finite for their leaders; refuse limits that cut them apart."""
    for coupling in couplings:
        follower = model.q_index(coupling.follower)
        x, leader = np.zeros(1), coupling.leader
        if leader is not None:
            i = model.q_index(leader)
            x = np.linspace(low[i], high[i], _GRID) - coupling.leader_ref
        y = coupling.follower_ref + np.polynomial.polynomial.polyval(x, coupling.coefficients)
        least, most = model.q_min[follower], model.q_max[follower]
        if y.min() < least - 1e-9 or y.max() > most + 1e-9:
            raise InputError(
                f"joint '{coupling.follower}' leaves its limits [{least:.4g}, {most:.4g}] where coupling '{coupling.name}' puts "
                f"it ({y.min():.4g} to {y.max():.4g}): planning needs one range of its leader without gaps; narrow its limits."
            )
        low[follower], high[follower] = float(y.min()), float(y.max())
        if not low[follower] < high[follower]:  # a width is divided by
            low[follower], high[follower] = low[follower] - 0.5, high[follower] + 0.5


def _steepest(model: Model, couplings: tuple[Coupling, ...]) -> float:
    """Bound on |d follower / d leader| over the limits, along chains of couplings, at least 1."""
    low, high = model.coupled_limits
    speed = np.ones(model.nq)
    for coupling in couplings:
        if coupling.leader is not None:
            i = model.q_index(coupling.leader)
            a = low[i] if np.isfinite(low[i]) else -2 * np.pi
            b = high[i] if np.isfinite(high[i]) else 2 * np.pi
            slopes = np.polynomial.polynomial.polyder(coupling.coefficients)
            x = np.linspace(a, b, _GRID) - coupling.leader_ref
            slope = float(np.abs(np.polynomial.polynomial.polyval(x, slopes)).max())
            speed[model.q_index(coupling.follower)] = slope * speed[i]
    return float(speed.max())
