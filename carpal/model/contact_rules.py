"""Which shapes of a model may touch each other.

In this order: shapes that are rigidly joined never touch; `contact_pairs` of the model always may; then the contact masks
must share a bit, neighbours do not touch, and exclusions do not. Neighbours are two bodies with one moving joint between
them; bodies joined by fixed joints count as one. The world is nobody's neighbour: a shape that stands in the world itself
meets everything that moves, also a robot's first link (put a robot's own base shape on a fixed body, and it is a neighbour
of the first link). MuJoCo differs there: to it such a fixed body is the world. The MJCF reader and writer translate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from carpal.errors import InputError, unknown_name
from carpal.model.arguments import need_model
from carpal.model.model import Model
from carpal.model.shapes import PlacedShape

WORLD = "world"
"""What exclusions call the shapes that stand in the world itself."""
Mask = np.ndarray
"""A symmetric matrix (n, n) of bool: whether two of n shapes may touch."""


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


def shapes_named(shapes: Sequence[PlacedShape], name: object, what: str, bodies: Iterable[str] = ()) -> set[int]:
    """Indices of the shapes that a name means: a shape, all of a body, a robot of a scene, or "world" (what stands in it).

    Args:
        shapes: of the model.
        name: from a user or a file.
        what: what a sentence calls the name.
        bodies: names that may mean no shape at all.
    """
    if isinstance(name, str) and name:
        if name == WORLD and WORLD in bodies:
            return {i for i, s in enumerate(shapes) if s.body in (None, WORLD)}
        found = {i for i, s in enumerate(shapes) if name in (s.name, s.body) or s.name.startswith(name + "/")}
        if found or any(name == body or body.startswith(name + "/") for body in bodies):
            return found
    choices = dict.fromkeys([s.name for s in shapes] + [s.body for s in shapes if s.body is not None])
    raise unknown_name(what, name, choices)


def excluded_pairs(
    shapes: Sequence[PlacedShape], exclusions: Iterable[object], bodies: Iterable[str] = ()
) -> set[tuple[int, int]]:
    """Pairs (lower index, higher index) of shapes that were declared not to count; `bodies` may have no shapes."""
    out = set()
    known = tuple(bodies)
    for entry in exclusions:
        if not isinstance(entry, Sequence) or isinstance(entry, str) or len(entry) != 2:
            raise InputError(f"an exclusion is two names (of shapes, bodies or robots); got {entry!r:.80}.")
        second = shapes_named(shapes, entry[1], "shape or body in an exclusion", known)
        for a in shapes_named(shapes, entry[0], "shape or body in an exclusion", known):
            for b in second:
                out.add((min(a, b), max(a, b)))
    return out


def masks_meet(shapes: Sequence[PlacedShape]) -> Mask:
    """Whether one's contype shares a bit with the other's conaffinity."""
    contype = np.array([shape.contype for shape in shapes], np.uint32)
    conaffinity = np.array([shape.conaffinity for shape in shapes], np.uint32)
    one_way = (contype[:, None] & conaffinity[None, :]) != 0
    return np.asarray(one_way | one_way.T)


def apart_in_tree(groups: Sequence[object], near: Iterable[frozenset[object]]) -> Mask:
    """Whether two shapes belong to different groups that are no neighbours.

    Args:
        groups: the rigid group of each shape.
        near: pairs of groups that are neighbours.
    """
    numbers = {group: i for i, group in enumerate(dict.fromkeys(groups))}
    apart = ~np.eye(len(numbers), dtype=bool)
    for pair in near:
        known = [numbers[group] for group in pair if group in numbers]
        if len(known) == 2:
            apart[known[0], known[1]] = apart[known[1], known[0]] = False
    index = np.array([numbers[group] for group in groups], np.intp)
    return apart[np.ix_(index, index)]


def contact_matrix(
    model: Model,
    shapes: Sequence[PlacedShape],
    rows: Sequence[int],
    *,
    exclusions: Iterable[object] = (),
    further: Iterable[object] = (),
) -> Mask:
    """Which of the shapes may touch which.

    Args:
        model: whose joints say what is joined.
        shapes: some or all of its shapes.
        rows: the row of the moving body that carries each shape; 0 where it stands still.
        exclusions: pairs of names; the model's contact pairs go before them.
        further: pairs of names that do not count whatever the model says.
    """
    bodies = [*model.frames, WORLD]
    group = rigid_groups(model)
    carriers = np.array(rows, np.intp)
    may = apart_in_tree([group[shape.body] for shape in shapes], neighbours(model)) & masks_meet(shapes)
    for a, b in excluded_pairs(shapes, exclusions, bodies):
        may[a, b] = may[b, a] = False
    index = {shape.name: i for i, shape in enumerate(shapes)}
    for one, two in model.contact_pairs:
        if one in index and two in index:
            may[index[one], index[two]] = may[index[two], index[one]] = True
    for a, b in excluded_pairs(shapes, further, bodies):
        may[a, b] = may[b, a] = False
    return np.asarray(may & (carriers[:, None] != carriers[None, :]))


def own_contact_matrix(model: Model, shapes: Sequence[PlacedShape]) -> Mask:
    """`contact_matrix` for shapes that stand on the model's own bodies, with its own exclusions."""
    rows = [0 if shape.body is None else model.tables.body_rows[shape.body][0] for shape in shapes]
    return contact_matrix(model, shapes, rows, exclusions=model.exclusions)
