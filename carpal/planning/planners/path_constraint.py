"""What a frame keeps along a whole path: a direction, a plane, a line; with bounds on how far an edge leaves it between its ends.

Along a straight edge in joint space a residual is not farther from the line between its ends' values than an eighth of its
largest second derivative, and that is bounded by how far the joints move and by the reach: a finite check covers all of an edge.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.kinematics import chain_axes, fk, jacobian
from carpal.model import Model, real_array
from carpal.spatial import Array, align_z


@dataclass(frozen=True, eq=False)
class PathConstraint:
    """Something that a frame keeps: see `keep_direction`, `keep_on_plane` and `keep_on_line`.

    Args:
        kind: "direction", "plane" or "line".
        tolerance: how far from it the frame may be, [rad] of a direction, else [m].
        frame: None is the tool.
        axes: (m, 3) directions in the world along which nothing may be left of what is kept.
        anchor: (3) a point of the plane or line [m]; the direction itself in the world.
        axis: (3) of a direction: in the frame.
    """

    kind: str
    tolerance: float
    frame: str | None
    axes: Array
    anchor: Array
    axis: Array = field(default_factory=lambda: np.zeros(3))

    @property
    def limit(self) -> float:
        """What the norm of a residual may be at most."""
        return float(np.sin(self.tolerance)) if self.kind == "direction" else self.tolerance

    @property
    def words(self) -> str:
        """For sentences."""
        unit = (
            f"{np.degrees(self.tolerance):.3g} deg" if self.kind == "direction" else f"{1000 * self.tolerance:.3g} mm"
        )
        return f"the {self.kind} within {unit}"

    def residual(self, model: Model, q: Array) -> Array:
        """(*batch, m) of configurations (*batch, nq); an opposite direction counts as far away."""
        X = fk(model, q, self.frame)
        if self.kind != "direction":
            return np.asarray((X[..., :3, 3] - self.anchor) @ self.axes.T)
        d = X[..., :3, :3] @ self.axis
        ahead = (d @ self.anchor > 0.0)[..., None]
        return np.asarray(np.where(ahead, d @ self.axes.T, 2.0))

    def slope(self, model: Model, q: Array) -> Array:
        """(m, nq) derivative of the residual at one configuration."""
        J = jacobian(model, q, self.frame)
        if self.kind != "direction":
            return np.asarray(self.axes @ J[:3])
        d = fk(model, q, self.frame)[:3, :3] @ self.axis
        return np.asarray(np.cross(d, self.axes) @ J[3:])

    def miss(self, model: Model, q: ArrayLike) -> Array:
        """How far from what is kept: (*batch) [rad] of a direction, else [m]."""
        norm = np.linalg.norm(self.residual(model, np.asarray(q, np.float64)), axis=-1)
        return np.asarray(
            np.where(norm > 1.0, np.pi, np.arcsin(np.minimum(norm, 1.0))) if self.kind == "direction" else norm
        )

    def bends(self, model: Model, dq: Array) -> Array:
        """(n) bounds on how far residuals leave the line between their ends' values on edges that move joints by dq (n, nq)."""
        columns, turns, reach = _reaches(model, self.frame)
        moves = np.abs(dq)[:, columns]
        if self.kind == "direction":
            return np.asarray(0.125 * (moves @ turns) ** 2)
        inner = np.cumsum(moves * turns, axis=1) - moves * turns
        return np.asarray(0.125 * ((2.0 * inner * moves + turns * moves**2) @ reach))

    def steepest(self, model: Model, dq: Array) -> Array:
        """(n) bounds on how much a residual changes where joints move by dq (n, nq)."""
        columns, turns, reach = _reaches(model, self.frame)
        moves = np.abs(dq)[:, columns]
        return np.asarray(moves @ turns if self.kind == "direction" else moves @ reach)

    def bound(self, model: Model, path: Array) -> float:
        """A bound on the norm of the residual along all of a path (n, nq) of straight edges."""
        norms = np.linalg.norm(self.residual(model, path), axis=-1)
        if len(path) < 2:
            return float(norms.max())
        return float((np.maximum(norms[:-1], norms[1:]) + self.bends(model, np.diff(path, axis=0))).max())

    def kept(self, norm: float) -> float:
        """A residual's norm as an angle [rad] or a distance [m]."""
        return float(np.arcsin(min(norm, 1.0))) if self.kind == "direction" else norm


def keep_direction(
    direction: ArrayLike, tolerance: float, *, axis: ArrayLike | None = None, frame: str | None = None
) -> PathConstraint:
    """Keep an axis of a frame along a direction of the world, such as a cup upright.

    Args:
        direction: (3) in the world.
        tolerance: the largest angle between both, below 1.5 [rad].
        axis: (3) in the frame; None: its z axis.
        frame: None is the tool.

    Example:
        >>> carpal.plan(scene, q_start, q_goal, constraints=[keep_direction((0, 0, 1), 0.1)])
    """
    d = _unit("direction", direction)
    inside = _unit("axis", (0.0, 0.0, 1.0) if axis is None else axis)
    return PathConstraint("direction", _positive(tolerance, 1.5), _frame(frame), align_z(d)[:, :2].T.copy(), d, inside)


def keep_on_plane(point: ArrayLike, normal: ArrayLike, tolerance: float, *, frame: str | None = None) -> PathConstraint:
    """Keep a frame's origin on a plane through a point; all in the world, [m]."""
    return PathConstraint(
        "plane", _positive(tolerance), _frame(frame), _unit("normal", normal)[None], _three("point", point)
    )


def keep_on_line(
    point: ArrayLike, direction: ArrayLike, tolerance: float, *, frame: str | None = None
) -> PathConstraint:
    """Keep a frame's origin on a line through a point; all in the world, [m]."""
    axes = align_z(_unit("direction", direction))[:, :2].T.copy()
    return PathConstraint("line", _positive(tolerance), _frame(frame), axes, _three("point", point))


@functools.lru_cache(maxsize=64)
def _reaches(model: Model, frame: str | None) -> tuple[np.ndarray, Array, Array]:
    """Of the joints that carry a frame: columns in q, 1 where they turn, and how far [m] the frame is from each axis at most.

    The reach holds wherever the joints outside are; of a sliding joint it is 1.
    """
    chain = chain_axes(model, frame)
    kinds = {first: kind for kind, first in model.joint_slices()}
    turns = np.array([kinds[int(column)] == "revolute" for column in chain.columns], bool)
    points = np.vstack([chain.c, chain.X_WF[:3, 3]])
    links = np.linalg.norm(np.diff(points, axis=0), axis=1)
    travel = np.maximum(np.abs(model.q_min), np.abs(model.q_max))[chain.columns]
    links[:-1] += np.where(turns, 0.0, travel)[1:]
    return chain.columns, turns.astype(float), np.where(turns, np.cumsum(links[::-1])[::-1], 1.0)


def _three(name: str, given: ArrayLike) -> Array:
    x = real_array(given, f"a constraint's {name}")
    if x.shape != (3,) or not np.isfinite(x).all():
        raise InputError(f"a constraint's {name} must be 3 finite numbers; got {given!r:.60}.")
    return np.array(x, np.float64)


def _unit(name: str, given: ArrayLike) -> Array:
    x = _three(name, given)
    length = float(np.linalg.norm(x))
    if not 0 < length < np.inf:
        raise InputError(f"a constraint's {name} must not be zero; got {given!r:.60}.")
    return x / length


def _positive(tolerance: float, most: float = np.inf) -> float:
    number = isinstance(tolerance, int | float | np.floating | np.integer) and not isinstance(tolerance, bool)
    if not number or not 1e-5 <= tolerance < most:
        upper = "" if most == np.inf else f" and below {most}"
        raise InputError(f"a constraint's tolerance must be a number of at least 1e-5{upper}; got {tolerance!r:.60}.")
    return float(tolerance)


def _frame(frame: str | None) -> str | None:
    if frame is not None and not isinstance(frame, str):
        raise InputError(f"a constraint's frame must be a name or None; got {frame!r:.60}.")
    return frame
