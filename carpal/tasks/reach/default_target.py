"""Where a robot's tool goes if nobody says: a point that it reaches for certain."""

from __future__ import annotations

import numpy as np

from carpal.errors import InputError
from carpal.model import Model
from carpal.spatial import Array

USUAL = (0.5, 0.2, 0.4)
"""In front of a robot of an arm's size [m]."""
SHARE, TURN, SLIDE = 0.15, 0.3, 0.05
"""Each joint moves by this share of its range, at most by so much [rad, m]."""


def default_target(model: Model) -> Array:
    """A point (3) [m] that the tool reaches inside the limits.

    (0.5, 0.2, 0.4) where the robot reaches it; otherwise where the tool is after every joint has moved from home towards the
    middle of its range, by 15 % of the range but at most 0.3 rad or 0.05 m.
    """
    from carpal.kinematics import fk, ik, satisfy_constraints

    if not len(model.tables.chains[model.frame_index(None)]):
        raise InputError(
            f"no joint of model '{model.name}' moves its tool '{model.tool}', so it can reach for nothing; choose another "
            f"tool; frames: {', '.join(model.frames[:20])}{' ...' if len(model.frames) > 20 else ''}."
        )
    if ik(model, np.array(USUAL), model.q_home):
        return np.array(USUAL)
    q = moved_from_home(model)
    if model.couplings or model.loops:
        q = satisfy_constraints(model, q).q
    X: Array = fk(model, q)
    return X[:3, 3]


def moved_from_home(model: Model) -> Array:
    """Home (nq) with every revolute and prismatic joint moved a little, inside its limits."""
    q = np.array(model.q_home)
    for kind, i in model.joint_slices():
        if kind not in ("revolute", "prismatic"):
            continue
        low, high = model.q_min[i], model.q_max[i]
        step = min(SHARE * (high - low), TURN if kind == "revolute" else SLIDE)
        towards = 1.0 if not np.isfinite(high - low) or q[i] <= (low + high) / 2 else -1.0
        if not low <= q[i] + towards * step <= high:
            towards = -towards
        q[i] = min(max(q[i] + towards * step, low), high)
    return q
