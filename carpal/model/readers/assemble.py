"""From MuJoCo's compiled model to Carpal's bodies, joints and frames.

MuJoCo moves a body by X_PB(q) = X_PB(0) M_1(q) M_2(q) ..., one factor for each of its joints in order, each turning
about an anchor given in the body. Carpal has one joint for each body, so all joints but the last get massless
bodies of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from types import MappingProxyType
from typing import Any

import numpy as np

from carpal.model.parts import Body, Frame, Joint
from carpal.model.readers.mujoco_compile import compiled_inertia
from carpal.spatial import Array, Inertia, pose, rotation_about, rotation_from_wxyz

KINDS = ("free", "ball", "prismatic", "revolute")  # MuJoCo's numbers 0 to 3


class Names:
    """Names that have not been given before."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = taken

    def new(self, name: str) -> str:
        """The name, with underscores behind it where it is taken."""
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name


def object_names(compiled: Any, kind: str, count: int) -> list[str]:
    """Names of MuJoCo's objects of a kind ("BODY", "JOINT", ...), "" where there is none."""
    import mujoco

    number = getattr(mujoco.mjtObj, f"mjOBJ_{kind}")
    return [mujoco.mj_id2name(compiled, number, i) or "" for i in range(count)]


def nonzero(compiled: Any, field: str, row: int) -> bool:
    """Whether a row of a compiled field holds a number that is not zero; False where this MuJoCo has no such field."""
    values = getattr(compiled, field, None)
    return values is not None and bool(np.any(values[row] != 0))


def _joint(compiled: Any, j: int, name: str, X_PB0: Array, warnings: list[str]) -> Joint:
    """Joint j, on a parent in which the body stands at X_PB0 before this joint moves."""
    kind = KINDS[int(compiled.jnt_type[j])]
    dof = int(compiled.jnt_dofadr[j])
    common: dict[str, Any] = {
        "armature": float(compiled.dof_armature[dof]),
        "damping": float(compiled.dof_damping[dof]),
        "friction": float(compiled.dof_frictionloss[dof]),
    }
    warnings += _joint_losses(compiled, j, dof, kind, name)
    low, high = (float(x) for x in compiled.jnt_range[j])
    limited = bool(compiled.jnt_limited[j])
    if kind == "free":
        return Joint(name, kind, **common)
    anchor = np.array(compiled.jnt_pos[j])
    if kind == "ball":
        if limited:
            warnings.append(f"the range of ball joint '{name}' ({high:g} rad) is not kept.")
        return Joint(name, kind, X_PJ=X_PB0 @ pose(p=anchor), X_JB=pose(p=-anchor), **common)
    limits: dict[str, Any] = {"q_min": low, "q_max": high} if limited else {}
    if compiled.jnt_actfrclimited[j]:
        least, most = (float(x) for x in compiled.jnt_actfrcrange[j])
        limits["tau_max"] = max(abs(least), abs(most))
        if -least != most:
            warnings.append(
                f"joint '{name}' allows efforts from {least:g} to {most:g}; tau_max is the larger of the two."
            )
    if compiled.jnt_stiffness[j] > 0:
        spring = float(compiled.qpos_spring[compiled.jnt_qposadr[j]])
        limits |= {"stiffness": float(compiled.jnt_stiffness[j]), "q_spring": spring}
    axis, start = np.array(compiled.jnt_axis[j]), float(compiled.qpos0[compiled.jnt_qposadr[j]])
    if kind == "prismatic":
        return Joint(name, kind, X_PJ=X_PB0, axis=axis, X_JB=pose(p=-start * axis), **common, **limits)
    X_JB = pose(p=-anchor)
    if start != 0.0:
        X_JB = pose(rotation_about(axis, -start)) @ X_JB
    return Joint(name, kind, X_PJ=X_PB0 @ pose(p=anchor), axis=axis, X_JB=X_JB, **common, **limits)


def _joint_losses(compiled: Any, j: int, dof: int, kind: str, name: str) -> list[str]:
    """Sentences on what of a joint is not kept."""
    stiffness = float(compiled.jnt_stiffness[j])
    poly = {what: nonzero(compiled, what, row) for what, row in (("jnt_stiffnesspoly", j), ("dof_dampingpoly", dof))}
    found = {
        f"spring (stiffness {stiffness:g})": stiffness < 0 or (stiffness > 0 and kind in ("ball", "free")),
        "stiffness that is not linear": poly["jnt_stiffnesspoly"],
        "plastic spring (springyield)": nonzero(compiled, "jnt_springyield", j),
        "damping that is not linear in speed": poly["dof_dampingpoly"],
        "gravity compensation by actuators (actuatorgravcomp)": bool(compiled.jnt_actgravcomp[j]),
    }
    return [f"the {what} of joint '{name}' is not kept." for what, there in found.items() if there]


def assemble(
    compiled: Any,
    inertias: dict[int, Inertia],
    *,
    unknown: Set[int] = frozenset(),
    fixed_names: Mapping[str, str] = MappingProxyType({}),
    renamed: Mapping[str, str] = MappingProxyType({}),
) -> tuple[list[Body], list[Frame], list[str], list[str]]:
    """Bodies (parents first, in MuJoCo's order, so that q is MuJoCo's qpos), frames, notes, and warnings of what is not kept.

    Args:
        compiled: the `MjModel`.
        inertias: inertias that are known better than MuJoCo's, by body id.
        unknown: ids of bodies whose inertia nobody knows.
        fixed_names: joint names by body, for bodies that are fixed to their parents.
        renamed: true names of bodies that MuJoCo could not call by them.
    """
    notes: list[str] = []
    warnings: list[str] = []
    written = [renamed.get(name, name) for name in object_names(compiled, "BODY", compiled.nbody)]
    body_names, joint_names = Names({name for name in written[1:] if name}), Names(set())
    joint_written = object_names(compiled, "JOINT", compiled.njnt)
    joint_names.taken |= {name for name in joint_written if name} | set(fixed_names.values())
    given: list[str | None] = [None]
    bodies: list[Body] = []
    for i in range(1, compiled.nbody):
        name = written[i] or body_names.new(f"body{i}")
        given.append(name)
        parent = given[int(compiled.body_parentid[i])]
        X_PB = pose(rotation_from_wxyz(compiled.body_quat[i]), compiled.body_pos[i])
        inertia = None if i in unknown else inertias[i] if i in inertias else compiled_inertia(compiled, i)
        carried = float(compiled.body_gravcomp[i])
        first, count = int(compiled.body_jntadr[i]), int(compiled.body_jntnum[i])
        if count == 0:
            label = fixed_names.get(name) or joint_names.new(f"{name}/fixed")
            bodies.append(Body(name, parent, Joint(label, "fixed", X_PJ=X_PB), inertia, carried))
        for k, j in enumerate(range(first, first + count)):
            label = joint_written[j] or joint_names.new(f"{name}/joint{k}" if count > 1 else f"{name}/joint")
            joint = _joint(compiled, j, label, X_PB, warnings)
            if k == count - 1:
                bodies.append(Body(name, parent, joint, inertia, carried))
            else:
                between = body_names.new(f"{name}/{label}")
                bodies.append(Body(between, parent, joint, Inertia.nothing()))
                parent, X_PB = between, np.eye(4)
        if compiled.body_mocapid[i] >= 0:
            warnings.append(f"the mocap body '{name}' is taken as fixed.")
    frame_names = body_names
    frames: list[Frame] = []
    for s, name in enumerate(object_names(compiled, "SITE", compiled.nsite)):
        free = frame_names.new(name or f"site{s}")
        if name and free != name:
            notes.append(f"the site '{name}' is called '{free}', because a body has its name.")
        X_BF = pose(rotation_from_wxyz(compiled.site_quat[s]), compiled.site_pos[s])
        frames.append(Frame(free, given[int(compiled.site_bodyid[s])], X_BF))
    return bodies, frames, notes, warnings
