"""The configuration at which a robot of a MJCF file begins: a keyframe's, inside the joints' limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from carpal.model.parts import NQ, Body
from carpal.spatial import Array

SHOWN = 6  # joints that a note names
ROUNDING = 1e-9
"""How far [rad, m] a file's rounded number may lie outside a limit without a note."""


def home(compiled: Any, bodies: Sequence[Body], notes: list[str]) -> Array:
    """The qpos of the keyframe "home", else of the first one, else MuJoCo's own start; moved inside the limits, with a note.

    Args:
        compiled: the `MjModel`.
        bodies: those that were made of it; their joints hold the limits.
        notes: sentences on what was not taken as the file has it are added here.
    """
    import mujoco

    if not compiled.nkey:
        return inside_limits(np.array(compiled.qpos0), bodies, "the start of the file", notes)
    names = [mujoco.mj_id2name(compiled, mujoco.mjtObj.mjOBJ_KEY, i) or "" for i in range(compiled.nkey)]
    chosen = names.index("home") if "home" in names else 0
    if compiled.nkey > 1:
        notes.append(f"of {compiled.nkey} keyframes only '{names[chosen] or 'the first'}' is kept, as q_home.")
    what = f"the keyframe '{names[chosen]}'" if names[chosen] else "the first keyframe"
    return inside_limits(np.array(compiled.key_qpos[chosen]), bodies, what, notes)


def inside_limits(q: Array, bodies: Sequence[Body], what: str, notes: list[str]) -> Array:
    """A configuration (nq) with every joint inside its limits; a note names those that had to be moved.

    Args:
        q: (nq) [rad, m].
        bodies: of the model, in order.
        what: where q comes from, for the note.
        notes: the note is added here.
    """
    q = q.copy()
    moved, first = [], 0
    for body in bodies:
        joint = body.joint
        if joint.kind in ("revolute", "prismatic"):
            value = float(q[first])
            q[first] = min(max(value, joint.q_min), joint.q_max)
            if abs(q[first] - value) > ROUNDING:
                moved.append(f"'{joint.name}' from {value:g} to {q[first]:g}")
        first += NQ[joint.kind]
    if moved:
        more = f" and {len(moved) - SHOWN} more" if len(moved) > SHOWN else ""
        notes.append(f"{what} is outside the limits; q_home is moved inside: {', '.join(moved[:SHOWN])}{more}.")
    return q
