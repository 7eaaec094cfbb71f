"""Equality constraints of a compiled MJCF file as couplings and loops.

MuJoCo's joint equality: q_1 - ref_1 = polynomial of (q_2 - ref_2), where ref is a joint's position in the file's reference
pose. Its connect and weld equalities hold two points or frames together; where the file names bodies, the compiler has
already written both frames into `eq_data` (weld: the point in body 2, then point and rotation in body 1).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from carpal.errors import ModelError
from carpal.model.constraints import Coupling, Loop
from carpal.model.parts import Frame
from carpal.model.readers.assemble import Names, object_names
from carpal.spatial import Array, pose, rotation_from_wxyz

OTHERS = {
    "mjEQ_TENDON": "tendon equality", "mjEQ_DISTANCE": "distance equality", "mjEQ_FLEX": "flex equality",
    "mjEQ_FLEXVERT": "flex equality", "mjEQ_FLEXSTRAIN": "flex equality",
}  # fmt: skip


def constraints_of(
    compiled: Any, joints: list[str], bodies: list[str | None], frames: list[Frame]
) -> tuple[tuple[Coupling, ...], tuple[Loop, ...], list[str]]:
    """Couplings, loops, and sentences on the equalities that are not kept.

    Args:
        compiled: the `MjModel`.
        joints: names of its joints in the model.
        bodies: names of its bodies in the model, None for the world.
        frames: the model's frames, one for each of its sites.
    """
    import mujoco

    kinds = [mujoco.mjtEq(int(kind)).name for kind in compiled.eq_type]
    written = object_names(compiled, "EQUALITY", compiled.neq)
    names = Names({name for name in written if name})
    couplings: list[Coupling] = []
    loops: list[Loop] = []
    lost: list[str] = []
    for i, kind in enumerate(kinds):
        label = written[i] or names.new(_default_name(compiled, i, kind, joints, bodies, frames))
        if kind in OTHERS or kind not in ("mjEQ_JOINT", "mjEQ_CONNECT", "mjEQ_WELD"):
            lost.append(f"the {OTHERS.get(kind, kind)} '{label}' is not kept")
        elif not compiled.eq_active0[i]:
            lost.append(f"the equality '{label}' is not active in the file and is not kept")
        elif kind == "mjEQ_JOINT":
            couplings.append(_coupling(compiled, i, label, joints))
        else:
            loop = _loop(compiled, i, label, kind == "mjEQ_WELD", bodies, frames)
            if loop is None:
                lost.append(f"the equality '{label}' ties a body to itself and is not kept")
            else:
                loops.append(loop)
    return oriented(couplings), tuple(loops), [f"{sentence}." for sentence in lost]


def _default_name(
    compiled: Any, i: int, kind: str, joints: list[str], bodies: list[str | None], frames: list[Frame]
) -> str:
    """A name for an equality that has none."""
    import mujoco

    ends = [int(compiled.eq_obj1id[i]), int(compiled.eq_obj2id[i])]
    what = kind.removeprefix("mjEQ_").lower()
    if kind == "mjEQ_JOINT":
        parts = [joints[end] for end in ends if end >= 0]
    elif kind in ("mjEQ_CONNECT", "mjEQ_WELD"):
        on_sites = compiled.eq_objtype[i] == mujoco.mjtObj.mjOBJ_SITE
        parts = [frames[end].name if on_sites else bodies[end] or "world" for end in ends]
    else:
        parts = [str(i)]
    return "_".join([what, *parts])


def _coupling(compiled: Any, i: int, label: str, joints: list[str]) -> Coupling:
    follower, leader = int(compiled.eq_obj1id[i]), int(compiled.eq_obj2id[i])
    coefficients = tuple(float(x) for x in compiled.eq_data[i, :5])
    start = float(compiled.qpos0[compiled.jnt_qposadr[follower]])
    if leader < 0:
        return Coupling(label, joints[follower], None, coefficients[:1], start)
    while len(coefficients) > 2 and coefficients[-1] == 0.0:
        coefficients = coefficients[:-1]
    other = float(compiled.qpos0[compiled.jnt_qposadr[leader]])
    return Coupling(label, joints[follower], joints[leader], coefficients, start, other)


def _loop(compiled: Any, i: int, label: str, weld: bool, bodies: list[str | None], frames: list[Frame]) -> Loop | None:
    import mujoco

    a, b = int(compiled.eq_obj1id[i]), int(compiled.eq_obj2id[i])
    ends: list[tuple[str | None, Array]]
    if compiled.eq_objtype[i] == mujoco.mjtObj.mjOBJ_SITE:
        ends = [(frames[end].body, frames[end].X_BF) for end in (a, b)]
    else:
        data = np.array(compiled.eq_data[i])
        if weld:
            X_AL, X_BL = pose(rotation_from_wxyz(data[6:10]), data[3:6]), pose(p=data[:3])
        else:
            X_AL, X_BL = pose(p=data[:3]), pose(p=data[3:6])
        ends = [(bodies[a], X_AL), (bodies[b], X_BL)]
    if ends[0][0] is None:
        ends.reverse()
    (first, X_AL), (second, X_BL) = ends
    if first is None or first == second:
        return None
    return Loop(label, "weld" if weld else "connect", first, second, X_AL, X_BL)


def oriented(couplings: list[Coupling]) -> tuple[Coupling, ...]:
    """The couplings with at most one leader for each joint: a straight line is turned round where that is needed.

    MuJoCo lets a joint stand on the left of several equalities (a = b, a = c); here a joint follows one other.
    """
    out: list[Coupling] = []
    leaders: dict[str, Coupling] = {}
    for coupling in couplings:
        taken = leaders.get(coupling.follower)
        if taken is not None:
            if _same(taken, coupling):
                continue  # said twice
            turned = _turned(coupling)
            if taken.leader == coupling.leader or turned is None or turned.follower in leaders:
                raise ModelError(
                    f"joint '{coupling.follower}' is tied by the equalities '{taken.name}' and '{coupling.name}', which "
                    "contradict each other; a joint can follow one other joint."
                )
            coupling = turned
        leaders[coupling.follower] = coupling
        out.append(coupling)
    return tuple(out)


def _same(a: Coupling, b: Coupling) -> bool:
    about_a = (a.leader, a.coefficients, a.follower_ref, a.leader_ref)
    return about_a == (b.leader, b.coefficients, b.follower_ref, b.leader_ref)


def _turned(coupling: Coupling) -> Coupling | None:
    """The leader as a function of the follower; None where that is no straight line."""
    if coupling.leader is None or len(coupling.coefficients) != 2 or coupling.coefficients[1] == 0.0:
        return None
    offset, slope = coupling.coefficients
    return replace(
        coupling, follower=coupling.leader, leader=coupling.follower, coefficients=(-offset / slope, 1.0 / slope),
        follower_ref=coupling.leader_ref, leader_ref=coupling.follower_ref,
    )  # fmt: skip
