"""Appearance of the catcher: a trunk with a head, housings at its joints, tapered links, a wrist. Pictures only."""

from __future__ import annotations

import functools

from carpal.labs.catch.robot import RADII, arm_joints
from carpal.model import Visual, visual_hull, visual_rod
from carpal.report import palette
from carpal.spatial import inverse

SHOULDER = -0.055
"""Where the trunk ends along x, the axis of the first joint [m]."""
TRUNK = ((-0.11, -0.05, 0.0, 0.07), (-0.31, -0.05, 0.0, 0.07), (-0.15, -0.45, 0.0, 0.065), (-0.27, -0.45, 0.0, 0.065))
"""Middles and radii of the balls that the trunk is the hull of [m]; y is up. A picture, no part of the model."""
HEAD = ((-0.21, 0.15, -0.015, 0.06), (-0.21, 0.20, 0.0, 0.065))


@functools.cache
def catcher_visuals() -> tuple[Visual, ...]:
    """Trunk, neck and head in the world; a housing and a link on each body of the arm."""
    made = [
        visual_hull("trunk", None, [(ball[:3], ball[3]) for ball in TRUNK], palette.SHELL),
        visual_hull("head", None, [(ball[:3], ball[3]) for ball in HEAD], palette.SHELL),
        visual_rod("neck", None, (-0.21, 0.0, 0.0), (-0.21, 0.12, 0.0), 0.034, palette.HOUSING),
        visual_rod("shoulder", None, (SHOULDER - 0.06, 0.0, 0.0), (0.0, 0.0, 0.0), 0.048, palette.HOUSING),
    ]
    joints = arm_joints()
    for body, after, radius in zip(joints[:-1], joints[1:], RADII, strict=True):
        X = inverse(body.joint.X_JB)
        start, end, axis = X[:3, 3], after.joint.X_PJ[:3, 3], X[:3, :3] @ body.joint.axis
        name, wide = body.name, 1.18 * radius
        made.append(visual_hull(f"{name}/cover", name, [(start, radius), (end, 0.88 * radius)], palette.SHELL))
        for what, half, width, rgba in (
            ("housing", 1.25 * radius, wide, palette.HOUSING), ("ring", 0.14 * radius, wide + 0.003, palette.ACCENT),
        ):  # fmt: skip
            made.append(visual_rod(f"{name}/{what}", name, start - half * axis, start + half * axis, width, rgba))
    X = joints[-1].joint.X_PJ
    at, axis = X[:3, 3], X[:3, :3] @ joints[-1].joint.axis
    made.append(visual_rod("wrist", "forearm", at - 0.028 * axis, at + 0.028 * axis, 0.027, palette.HOUSING))
    return tuple(made)
