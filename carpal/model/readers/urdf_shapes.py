"""Collision shapes of a URDF: boxes, cylinders, capsules, spheres, and meshes as shapes.

A shape that cannot be kept does not spoil the robot: it is left out, and a sentence says so.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np

from carpal.errors import CarpalError, ModelError
from carpal.model.readers.assemble import Names
from carpal.model.readers.collision_meshes import load_mesh, mesh_shapes_of
from carpal.model.readers.mesh_files import find_mesh
from carpal.model.readers.safe_xml import one_line
from carpal.model.shapes import Box, Capsule, Cylinder, PlacedShape, Shape, Sphere
from carpal.spatial import Array, pose, rotation_from_rpy

MAX_SHAPES = 5000
SHOWN = 4


def urdf_shapes(
    root: ET.Element, folder: Path | None, *, confined: bool, concave: str | None
) -> tuple[tuple[PlacedShape, ...], list[str]]:
    """The collision shapes of every link, and sentences on those that are not kept.

    Args:
        root: the element <robot>.
        folder: where meshes are searched.
        confined: only inside the folder.
        concave: as in `load`; None refuses concave meshes.
    """
    elements = [(link.get("name", ""), part) for link in root.findall("link") for part in link.findall("collision")]
    if len(elements) > MAX_SHAPES:
        return (), [f"{len(elements)} collision shapes are more than the {MAX_SHAPES} that are read; none is kept."]
    setting = root.find("mujoco/compiler")
    subfolder = setting.get("meshdir", "") if setting is not None else ""
    names = Names({part.get("name", "") for _, part in elements})
    kept: list[PlacedShape] = []
    lost: list[str] = []
    seen: dict[str, int] = {}
    given: set[str] = set()
    for link, part in elements:
        number = seen[link] = seen.get(link, -1) + 1
        own = part.get("name", "")
        name = own if own and own not in given else names.new(f"{own or link + '_collision'}{number}")
        given.add(name)
        try:
            X = _origin(part)
            forms = _forms(part, folder, subfolder, confined, concave or "refuse")
            labels = [name] if len(forms) == 1 else [names.new(f"{name}_{i}") for i in range(len(forms))]
            kept += [PlacedShape(label, link, form, X) for label, form in zip(labels, forms, strict=True)]
        except CarpalError as error:
            lost.append(f"link '{one_line(link)}': {one_line(error)}")
    if not lost:
        return tuple(kept), []
    listed = "; ".join(lost[:SHOWN]) + (f"; and {len(lost) - SHOWN} more" if len(lost) > SHOWN else "")
    return tuple(kept), [f"{len(lost)} of {len(elements)} collision shapes are not kept: {listed}."]


def _numbers(element: ET.Element, key: str, count: int, default: str | None = None) -> Array:
    text = element.get(key, default)
    try:
        values = np.array([float(word) for word in (text or "").split()])
    except ValueError:
        values = np.zeros(0)
    if len(values) != count or not np.isfinite(values).all():
        shown = one_line(text or "nothing")[:60]
        raise ModelError(f"<{element.tag}> needs {count} finite number{'s' * (count > 1)} in {key}; got '{shown}'")
    return values


def _origin(part: ET.Element) -> Array:
    origin = part.find("origin")
    if origin is None:
        return np.eye(4)
    return pose(rotation_from_rpy(_numbers(origin, "rpy", 3, "0 0 0")), _numbers(origin, "xyz", 3, "0 0 0"))


def _forms(part: ET.Element, folder: Path | None, subfolder: str, confined: bool, concave: str) -> list[Shape]:
    geometry = part.find("geometry")
    for form in () if geometry is None else geometry:
        if form.tag == "box":
            x, y, z = _numbers(form, "size", 3)
            return [Box((x, y, z))]
        if form.tag == "sphere":
            return [Sphere(_numbers(form, "radius", 1)[0])]
        if form.tag in ("cylinder", "capsule"):
            made = Cylinder if form.tag == "cylinder" else Capsule
            return [made(_numbers(form, "radius", 1)[0], _numbers(form, "length", 1)[0])]
        if form.tag == "mesh":
            path = find_mesh(form.get("filename", ""), folder, subfolder=subfolder, confined=confined)
            if path is None:
                return []  # named with all the other meshes that are missing
            points, faces = load_mesh(path, _numbers(form, "scale", 3, "1 1 1"))
            try:
                return mesh_shapes_of(points, faces, concave)
            except ModelError as error:
                raise ModelError(f"mesh '{one_line(path.name)}': {error}") from None
    raise ModelError("a collision without box, sphere, cylinder, capsule or mesh")
