"""A mesh of a robot file as shapes: convex ones as their hull, concave ones as the caller chooses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import CarpalError, ModelError, unknown_name
from carpal.model.decomposition import convex_pieces, is_convex
from carpal.model.mesh_shapes import ConvexMesh, TriangleMesh
from carpal.model.readers.safe_xml import one_line
from carpal.model.shapes import Shape
from carpal.spatial import Array

MAX_MESH_BYTES = 64_000_000
CONCAVE = ("refuse", "hull", "split", "triangles")


def checked_concave(concave: str | None) -> str | None:
    """One of the choices, or None for what the file's format means."""
    if concave is not None and concave not in CONCAVE:
        raise unknown_name("choice for concave meshes", concave, CONCAVE)
    return concave


def load_mesh(path: Path, scale: Array, *, raw: bool = False) -> tuple[Array, np.ndarray]:
    """Corners (n, 3) [m] and faces (m, 3) of a mesh file; `raw` keeps corners that are not finite, else they are left out."""
    return _surface(_opened(path, raw), scale)


def load_coloured_meshes(path: Path, scale: Array) -> list[tuple[Array, np.ndarray, tuple[float, ...] | None]]:
    """Corners (n, 3) [m], faces (m, 3) and colour (4, from 0 to 1; None where there is none) of each colour of a mesh file."""
    whole = _opened(path, False)
    pieces = _pieces(path) or [whole]
    found: dict[tuple[float, ...] | None, list[tuple[Array, np.ndarray]]] = {}
    for piece in pieces:
        found.setdefault(_colour(piece), []).append(_surface(piece, scale))
    joined = []
    for rgba, surfaces in found.items():
        first = np.cumsum([0] + [len(points) for points, _ in surfaces[:-1]])
        faces = np.concatenate([faces + start for (_, faces), start in zip(surfaces, first, strict=True)])
        joined.append((np.concatenate([points for points, _ in surfaces]), faces, rgba))
    return joined


def _pieces(path: Path) -> list[Any]:
    """The meshes of a file that holds several, each where the file puts it; none where it is one mesh."""
    import trimesh

    if path.suffix.lower() not in (".dae", ".glb", ".gltf", ".obj", ".3mf"):
        return []
    try:
        return [mesh for mesh in trimesh.load_scene(path).dump() if len(getattr(mesh, "faces", ()))]
    except MemoryError:
        raise
    except Exception:  # it was read as one mesh before: only its colours are lost
        return []


def _colour(mesh: Any) -> tuple[float, ...] | None:
    try:
        coloured = mesh.visual is not None and (mesh.visual.kind == "texture" or mesh.visual.defined)
        main = getattr(mesh.visual, "main_color", None)
        if main is None and mesh.visual.kind == "texture":
            main = mesh.visual.material.main_color
        rgba = tuple(float(part) / 255 for part in main) if coloured and main is not None else None
    except Exception:  # trimesh has no colour for some textures; a colour is no reason to refuse a mesh
        rgba = None
    return rgba if rgba is not None and len(rgba) == 4 else None


def _opened(path: Path, raw: bool) -> Any:
    try:
        import trimesh
    except ImportError:
        raise ModelError("meshes are read by trimesh; install it with: pip install carpal[meshes]") from None
    if path.stat().st_size > MAX_MESH_BYTES:
        raise ModelError(f"it is larger than {MAX_MESH_BYTES // 1_000_000} MB, the most that is read")
    try:
        return trimesh.load(path, force="mesh", process=not raw)
    except MemoryError:
        raise
    except Exception as error:  # trimesh's loaders raise whatever the file makes them stumble over
        raise ModelError(f"it cannot be read ({type(error).__name__}: {one_line(error)[:100]})") from None


def _surface(mesh: Any, scale: Array) -> tuple[Array, np.ndarray]:
    try:
        points, faces = np.asarray(mesh.vertices, float) * scale, np.asarray(mesh.faces, np.int64)
    except MemoryError:
        raise
    except Exception as error:
        raise ModelError(f"it cannot be read ({type(error).__name__}: {one_line(error)[:100]})") from None
    if points.ndim != 2 or not len(faces):
        raise ModelError("it holds no triangles whose corners are finite numbers")
    if np.prod(scale) < 0:
        faces = faces[:, ::-1]  # a mirror turns the outside in
    return points, faces


def mesh_shapes_of(points: Array, faces: np.ndarray, concave: str) -> list[Shape]:
    """The shapes that stand for a mesh.

    Args:
        points: (n, 3) [m].
        faces: (m, 3).
        concave: what becomes of a mesh that is not its own hull: "refuse", "hull", "split" or "triangles".
    """
    try:
        if concave == "hull" or is_convex(points, faces):
            return [ConvexMesh(points)]
        if concave == "refuse":
            raise ModelError(
                'it is concave; load the file with concave="split" (convex pieces, by CoACD), "hull" or "triangles"'
            )
        mesh = TriangleMesh(points, faces[_areas(points, faces) > 0])
        return [mesh] if concave == "triangles" else list(convex_pieces(mesh))
    except CarpalError as error:
        raise ModelError(one_line(error)) from None


def _areas(points: Array, faces: np.ndarray) -> Array:
    a, b, c = points[faces].transpose(1, 0, 2)
    return np.asarray(np.linalg.norm(np.cross(b - a, c - a), axis=1))
