"""Shapes as MJCF's <geom> elements, and back.

They are read back only from files that Carpal wrote: there every geom states its type, size and pose, without the
defaults, classes, frames and meshes that other files may use. A geom's collision masks say whether it touches. Meshes
stand in the file itself as <mesh> assets; `inertia` says which kind of shape they are.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from carpal.errors import CarpalError, ModelError, unknown_name
from carpal.model.mesh_shapes import ConvexMesh, TriangleMesh
from carpal.model.model import Model
from carpal.model.serialise_extensions import visual_out
from carpal.model.shapes import Box, Capsule, Cylinder, Ellipsoid, PlacedShape, Plane, Shape, Sphere
from carpal.spatial import Array, pose, rotation_from_wxyz

_INERTIA = {ConvexMesh.kind: "convex", TriangleMesh.kind: "shell"}
_PLANE_GRID = 0.05  # MuJoCo's third number of a plane: the spacing of its drawn grid [m]


def geom_of(placed: PlacedShape) -> dict[str, Any]:
    """Attributes of a <geom>, all but its pose. MuJoCo counts half lengths, so sizes are halved (exactly)."""
    masks = (placed.contype, placed.conaffinity) if placed.collides else (0, 0)
    contype, conaffinity = (None if mask == 1 else _signed(mask) for mask in masks)
    mesh = isinstance(placed.shape, ConvexMesh | TriangleMesh)
    return {
        "name": placed.name,
        "type": "mesh" if mesh else placed.shape.kind,
        "mesh": placed.name if mesh else None,
        "size": None if mesh else _sizes(placed.shape),
        "rgba": placed.rgba,
        "contype": contype,
        "conaffinity": conaffinity,
    }


def _signed(mask: int) -> str:
    """32 bits as MuJoCo reads them."""
    return str(mask - 2**32 if mask >= 2**31 else mask)


def shape_extras(model: Model) -> dict[str, Any]:
    """What <geom> and <contact> do not say: order of shapes, masks of what does not collide, exclusions, pairs, visuals."""
    out: dict[str, Any] = {"shapes": [shape.name for shape in model.shapes]} if model.shapes else {}
    masks = {
        shape.name: [shape.collides, shape.contype, shape.conaffinity]
        for shape in model.shapes
        if not (shape.collides and (shape.contype or shape.conaffinity))  # written with both masks zero
        and (shape.collides, shape.contype, shape.conaffinity) != (False, 1, 1)
    }
    visuals = [visual_out(seen) for seen in model.visuals]
    extras = {"masks": masks, "exclusions": model.exclusions, "contact_pairs": model.contact_pairs, "visuals": visuals}
    return out | {what: value for what, value in extras.items() if value}


def mesh_of(placed: PlacedShape) -> dict[str, Any] | None:
    """Attributes of the <mesh> asset of a mesh; None for other shapes."""
    if not isinstance(placed.shape, ConvexMesh | TriangleMesh):
        return None
    if isinstance(placed.shape, TriangleMesh) and placed.collides:
        raise ModelError(
            f"shape '{placed.name}' is a triangle mesh that collides, which MJCF cannot hold: MuJoCo would take its hull. Put "
            "convex_pieces(mesh) in its place, or let it not collide."
        )
    return {
        "name": placed.name,
        "vertex": placed.shape.points.ravel(),
        "face": " ".join(str(corner) for corner in placed.shape.faces.ravel()),
        "inertia": _INERTIA[placed.shape.kind],
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
    assets = {mesh.get("name", ""): mesh for mesh in root.findall("asset/mesh")}
    try:
        for world in root.findall("worldbody"):
            for body, geom in _geoms(world, None):
                entry = extras["bodies"].get(body, {})
                true_name = entry.get("name", body) if isinstance(entry, dict) else body
                shape = _read(geom, None if body is None else true_name, assets)
                known = extras["model"].get("masks", {}).get(shape.name)
                if known is not None and not shape.collides:
                    shape = replace(shape, collides=known[0], contype=known[1], conaffinity=known[2])
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


def _mesh(asset: ET.Element | None) -> Shape:
    if asset is None or asset.get("vertex") is None or asset.get("face") is None:
        raise ModelError("a mesh has no <mesh> asset with vertex and face.")
    points, faces = _numbers(asset, "vertex", "").reshape(-1, 3), _numbers(asset, "face", "").reshape(-1, 3)
    return ConvexMesh(points, faces) if asset.get("inertia") == _INERTIA["convex"] else TriangleMesh(points, faces)


def _read(geom: ET.Element, body: str | None, assets: dict[str, ET.Element]) -> PlacedShape:
    kind, size = geom.get("type", "sphere"), _numbers(geom, "size", "")
    makers: dict[str, tuple[int, Any]] = {
        "sphere": (1, lambda: Sphere(size[0])),
        "box": (3, lambda: Box(2 * size)),  # type: ignore[arg-type] # an array of three does as well
        "capsule": (2, lambda: Capsule(size[0], 2 * size[1])),
        "cylinder": (2, lambda: Cylinder(size[0], 2 * size[1])),
        "ellipsoid": (3, lambda: Ellipsoid(size)),  # type: ignore[arg-type]
        "plane": (0, Plane),
        "mesh": (0, lambda: _mesh(assets.get(geom.get("mesh", "")))),
    }
    if kind not in makers:
        raise unknown_name("type of geom", kind, makers)
    least, make = makers[kind]
    if len(size) < least:
        raise ModelError(f"a {kind} needs {least} numbers in size; got {len(size)}.")
    wxyz, position = _numbers(geom, "quat", "1 0 0 0"), _numbers(geom, "pos", "0 0 0")
    R = np.eye(3) if not geom.get("quat") else rotation_from_wxyz(wxyz)
    contype, conaffinity = (int(geom.get(mask, "1")) & 0xFFFFFFFF for mask in ("contype", "conaffinity"))
    return PlacedShape(
        geom.get("name", ""),
        body,
        make(),
        X_BS=pose(R, position),
        rgba=tuple(_numbers(geom, "rgba", "0.5 0.5 0.5 1")),
        collides=bool(contype or conaffinity),
        contype=contype if contype or conaffinity else 1,
        conaffinity=conaffinity if contype or conaffinity else 1,
    )
