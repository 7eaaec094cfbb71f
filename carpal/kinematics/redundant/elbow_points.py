"""Shoulder, elbow and wrist of any arm with seven revolute joints, and the arm angle that they define.

S is the point of the first axis nearest to the second, W the point of the last axis nearest to the last but one, E the
point of the fourth axis nearest to the third. S stands still in the world and W in the tool, so a pose fixes the line S W,
about which E turns. The arm angle is the angle, about S W, from the side of that line to which the first axis points to the
side on which E lies. For a spherical shoulder and wrist these are the centres, and this is Prabhu's angle for a positive
elbow; Prabhu measures from a reference that turns over with the elbow's sign, so for a negative elbow the two differ by
half a turn.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.kinematics.axes import ChainAxes, chain_axes
from carpal.kinematics.forward import fk
from carpal.kinematics.redundant.srs_class import srs_geometry
from carpal.kinematics.tied_chain import tied_chain
from carpal.model import Model, need_model
from carpal.spatial import Array, align_z, inverse


@dataclass(frozen=True, eq=False)
class ElbowPoints:
    """Where the three points are.

    Args:
        shoulder: (3) in the world [m].
        elbow: (3) in the kernels' frame of the fourth joint's body [m].
        wrist: (3) in the tool [m].
        up: (3) direction of the first axis, in the world.
        side: (3) a direction across it, the reference where the wrist stands over the shoulder.
        body: the fourth joint's row in the tables.
    """

    shoulder: Array
    elbow: Array
    wrist: Array
    up: Array
    side: Array
    body: int

    def packed(self) -> Array:
        """(15) as the kernels take them."""
        return np.concatenate([self.shoulder, self.elbow, self.wrist, self.up, self.side])


@functools.lru_cache(maxsize=64)
def elbow_points(model: Model, frame: str) -> ElbowPoints:
    """The three points of an arm; anything but seven revolute joints is refused."""
    axes = chain_axes(model, frame)
    if len(axes.u) != 7 or not axes.all_revolute:
        kinds = "revolute joints" if axes.all_revolute else "joints, not all of them revolute"
        raise InputError(
            f"an arm angle needs seven revolute joints between the world and the frame; "
            f"'{frame}' of model '{model.name}' has {len(axes.u)} {kinds}."
        )
    wrist = _foot(axes, 6, 5)
    return ElbowPoints(
        shoulder=_foot(axes, 0, 1),
        elbow=np.array([0.0, 0.0, (_foot(axes, 3, 2) - axes.c[3]) @ axes.u[3]]),  # the kernels turn every axis to z
        wrist=(inverse(axes.X_WF) @ np.append(wrist, 1.0))[:3],
        up=axes.u[0],
        side=align_z(axes.u[0])[:, 0],
        body=int(model.tables.chains[model.frame_index(frame)][3]),
    )


def has_traced_arm(model: Model, frame: str | None = None) -> bool:
    """Whether a frame hangs on seven revolute joints that are not shoulder, elbow and wrist of a closed form."""
    axes = chain_axes(model, frame)
    if len(axes.u) != 7 or not axes.all_revolute or tied_chain(model, frame) is not None:
        return False
    return srs_geometry(model, frame) is None


def elbow_position(model: Model, q: ArrayLike, frame: str | None = None) -> Array:
    """Where the elbow point is (*batch, 3) [m]."""
    need_model(model, "elbow_position")
    points = elbow_points(model, str(model.tool if frame is None else frame))
    name, X_KB = next((n, X) for n, (row, X) in model.tables.body_rows.items() if row == points.body)
    X_WK = fk(model, q, name) @ inverse(X_KB)
    return X_WK[..., :3, :3] @ points.elbow + X_WK[..., :3, 3]


def elbow_angle(model: Model, q: ArrayLike, frame: str | None = None) -> Array:
    """Arm angle (*batch) [rad] of configurations (*batch, nq) by this file's definition, in (-pi, pi]."""
    name = str(model.tool if frame is None else frame)
    points = elbow_points(model, name)
    X_WT = fk(model, q, name)
    line = X_WT[..., :3, :3] @ points.wrist + X_WT[..., :3, 3] - points.shoulder
    size = np.linalg.norm(line, axis=-1, keepdims=True)
    u = np.where(size > 1e-12, line / np.maximum(size, 1e-12), 0.0)
    ref = _across(points.up, u)
    ref = np.where(np.linalg.norm(ref, axis=-1, keepdims=True) < 1e-9, _across(points.side, u), ref)
    away = _across(elbow_position(model, q, name) - points.shoulder, u)
    return np.arctan2((u * np.cross(ref, away)).sum(-1), (ref * away).sum(-1))


def _across(a: Array, u: Array) -> Array:
    return a - (a * u).sum(-1, keepdims=True) * u


def _foot(axes: ChainAxes, i: int, j: int) -> Array:
    """The point of axis i nearest to axis j; of parallel axes, the one nearest to the point that axis j is given by."""
    between = axes.c[j] - axes.c[i]
    n = np.cross(axes.u[i], axes.u[j])
    nn = float(n @ n)
    along = float(between @ axes.u[i]) if nn < 1e-12 else float(np.cross(between, axes.u[j]) @ n) / nn
    return axes.c[i] + along * axes.u[i]
