"""Residuals and Jacobians of couplings and loops in NumPy: for choosing dependent joints and assembling a model when it is made.

`carpal.kinematics` has the same in kernels, for batches and searches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from carpal.model.constraints import Coupling
from carpal.spatial import (
    Array,
    exact_sincos,
    pose,
    rotation_from_vector,
    rotation_from_wxyz,
    rotation_vector,
    wxyz_from_rotation,
)

if TYPE_CHECKING:
    from carpal.model.model import Model

REVOLUTE, PRISMATIC, BALL = 1, 2, 3


def ordered_couplings(couplings: tuple[Coupling, ...]) -> list[int]:
    """Indices of couplings, a leader's own coupling before those that follow it."""
    by_follower = {coupling.follower: i for i, coupling in enumerate(couplings)}
    order: dict[int, None] = {}
    for i in range(len(couplings)):
        chain: list[int] = []
        at: int | None = i
        while at is not None and at not in order:
            chain.append(at)
            at = by_follower.get(couplings[at].leader or "")
        order.update(dict.fromkeys(reversed(chain)))
    return list(order)


def follow_leaders(model: Model, q: Array) -> Array:
    """A copy of q (nq) in which every follower is where its coupling has it."""
    q = np.array(q, float)
    for i in ordered_couplings(model.couplings):
        coupling = model.couplings[i]
        x = 0.0 if coupling.leader is None else q[model.q_index(coupling.leader)] - coupling.leader_ref
        q[model.q_index(coupling.follower)] = coupling.follower_ref + np.polynomial.polynomial.polyval(
            x, coupling.coefficients
        )
    return q


def coupling_map(model: Model, q: Array) -> Array:
    """T (nv, nv): v = T v where the followers' own columns are zero and their rows follow their leaders."""
    T = np.eye(model.nv)
    for i in ordered_couplings(model.couplings):
        coupling = model.couplings[i]
        row = model.v_index(coupling.follower)
        T[row] = 0.0
        if coupling.leader is not None:
            slopes = np.polynomial.polynomial.polyder(np.append(coupling.coefficients, 0.0))
            x = q[model.q_index(coupling.leader)] - coupling.leader_ref
            T[row] = np.polynomial.polynomial.polyval(x, slopes) * T[model.v_index(coupling.leader)]
    return T


def row_poses(model: Model, q: Array) -> list[Array]:
    """X_WK (4, 4) of every row of the kernels' tables."""
    tables, out = model.tables, [np.eye(4)]
    for row in range(1, len(tables.joints)):
        kind, parent, first, _ = (int(x) for x in tables.joints[row])
        numbers = tables.bodies[row]
        X = out[parent] @ pose(numbers[:9].reshape(3, 3), numbers[9:12])
        if kind == REVOLUTE:
            s, c = exact_sincos(float(q[first]))
            X = X @ pose(np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]))
        elif kind == PRISMATIC:
            X = X @ pose(p=np.array([0.0, 0.0, q[first]]))
        else:
            end = first + (4 if kind == BALL else 7)
            X = X @ pose(rotation_from_wxyz(q[end - 4 : end]), np.zeros(3) if kind == BALL else q[first : first + 3])
        out.append(X)
    return out


def ancestors(model: Model, row: int) -> set[int]:
    """Rows of the joints that move a row, itself included; the world is none."""
    out = set()
    while row > 0:
        out.add(row)
        row = int(model.tables.joints[row, 1])
    return out


def columns_of(model: Model, row: int) -> range:
    """Indices in v of a row's joint."""
    kind, first = int(model.tables.joints[row, 0]), int(model.tables.joints[row, 3])
    return range(first, first + (0, 1, 1, 3, 6)[kind])


def loop_rows(model: Model, q: Array) -> tuple[Array, Array]:
    """Residual (rows) and Jacobian (rows, nv) of the loops at q (nq), in world axes.

    Points: p_A - p_B. Frames: also twice the vector part of the quaternion that turns B's closing frame to A's.
    """
    X, tables = row_poses(model, q), model.tables
    residuals, jacobians = [np.zeros(0)], [np.zeros((0, model.nv))]
    for loop in model.loops:
        (a, X_KA), (b, X_KB) = tables.body_rows[loop.body_a], (0, np.eye(4))
        if loop.body_b is not None:
            b, X_KB = tables.body_rows[loop.body_b]
        X_WA, X_WB = X[a] @ X_KA @ loop.X_AL, X[b] @ X_KB @ loop.X_BL
        J_A, J_B = (_point_jacobian(model, X, row, Y[:3, 3]) for row, Y in ((a, X_WA), (b, X_WB)))
        residuals.append(X_WA[:3, 3] - X_WB[:3, 3])
        jacobians.append(J_A[:3] - J_B[:3])
        if loop.kind == "weld":
            E = X_WA[:3, :3] @ X_WB[:3, :3].T
            e = rotation_vector(E)
            half = 0.5 * float(np.linalg.norm(e))
            s = e * np.sinc(half / np.pi)
            Omega = J_A[3:] - E @ J_B[3:]
            residuals.append(s)
            jacobians.append(np.cos(half) * Omega + 0.5 * np.cross(Omega, s, axisa=0, axisc=0))
    return np.concatenate(residuals), np.concatenate(jacobians)


def _point_jacobian(model: Model, X: list[Array], row: int, point: Array) -> Array:
    """(6, nv) of a point that is fixed to a row, linear first."""
    J = np.zeros((6, model.nv))
    for body in ancestors(model, row):
        kind, parent = int(model.tables.joints[body, 0]), int(model.tables.joints[body, 1])
        axes = X[body][:3, 2:3] if kind in (REVOLUTE, PRISMATIC) else X[parent][:3, :3] @ _joint_axes(model, body)
        first = columns_of(model, body)[0]
        if kind == PRISMATIC:
            J[:3, first] = axes[:, 0]
            continue
        if kind > BALL:
            J[:3, first : first + 3] = axes
            first += 3
        for k in range(axes.shape[1]):
            J[:3, first + k] = np.cross(axes[:, k], point - X[body][:3, 3])
            J[3:, first + k] = axes[:, k]
    return J


def _joint_axes(model: Model, body: int) -> Array:
    return np.asarray(model.tables.bodies[body, :9].reshape(3, 3))


def moved(model: Model, q: Array, v: Array) -> Array:
    """Q (+) v (nq)."""
    out = np.array(q, float)
    for row in range(1, len(model.tables.joints)):
        kind, _, iq, iv = (int(x) for x in model.tables.joints[row])
        if kind in (REVOLUTE, PRISMATIC):
            out[iq] += v[iv]
            continue
        if kind > BALL:
            out[iq : iq + 3] += v[iv : iv + 3]
            iq, iv = iq + 3, iv + 3
        R = rotation_from_vector(v[iv : iv + 3]) @ rotation_from_wxyz(out[iq : iq + 4])
        out[iq : iq + 4] = wxyz_from_rotation(R)
    return out


def joint_of_row(model: Model, row: int) -> str:
    """Name of a row's joint."""
    return model.joint_names[row - 1]
