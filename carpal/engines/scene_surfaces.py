"""From the surfaces of a scene, which are plain data, to those of the engines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carpal.engines.pair_surfaces import SurfaceKey
from carpal.engines.surface import Surface
from carpal.errors import CarpalError
from carpal.model import Scene


def surfaces_of_scene(
    scene: Scene, instead: Surface | Mapping[str, Any] | None = None
) -> tuple[Surface, dict[SurfaceKey, Surface]]:
    """What `ModalEngine`, `MuJoCoEngine` and `PenaltyEngine` take as `surface` and `surfaces`.

    Args:
        scene: with `add_surface`, or `[[surface]]` in its TOML.
        instead: goes before the scene's surface of all pairs; with a mapping only the values that it names. Surfaces
            between named things stay.

    Example:
        >>> surface, surfaces = surfaces_of_scene(scene)
        >>> engine = ModalEngine(scene.build(), surface=surface, surfaces=surfaces)
    """
    general: dict[str, Any] = {}
    named: dict[SurfaceKey, Surface] = {}
    for entry in scene.surfaces:
        between, values = entry["between"], {key: value for key, value in entry.items() if key != "between"}
        if not between:
            general = values
            continue
        try:
            made = Surface.from_dict(values)
        except CarpalError as error:
            raise type(error)(f"the surface of {' and '.join(between)}: {error}") from None
        named[between[0] if len(between) == 1 else (between[0], between[1])] = made
    if isinstance(instead, Surface):
        return instead, named
    if instead and "tip" in instead and "torsion" not in instead and instead["tip"] != "soft":
        general = {key: value for key, value in general.items() if key != "torsion"}  # it belongs to the tip
    return Surface.from_dict({**general, **(instead or {})}), named
