"""What every motion's public edge checks: waypoints of joints that turn or slide, and limits above zero."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.model import Model, real_array, wrong_model
from carpal.spatial import Array

LIMIT_TOLERANCE = 1e-6
"""So far [rad, m] outside a joint's limits a given configuration may be; it is clamped."""


def plain_model(model: object, what: str) -> Model:
    """A model whose joints all turn or slide."""
    if not isinstance(model, Model):
        raise wrong_model(model, what)
    for (kind, _), name in zip(model.joint_slices(), model.joint_names, strict=True):
        if kind in ("ball", "free"):
            raise InputError(
                f"{what} moves revolute and prismatic joints; joint '{name}' of '{model.name}' is {kind}: fix it, or plan "
                "for the joints of one robot."
            )
    if not model.nq:
        raise InputError(f"model '{model.name}' has no joint that moves.")
    return model


def limit_values(model: Model, name: str, given: ArrayLike | None, *, needed: bool = True) -> Array:
    """Speed or acceleration limits (nv), the model's where none are given; each above zero, finite where needed."""
    own = np.asarray(getattr(model, name))
    values = np.array(own) if given is None else real_array(given, name)
    if values.shape not in ((), (model.nv,)) or np.isnan(values).any():
        raise InputError(f"{name} must be one number above zero or {model.nv} of them; got {given!r:.80}.")
    values = np.array(np.broadcast_to(values, (model.nv,)))
    for joint, value in zip(model.joint_names, values, strict=True):
        if value <= 0.0:
            raise InputError(
                f"the {name} of joint '{joint}' is {value:g}: it could never move; give a limit above zero or fix the joint."
            )
        if needed and not np.isfinite(value):
            raise InputError(
                f"joint '{joint}' of model '{model.name}' has no {name}; pass {name}= with one number or {model.nv} of them."
            )
    return values


def inside_limits(model: Model, q: Array, name: str) -> Array:
    """Configurations (n, nq) or (nq) clamped to the joint limits; refused where one is further outside than `LIMIT_TOLERANCE`.

    name: what a sentence calls a row; "{}" is its number.
    """
    beyond = np.maximum(q - model.q_max, model.q_min - q)
    if (beyond > LIMIT_TOLERANCE).any():
        row, column = (int(i) for i in np.unravel_index(int(np.argmax(beyond)), (q.size // model.nq, model.nq)))
        value = float(q.reshape(-1, model.nq)[row, column])
        low, high = float(model.q_min[column]), float(model.q_max[column])
        digits = next((n for n in range(6, 17) if f"{value:.{n}g}" not in (f"{low:.{n}g}", f"{high:.{n}g}")), 17)
        raise InputError(
            f"{name.format(row)} is out of limits: joint '{model.joint_names[column]}' at {value:.{digits}g} is outside "
            f"[{low:.{digits}g}, {high:.{digits}g}]; move it inside."
        )
    return np.clip(q, model.q_min, model.q_max)


def joint_waypoints(model: Model, waypoints: ArrayLike, *, limits: bool = True) -> Array:
    """Waypoints (n, nq): two or more, finite, inside the limits, no two neighbours equal."""
    q = real_array(waypoints, "waypoints")
    if q.ndim != 2 or q.shape[1] != model.nq:
        raise InputError(
            f"waypoints of model '{model.name}' must be (n, {model.nq}), one row a configuration "
            f"({', '.join(model.joint_names[:12])}); got shape {q.shape}."
        )
    if len(q) < 2:
        raise InputError(f"a motion needs two waypoints or more, where it starts and where it ends; got {len(q)}.")
    if not np.isfinite(q).all():
        row, column = (int(i) for i in np.argwhere(~np.isfinite(q))[0])
        raise InputError(
            f"waypoint {row}, joint '{model.joint_names[column]}', is {q[row, column]}; it must be finite."
        )
    if limits:
        q = inside_limits(model, q, "waypoint {}")
    same = np.flatnonzero((np.abs(np.diff(q, axis=0)) <= 1e-12).all(axis=1))
    if len(same):
        raise InputError(
            f"waypoints {same[0]} and {same[0] + 1} are equal; leave one out (a rest there is a motion of its own)."
        )
    return np.ascontiguousarray(q, dtype=np.float64)
