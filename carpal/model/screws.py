"""Models from screw axes: the product of exponentials (Brockett 1984; Lynch and Park 2017, ch. 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.model.model import Model
from carpal.model.parts import Body, Frame, Joint, real_array
from carpal.spatial import Array, Inertia, pose


def model_from_screws(
    screws: ArrayLike,
    X_WT: ArrayLike,
    *,
    joint_names: Sequence[str] | None = None,
    inertias: Sequence[Inertia] | None = None,
    base_inertia: Inertia | None = None,
    q_min: ArrayLike = -np.inf,
    q_max: ArrayLike = np.inf,
    v_max: ArrayLike = np.inf,
    tau_max: ArrayLike = np.inf,
    name: str = "screws",
    **model_options: Any,
) -> Model:
    """A chain from its screw axes at zero configuration.

    Args:
        screws: (n, 6) twists in the world, linear part first: (-w x p, w) of a revolute axis w through p, (v, 0) of a
            prismatic one.
        X_WT: pose (4, 4) of the tool at zero configuration.
        joint_names: n names; joint_1 ... by default.
        inertias: n mass properties in world axes about the world's origin, at zero configuration.
        base_inertia: mass properties of the base; massless by default when `inertias` are given.
        q_min, q_max, v_max, tau_max: one number or n.
        name: the model's name.
        model_options: further arguments of `Model`.
    """
    S = real_array(screws, "screws")
    if S.ndim != 2 or S.shape[1] != 6 or not len(S) or not np.isfinite(S).all():
        raise InputError(f"screws must be (n, 6) finite numbers, n >= 1; got shape {S.shape}.")
    n = len(S)
    names = [f"joint_{i + 1}" for i in range(n)] if joint_names is None else list(joint_names)
    if len(names) != n or (inertias is not None and len(inertias) != n):
        raise InputError(f"{n} screws need {n} joint_names and {n} inertias.")
    given = {"q_min": q_min, "q_max": q_max, "v_max": v_max, "tau_max": tau_max}
    limits = [_one_or_all(real_array(x, what), n, what) for what, x in given.items()]
    if base_inertia is None and inertias is not None:
        base_inertia = Inertia.nothing()
    bodies = [Body("base", None, Joint("mount"), base_inertia)]
    X_WP = np.eye(4)
    for i in range(n):
        kind, axis, point = _axis_of(S[i], names[i])
        X_WJ = pose(p=point)
        X_PJ = pose(p=point - X_WP[:3, 3])
        low, high, fast, strong = (float(x[i]) for x in limits)
        joint = Joint(names[i], kind, X_PJ=X_PJ, axis=axis, q_min=low, q_max=high, v_max=fast, tau_max=strong)
        inertia = None if inertias is None else inertias[i].moved(pose(p=-point))
        bodies.append(Body(f"{names[i]}_link", bodies[-1].name, joint, inertia))
        X_WP = X_WJ
    tool = real_array(X_WT, "X_WT")
    if tool.shape != (4, 4):
        raise InputError(f"X_WT must be a 4x4 pose; got shape {tool.shape}.")
    tool[:3, 3] -= X_WP[:3, 3]
    frames = (Frame("tool", bodies[-1].name, tool),)
    return Model(name=name, bodies=tuple(bodies), extra_frames=frames, tool="tool", **model_options)


def _one_or_all(x: Array, n: int, what: str) -> Array:
    if x.shape not in ((), (n,)):
        raise InputError(f"{what} must be one number or {n}; got shape {x.shape}.")
    return np.broadcast_to(x, (n,))


def _axis_of(screw: Array, name: str) -> tuple[str, Array, Array]:
    """(kind, unit axis, the axis' point nearest to the world's origin)."""
    v, w = screw[:3], screw[3:]
    turn, slide = float(np.linalg.norm(w)), float(np.linalg.norm(v))
    if turn == 0 and slide == 0:
        raise InputError(f"the screw of joint '{name}' is zero.")
    if turn == 0:
        if abs(slide - 1) > 1e-9:
            raise InputError(f"the screw of joint '{name}' must have |v| = 1 (w = 0); got {slide}.")
        return "prismatic", v / slide, np.zeros(3)
    if abs(turn - 1) > 1e-9:
        raise InputError(f"the screw of joint '{name}' must have |w| = 1; got {turn}.")
    if abs(v @ w) > 1e-9 * max(1.0, slide):
        raise InputError(f"the screw of joint '{name}' has pitch {v @ w:.3g}; helical joints are not supported.")
    return "revolute", w / turn, np.cross(w, v) / turn**2
