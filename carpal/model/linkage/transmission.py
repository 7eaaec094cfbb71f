"""Transmission angles: how squarely each group of a linkage passes its force on; zero is a toggle.

For two pinned bars it is the angle between them, for a push drive that between actuator and bar, for a rod and a sliding block
that between rod and the normal of the guide, for a cylinder that between the guide's normal and the line of its two pins.
"""

from __future__ import annotations

import numpy as np

from carpal.model.linkage.closure import Closure, turned
from carpal.model.linkage.dyads import Step, pin_on
from carpal.spatial import Array


def least_transmission_angle(closure: Closure, plan: tuple[Step, ...], poses: Array) -> Array:
    """Least angle (*batch) [rad] in [0, pi/2] of all groups with a closed form at poses (*batch, bars, 3); nan without any."""
    least = np.full(poses.shape[:-2], np.nan)
    for step in plan:
        if step.kind in ("push", "pin-pin-pin", "pin-pin-slide", "pin-slide-pin"):
            least = np.fmin(least, _angle(closure, step, poses))
    return least


def _between(u: Array, v: Array) -> Array:
    cross = np.abs(u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0])
    return np.asarray(np.arctan2(cross, np.abs((u * v).sum(-1))))


def _angle(closure: Closure, step: Step, poses: Array) -> Array:
    i = step.bars[0]
    here = lambda local: closure.place(poses, i, local)  # noqa: E731 - a point of the first bar
    p_i = pin_on(closure, step.joints[0][1], i)[0]
    if step.kind == "push":
        a, at_a, b, at_b, _ = closure.drive
        mine, far, there = (at_a, b, at_b) if a == i else (at_b, a, at_a)
        return _between(here(mine) - here(p_i), here(mine) - closure.place(poses, far, there))
    j = step.bars[1]
    if step.kind == "pin-slide-pin":
        p_j = pin_on(closure, step.joints[1][1], j)[0]
        u = turned(poses[..., i, 2], closure.slides[step.joints[2][1]][4])
        return 0.5 * np.pi - _between(closure.place(poses, j, p_j) - here(p_i), u)
    shared = pin_on(closure, step.joints[2][1], i)[0]
    rod = here(shared) - here(p_i)
    if step.kind == "pin-pin-slide":
        guide = closure.slides[step.joints[1][1]]
        return 0.5 * np.pi - _between(rod, turned(poses[..., guide[2], 2], guide[4]))
    p_j = pin_on(closure, step.joints[1][1], j)[0]
    return _between(rod, here(shared) - closure.place(poses, j, p_j))
