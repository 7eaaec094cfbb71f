"""Pack couplings, loops, fixed tendons and compensated weight for the modal kernels (`kernels/constraint_table.py`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from carpal.engines.modal.kernels import constraint_table as columns
from carpal.engines.modal.kernels.contact_table import ORDER_PLACE, TREE_COUNT, TREE_HELD, TREE_HOLDS
from carpal.model import Coupling, Loop, Model, ModelTendon
from carpal.spatial import Array

LOOP_KINDS = {"connect": columns.CONNECTED, "weld": columns.WELDED}


def _joint_rows(model: Model) -> dict[str, int]:
    """Row in the model's tables of each joint that moves."""
    return {
        body.joint.name: model.tables.body_rows[body.name][0] for body in model.bodies if body.joint.kind != "fixed"
    }


def _bodies_of(model: Model, loop: Loop) -> tuple[tuple[int, Array], tuple[int, Array]]:
    """Row and pose in it of both bodies of a loop."""
    places = model.tables.body_rows
    return places[loop.body_a], (0, np.eye(4)) if loop.body_b is None else places[loop.body_b]


def fixed_tendons(model: Model) -> list[ModelTendon]:
    """Tendons that act: fixed ones with a spring, damper, friction or limits."""
    return [tendon for tendon in model.tendons if tendon.joints and acts(tendon)]


def acts(tendon: ModelTendon) -> bool:
    """Whether a tendon has a spring, damper, friction or limits of its own."""
    return bool(tendon.stiffness or tendon.damping or tendon.friction or np.isfinite(tendon.limits).any())


def connections(model: Model) -> list[tuple[int, ...]]:
    """Rows of the model's tables that a coupling, a loop or a fixed tendon connects."""
    rows = _joint_rows(model)
    joints: list[tuple[str | None, ...]] = [(coupling.follower, coupling.leader) for coupling in model.couplings]
    joints += [tuple(tendon.joints) for tendon in fixed_tendons(model)]
    found = [tuple(rows[name] for name in names if name is not None) for names in joints]
    for loop in model.loops:
        (a, _), (b, _) = _bodies_of(model, loop)
        found.append((a, b))
    return found


def constraint_table(model: Model, owner: Sequence[int], trees: np.ndarray) -> tuple[Array, tuple[str, ...]]:
    """The table of couplings and loops, tree by tree, and the name of each of their rows; writes their place into `trees`."""
    rows, joints = _joint_rows(model), model.tables.joints
    packed: list[tuple[int, Array, str]] = []
    for coupling in model.couplings:
        packed.append(
            (owner[rows[coupling.follower]], _coupling(coupling, rows, joints), f"coupling '{coupling.name}'")
        )
    for loop in model.loops:
        (a, _), (b, _) = _bodies_of(model, loop)
        if max(owner[a], owner[b]) >= 0:
            packed.append((max(owner[a], owner[b]), _loop(model, loop), f"loop '{loop.name}'"))
    packed.sort(key=lambda entry: entry[0])
    table = np.zeros((len(packed), columns.CONSTRAINT_COLUMNS))
    names: list[str] = []
    for numbers, (tree, entry, name) in zip(table, packed, strict=True):
        numbers[:] = entry
        numbers[columns.C_FIRST], numbers[columns.C_TREE] = len(names), tree
        if not trees[tree, TREE_HOLDS]:
            trees[tree, TREE_HELD] = len(names)
        count = columns.ROWS_OF_KIND[int(entry[columns.C_KIND])]
        trees[tree, TREE_HOLDS] += count
        names += [name] * count
    return table, tuple(names)


def _coupling(coupling: Coupling, rows: dict[str, int], joints: np.ndarray) -> Array:
    numbers = np.zeros(columns.CONSTRAINT_COLUMNS)
    numbers[columns.C_KIND], numbers[columns.C_DOF_B] = columns.COUPLED, -1
    numbers[columns.C_Q_A], numbers[columns.C_DOF_A] = joints[rows[coupling.follower], 2:4]
    if coupling.leader is not None:
        numbers[columns.C_Q_B], numbers[columns.C_DOF_B] = joints[rows[coupling.leader], 2:4]
    numbers[columns.C_REF_A], numbers[columns.C_REF_B] = coupling.follower_ref, coupling.leader_ref
    numbers[columns.C_POLYNOMIAL : columns.C_POLYNOMIAL + len(coupling.coefficients)] = coupling.coefficients
    return numbers


def _loop(model: Model, loop: Loop) -> Array:
    numbers = np.zeros(columns.CONSTRAINT_COLUMNS)
    numbers[columns.C_KIND] = LOOP_KINDS[loop.kind]
    sides = (columns.C_ROW_A, columns.C_P_A, columns.C_R_A, loop.X_AL), (
        columns.C_ROW_B, columns.C_P_B, columns.C_R_B, loop.X_BL,
    )  # fmt: skip
    for (row, X_KB), (at_row, at_p, at_R, X_BL) in zip(_bodies_of(model, loop), sides, strict=True):
        X_KL = X_KB @ X_BL
        numbers[at_row], numbers[at_p : at_p + 3], numbers[at_R : at_R + 9] = row, X_KL[:3, 3], X_KL[:3, :3].ravel()
    return numbers


def tendon_table(
    model: Model, owner: Sequence[int], trees: np.ndarray, order: np.ndarray, friction_speed: float
) -> Array:
    """The table of fixed tendons; friction_speed: speed below which their dry friction is viscous."""
    rows, tendons = _joint_rows(model), fixed_tendons(model)
    table = np.zeros((len(tendons), columns.T_COEFFICIENT + int(trees[:, TREE_COUNT].max())))
    for numbers, tendon in zip(table, tendons, strict=True):
        numbers[columns.T_TREE] = owner[rows[next(iter(tendon.joints))]]
        numbers[columns.T_STIFFNESS : columns.T_SMOOTH] = tendon.stiffness, tendon.damping, tendon.friction
        numbers[columns.T_SMOOTH] = friction_speed
        numbers[columns.T_SLACK : columns.T_COEFFICIENT] = *tendon.rest, *tendon.limits
        for joint, coefficient in tendon.joints.items():
            dof = model.tables.joints[rows[joint], 3]
            numbers[columns.T_COEFFICIENT + order[dof, ORDER_PLACE]] = coefficient
    return table


def lifted_table(model: Model) -> Array:
    """Compensated mass and first moment of each row; no rows where no weight is compensated."""
    table = np.zeros((len(model.tables.joints), columns.LIFTED_COLUMNS))
    for body in model.bodies:
        if body.gravity_compensation and body.inertia is not None:
            row, X_KB = model.tables.body_rows[body.name]
            if row:
                part = body.inertia.moved(X_KB)
                table[row] += body.gravity_compensation * np.array([part.mass, *part.moment])
    return table if table.any() else table[:0]
