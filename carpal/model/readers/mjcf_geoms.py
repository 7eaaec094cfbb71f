"""Collision geoms of any MJCF file, as shapes.

MuJoCo compiles the file once more with its geoms, because only it resolves defaults, classes, `fromto` and meshes; what it
says of bodies, joints and masses then is not used. Geoms that touch nothing (both masks zero) are pictures and are left out.
In MuJoCo a mesh collides as its hull, so the hull is what such a file means. Meshes come back in single precision.
"""

from __future__ import annotations

import copy
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np

from carpal.errors import CarpalError, ModelError
from carpal.model.readers.assemble import Names
from carpal.model.readers.collision_meshes import mesh_shapes_of
from carpal.model.readers.mjcf_strip import strip
from carpal.model.readers.mujoco_compile import compile_text
from carpal.model.readers.safe_xml import one_line, to_text
from carpal.model.shapes import Box, Capsule, Cylinder, Ellipsoid, PlacedShape, Plane, Shape, Sphere
from carpal.spatial import pose, rotation_from_wxyz

MAX_SHAPES = 5000
SHOWN = 4


def mjcf_geoms(
    root: ET.Element, name: str, meshes: dict[str, str | None], bodies: list[str], *, concave: str | None
) -> tuple[tuple[PlacedShape, ...], list[str]]:
    """The colliding geoms of a file, and sentences on those that are not kept.

    Args:
        root: the element <mujoco>, includes expanded and meshes settled, not yet stripped; it is left as it is.
        name: what messages call the file.
        meshes: from `settle_meshes`.
        bodies: names of MuJoCo's bodies 1, 2, ... in the model.
        concave: as in `load`; None takes hulls.
    """
    tree = copy.deepcopy(root)
    strip(tree, name, meshes, keep_shapes=True)
    try:
        compiled, _ = compile_text(to_text(tree), name, exact_inertia=True)
    except ModelError as error:
        return (), [f"collision shapes are not kept: {one_line(error)}."]
    if compiled.ngeom > MAX_SHAPES or compiled.nbody != len(bodies) + 1:
        return (), [f"{compiled.ngeom} geoms are more than the {MAX_SHAPES} that are read; none is kept."]
    solid = [i for i in range(compiled.ngeom) if compiled.geom_contype[i] or compiled.geom_conaffinity[i]]
    written = [compiled.geom(i).name for i in solid]
    names = Names({label for label in written if label})
    kept: list[PlacedShape] = []
    lost: list[str] = []
    for i, label in zip(solid, written, strict=True):
        owner = int(compiled.geom_bodyid[i])
        body = bodies[owner - 1] if owner else None
        label = label or names.new(f"{body or 'world'}_geom{i - int(compiled.body_geomadr[owner])}")
        try:
            forms = _forms(compiled, i, concave or "hull")
            labels = [label] if len(forms) == 1 else [names.new(f"{label}_{k}") for k in range(len(forms))]
            X = pose(rotation_from_wxyz(compiled.geom_quat[i]), compiled.geom_pos[i])
            rgba = tuple(np.clip(compiled.geom_rgba[i].astype(float), 0.0, 1.0))
            kept += [PlacedShape(one, body, form, X, rgba) for one, form in zip(labels, forms, strict=True)]
        except CarpalError as error:
            lost.append(f"geom '{one_line(label)}': {one_line(error)}")
    notes = []
    if lost:
        listed = "; ".join(lost[:SHOWN]) + (f"; and {len(lost) - SHOWN} more" if len(lost) > SHOWN else "")
        notes.append(f"{len(lost)} of {len(solid)} collision geoms are not kept: {listed}.")
    return tuple(kept), notes


def mask_notes(shapes: tuple[PlacedShape, ...], root: ET.Element) -> list[str]:
    """A sentence where a file sorts its contacts by masks or pairs, which shapes have no field for."""
    masks = {geom.get(key) for geom in root.iter("geom") for key in ("contype", "conaffinity")} - {None, "0", "1"}
    pairs = root.findall("contact/pair")
    if not shapes or not (masks or pairs):
        return []
    return [
        "collision masks beyond on and off, and explicit contact pairs, are not kept: all shapes may touch each other."
    ]


def excluded_bodies(root: ET.Element, bodies: list[str]) -> tuple[tuple[str, str], ...]:
    """The pairs of bodies that <contact><exclude> names."""
    found = [(pair.get("body1", ""), pair.get("body2", "")) for pair in root.findall("contact/exclude")]
    return tuple(dict.fromkeys((a, b) for a, b in found if a in bodies and b in bodies))


def _forms(compiled: Any, i: int, concave: str) -> list[Shape]:
    import mujoco

    kind = mujoco.mjtGeom(int(compiled.geom_type[i]))
    x, y, z = (float(number) for number in compiled.geom_size[i])
    match kind:
        case mujoco.mjtGeom.mjGEOM_SPHERE:
            return [Sphere(x)]
        case mujoco.mjtGeom.mjGEOM_BOX:
            return [Box((2 * x, 2 * y, 2 * z))]
        case mujoco.mjtGeom.mjGEOM_CAPSULE:
            return [Capsule(x, 2 * y)]
        case mujoco.mjtGeom.mjGEOM_CYLINDER:
            return [Cylinder(x, 2 * y)]
        case mujoco.mjtGeom.mjGEOM_ELLIPSOID:
            return [Ellipsoid((x, y, z))]
        case mujoco.mjtGeom.mjGEOM_PLANE:
            return [Plane()]
        case mujoco.mjtGeom.mjGEOM_MESH:
            mesh = int(compiled.geom_dataid[i])
            first, count = int(compiled.mesh_vertadr[mesh]), int(compiled.mesh_vertnum[mesh])
            start, faces = int(compiled.mesh_faceadr[mesh]), int(compiled.mesh_facenum[mesh])
            points = np.array(compiled.mesh_vert[first : first + count], float)
            return mesh_shapes_of(points, np.array(compiled.mesh_face[start : start + faces], np.int64), concave)
    raise ModelError(f"geoms of type {kind.name.removeprefix('mjGEOM_').lower()} are not supported")
