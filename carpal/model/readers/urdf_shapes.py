"""Collision shapes of a URDF: boxes, cylinders, capsules, spheres, and meshes as shapes.

A shape that cannot be kept does not spoil the robot: it is left out, and a sentence says so.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
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


class UrdfMeshes:
    """The mesh files of a URDF, found once each; `missing` names those that are not there."""

    def __init__(self, root: ET.Element, folder: Path | None, confined: bool) -> None:
        setting = root.find("mujoco/compiler")
        self.subfolder = setting.get("meshdir", "") if setting is not None else ""
        self.folder, self.confined = folder, confined
        self.found: dict[str, Path | None] = {}

    def path(self, reference: str) -> Path | None:
        """The file that a reference means; None where it is missing."""
        if reference not in self.found:
            self.found[reference] = find_mesh(reference, self.folder, subfolder=self.subfolder, confined=self.confined)
        return self.found[reference]

    @property
    def missing(self) -> list[str]:
        """References without a file."""
        return [reference for reference, path in self.found.items() if path is None]


def named_parts(root: ET.Element, kind: str) -> Iterator[tuple[str, str, ET.Element]]:
    """(name, link, element) of every <collision> or <visual>; names are unique, made from the link's where there is none."""
    elements = [(link.get("name", ""), part) for link in root.findall("link") for part in link.findall(kind)]
    names = Names({part.get("name", "") for _, part in elements})
    seen: dict[str, int] = {}
    given: set[str] = set()
    for link, part in elements:
        number = seen[link] = seen.get(link, -1) + 1
        own = part.get("name", "")
        name = own if own and own not in given else names.new(f"{own or link + '_' + kind}{number}")
        given.add(name)
        yield name, link, part


def urdf_shapes(
    root: ET.Element, meshes: UrdfMeshes, *, concave: str | None
) -> tuple[tuple[PlacedShape, ...], list[str], list[str]]:
    """The collision shapes of every link, notes on meshes taken as hulls, and sentences on shapes that are not kept.

    Args:
        root: the element <robot>.
        meshes: finds mesh files.
        concave: as in `load`; None takes hulls.
    """
    parts = list(named_parts(root, "collision"))
    if len(parts) > MAX_SHAPES:
        return (), [], [f"{len(parts)} collision shapes are more than the {MAX_SHAPES} that are read; none is kept."]
    names = Names({name for name, _, _ in parts})
    kept: list[PlacedShape] = []
    lost: list[str] = []
    hulls = 0
    for name, link, part in parts:
        try:
            X = origin_of(part)
            form = primitive_of(part)
            if isinstance(form, ET.Element):
                forms = _mesh_forms(form, meshes, concave or "hull")
                hulls += bool(forms) and (concave or "hull") == "hull"
            else:
                forms = [form]
            labels = [name] if len(forms) == 1 else [names.new(f"{name}_{i}") for i in range(len(forms))]
            kept += [PlacedShape(label, link, form, X) for label, form in zip(labels, forms, strict=True)]
        except CarpalError as error:
            lost.append(f"link '{one_line(link)}': {one_line(error)}")
    notes = []
    if hulls:
        notes.append(
            f'{hulls} collision meshes stand as their convex hulls; load with concave="split" for convex pieces.'
        )
    if not lost:
        return tuple(kept), notes, []
    listed = "; ".join(lost[:SHOWN]) + (f"; and {len(lost) - SHOWN} more" if len(lost) > SHOWN else "")
    return tuple(kept), notes, [f"{len(lost)} of {len(parts)} collision shapes are not kept: {listed}."]


def numbers_of(element: ET.Element, key: str, count: int, default: str | None = None) -> Array:
    """So many finite numbers from an attribute, or one clear sentence."""
    text = element.get(key, default)
    try:
        values = np.array([float(word) for word in (text or "").split()])
    except ValueError:
        values = np.zeros(0)
    if len(values) != count or not np.isfinite(values).all():
        shown = one_line(text or "nothing")[:60]
        raise ModelError(f"<{element.tag}> needs {count} finite number{'s' * (count > 1)} in {key}; got '{shown}'")
    return values


def origin_of(part: ET.Element) -> Array:
    """The pose (4, 4) that <origin> gives."""
    origin = part.find("origin")
    if origin is None:
        return np.eye(4)
    return pose(rotation_from_rpy(numbers_of(origin, "rpy", 3, "0 0 0")), numbers_of(origin, "xyz", 3, "0 0 0"))


def primitive_of(part: ET.Element) -> Shape | ET.Element:
    """The shape of a <collision> or <visual>, or its element <mesh>."""
    geometry = part.find("geometry")
    for form in () if geometry is None else geometry:
        if form.tag == "box":
            x, y, z = numbers_of(form, "size", 3)
            return Box((x, y, z))
        if form.tag == "sphere":
            return Sphere(numbers_of(form, "radius", 1)[0])
        if form.tag in ("cylinder", "capsule"):
            made = Cylinder if form.tag == "cylinder" else Capsule
            return made(numbers_of(form, "radius", 1)[0], numbers_of(form, "length", 1)[0])
        if form.tag == "mesh":
            return form
    raise ModelError(f"a {part.tag} without box, sphere, cylinder, capsule or mesh")


def mesh_scale(form: ET.Element) -> Array:
    """Three factors on a mesh's coordinates; one number stands for three."""
    if len(form.get("scale", "").split()) == 1:
        return np.repeat(numbers_of(form, "scale", 1), 3)
    return numbers_of(form, "scale", 3, "1 1 1")


def _mesh_forms(form: ET.Element, meshes: UrdfMeshes, concave: str) -> list[Shape]:
    path = meshes.path(form.get("filename", ""))
    if path is None:
        return []  # named with all the other meshes that are missing
    try:
        points, faces = load_mesh(path, mesh_scale(form))
        return mesh_shapes_of(points, faces, concave)
    except ModelError as error:
        raise ModelError(f"mesh '{one_line(path.name)}': {error}") from None
