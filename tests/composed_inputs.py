"""Problems of composed inverse kinematics, and kernels called by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import nnls

from carpal.kinematics.composed.kernels.active_set import Quadratic
from carpal.kinematics.composed.kernels.composed_step import Room
from carpal.kinematics.composed.kernels.target_rows import (
    GOAL_COLUMNS,
    Targets,
    carried_masses,
    fill_rows,
    place_all,
)
from carpal.kinematics.composed.packed import Packed, pack, room
from carpal.model import Body, Joint, Model
from carpal.spatial import Inertia


def quadratic(H: np.ndarray, g: np.ndarray, B: np.ndarray, bounds: np.ndarray) -> Quadratic:
    """A program in a slot of its own."""
    n, m = len(g), len(B)
    shapes = [(n,), (n, n), (n, n), (n,), (n,), (n,), (n,)]
    given = [np.array(a, float)[None] for a in (H, g, B.reshape(m, n), bounds.reshape(m, 2))]
    return Quadratic(*given, *(np.empty((1, *shape)) for shape in shapes))


def fresh_room(packed: Packed, extra: int = 0) -> Room:
    """Scratch for one slot."""
    return room(*(np.zeros((1, *shape)) for shape in packed.scratch(extra)))


def rows_at(packed: Packed, q: np.ndarray, goals: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows (r, nv), errors (r) and what `fill_rows` reports of them (targets, 2) at one configuration."""
    made: Any = fresh_room(packed)
    work = made.work
    targets = Targets(*packed.constants, np.array(goals, float).reshape(1, -1, GOAL_COLUMNS), q[None])
    errors = np.zeros((1, len(packed.targets), 2))
    place_all(packed.robot, q[None], work.scratch, 0)
    carried_masses(packed.robot, targets.table, work.scratch, 0)
    fill_rows(packed.robot, targets, work.J, work.e, q[None], work.scratch, errors, 0, 0)
    rows = int(packed.constants[5][-1])
    return work.J[0, :rows].copy(), work.e[0, :rows].copy(), errors[0]


def packed_of(model: Model, *targets: Any) -> Packed:
    """Without limits."""
    return pack(model, targets, ())


def two_arms() -> Model:
    """A torso that turns and slides, two arms of four joints each, all with masses; the tool is the left hand."""
    rng = np.random.default_rng(5)

    def inertia() -> Inertia:
        return Inertia.point(float(rng.uniform(0.5, 2.0)), rng.uniform(-0.1, 0.1, 3)) + Inertia(
            1.0, np.zeros(3), np.diag([0.02, 0.03, 0.04])
        )

    bodies = [
        Body("torso", None, Joint("turn", "revolute", axis=(0, 0, 1), q_min=-2.0, q_max=2.0, v_max=1.0), inertia()),
        Body("chest", "torso", Joint("lift", "prismatic", axis=(0, 0, 1), q_min=-0.2, q_max=0.3, v_max=0.5), inertia()),
    ]
    for side, y in (("left", 0.3), ("right", -0.3)):
        parent = "chest"
        for i, axis in enumerate(((0, 0, 1), (0, 1, 0), (0, 1, 0), (1, 0, 0))):
            X = np.eye(4)
            X[:3, 3] = (0.0, y, 0.4) if i == 0 else (0.25, 0.0, 0.02)
            name = f"{side}_{i}" if i < 3 else f"{side}_hand"
            bodies.append(
                Body(
                    name,
                    parent,
                    Joint(f"{side}_joint{i}", "revolute", axis=axis, X_PJ=X, q_min=-2.5, q_max=2.5, v_max=2.0),
                    inertia(),
                )
            )
            parent = name
    return Model("two_arms", tuple(bodies), tool="left_hand", tool_axis=(1.0, 0.0, 0.0))


def check_optimal(H, g, B, bounds, x, tolerance=1e-7, free=None):
    """H x - g is a combination, with the right signs, of the normals of constraints that hold with equality.

    free (k, n): normals of equations, whose multipliers have either sign.
    """
    value = B @ x
    scale = 1.0 + np.abs(np.where(np.isfinite(bounds), bounds, 0.0)).max(initial=0.0)
    assert (value >= bounds[:, 0] - 1e-9 * scale).all() and (value <= bounds[:, 1] + 1e-9 * scale).all()
    at_low, at_high = value <= bounds[:, 0] + 1e-8 * scale, value >= bounds[:, 1] - 1e-8 * scale
    normals = np.concatenate([B[at_low], -B[at_high]])
    slope = H @ x - g
    if free is not None:
        normals = np.concatenate([normals, free, -free])
    left = np.linalg.norm(slope) if not len(normals) else nnls(normals.T, slope)[1]
    assert left <= tolerance * (1.0 + np.linalg.norm(g))
