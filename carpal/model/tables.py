"""From bodies and joints to the packed tables that kernels read (layout: `model/kernels/tables.py`)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.model.parts import NQ, NV, Body, Frame
from carpal.spatial import Array, Inertia, align_z, pose

KINDS = ("fixed", "revolute", "prismatic", "ball", "free")
BODY_COLUMNS = 26


@dataclass(frozen=True, eq=False)
class Tables:
    """A model as the kernels see it.

    Args:
        joints: (n + 1, 4) int64; kind, parent row, first index in q, first index in v. Row 0 is the world.
        bodies: (n + 1, 26) float64; joint pose in the parent, mass properties, rotor inertia; gravity in row 0.
        frames: (frames, 12) float64; rotation and position of each named frame in its row's frame.
        frame_body: row in `joints` that each frame is fixed to.
        chains: for each frame the rows between the world and the frame, outwards.
        frame_rows: name of a frame to its row in `frames`.
        body_rows: (row, X_KB) of each body by name: the kernels' frame K and the body's pose in it.
    """

    joints: np.ndarray
    bodies: Array
    frames: Array
    frame_body: tuple[int, ...]
    chains: tuple[np.ndarray, ...]
    frame_rows: dict[str, int]
    body_rows: dict[str, tuple[int, Array]]


def _twelve(X: Array) -> Array:
    return np.concatenate([X[:3, :3].ravel(), X[:3, 3]])


def _chain(joint_rows: list[tuple[int, int, int, int]], row: int) -> np.ndarray:
    rows = []
    while row > 0:
        rows.append(row)
        row = joint_rows[row][1]
    return np.array(rows[::-1], np.int64)


def build_tables(bodies: tuple[Body, ...], frames: tuple[Frame, ...], gravity: Array) -> Tables:
    """Fold fixed joints away, turn every axis to z, and pack."""
    joint_rows: list[tuple[int, int, int, int]] = [(0, 0, 0, 0)]
    body_table: list[Array] = [np.concatenate([_twelve(np.eye(4)), np.zeros(BODY_COLUMNS - 12)])]
    lumped: list[Inertia] = [Inertia.nothing()]
    place: dict[str | None, tuple[int, Array]] = {None: (0, np.eye(4))}
    nq = nv = 0
    for body in bodies:
        joint = body.joint
        row, X_KP = place[body.parent]
        X_KJ = X_KP @ joint.X_PJ
        if joint.kind == "fixed":
            X_KB = X_KJ @ joint.X_JB
        else:
            A = pose(align_z(joint.axis)) if joint.kind in ("revolute", "prismatic") else np.eye(4)
            joint_rows.append((KINDS.index(joint.kind), row, nq, nv))
            numbers = np.zeros(BODY_COLUMNS)
            numbers[:12] = _twelve(X_KJ @ A)
            numbers[22] = joint.armature
            body_table.append(numbers)
            lumped.append(Inertia.nothing())
            nq, nv = nq + NQ[joint.kind], nv + NV[joint.kind]
            row = len(joint_rows) - 1
            X_KB = A.T @ joint.X_JB  # A only turns, so its transpose is its inverse
        place[body.name] = (row, X_KB)
        if body.inertia is not None:
            lumped[row] = lumped[row] + body.inertia.moved(X_KB)
    for numbers, inertia in zip(body_table, lumped, strict=True):
        I = inertia.about_origin
        numbers[12] = inertia.mass
        numbers[13:16] = inertia.moment
        numbers[16:22] = I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]
    body_table[0][23:26] = gravity
    named = [(body.name, *place[body.name]) for body in bodies]
    for frame in frames:
        row, X_KB = place[frame.body]
        named.append((frame.name, row, X_KB @ frame.X_BF))
    return Tables(
        joints=np.array(joint_rows, np.int64),
        bodies=np.array(body_table),
        frames=np.array([_twelve(X) for _, _, X in named]),
        frame_body=tuple(row for _, row, _ in named),
        chains=tuple(_chain(joint_rows, row) for _, row, _ in named),
        frame_rows={name: i for i, (name, _, _) in enumerate(named)},
        body_rows={name: place for name, place in place.items() if name is not None},
    )
