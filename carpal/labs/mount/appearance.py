"""Appearance of the table: rails, two sleds, the pedestal, pulleys and their cables (a CoreXY table). Pictures only."""

from __future__ import annotations

from carpal.labs.mount.robot import PULLEYS, Table
from carpal.model import Model, Visual, visual_box, visual_rod
from carpal.report import palette

LONG, WIDE = 0.52, 0.40
"""Half length along x and half width along y of the frame [m]; a picture, no part of the model."""
FRAME, RAIL, SLED, CROSS, TOP = -0.300, -0.235, -0.190, -0.150, -0.105
"""Heights of the middles below the arm's foot [m]."""
CABLE, PULLEY = 0.003, 0.028


def table_visuals(model: Model, table: Table) -> tuple[Visual, ...]:
    """Visuals of the plant `model`, whose base slides along x and y, along a rail, or gives way on a stand."""
    known = {body.name for body in model.bodies}
    if table.stand:
        made = [*_stand(), *_upper_sled("arm/slide_y")]
    elif table.rail:
        made = [*_frame(), *_upper_sled("arm/slide_y")]
    else:
        made = [*_frame(), *_cables(), *_lower_sled("arm/slide_x"), *_upper_sled("arm/slide_y")]
    return tuple(seen for seen in made if seen.body is None or seen.body in known)


def _stand() -> list[Visual]:
    """Four slender legs on a plate: what gives way."""
    made = [visual_box("stand/plate", None, (0.5, 0.5, 0.03), (0, 0, FRAME - 0.32), palette.HOUSING)]
    for i, (x, y) in enumerate((x, y) for x in (-0.09, 0.09) for y in (-0.08, 0.08)):
        made.append(visual_rod(f"stand/leg_{i}", None, (x, y, FRAME - 0.31), (x, y, TOP - 0.03), 0.009, palette.METAL))
    return made


def _frame() -> list[Visual]:
    made = [visual_box("table/frame", None, (2 * LONG + 0.1, 2 * WIDE + 0.1, 0.05), (0, 0, FRAME), palette.HOUSING)]
    for i, (x, y) in enumerate(_corners()):
        made.append(visual_box(f"table/leg_{i}", None, (0.06, 0.06, 0.30), (x, y, FRAME - 0.17), palette.METAL))
    for i, y in enumerate((0.75 * WIDE, -0.75 * WIDE)):
        ends = ((-LONG, y, RAIL), (LONG, y, RAIL))
        made.append(visual_rod(f"table/rail_{i}", None, *ends, 0.014, palette.METAL))
    return made


def _cables() -> list[Visual]:
    """A pulley on each corner, and the cables along both sides."""
    made = []
    for i, (x, y) in enumerate(_corners()):
        wheel = ((x, y, SLED - 0.012), (x, y, SLED + 0.012))
        pin = ((x, y, FRAME), (x, y, SLED + 0.02))
        made.append(visual_rod(f"table/pulley_{i}", None, *wheel, PULLEY, palette.ACCENT))
        made.append(visual_rod(f"table/pin_{i}", None, *pin, 0.008, palette.METAL))
    for pulley, y in zip(PULLEYS, (WIDE, -WIDE), strict=True):
        for i, lane in enumerate((y - PULLEY, y + PULLEY)):
            ends = ((-LONG, lane, SLED), (LONG, lane, SLED))
            made.append(visual_rod(f"table/cable_{pulley}_{i}", None, *ends, CABLE, palette.FORCE_RGBA))
    return made


def _lower_sled(body: str) -> list[Visual]:
    """What moves along x: the sled, its own rails along y, and the cables over them."""
    made = [visual_box("table/lower_sled", body, (0.20, 2 * WIDE - 0.06, 0.035), (0, 0, SLED), palette.METAL)]
    for i, x in enumerate((-0.07, 0.07)):
        for what, at, radius, rgba in (
            ("cross_rail", x, 0.011, palette.METAL),
            ("cross_cable", 0.35 * x, CABLE, palette.FORCE_RGBA),
        ):
            ends = ((at, -WIDE, CROSS), (at, WIDE, CROSS))
            made.append(visual_rod(f"table/{what}_{i}", body, *ends, radius, rgba))
        for k, y in enumerate((WIDE - 0.02, 0.02 - WIDE)):
            ends = ((x, y, CROSS - 0.01), (x, y, CROSS + 0.02))
            made.append(visual_rod(f"table/idler_{i}_{k}", body, *ends, 0.018, palette.ACCENT))
    return made


def _upper_sled(body: str) -> list[Visual]:
    """What moves along y on it: the sled and the pedestal that carries the arm."""
    return [
        visual_box("table/upper_sled", body, (0.24, 0.22, 0.035), (0, 0, TOP - 0.015), palette.HOUSING),
        visual_rod("table/pedestal", body, (0, 0, TOP), (0, 0, 0.005), 0.075, palette.SHELL),
        visual_rod("table/flange", body, (0, 0, -0.012), (0, 0, 0.004), 0.095, palette.HOUSING),
    ]


def _corners() -> list[tuple[float, float]]:
    return [(x, y) for x in (-LONG, LONG) for y in (-WIDE, WIDE)]
