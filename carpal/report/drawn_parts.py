"""What is drawn of a model: the visuals of a body where it has some, else its shapes."""

from __future__ import annotations

import functools
import os
import warnings
from pathlib import Path

import numpy as np

from carpal.errors import CarpalError
from carpal.model import Model, PlacedShape, Visual, load_coloured_meshes
from carpal.report import solids
from carpal.report.modelled import modelled_bodies, modelled_parts
from carpal.report.palette import PLAIN
from carpal.report.parts import Colour, Part
from carpal.spatial import Array

MOST_FACES = 40_000
"""Triangles of a mesh file above which it is drawn coarser."""
FINEST = 160
"""Cells along the longest side of a mesh that is drawn coarser: corners in one cell become one."""
LEAST_FACES = 400


def drawn_parts(model: Model, most: int | None = None) -> list[Part]:
    """All that is drawn of a model: visuals, else shapes, else a modelled body of links and joints.

    A body whose visuals cannot be read shows its shapes, with a warning.

    Args:
        model: a robot or a scene.
        most: triangles of all mesh files together; large ones are drawn coarser.
    """
    seen: dict[str | None, list[Part]] = {}
    failed: set[str | None] = set()
    for visual in model.visuals:
        try:
            seen.setdefault(visual.body, []).extend(_parts(visual))
        except CarpalError as error:
            failed.add(visual.body)
            warnings.warn(f"the visual '{visual.name}' of model '{model.name}' is not drawn: {error}", stacklevel=2)
    shown = set(seen) - failed
    parts = _within([part for body in shown for part in seen[body]], most)
    order = {visual.name: i for i, visual in enumerate(model.visuals)}
    parts.sort(key=lambda part: order[part.name.partition(", colour ")[0]])
    modelled = modelled_parts(model, modelled_bodies(model, shown))
    covered = {part.body for part in modelled}
    shown |= _envelopes(model, shown) - failed
    palms = {part.body for part in modelled if part.name.endswith("/palm")}
    shapes = [
        Part(placed.name, placed.body, placed.X_BS, tuple(placed.rgba), placed.shape)
        for placed in model.shapes
        if not _hidden(placed, shown, covered, palms)
    ]
    return parts + shapes + modelled


def _envelopes(model: Model, shown: set[str | None]) -> set[str]:
    """Bodies that only enclose others, such as a safety box: screwed on, the last of a robot that has visuals, without one."""
    carrying = {body.parent for body in model.bodies} | {frame.body for frame in model.extra_frames}
    robots = {name.split("/")[0] if "/" in name else "" for name in shown if name is not None}
    return {
        body.name
        for body in model.bodies
        if body.joint.kind == "fixed"
        and body.parent is not None
        and body.name not in carrying | {model.tool}
        and (body.name.split("/")[0] if "/" in body.name else "") in robots
    }


def _hidden(placed: PlacedShape, shown: set[str | None], covered: set[str | None], palms: set[str | None]) -> bool:
    """Whether something else is drawn in place of a shape."""
    if placed.body is None:  # what stands in the world is of several owners
        return False
    return placed.body in shown or placed.body in palms or (placed.body in covered and placed.shape.kind == "capsule")


def surface(part: Part) -> tuple[Array, np.ndarray]:
    """Points (n, 3) and triangles (m, 3) of a part in its own frame; a plane has none."""
    if part.mesh is not None:
        return part.mesh
    made = solids.triangles_of(part.shape)
    return (np.zeros((0, 3)), np.zeros((0, 3), int)) if made is None else made


def _parts(visual: Visual) -> list[Part]:
    """What a visual draws: a shape, or a part for each colour of its mesh file; the first has the visual's name."""
    if visual.shape is not None:
        return [Part(visual.name, visual.body, visual.X_BV, visual.rgba or PLAIN, visual.shape)]
    try:
        changed = os.stat(visual.mesh).st_mtime_ns
    except (OSError, ValueError) as error:
        raise CarpalError(f"the file '{visual.mesh}' cannot be opened ({type(error).__name__}).") from None
    return [
        Part(
            f"{visual.name}, colour {k + 1}" if k else visual.name,
            visual.body,
            visual.X_BV,
            visual.rgba or rgba or PLAIN,
            None,
            (points, faces),
        )
        for k, (points, faces, rgba) in enumerate(_loaded(visual.mesh, visual.scale, changed))
    ]


@functools.lru_cache(maxsize=256)
def _loaded(
    path: str, scale: tuple[float, float, float], changed: int
) -> tuple[tuple[Array, np.ndarray, Colour | None], ...]:
    """A mesh file's surfaces by colour; `changed` is when it was written, so that a new file is read again."""
    pieces = load_coloured_meshes(Path(path), np.array(scale))
    total = sum(len(faces) for _, faces, _ in pieces)
    share = min(1.0, MOST_FACES / max(total, 1))
    return tuple(
        (*solids.creased(*coarser(*welded(points, faces), max(LEAST_FACES, int(share * len(faces))))), rgba)
        for points, faces, rgba in pieces
    )


def welded(points: Array, faces: np.ndarray) -> tuple[Array, np.ndarray]:
    """The surface with equal points made one; files that keep a normal for each corner repeat them."""
    fine = 1e-6 * max(float(np.ptp(points, axis=0).max()), 1e-30)
    _, chosen, same = np.unique(np.round(points / fine), axis=0, return_index=True, return_inverse=True)
    return points[chosen], same.reshape(-1)[faces]


def _within(parts: list[Part], most: int | None) -> list[Part]:
    """Parts whose meshes have at most so many triangles together; each keeps its share."""
    total = sum(len(part.mesh[1]) for part in parts if part.mesh is not None)
    if most is None or total <= most:
        return parts
    out = []
    for part in parts:
        if part.mesh is not None and len(part.mesh[1]) > LEAST_FACES:
            limit = max(LEAST_FACES, len(part.mesh[1]) * most // total)
            part = part._replace(mesh=solids.creased(*coarser(*part.mesh, limit)))
        out.append(part)
    return out


def coarser(points: Array, faces: np.ndarray, most: int) -> tuple[Array, np.ndarray]:
    """The surface with at most so many triangles: itself, or all corners in a cell of a grid made one.

    Each new corner is where the planes of the triangles around it meet best (vertex clustering with quadrics, Lindstrom
    2000), so that edges stay sharp.

    Args:
        points: (n, 3) [m].
        faces: (m, 3).
        most: triangles.
    """
    cells, made = float(FINEST), (points, faces)
    while len(made[1]) > most and cells > 2:
        made = clustered(points, faces, float(np.ptp(points, axis=0).max()) / cells)
        cells *= min(0.9, float(np.sqrt(most / max(len(made[1]), 1))))
    return made


def clustered(points: Array, faces: np.ndarray, side: float) -> tuple[Array, np.ndarray]:
    """The surface with all corners in a cube of that side [m] made one."""
    if not side > 0:
        return points, faces
    where = np.floor((points - points.min(axis=0)) / side).astype(np.int64)
    keys, cell = np.unique(where @ (1 << np.array([42, 21, 0])), return_inverse=True)
    weight = np.bincount(cell, minlength=len(keys))[:, None]
    middle = np.stack([np.bincount(cell, points[:, k], len(keys)) for k in range(3)], 1) / weight
    a, b, c = points[faces].transpose(1, 0, 2)
    normal = np.cross(b - a, c - a)
    area = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = normal / np.maximum(area, 1e-300)
    planes, right = np.zeros((len(keys), 3, 3)), np.zeros((len(keys), 3))
    for k in range(3):
        own = cell[faces[:, k]]
        np.add.at(planes, own, (area * normal)[:, :, None] * normal[:, None, :])
        np.add.at(right, own, area * normal * (normal * (a - middle[own])).sum(1, keepdims=True))
    calm = 0.02 * np.trace(planes, axis1=1, axis2=2)[:, None, None] * np.eye(3) + 1e-300 * np.eye(3)
    moved = np.linalg.solve(planes + calm, right[:, :, None])[:, :, 0]
    moved = np.where(np.isfinite(moved).all(1, keepdims=True), moved, 0.0)
    new = middle + np.clip(moved, -side, side)
    kept = cell[faces]
    apart = (kept[:, 0] != kept[:, 1]) & (kept[:, 1] != kept[:, 2]) & (kept[:, 2] != kept[:, 0])
    kept = kept[apart]
    _, first = np.unique(np.sort(kept, axis=1) @ (1 << np.array([42, 21, 0])), return_index=True)
    return new, kept[np.sort(first)]
