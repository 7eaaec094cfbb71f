"""Which joints are independent and which follow from couplings and loops; and configurations in which all loops are closed.

Followers of couplings are dependent. Of a loop as many joints are dependent as its Jacobian has rank, at a configuration in
which the loops are closed: passive joints before driven ones; of these ball joints (of rods) first and joints with springs last,
else the ones farther out in the tree first, so that cranks and actuated joints stay independent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from carpal.model.loop_kinematics import (
    BALL,
    ancestors,
    columns_of,
    coupling_map,
    follow_leaders,
    joint_of_row,
    loop_rows,
    moved,
)
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.model.model import Model

CLOSED = 1e-12
"""Residual [m, rad] at which loops count as closed."""
NOTED = 1e-6
"""Opening [m, rad] of the loops at a given home from which a note says that joints were moved."""
_STEPS = 100
_TRIES = 8  # starts of an assembly
_CLEARLY, _BARELY = 0.05, 1e-7  # a column counts as independent of others when so much of its length is across them


class Assembly(NamedTuple):
    """A configuration (nq), its largest loop residual [m, rad], and the rank of the loops' Jacobian there."""

    q: Array
    residual: float
    rank: int


def loop_bodies(model: Model, loop: int) -> tuple[int, int]:
    """Rows of a loop's two bodies in the tables; 0 is the world."""
    tie, rows = model.loops[loop], model.tables.body_rows
    return rows[tie.body_a][0], 0 if tie.body_b is None else rows[tie.body_b][0]


def loop_joints(model: Model, loop: int) -> set[int]:
    """Rows of the joints that move one of a loop's bodies against the other."""
    a, b = loop_bodies(model, loop)
    return ancestors(model, a) ^ ancestors(model, b)


def closing_rows(model: Model) -> list[int]:
    """Rows of all joints that move a loop's bodies against each other, directly or through couplings; followers are left out."""
    rows = set().union(*(loop_joints(model, i) for i in range(len(model.loops))))
    names = {joint_of_row(model, row) for row in rows}
    leaders = {coupling.follower: coupling.leader for coupling in model.couplings}
    free = set()
    for name in names:
        top: str | None = name
        while top is not None and top in leaders:
            top = leaders[top]
        if top is not None:
            free.add(top)
    return [row for row in range(1, len(model.tables.joints)) if joint_of_row(model, row) in free]


def closed_near(model: Model, q: Array, rows: list[int]) -> tuple[Array, float]:
    """Q moved by the shortest Gauss-Newton steps of some joints until the loops are closed, and the residual that is left."""
    columns = [c for row in rows for c in columns_of(model, row)]
    q = follow_leaders(model, q)
    r, G = loop_rows(model, q)
    size = _largest(r)
    for _ in range(_STEPS):
        if size <= CLOSED or not columns:
            break
        step = np.zeros(model.nv)
        A = (G @ coupling_map(model, q))[:, columns]
        step[columns] = -np.linalg.lstsq(A, r, rcond=1e-10)[0]
        shrink = min(1.0, 0.5 / max(_largest(step), 1e-300))
        for _ in range(12):
            trial = follow_leaders(model, moved(model, q, shrink * step))
            r_trial, G_trial = loop_rows(model, trial)
            if r_trial @ r_trial < r @ r:
                break
            shrink *= 0.5
        else:
            break
        q, r, G, size = trial, r_trial, G_trial, _largest(r_trial)
    return q, size


def assemble(model: Model) -> Assembly:
    """A configuration in which loops are closed, near q_home if that can be; else the best that was found."""
    rows = closing_rows(model)
    rng = np.random.default_rng(0)
    best: Assembly | None = None
    home = np.asarray(model.q_home)
    for attempt in range(_TRIES):
        start = home if not attempt else _shaken(model, home, rows, rng, 1.0)
        q, residual = closed_near(model, start, rows)
        if best is None or residual < best.residual:
            best = Assembly(q, residual, _rank(model, q))
        if residual <= CLOSED:
            break
    assert best is not None
    return best


def _rank(model: Model, q: Array) -> int:
    return int(np.linalg.matrix_rank(loop_rows(model, q)[1] @ coupling_map(model, q), tol=1e-8))


def _shaken(model: Model, q: Array, rows: list[int], rng: np.random.Generator, share: float) -> Array:
    """Q with the given scalar joints moved at random by a share of their range (of half a turn where there is no limit)."""
    q = np.array(q, float)
    for row in rows:
        kind, _, iq, _ = (int(x) for x in model.tables.joints[row])
        if kind <= 2:
            low, high = float(model.q_min[iq]), float(model.q_max[iq])
            low = low if np.isfinite(low) else q[iq] - np.pi / 2
            high = high if np.isfinite(high) else q[iq] + np.pi / 2
            q[iq] = np.clip(q[iq] + share * (rng.uniform(low, high) - q[iq]), low, high)
    return q


def dependent_rows(model: Model) -> list[int]:
    """Rows of the joints that close the loops, in the order of the tree; the others are free to choose."""
    if not model.loops:
        return []
    rows = closing_rows(model)
    home = assemble(model)
    # a dead point has a lower rank than its neighbours: choose where the rank is highest
    rng = np.random.default_rng(1)
    best = home
    for _ in range(3):
        q, residual = closed_near(model, _shaken(model, home.q, rows, rng, 0.05), rows)
        if residual <= max(CLOSED, home.residual) and _rank(model, q) > best.rank:
            best = Assembly(q, residual, _rank(model, q))
    G = loop_rows(model, best.q)[1] @ coupling_map(model, best.q)
    driven = _driven(model)
    sprung = {body.joint.name for body in model.bodies if body.joint.stiffness > 0}

    def rank_of(row: int) -> tuple[bool, bool, int, int]:
        is_ball = int(model.tables.joints[row, 0]) == BALL
        return joint_of_row(model, row) in sprung, not is_ball, -len(ancestors(model, row)), -row

    basis = np.zeros((len(G), 0))
    chosen: list[int] = []
    for group in (False, True):
        members = sorted((row for row in rows if (joint_of_row(model, row) in driven) == group), key=rank_of)
        for least in (_CLEARLY, _BARELY):
            for row in members:
                if row in chosen or basis.shape[1] >= best.rank:
                    continue
                grown = _with_columns(basis, G[:, list(columns_of(model, row))], least)
                if grown.shape[1] > basis.shape[1]:
                    basis = grown
                    chosen.append(row)
    return sorted(chosen)


def _with_columns(basis: Array, columns: Array, least: float) -> Array:
    """An orthonormal basis grown by those columns of which more than a share is across it."""
    for column in columns.T:
        length = float(np.linalg.norm(column))
        if length < 1e-9:
            continue
        across = column - basis @ (basis.T @ column)
        across -= basis @ (basis.T @ across)
        rest = float(np.linalg.norm(across))
        if rest > least * length:
            basis = np.column_stack([basis, across / rest])
    return basis


def _driven(model: Model) -> set[str]:
    """Joints that an actuator moves; where none does, no joint is."""
    tendons = {tendon.name: tendon for tendon in model.tendons}
    out: set[str] = set()
    for actuator in model.actuators:
        if actuator.joint is not None:
            out.add(actuator.joint)
        elif actuator.tendon in tendons:
            out.update(tendons[actuator.tendon].joints)
    leaders = {coupling.follower: coupling.leader for coupling in model.couplings}
    for name in list(out):  # who drives a follower drives its leader
        top: str | None = name
        while top is not None and top in leaders:
            top = leaders[top]
        if top is not None:
            out.add(top)
    return out


def _largest(values: Array) -> float:
    return float(np.abs(values).max()) if values.size else 0.0


def assembled(model: Model) -> Model:
    """The model with a q_home that satisfies couplings and loops; see `Model.assembled`."""
    home = np.asarray(model.q_home)
    q = follow_leaders(model, home)
    residual = _largest(loop_rows(model, q)[0]) if model.loops else 0.0
    notes, given = model.notes, residual
    if residual > CLOSED:
        # the independent joints stay where they are if the loops close so
        q, residual = closed_near(model, home, dependent_rows(model))
        if residual > CLOSED:
            q, residual, _ = assemble(model)
        if residual > CLOSED:
            worst = int(np.argmax(np.abs(loop_rows(model, q)[0])))
            notes = (*notes, f"loop '{_loop_of_row(model, worst)}' does not close: {residual:.3g} [m, rad] are left.")
        elif given > NOTED:
            notes = (
                *notes,
                f"loops are open by {given:.3g} [m, rad] at the home that was given; joints moved by up to "
                f"{_largest(q - home):.3g} [rad, m] from it to close them.",
            )
    return model if np.array_equal(q, home) and notes == model.notes else model.replace(q_home=q, notes=notes)


def _loop_of_row(model: Model, row: int) -> str:
    for loop in model.loops:
        row -= loop.rows
        if row < 0:
            return loop.name
    raise IndexError(row)
