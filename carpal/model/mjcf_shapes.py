"""Shapes as MJCF's <geom> elements, and back.

They are read back only from files that Carpal wrote: there every geom states its type, size and pose, without the
defaults, classes, frames and meshes that other files may use. A geom's collision masks say whether it touches.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import numpy as np

from carpal.errors import CarpalError, ModelError, unknown_name
from carpal.model.shapes import Box, Capsule, Cylinder, Ellipsoid, PlacedShape, Plane, Shape, Sphere
from carpal.spatial import Array, pose, rotation_from_wxyz

_PLANE_GRID = 0.05  # MuJoCo's third number of a plane: the spacing of its drawn grid [m]


def geom_of(placed: PlacedShape) -> dict[str, Any]:
    """Attributes of a <geom>, all but its pose. MuJoCo counts half lengths, so sizes are halved (exactly)."""
    mask = None if placed.collides else "0"
    return {
        "name": placed.name,
        "type": placed.shape.kind,
        "size": _sizes(placed.shape),
        "rgba": placed.rgba,
        "contype": mask,
        "conaffinity": mask,
    }


def _sizes(shape: Shape) -> tuple[float, ...]:
    match shape:
        case Sphere():
            return (shape.radius,)
        case Box():
            return tuple(edge / 2 for edge in shape.size)
        case Capsule() | Cylinder():
            return shape.radius, shape.length / 2
        case Ellipsoid():
            return shape.radii
        case _:
            return 0.0, 0.0, _PLANE_GRID


def placed_shapes(root: ET.Element, extras: dict[str, Any], name: str) -> tuple[PlacedShape, ...]:
    """The shapes of a file that Carpal wrote, in the model's order; nothing from other files.

    Args:
        root: the element <mujoco>, before it is stripped.
        extras: from `extras_of`; names the bodies that MuJoCo could not call by their own names.
        name: what messages call the file.
    """
    if not extras["model"]:
        return ()
    found: dict[str, PlacedShape] = {}
    try:
        for world in root.findall("worldbody"):
            for body, geom in _geoms(world, None):
                entry = extras["bodies"].get(body, {})
                true_name = entry.get("name", body) if isinstance(entry, dict) else body
                shape = _read(geom, None if body is None else true_name)
                if shape.name in found:
                    raise ModelError(f"'{name}' has two geoms named '{shape.name}'.")
                found[shape.name] = shape
        order = [label for label in extras["model"].get("shapes", []) if label in found]
    except CarpalError as error:
        raise ModelError(f"a geom of '{name}' cannot be read: {error}") from None
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise ModelError(f"a geom of '{name}' is not what Carpal writes: {error}.") from None
    return tuple(found[label] for label in dict.fromkeys([*order, *found]))


def _geoms(element: ET.Element, body: str | None) -> Iterator[tuple[str | None, ET.Element]]:
    for child in element:
        if child.tag == "geom":
            yield body, child
        elif child.tag == "body":
            yield from _geoms(child, child.get("name", ""))


def _numbers(geom: ET.Element, what: str, default: str) -> Array:
    return np.array([float(word) for word in geom.get(what, default).split()])


def _read(geom: ET.Element, body: str | None) -> PlacedShape:
    kind, size = geom.get("type", "sphere"), _numbers(geom, "size", "")
    makers: dict[str, tuple[int, Any]] = {
        "sphere": (1, lambda: Sphere(size[0])),
        "box": (3, lambda: Box(2 * size)),  # type: ignore[arg-type] # an array of three does as well
        "capsule": (2, lambda: Capsule(size[0], 2 * size[1])),
        "cylinder": (2, lambda: Cylinder(size[0], 2 * size[1])),
        "ellipsoid": (3, lambda: Ellipsoid(size)),  # type: ignore[arg-type]
        "plane": (0, Plane),
    }
    if kind not in makers:
        raise unknown_name("type of geom", kind, makers)
    least, make = makers[kind]
    if len(size) < least:
        raise ModelError(f"a {kind} needs {least} numbers in size; got {len(size)}.")
    wxyz, position = _numbers(geom, "quat", "1 0 0 0"), _numbers(geom, "pos", "0 0 0")
    R = np.eye(3) if not geom.get("quat") else rotation_from_wxyz(wxyz)
    return PlacedShape(
        geom.get("name", ""),
        body,
        make(),
        X_BS=pose(R, position),
        rgba=tuple(_numbers(geom, "rgba", "0.5 0.5 0.5 1")),
        collides=geom.get("contype", "1") != "0" or geom.get("conaffinity", "1") != "0",
    )
