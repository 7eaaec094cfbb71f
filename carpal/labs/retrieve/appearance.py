"""Appearance of a pick-up: the rover that carries the arm, and the colours of gripper, relay and ground. Pictures only."""

from __future__ import annotations

import dataclasses
from typing import Any

from carpal.model import Model, Visual, visual_box, visual_rod
from carpal.report import palette

COLOURS = (
    ("relay_antenna", (0.95, 0.60, 0.20, 0.35)), ("relay_knob_flap", (0.20, 0.22, 0.27, 1.0)),
    ("relay_hole_flap", (0.20, 0.22, 0.27, 1.0)), ("relay_knob", (0.80, 0.62, 0.20, 1.0)),
    ("relay", (0.29, 0.33, 0.41, 1.0)), ("blade", palette.ACCENT), ("plunger", palette.METAL), ("bar_", palette.METAL),
    ("motor", palette.HOUSING), ("rover_wall", (0.80, 0.83, 0.87, 0.5)), ("ground", (0.82, 0.76, 0.68, 0.55)),
    ("arm/", palette.SHELL),
)  # fmt: skip
"""By the first of these that is in a shape's name."""
DECK, BACK, HALF, WHEEL = 0.40, -1.05, 0.30, 0.15
"""Height of the deck, its rear end, half its width, and the wheels' radius [m]; a picture, no part of the model."""


def coloured(model: Model) -> Model:
    """The model with its shapes in their colours, and the rover behind its front wall."""
    shapes = tuple(dataclasses.replace(shape, rgba=_colour(shape.name, shape.rgba)) for shape in model.shapes)
    return model.replace(shapes=shapes, visuals=(*model.visuals, *rover_visuals()))


def rover_visuals() -> tuple[Visual, ...]:
    """Deck, bracket of the arm, four wheels with their legs, and the mast with both cameras, in the world."""
    middle, long = 0.5 * (BACK - 0.20), -0.20 - BACK
    made = [
        visual_box("rover/deck", None, (long, 2 * HALF, 0.14), (middle, 0, DECK), palette.SHELL),
        visual_box(
            "rover/panel", None, (long - 0.1, 2 * HALF + 0.12, 0.015), (middle, 0, DECK + 0.085), palette.ACCENT
        ),
        visual_box("rover/bracket", None, (0.30, 0.16, 0.05), (-0.08, 0, DECK + 0.055), palette.HOUSING),
        visual_rod("rover/mast", None, (BACK + 0.5, 0, DECK), (BACK + 0.5, 0, 0.95), 0.025, palette.METAL),
        visual_box("rover/cameras", None, (0.06, 0.26, 0.06), (BACK + 0.52, 0, 0.97), palette.HOUSING),
    ]
    for i, (x, side) in enumerate((x, side) for x in (BACK + 0.10, -0.34) for side in (-1.0, 1.0)):
        made += _wheel(i, x, side)
    return tuple(made)


def _wheel(i: int, x: float, side: float) -> list[Visual]:
    """A wheel, its hub and the leg to the deck; side is 1 to the left."""
    inner, outer = ((x, side * (HALF + away), WHEEL) for away in (0.05, 0.15))
    hub, top = (x, side * (HALF + 0.16), WHEEL), (x, 0.9 * side * HALF, DECK)
    return [
        visual_rod(f"rover/wheel_{i}", None, inner, outer, WHEEL, palette.HOUSING),
        visual_rod(f"rover/hub_{i}", None, inner, hub, 0.05, palette.METAL),
        visual_rod(f"rover/leg_{i}", None, inner, top, 0.022, palette.METAL),
    ]


def _colour(name: str, given: Any) -> Any:
    return next((colour for part, colour in COLOURS if part in name), given)
