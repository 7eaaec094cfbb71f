"""A linkage taken apart into steps that have closed forms: driven bars and two-bar groups (dyads).

Starting from ground, a bar is known as soon as the drive holds it on a known bar; two bars are known together where they form
a dyad on known bars: pin-pin-pin (two circles), pin-pin-slide (circle and line), pin-slide-pin (circle and line in the bar's
own frame). What is left when no such group is found is one `loop` step, which is solved by Newton's method. Each step keeps its
assembly mode, a sign, so that the curve never jumps from one branch to the other.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from carpal.model.linkage.circles import circle_circle, circle_line
from carpal.model.linkage.closure import Closure, turned
from carpal.spatial import Array

Joined = tuple[str, int]  # ("pin" or "slide", number)


@dataclass(frozen=True)
class Step:
    """One step: `kind`, the bars that it finds, the joints that it uses (as listed in each solver)."""

    kind: str
    bars: tuple[int, ...]
    joints: tuple[Joined, ...] = ()


def plan_of(closure: Closure) -> tuple[Step, ...]:
    """The steps, in the order in which they can be done."""
    known, steps = {0}, []
    total = len(closure.linkage.bars)
    while len(known) < total:
        step = _driven(closure, known) or _dyad(closure, known)
        if step is None:
            rest = tuple(sorted(set(range(total)) - known))
            step = Step("loop", rest)
        steps.append(step)
        known |= set(step.bars)
    return tuple(steps)


def _ends(closure: Closure, joined: Joined) -> tuple[int, int]:
    rows = closure.pins if joined[0] == "pin" else closure.slides
    return rows[joined[1]][0], rows[joined[1]][2]


def _between(closure: Closure, one: set[int], other: set[int]) -> list[Joined]:
    joints = [("pin", i) for i in range(len(closure.pins))] + [("slide", i) for i in range(len(closure.slides))]
    found = []
    for joined in joints:
        a, b = _ends(closure, joined)
        if (a in one and b in other) or (b in one and a in other):
            found.append(joined)
    return found


def _driven(closure: Closure, known: set[int]) -> Step | None:
    linkage, (a, _, b, _, number) = closure.linkage, closure.drive
    kind = linkage.drive.kind
    if kind == "slide":
        a, b = _ends(closure, ("slide", number))
    if (a in known) == (b in known):
        return None
    bar = b if a in known else a
    if kind == "slide":
        return Step("slide", (bar,), (("slide", number),))
    pins = [joined for joined in _between(closure, {bar}, known) if joined[0] == "pin"]
    if kind == "turn":
        wanted = [pin.name for pin in linkage.pins].index(linkage.drive.joint)
        return Step("turn", (bar,), (("pin", wanted),))
    return Step("push", (bar,), (pins[0],)) if pins else None


def _dyad(closure: Closure, known: set[int]) -> Step | None:
    free = sorted(set(range(len(closure.linkage.bars))) - known)
    for i, j in itertools.permutations(free, 2):
        inner = _between(closure, {i}, {j})
        outer_i, outer_j = _between(closure, {i}, known), _between(closure, {j}, known)
        if not inner or not outer_i or not outer_j:
            continue
        joints = (outer_i[0], outer_j[0], inner[0])
        kinds = tuple(joined[0] for joined in joints)
        if kinds == ("pin", "pin", "pin"):
            return Step("pin-pin-pin", (i, j), joints)
        if kinds == ("pin", "slide", "pin"):
            return Step("pin-pin-slide", (i, j), joints)
        if kinds == ("pin", "pin", "slide") and _ends(closure, inner[0])[1] == i:  # i is the guide
            return Step("pin-slide-pin", (i, j), joints)
    return None


def pin_on(closure: Closure, pin: int, bar: int) -> tuple[Array, int, Array]:
    """Local point of a pin on one bar, the other bar, and the local point there."""
    a, p, b, q = closure.pins[pin]
    return (p, b, q) if a == bar else (q, a, p)


def solve_step(closure: Closure, step: Step, poses: Array, drive: Array, side: float) -> Array:
    """Fill in the poses (n, bars, 3) of a step's bars; returns by how much (n) [m] it fails to close."""
    return _SOLVERS[step.kind](closure, step, poses, drive, side)


def _set_by_point(poses: Array, bar: int, local: Array, at: Array) -> None:
    """Place a bar whose angle is known so that a local point is at a given one."""
    poses[:, bar, :2] = at - turned(poses[:, bar, 2], np.broadcast_to(local, at.shape))


def _set_by_line(poses: Array, bar: int, p: Array, q: Array, at_p: Array, at_q: Array) -> None:
    """Place a bar by two of its points."""
    local, across = q - p, at_q - at_p
    poses[:, bar, 2] = np.arctan2(across[:, 1], across[:, 0]) - np.arctan2(local[1], local[0])
    _set_by_point(poses, bar, p, at_p)


def _turn(closure: Closure, step: Step, poses: Array, drive: Array, side: float) -> Array:
    (bar,) = step.bars
    p, other, q = pin_on(closure, step.joints[0][1], bar)
    sign = 1.0 if closure.drive[2] == bar else -1.0
    poses[:, bar, 2] = poses[:, other, 2] + sign * drive
    _set_by_point(poses, bar, p, closure.place(poses, other, q))
    return np.zeros(len(drive))


def _slide_known(closure: Closure, number: int, poses: Array, bar: int, travel: Array) -> None:
    """Place one of the two bars of a slide at a given travel, the other known."""
    a, p, b, q, u, angle = closure.slides[number]
    if bar == a:
        poses[:, a, 2] = poses[:, b, 2] + angle
        at = closure.place(poses, b, q) + travel[:, None] * turned(poses[:, b, 2], u)
        _set_by_point(poses, a, p, at)
    else:
        poses[:, b, 2] = poses[:, a, 2] - angle
        at = closure.place(poses, a, p) - travel[:, None] * turned(poses[:, b, 2], u)
        _set_by_point(poses, b, q, at)


def _slide(closure: Closure, step: Step, poses: Array, drive: Array, side: float) -> Array:
    _slide_known(closure, step.joints[0][1], poses, step.bars[0], drive)
    return np.zeros(len(drive))


def _push(closure: Closure, step: Step, poses: Array, drive: Array, side: float) -> Array:
    (bar,) = step.bars
    p, other, q = pin_on(closure, step.joints[0][1], bar)
    a, at_a, b, at_b, _ = closure.drive
    mine, far, there = (at_a, b, at_b) if a == bar else (at_b, a, at_a)
    centre, target = closure.place(poses, other, q), closure.place(poses, far, there)
    found, gap = circle_circle(centre, float(np.linalg.norm(mine - p)), target, drive, side)
    _set_by_line(poses, bar, p, mine, centre, found)
    return gap


def _three_pins(closure: Closure, step: Step, poses: Array, drive: Array, side: float) -> Array:
    i, j = step.bars
    (_, m), (_, n), (_, k) = step.joints
    p_i, base_i, q_i = pin_on(closure, m, i)
    p_j, base_j, q_j = pin_on(closure, n, j)
    s_i, _, s_j = pin_on(closure, k, i)
    c_i, c_j = closure.place(poses, base_i, q_i), closure.place(poses, base_j, q_j)
    r_i, r_j = (float(np.linalg.norm(v)) for v in (s_i - p_i, s_j - p_j))
    found, gap = circle_circle(c_i, r_i, c_j, r_j, side)
    _set_by_line(poses, i, p_i, s_i, c_i, found)
    _set_by_line(poses, j, p_j, s_j, c_j, found)
    return gap


def _block_on_guide(closure: Closure, step: Step, poses: Array, drive: Array, side: float) -> Array:
    i, j = step.bars
    (_, m), (_, n), (_, k) = step.joints
    p_i, base_i, q_i = pin_on(closure, m, i)
    s_i, _, s_j = pin_on(closure, k, i)
    _slide_known(closure, n, poses, j, np.zeros(len(drive)))
    base = closure.place(poses, j, s_j)
    guide = closure.slides[n][2]
    u = turned(poses[:, guide, 2], closure.slides[n][4]) * (-1.0 if guide == j else 1.0)
    centre = closure.place(poses, base_i, q_i)
    travel, gap = circle_line(centre, float(np.linalg.norm(s_i - p_i)), base, u, side)
    _slide_known(closure, n, poses, j, travel)
    _set_by_line(poses, i, p_i, s_i, centre, closure.place(poses, j, s_j))
    return gap


def _sliding_arms(closure: Closure, step: Step, poses: Array, drive: Array, side: float) -> Array:
    i, j = step.bars  # i carries the guide, j slides on it; both are pinned to known bars
    (_, m), (_, n), (_, k) = step.joints
    p_i, base_i, q_i = pin_on(closure, m, i)
    p_j, base_j, q_j = pin_on(closure, n, j)
    _, c, _, origin, u, angle = closure.slides[k]
    at_i, at_j = closure.place(poses, base_i, q_i), closure.place(poses, base_j, q_j)
    # in the guide's own frame j's pin runs along a line, at a distance from i's pin that the known bars give
    line = origin + turned(np.array(angle), p_j - c)
    reach = np.linalg.norm(at_j - at_i, axis=-1)
    travel, gap = circle_line(np.broadcast_to(p_i, at_i.shape), reach, line, u, side)
    local = line + travel[:, None] * u - p_i
    across = at_j - at_i
    poses[:, i, 2] = np.arctan2(across[:, 1], across[:, 0]) - np.arctan2(local[:, 1], local[:, 0])
    _set_by_point(poses, i, p_i, at_i)
    poses[:, j, 2] = poses[:, i, 2] + angle
    _set_by_point(poses, j, p_j, at_j)
    return gap


_SOLVERS = {
    "turn": _turn, "slide": _slide, "push": _push, "pin-pin-pin": _three_pins, "pin-pin-slide": _block_on_guide,
    "pin-slide-pin": _sliding_arms,
}  # fmt: skip
BRANCHING = ("push", "pin-pin-pin", "pin-pin-slide", "pin-slide-pin")
"""Steps with two assembly modes."""
