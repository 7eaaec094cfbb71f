"""What the bodies of an MJCF file look like: the geoms that MuJoCo draws by default, as visuals.

MuJoCo moves a mesh file's vertices: it subtracts `refpos`, turns them back by `refquat`, scales them, and then puts them into
the principal axes of their inertia, which the geom's compiled pose takes back. A visual's pose and scale do all this on the
file's own coordinates. A body that shows nothing but its own primitive collision geoms needs no visuals.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import CarpalError
from carpal.model.mesh_shapes import ConvexMesh, TriangleMesh
from carpal.model.readers.assemble import Names
from carpal.model.readers.safe_xml import one_line
from carpal.model.shapes import Shape
from carpal.model.visuals import Visual
from carpal.spatial import Array, inverse, pose, rotation_from_wxyz

SEEN_GROUPS = 3
"""MuJoCo draws the geom groups below this number by default."""
DRAWABLE = (".stl", ".obj")
SHOWN = 4


def mjcf_visuals(
    spec: Any,
    compiled: Any,
    bodies: list[str],
    solid: set[int],
    primitive: Callable[[int], Shape],
    rgba: Callable[[int], tuple[float, float, float, float]],
) -> tuple[tuple[Visual, ...], list[str]]:
    """The visuals of every body, and notes on those that are not kept.

    Args:
        spec: the `MjSpec`, for what it says of mesh files.
        compiled: the `MjModel`.
        bodies: names of MuJoCo's bodies 1, 2, ... in the model.
        solid: geoms that may touch something; they are shapes of the model already.
        primitive: the shape of a geom that is no mesh.
        rgba: the colour of a geom.
    """
    import mujoco

    mesh_type = int(mujoco.mjtGeom.mjGEOM_MESH)
    drawn = [i for i in range(compiled.ngeom) if compiled.geom_group[i] < SEEN_GROUPS and rgba(i)[3] > 0]
    more_to_see = {int(compiled.geom_bodyid[i]) for i in drawn if i not in solid or compiled.geom_type[i] == mesh_type}
    names = Names({label for i in drawn if (label := compiled.geom(i).name)})
    kept: list[Visual] = []
    lost: list[str] = []
    for i in drawn:
        owner = int(compiled.geom_bodyid[i])
        if owner not in more_to_see:
            continue
        body = bodies[owner - 1] if owner else None
        label = compiled.geom(i).name or names.new(f"{body or 'world'}_visual{i - int(compiled.body_geomadr[owner])}")
        X_BG = pose(rotation_from_wxyz(compiled.geom_quat[i]), compiled.geom_pos[i])
        try:
            if compiled.geom_type[i] != mesh_type:
                kept.append(Visual(label, body, shape=primitive(i), X_BV=X_BG, rgba=rgba(i)))
                continue
            mesh = int(compiled.geom_dataid[i])
            placed = _file_pose(spec.mesh(compiled.mesh(mesh).name), compiled, mesh, X_BG)
            if placed is None:
                kept.append(Visual(label, body, shape=_surface(compiled, mesh), X_BV=X_BG, rgba=rgba(i)))
            else:
                path, X_BV, scale = placed
                kept.append(Visual(label, body, path, X_BV=X_BV, scale=scale, rgba=rgba(i)))
        except CarpalError as error:
            lost.append(f"geom '{one_line(label)}': {one_line(error)}")
    if not lost:
        return tuple(kept), []
    listed = "; ".join(lost[:SHOWN]) + (f"; and {len(lost) - SHOWN} more" if len(lost) > SHOWN else "")
    return tuple(kept), [f"{len(lost)} visuals are not kept: {listed}."]


def _file_pose(
    asset: Any, compiled: Any, mesh: int, X_BG: Array
) -> tuple[str, Array, tuple[float, float, float]] | None:
    """Path, pose and scale with which a mesh file is drawn; None where no pose and scale would do, or nothing reads it."""
    if asset is None or Path(asset.file).suffix.lower() not in DRAWABLE:
        return None
    scale, refpos = np.array(asset.scale, float), np.array(asset.refpos, float)
    wxyz = np.array(asset.refquat, float)
    R = rotation_from_wxyz(wxyz / np.linalg.norm(wxyz)).T
    if not np.array_equal(R, np.eye(3)) and not (scale == scale[0]).all():
        return None
    X_GM = inverse(pose(rotation_from_wxyz(compiled.mesh_quat[mesh]), compiled.mesh_pos[mesh]))
    x, y, z = (float(factor) for factor in scale)
    return asset.file, X_BG @ X_GM @ pose(R, -scale * (R @ refpos)), (x, y, z)


def _surface(compiled: Any, mesh: int) -> Shape:
    """A compiled mesh as a surface, or as its hull where its triangles make no surface."""
    first, count = int(compiled.mesh_vertadr[mesh]), int(compiled.mesh_vertnum[mesh])
    start, number = int(compiled.mesh_faceadr[mesh]), int(compiled.mesh_facenum[mesh])
    points = np.array(compiled.mesh_vert[first : first + count], float)
    try:
        return TriangleMesh(points, np.array(compiled.mesh_face[start : start + number], np.int64))
    except CarpalError:
        return ConvexMesh(points)
