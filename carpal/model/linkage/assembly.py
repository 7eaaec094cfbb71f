"""Assembly of a linkage at the start of its stroke: the assembly mode of each dyad, or why it cannot close."""

from __future__ import annotations

import numpy as np

from carpal.errors import ModelError
from carpal.model.linkage.closure import Closure, turned
from carpal.model.linkage.dyads import BRANCHING, Step, solve_step
from carpal.model.linkage.loop_newton import assemble_loop
from carpal.spatial import Array

CLOSED = 1e-12
"""A gap below this share of the linkage's scale is rounding."""


def described_poses(closure: Closure) -> Array:
    """Rough poses (bars, 3) at the start: the described angles, and places that follow from pins and slides."""
    linkage = closure.linkage
    poses = np.zeros((len(linkage.bars), 3))
    poses[:, 2] = [bar.angle for bar in linkage.bars]
    placed, grows = {0}, True
    while grows:
        grows = False
        for number, (a, p, b, q, u, _) in enumerate(closure.slides):
            travel = linkage.slides[number].travel
            if a not in placed and b in placed:
                at = closure.place(poses, b, q) + travel * turned(poses[b, 2], u)
                poses[a, :2] = at - turned(poses[a, 2], p)
                placed.add(a)
                grows = True
            elif b not in placed and a in placed:
                at = closure.place(poses, a, p) - travel * turned(poses[b, 2], u)
                poses[b, :2] = at - turned(poses[b, 2], q)
                placed.add(b)
                grows = True
        for a, p, b, q in closure.pins:
            for bar, mine, other, there in ((a, p, b, q), (b, q, a, p)):
                if bar not in placed and other in placed:
                    poses[bar, :2] = closure.place(poses, other, there) - turned(poses[bar, 2], mine)
                    placed.add(bar)
                    grows = True
    return poses


def assembled(closure: Closure, plan: tuple[Step, ...]) -> tuple[Array, tuple[float, ...]]:
    """Poses (bars, 3) at the start of the stroke and the sign of every step; refuses what cannot close."""
    linkage = closure.linkage
    rough = described_poses(closure)
    drive = float(linkage.drive.start)
    poses, sides = rough[None].copy(), []
    for step in plan:
        if step.kind == "loop":
            found, gap, tries = assemble_loop(closure, poses[0], drive, step.bars)
            if gap > 1e-10 * linkage.scale:
                raise ModelError(_loop_reason(closure, step, gap, tries))
            poses[0] = found
            sides.append(0.0)
            continue
        choices = []
        for side in (1.0, -1.0) if step.kind in BRANCHING else (1.0,):
            trial = poses.copy()
            gap = float(solve_step(closure, step, trial, np.array([drive]), side)[0])
            away = float(np.abs(np.angle(np.exp(1j * (trial - rough)[0, list(step.bars), 2]))).sum())
            away += float(np.abs(trial - rough)[0, list(step.bars), :2].sum()) / linkage.scale
            choices.append((gap > CLOSED * linkage.scale, away, side, gap, trial))
        refused, _, side, gap, trial = min(choices, key=lambda choice: choice[:2])
        if refused:
            raise ModelError(_dyad_reason(closure, step, gap))
        poses = trial
        sides.append(side)
    _unwind(closure, poses[0], rough)
    return poses[0], tuple(sides)


def _unwind(closure: Closure, poses: Array, rough: Array) -> None:
    """Add whole turns to bars so that angles are nearest to the described ones.

    Bars that a slide or the drive holds at a given angle take the same turns, and those held so on ground take none.
    """
    group = list(range(len(poses)))
    held = [(slide[0], slide[2]) for slide in closure.slides]
    if closure.linkage.drive.kind == "turn":
        held.append((closure.drive[0], closure.drive[2]))
    for a, b in held * len(held):
        group[a] = group[b] = min(group[a], group[b])
    for bar, first in enumerate(group):
        if first:
            turns = np.round((rough[first, 2] - poses[first, 2]) / (2 * np.pi)) if bar == first else 0.0
            poses[[i for i, g in enumerate(group) if g == first], 2] += 2 * np.pi * turns


def _names(closure: Closure, step: Step) -> str:
    names = [f"'{closure.linkage.bars[i].name}'" for i in step.bars]
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def drive_text(closure: Closure, value: float) -> str:
    """The drive's value for people: degrees or millimetres beside SI."""
    if closure.linkage.unit == "rad":
        return f"{value:.6g} rad ({np.degrees(value):.4g} deg)"
    return f"{value:.6g} m"


def _dyad_reason(closure: Closure, step: Step, gap: float) -> str:
    linkage = closure.linkage
    bars = "bar" if len(step.bars) == 1 else "bars"
    return (
        f"linkage '{linkage.name}' cannot close at drive {drive_text(closure, linkage.drive.start)}: {bars} "
        f"{_names(closure, step)} miss by {1000 * gap:.4g} mm; change their lengths or the start of the stroke."
    )


def _loop_reason(closure: Closure, step: Step, gap: float, tries: int) -> str:
    linkage = closure.linkage
    return (
        f"linkage '{linkage.name}' cannot close at drive {drive_text(closure, linkage.drive.start)}: the loop of bars "
        f"{_names(closure, step)} misses by {1000 * gap:.4g} mm at best ({tries} starts tried)."
    )
