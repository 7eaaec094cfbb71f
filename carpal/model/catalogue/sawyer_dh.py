"""Sawyer by the Denavit-Hartenberg table of Alkire (2020, Table 4.1, standard convention), corrected.

Erratum E1: the table prints d2 = 194.5 mm; its own T07 (4.8) and the maker's figures need 192.5 mm.
The joint variable is the table's angle, so the start pose is q_home = (0, 270, 0, 180, 0, 180, 270) deg, doubly singular
(E2). It relates to `sawyer` by q = q_home + S q_sawyer, S = diag(1, 1, 1, -1, 1, 1, 1): joint 4 turns the other way.
Mass properties are the maker's, bolted to these links at the start pose, where both chains agree within 0.25 mm.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from carpal.model.catalogue import sawyer
from carpal.model.dh import DHRow, model_from_dh
from carpal.model.model import Model
from carpal.spatial import Array, Inertia, inverse

# start angle [deg], d [mm], a [mm], alpha [deg]
TABLE = (
    (0, 317, 81, -90),
    (270, 192.5, 0, -90),
    (0, 400, 0, -90),
    (180, 168.5, 0, -90),
    (0, 400, 0, -90),
    (180, 136.3, 0, -90),
    (270, 134.75, 0, 0),
)
SIGNS = (1, 1, 1, -1, 1, 1, 1)


def _poses_at_zero(model: Model) -> dict[str, Array]:
    poses: dict[str | None, Array] = {None: np.eye(4)}
    for body in model.bodies:
        poses[body.name] = poses[body.parent] @ body.joint.X_PJ @ body.joint.X_JB
    return {name: X for name, X in poses.items() if name is not None}


def build() -> Model:
    """Alkire's Sawyer; `tool` is frame 7."""
    maker = sawyer.build()
    rows: list[DHRow] = []
    at_start: list[DHRow] = []
    for (start, d, a, alpha), sign, (_, _, _, _, _, lower, upper, speed, effort) in zip(
        TABLE, SIGNS, sawyer.JOINTS, strict=True
    ):
        low, high = (lower, upper) if sign > 0 else (-upper, -lower)
        zero = np.radians(start)
        row = DHRow(
            a=a / 1000, alpha=float(np.radians(alpha)), d=d / 1000, name=f"q{len(rows) + 1}",
            q_min=float(zero + low), q_max=float(zero + high), v_max=speed, tau_max=effort,
        )  # fmt: skip
        rows.append(row)
        at_start.append(dataclasses.replace(row, theta=float(zero)))
    here, there = _poses_at_zero(model_from_dh(at_start)), _poses_at_zero(maker)
    carried: dict[str, Inertia] = {row.name: Inertia.nothing() for row in rows}
    for body in maker.bodies:
        if body.inertia is not None and body.name != "base":
            row_name = "q1" if body.name == "head" else f"q{int(body.name[1:]) + 1}"
            X_DB = inverse(here[f"{row_name}_link"]) @ there[body.name]
            carried[row_name] = carried[row_name] + body.inertia.moved(X_DB)
    return model_from_dh(
        [dataclasses.replace(row, inertia=carried[row.name]) for row in rows],
        base_inertia=maker.body("base").inertia,
        name="sawyer_dh",
        q_home=np.radians([row[0] for row in TABLE]),
        source="Alkire (2020), Table 4.1 with d2 = 192.5 mm; masses from the maker's description",
        notes=("erratum E1: the printed d2 = 194.5 mm contradicts the printed T07", "the head is locked"),
    )
