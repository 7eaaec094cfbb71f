"""A spanning tree of a linkage: which joints stay, which are cut.

The drive's joint stays, then slides (a cut pin is easily closed again, a cut slide is not), then pins along the digit, so
that the tree holds the chain of phalanges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.model.linkage.closure import Closure, closure_of, left, turned
from carpal.model.linkage.description import GROUND, Linkage
from carpal.spatial import Array


@dataclass(frozen=True)
class Branch:
    """One joint of the tree: kind "pin" or "slide", its number, parent and child bar."""

    kind: str
    number: int
    parent: int
    child: int


def spanning_tree(linkage: Linkage) -> tuple[tuple[Branch, ...], tuple[tuple[str, int], ...]]:
    """The joints that stay, parents before children, and those that are cut."""
    closure = closure_of(linkage)
    joints = [("slide", i, row[0], row[2]) for i, row in enumerate(closure.slides)]
    joints += [("pin", i, row[0], row[2]) for i, row in enumerate(closure.pins)]
    joints.sort(key=lambda joint: _rank(linkage, joint))
    placed, branches, rest, grows = {0}, [], list(joints), True
    while grows:
        grows = False
        for joint in rest:
            kind, number, a, b = joint
            if (a in placed) != (b in placed):
                parent, child = (a, b) if a in placed else (b, a)
                branches.append(Branch(kind, number, parent, child))
                placed.add(child)
                rest.remove(joint)
                grows = True
                break
    return tuple(branches), tuple((kind, number) for kind, number, _, _ in rest)


def _rank(linkage: Linkage, joint: tuple[str, int, int, int]) -> int:
    kind, number, a, b = joint
    name = (linkage.pins if kind == "pin" else linkage.slides)[number].name
    if name == linkage.drive.joint and linkage.drive.kind == {"pin": "turn", "slide": "slide"}[kind]:
        return 0
    if kind == "slide":
        return 1
    digit = {GROUND, *linkage.phalanges}
    return 2 if {linkage.bars[a].name, linkage.bars[b].name} <= digit else 3


def joint_name(linkage: Linkage, branch: Branch) -> str:
    """The joint's own name in the linkage."""
    return (linkage.pins if branch.kind == "pin" else linkage.slides)[branch.number].name


def branch_sign(closure: Closure, branch: Branch) -> float:
    """+1 where the child is the pin's second bar or the sliding bar, -1 where it is the other."""
    if branch.kind == "pin":
        return 1.0 if closure.pins[branch.number][2] == branch.child else -1.0
    return 1.0 if closure.slides[branch.number][0] == branch.child else -1.0


def branch_value(closure: Closure, branch: Branch, poses: Array) -> Array:
    """The tree joint's coordinate (...) at poses (..., bars, 3), as a drive there counts: b's angle against a, or travel."""
    if branch.kind == "pin":
        a, _, b, _ = closure.pins[branch.number]
        return poses[..., b, 2] - poses[..., a, 2]
    a, p, b, q, u, _ = closure.slides[branch.number]
    gap = closure.place(poses, a, p) - closure.place(poses, b, q)
    return np.asarray((turned(poses[..., b, 2], u) * gap).sum(-1))


def branch_rate(closure: Closure, branch: Branch, poses: Array, rates: Array) -> Array:
    """Rate (...) of `branch_value` at pose rates (..., bars, 3)."""
    if branch.kind == "pin":
        a, _, b, _ = closure.pins[branch.number]
        return rates[..., b, 2] - rates[..., a, 2]
    a, p, b, q, u, _ = closure.slides[branch.number]
    along = turned(poses[..., b, 2], u)
    gap = closure.place(poses, a, p) - closure.place(poses, b, q)
    speed = [
        rates[..., bar, :2] + rates[..., bar, 2:] * left(turned(poses[..., bar, 2], local))
        for bar, local in ((a, p), (b, q))
    ]
    turning = rates[..., b, 2:] * left(along)
    return np.asarray((along * (speed[0] - speed[1])).sum(-1) + (turning * gap).sum(-1))
