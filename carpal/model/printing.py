"""A model as a table for people."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from carpal.model.model import Model
    from carpal.model.parts import Body

HEADERS = ("joint", "kind", "moves", "on", "axis", "from", "to", "speed", "effort", "mass")
UNITS = ("", "", "", "", "", "rad, m", "rad, m", "/s", "N m, N", "kg")


def _number(value: float) -> str:
    if math.isinf(value):
        return "-"
    return f"{value:.4g}"


def _axis(body: Body) -> str:
    if body.joint.kind not in ("revolute", "prismatic"):
        return ""
    axis = body.joint.axis
    for i, letter in enumerate("xyz"):
        if abs(axis[i]) == 1.0:
            return ("-" if axis[i] < 0 else "") + letter
    return "(" + " ".join(f"{a:.3g}" for a in axis) + ")"


def _row(body: Body) -> tuple[str, ...]:
    joint = body.joint
    mass = "?" if body.inertia is None else _number(body.inertia.mass)
    limits: tuple[str, ...] = ("",) * 4
    if joint.kind in ("revolute", "prismatic"):
        limits = tuple(_number(x) for x in (joint.q_min, joint.q_max, joint.v_max, joint.tau_max))
    return (joint.name, joint.kind, body.name, body.parent or "world", _axis(body), *limits, mass)


def table_text(model: Model) -> str:
    """The model as aligned text: one row per joint, then what a user should know."""
    rows = [HEADERS, UNITS, *(_row(body) for body in model.bodies)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADERS))]
    numeric = range(5, len(HEADERS))
    lines = [
        "  ".join(cell.rjust(w) if i in numeric else cell.ljust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True)))
        for row in rows
    ]  # fmt: skip
    lines.insert(2, "-" * len(lines[0]))
    mass = f"{model.mass:.6g} kg" if model.has_inertia else "masses unknown: dynamics are refused"
    head = f"{model.name}: nq {model.nq}, nv {model.nv}, {mass}, tool '{model.tool}', gravity {_vector(model.gravity)} m/s^2"
    tail = [f"q_home: {_vector(model.q_home)}"] if model.q_home is not None else []
    if model.extra_frames:
        tail.append("further frames: " + ", ".join(frame.name for frame in model.extra_frames))
    tail += _beside_the_tree(model)
    if model.source:
        tail.append(f"source: {model.source}")
    tail += [f"note: {note}" for note in model.notes]
    return "\n".join([head, *(line.rstrip() for line in lines), *tail])


def _beside_the_tree(model: Model) -> list[str]:
    """One line each for couplings, loops, tendons and actuators."""
    follows = [
        f"{one.follower} follows {one.leader}" if one.leader else f"{one.follower} held" for one in model.couplings
    ]
    closed = [f"{loop.body_a} - {loop.body_b or 'world'} ({loop.kind})" for loop in model.loops]
    drives = [f"{drive.name} ({drive.kind} on {drive.joint or drive.tendon})" for drive in model.actuators]
    parts = {"couplings": follows, "loops": closed, "tendons": [t.name for t in model.tendons], "actuators": drives}
    return [f"{what}: {', '.join(things)}" for what, things in parts.items() if things]


def _vector(values: np.ndarray) -> str:
    return "(" + ", ".join(f"{x:.4g}" for x in values) + ")"
