"""Collision capsules for the links of a robot whose description has no shapes."""

from __future__ import annotations

import numpy as np

from carpal.model import Capsule, Model, PlacedShape
from carpal.spatial import align_z, pose

SHORT = 1e-3
"""[m] links shorter than this get none: their neighbours cover them."""
CLEAR = 1e-2  # [m]
GREY = (0.55, 0.58, 0.63, 1.0)


def with_link_shapes(model: Model, radius: float) -> Model:
    """The model itself where it has shapes; otherwise with a capsule from every joint to each joint or frame that it carries.

    Args:
        model: a robot.
        radius: of the capsules [m].
    """
    if any(shape.collides for shape in model.shapes):
        return model
    ends: dict[str, list[np.ndarray]] = {body.name: [] for body in model.bodies}
    for body in model.bodies:
        if body.parent is not None:
            ends[body.parent].append(body.joint.X_PJ[:3, 3])
    for frame in model.extra_frames:
        if frame.body is not None:
            ends[frame.body].append(frame.X_BF[:3, 3])
    parents = {body.name: body.parent for body in model.bodies}
    shapes = list(model.shapes)
    longest: dict[str, float] = {}
    for body in model.bodies:
        longest[body.name] = 0.0
        if body.parent is None and body.joint.kind == "fixed" and len(ends[body.name]) > 1:
            continue  # a palm of many fingers: its lines would cross what the fingers do
        start = np.linalg.inv(body.joint.X_JB)[:3, 3]  # where the joint's axis is, seen from the body
        cut = _cut(body.parent, parents, longest, radius)
        done: list[np.ndarray] = []
        for k, end in enumerate([np.zeros(3), *ends[body.name]]):
            length = float(np.linalg.norm(end - start))
            if length > SHORT and not any(np.linalg.norm(end - other) <= SHORT for other in done):
                done.append(end)
                longest[body.name] = max(longest[body.name], length)
                if length - cut > SHORT:
                    along = (end - start) / length
                    X = pose(align_z(along), end - 0.5 * (length - cut) * along)
                    shapes.append(
                        PlacedShape(f"{body.name}_link_{k}", body.name, Capsule(radius, length - cut), X, GREY)
                    )
    return model.replace(shapes=tuple(shapes))


def _cut(parent: str | None, parents: dict[str, str | None], longest: dict[str, float], radius: float) -> float:
    """How much [m] of a capsule's beginning is left away, so that it clears the last link that is not its neighbour.

    Where axes meet in a point (a spherical wrist) the links before and behind it would overlap in every configuration.
    """
    if parent is None:
        return 0.0
    between, at = longest[parent], parents[parent]
    while at is not None and longest[at] <= SHORT:
        at = parents[at]
    return 0.0 if at is None else max(0.0, 2.0 * radius + CLEAR - between)
