"""Which shapes of a model may touch each other: everything but what is rigidly joined, neighbours, and exclusions.

Neighbours are two bodies with one moving joint between them; bodies joined by fixed joints count as one. The world is
nobody's neighbour: a shape that stands in the world itself meets everything that moves, also a robot's first link (put
a robot's own base shape on a fixed body, and it is a neighbour of the first link).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from carpal.errors import InputError, unknown_name
from carpal.model import Model, PlacedShape, need_model


def rigid_groups(model: Model) -> dict[str | None, str | None]:
    """For each body the name of the first body of those that are joined to it by fixed joints; the world is its own."""
    need_model(model, "rigid_groups")
    first: dict[str | None, str | None] = {None: None}
    for body in model.bodies:
        alone = body.joint.kind != "fixed" or body.parent is None
        first[body.name] = body.name if alone else first[body.parent]
    return first


def neighbours(model: Model) -> set[frozenset[str | None]]:
    """Pairs of rigid groups with a moving joint between them."""
    group = rigid_groups(model)
    return {
        frozenset((group[body.name], group[body.parent]))
        for body in model.bodies
        if body.joint.kind != "fixed" and body.parent is not None
    }


def shapes_named(shapes: Sequence[PlacedShape], name: object, what: str) -> set[int]:
    """Indices of the shapes that a name means: a shape, all shapes of a body, or everything of a robot of a scene."""
    if isinstance(name, str) and name:
        found = {i for i, s in enumerate(shapes) if name in (s.name, s.body) or s.name.startswith(name + "/")}
        if found:
            return found
    choices = dict.fromkeys([s.name for s in shapes] + [s.body for s in shapes if s.body is not None])
    raise unknown_name(what, name, choices)


def excluded_pairs(shapes: Sequence[PlacedShape], exclusions: Iterable[object]) -> set[tuple[int, int]]:
    """Pairs (lower index, higher index) of shapes that were declared not to count."""
    out = set()
    for entry in exclusions:
        if not isinstance(entry, Sequence) or isinstance(entry, str) or len(entry) != 2:
            raise InputError(f"an exclusion is two names (of shapes, bodies or robots); got {entry!r:.80}.")
        for a in shapes_named(shapes, entry[0], "shape or body in an exclusion"):
            for b in shapes_named(shapes, entry[1], "shape or body in an exclusion"):
                out.add((min(a, b), max(a, b)))
    return out


def pairs_that_may_touch(
    model: Model, shapes: Sequence[PlacedShape], rows: Sequence[int], exclusions: Iterable[object]
) -> np.ndarray:
    """Pairs (n, 2) of indices of `shapes` that are left after all filters.

    Args:
        model: whose joints say what is joined.
        shapes: the shapes in question, moving ones first.
        rows: the row of the moving body that carries each shape; 0 where it stands still.
        exclusions: pairs of names.
    """
    need_model(model, "pairs_that_may_touch")
    group, near = rigid_groups(model), neighbours(model)
    excluded = excluded_pairs(shapes, exclusions)
    pairs = [
        (a, b)
        for a in range(len(shapes))
        for b in range(a + 1, len(shapes))
        if rows[a] != rows[b]
        and frozenset((group[shapes[a].body], group[shapes[b].body])) not in near
        and (a, b) not in excluded
    ]
    return np.array(pairs, np.int64).reshape(-1, 2)
