"""Shapes and mass of a bar: capsules between its points, its mass spread over them."""

from __future__ import annotations

import itertools
import math

import numpy as np

from carpal.errors import ModelError
from carpal.model.linkage.description import Bar
from carpal.model.shapes import Capsule, PlacedShape, Shape, Sphere
from carpal.spatial import Array, Inertia, pose

BAR, PHALANX = (0.45, 0.5, 0.58, 1.0), (0.17, 0.42, 0.69, 1.0)


def flat_pose(x: float, y: float, angle: float) -> Array:
    """Pose (4, 4) of a planar place: turned about z."""
    s, c = math.sin(angle), math.cos(angle)
    return pose(np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), (x, y, 0.0))


def bar_shapes(bar: Bar, body: str | None) -> tuple[PlacedShape, ...]:
    """Capsules from point to point, in the order given; a ball where a bar has one point. Phalanges touch, bars do not."""
    made: list[tuple[Shape, Array]] = []
    for p, q in itertools.pairwise(bar.points.values()):
        length = math.dist(p, q)
        if length > 0:
            X = flat_pose(0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1]), math.atan2(q[1] - p[1], q[0] - p[0]))
            made.append((Capsule(bar.radius, length), X @ pose(_Z_ALONG_X)))
    if not made:
        (x, y) = next(iter(bar.points.values()))
        made.append((Sphere(bar.radius), flat_pose(x, y, 0.0)))
    colour = PHALANX if bar.phalanx else BAR
    return tuple(
        PlacedShape(f"{body or bar.name}/{i}", body, shape, X_BS=X, rgba=colour, collides=bar.phalanx)
        for i, (shape, X) in enumerate(made)
    )


_Z_ALONG_X = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])


def bar_inertia(bar: Bar) -> Inertia | None:
    """Mass properties in the bar's own frame; None where its mass is not given."""
    if bar.mass is None:
        return None
    shapes = bar_shapes(bar, bar.name)
    volume = sum(placed.shape.volume for placed in shapes)
    parts = [placed.shape.inertia(bar.mass * placed.shape.volume / volume).moved(placed.X_BS) for placed in shapes]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def need_masses(name: str, bars: tuple[Bar, ...]) -> None:
    """Bodies with freedoms of their own need masses, which nobody may guess."""
    missing = [bar.name for bar in bars if bar.mass is None]
    if missing:
        raise ModelError(f"linkage '{name}' has no mass for {', '.join(missing)}; give each moving bar a mass [kg].")
