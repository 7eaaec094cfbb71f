"""Geoms of any MJCF file, as shapes and as the contacts that the file allows among them.

MuJoCo compiles the file once more with its geoms, because only it resolves defaults, classes, `fromto` and meshes; what it
says of bodies, joints and masses then is not used. Geoms that touch nothing (both masks zero, in no contact pair) are
pictures; they become visuals (`mjcf_visuals`). In MuJoCo a mesh collides as its hull, so the hull is what such a file means.
Meshes come back in single precision.
"""

from __future__ import annotations

import copy
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from carpal.errors import CarpalError, ModelError, unknown_name
from carpal.model.contact_rules import Mask
from carpal.model.model import Model
from carpal.model.readers.assemble import Names
from carpal.model.readers.collision_meshes import mesh_shapes_of
from carpal.model.readers.mjcf_attach import Attached, stripped_files
from carpal.model.readers.mjcf_contacts import Pairs, flag_disabled, mujoco_matrix, paired_geoms, with_file_contacts
from carpal.model.readers.mjcf_strip import strip
from carpal.model.readers.mjcf_visuals import mjcf_visuals
from carpal.model.readers.mujoco_compile import compile_spec
from carpal.model.readers.safe_xml import one_line, to_text
from carpal.model.shapes import Box, Capsule, Cylinder, Ellipsoid, PlacedShape, Plane, Shape, Sphere
from carpal.model.terrain import height_field
from carpal.model.visuals import Visual
from carpal.spatial import pose, rotation_from_wxyz

MAX_SHAPES = 5000
SHOWN = 4
GREY = np.array([0.5, 0.5, 0.5, 1.0])  # of geoms whose file gives no colour
_MESH_NAMED = re.compile(r"Element name '([^']+)', id \d+(, line \d+)?$")


@dataclass(frozen=True, eq=False)
class FileGeoms:
    """What a file's geoms say.

    Args:
        shapes: those that may touch something.
        may: (shapes, shapes), which of them may touch which.
        excluded: pairs of bodies that the file excludes.
        paired: pairs of shapes that the file pairs.
        visuals: what is drawn.
        notes: sentences on visuals that are not kept.
        warnings: sentences on what is not kept.
    """

    shapes: tuple[PlacedShape, ...] = ()
    may: Mask = field(default_factory=lambda: np.zeros((0, 0), bool))
    excluded: Pairs = ()
    paired: Pairs = ()
    visuals: tuple[Visual, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def put_on(self, model: Model) -> Model:
        """The model with these shapes, contacts and visuals."""
        return with_file_contacts(
            model.replace(shapes=self.shapes, visuals=self.visuals), self.may, self.excluded, self.paired
        )


def mjcf_geoms(
    root: ET.Element,
    name: str,
    meshes: dict[str, str | None],
    bodies: list[str],
    *,
    concave: str | None,
    attached: dict[str, Attached] | None = None,
) -> FileGeoms:
    """The geoms of a file.

    Args:
        root: the element <mujoco>, includes expanded and meshes settled, not yet stripped; it is left as it is.
        name: what messages call the file.
        meshes: from `settle_meshes`.
        bodies: names of MuJoCo's bodies 1, 2, ... in the model.
        concave: as in `load`; None takes hulls.
        attached: from `attached_models`.
    """
    lost: list[str] = []
    _check_excluded(root, name, bodies)
    try:
        spec, compiled = _compiled(root, name, dict(meshes), attached or {}, lost)
    except ModelError as error:
        return FileGeoms(warnings=(f"collision shapes are not kept: {one_line(error)}.",))
    if compiled.ngeom > MAX_SHAPES or compiled.nbody != len(bodies) + 1:
        return FileGeoms(
            warnings=(f"{compiled.ngeom} geoms are more than the {MAX_SHAPES} that are read; none is kept.",)
        )
    pairs = paired_geoms(compiled)
    in_pairs = {geom for pair in pairs for geom in pair}
    solid = [
        i for i in range(compiled.ngeom) if compiled.geom_contype[i] or compiled.geom_conaffinity[i] or i in in_pairs
    ]
    touching = not flag_disabled(root, "contact")
    # a shape must not have another body's name: exclusions would mean both
    names = Names({label for i in range(compiled.ngeom) if (label := compiled.geom(i).name)} | set(bodies))
    kept: list[PlacedShape] = []
    ids: list[int] = []
    for i in solid:
        owner = int(compiled.geom_bodyid[i])
        body = bodies[owner - 1] if owner else None
        label = compiled.geom(i).name or names.new(f"{body or 'world'}_geom{i - int(compiled.body_geomadr[owner])}")
        label = names.new(label) if label in bodies and label != body else label
        try:
            forms = _forms(compiled, i, concave or "hull")
            labels = [label] if len(forms) == 1 else [names.new(f"{label}_{k}") for k in range(len(forms))]
            X = pose(rotation_from_wxyz(compiled.geom_quat[i]), compiled.geom_pos[i])
            masks = (int(compiled.geom_contype[i]) & 0xFFFFFFFF, int(compiled.geom_conaffinity[i]) & 0xFFFFFFFF)
            rgba = geom_rgba(compiled, i)
            kept += [
                PlacedShape(one, body, form, X, rgba, touching, *masks) for one, form in zip(labels, forms, strict=True)
            ]
            ids += [i] * len(forms)
        except CarpalError as error:
            lost.append(f"geom '{one_line(label)}': {one_line(error)}")
    warnings = []
    if lost:
        listed = "; ".join(lost[:SHOWN]) + (f"; and {len(lost) - SHOWN} more" if len(lost) > SHOWN else "")
        warnings.append(f"{len(lost)} of {len(solid)} collision geoms are not kept: {listed}.")
    if kept and not touching:
        warnings.append("contacts are switched off by the file (<flag contact>), so its shapes do not collide.")
    may = mujoco_matrix(compiled, ids, filter_parents=not flag_disabled(root, "filterparent"))
    paired = [
        (kept[a].name, kept[b].name)
        for one, two in pairs
        for a in range(len(ids)) if ids[a] == one
        for b in range(len(ids)) if ids[b] == two
    ]  # fmt: skip
    visuals, notes = mjcf_visuals(
        spec, compiled, bodies, set(solid), lambda i: _forms(compiled, i, "hull")[0], lambda i: geom_rgba(compiled, i)
    )
    excluded = _excluded(compiled, bodies)
    return FileGeoms(tuple(kept), may, excluded, tuple(paired), visuals, tuple(notes), tuple(warnings))


def geom_rgba(compiled: Any, i: int) -> tuple[float, float, float, float]:
    """A geom's colour: its own where it has one, else its material's."""
    rgba, material = compiled.geom_rgba[i].astype(float), int(compiled.geom_matid[i])
    if material >= 0 and np.array_equal(rgba, GREY):
        rgba = compiled.mat_rgba[material].astype(float)
    r, g, b, alpha = np.clip(rgba, 0.0, 1.0)
    return float(r), float(g), float(b), float(alpha)


def _compiled(
    root: ET.Element, name: str, meshes: dict[str, str | None], attached: dict[str, Attached], lost: list[str]
) -> tuple[Any, Any]:
    """The file with its geoms; meshes that MuJoCo refuses are left out one after the other, and named in `lost`."""
    files = stripped_files(attached, name, keep_shapes=True)[0]
    while True:
        tree = copy.deepcopy(root)
        strip(tree, name, meshes, keep_shapes=True)
        try:
            return compile_spec(to_text(tree), name, exact_inertia=True, files=files)[:2]
        except ModelError as error:
            found = _MESH_NAMED.search(one_line(error))
            if found is None or meshes.get(found[1], "") is not None:
                raise
            meshes[found[1]] = "refused"
            lost.append(f"mesh {one_line(error).partition('MuJoCo: ')[2]}")


def _check_excluded(root: ET.Element, name: str, bodies: list[str]) -> None:
    """Refuse an <exclude> of a body that is not there: without its shapes the robot would be another one."""
    for exclude in root.iterfind("contact/exclude"):
        for side in ("body1", "body2"):
            body = exclude.get(side, "")
            if body not in bodies and body != "world":
                raise unknown_name(f"body of '{name}', named by an <exclude>,", body, bodies)


def _excluded(compiled: Any, bodies: list[str]) -> Pairs:
    """The pairs of bodies that <contact><exclude> names; the world has no name that could stand in an exclusion."""
    pairs = [(int(signature) >> 16, int(signature) & 0xFFFF) for signature in compiled.exclude_signature]
    return tuple(dict.fromkeys((bodies[a - 1], bodies[b - 1]) for a, b in pairs if a and b))


def _height_field(compiled: Any, field: int) -> Shape:
    """A height field as closed triangles; MuJoCo's heights are from 0 to 1 of its elevation, rows along y."""
    rows, columns = int(compiled.hfield_nrow[field]), int(compiled.hfield_ncol[field])
    first = int(compiled.hfield_adr[field])
    wide, long, high, base = (float(number) for number in compiled.hfield_size[field])
    heights = high * np.array(compiled.hfield_data[first : first + rows * columns], float).reshape(rows, columns)
    return height_field(heights, [2 * wide, 2 * long], base + float(heights.min()))


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
        case mujoco.mjtGeom.mjGEOM_HFIELD:
            return [_height_field(compiled, int(compiled.geom_dataid[i]))]
    raise ModelError(f"geoms of type {kind.name.removeprefix('mjGEOM_').lower()} are not supported")
