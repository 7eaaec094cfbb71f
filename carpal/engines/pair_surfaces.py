"""Which surface each pair of shapes has: every engine with contact asks here, so that a scene means the same to all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from carpal.engines.surface import Surface
from carpal.errors import InputError, unknown_name
from carpal.model import Model

SurfaceKey = str | tuple[str, str]


def surfaces_of_pairs(
    names: Sequence[str],
    bodies: Sequence[str | None],
    pairs: Iterable[tuple[int, int]],
    surface: Surface,
    surfaces: Mapping[SurfaceKey, Surface],
) -> list[Surface]:
    """The surface of each pair of shapes.

    Args:
        names: of the shapes.
        bodies: that carry them; None: the world.
        pairs: of indices of shapes.
        surface: of pairs of which nothing else is said.
        surfaces: by the name of a shape, body or robot, or by two of them; later ones override earlier ones.
    """
    rows = list(pairs)
    chosen = [surface] * len(rows)
    for key, value in surfaces.items():
        if not isinstance(value, Surface):
            raise InputError(f"surfaces[{key!r:.60}] must be a Surface; got {value!r:.60}.")
        keys = (key,) if isinstance(key, str) else key
        if not isinstance(keys, tuple) or len(keys) not in (1, 2):
            raise InputError(f"a key of surfaces is one name or a pair of names; got {key!r:.60}.")
        sides = [_meant(name, names, bodies) for name in keys]
        for row, (a, b) in enumerate(rows):
            both = len(sides) == 2 and any(x in sides[0] and y in sides[1] for x, y in ((a, b), (b, a)))
            if both or (len(sides) == 1 and (a in sides[0] or b in sides[0])):
                chosen[row] = value
    return chosen


def _meant(name: object, names: Sequence[str], bodies: Sequence[str | None]) -> set[int]:
    """Indices of the shapes that a name stands for."""
    inside = {
        i
        for i, (shape, body) in enumerate(zip(names, bodies, strict=True))
        if name in (shape, body) or (isinstance(name, str) and shape.startswith(name + "/"))
    }
    if not inside:
        known = dict.fromkeys([*names, *(body for body in bodies if body is not None)])
        raise unknown_name("shape, body or robot in surfaces", name, known)
    return inside


def stated(surface: Surface | None, surfaces: Mapping[SurfaceKey, Surface] | None) -> dict[str, Any]:
    """Surfaces as entries of an engine's options: plain data, and nothing where nothing is said."""
    out: dict[str, Any] = {} if surface is None else {"surface": surface.to_dict()}
    named = {
        "+".join((key,) if isinstance(key, str) else key): each.to_dict() for key, each in (surfaces or {}).items()
    }
    return out | ({"surfaces": named} if named else {})


def by_shape_names(model: Model, surfaces: Mapping[SurfaceKey, Surface]) -> dict[SurfaceKey, Surface]:
    """The same surfaces by names of shapes alone, for engines that join bodies or give them other names."""
    shapes = [shape for shape in model.shapes if shape.collides]
    names, bodies = [shape.name for shape in shapes], [shape.body for shape in shapes]
    out: dict[SurfaceKey, Surface] = {}
    for key, value in surfaces.items():
        sides = [sorted(_meant(name, names, bodies)) for name in ((key,) if isinstance(key, str) else key)]
        found: list[SurfaceKey] = [names[a] for a in sides[0]] if len(sides) == 1 else []
        found += [(names[a], names[b]) for a in sides[0] for b in sides[1] if a != b] if len(sides) == 2 else []
        for one in found:
            out.pop(one, None)  # later ones come last
            out[one] = value
    return out
