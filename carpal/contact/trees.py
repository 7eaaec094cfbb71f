"""Meshes as the tables in which kernels search them; see `contact/kernels/mesh_tree.py` for the layout."""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from carpal.contact.kernels.mesh_tree import LEAF, NORMAL_COLUMNS
from carpal.model import ConvexMesh, TriangleMesh
from carpal.spatial import Array

Mesh = ConvexMesh | TriangleMesh


class MeshTables(NamedTuple):
    """One or more meshes: `points` (rows, 3), `normals` (rows, 10), `boxes` (nodes, 6)."""

    points: Array
    normals: Array
    boxes: Array


_BUILT: WeakKeyDictionary[Mesh, MeshTables] = WeakKeyDictionary()


def mesh_tables(mesh: Mesh) -> MeshTables:
    """The tables of one mesh, with `base` 0; built once for each mesh object."""
    if mesh not in _BUILT:
        _BUILT[mesh] = _build(mesh)
    return _BUILT[mesh]


class MeshPack:
    """Collects meshes into common tables.

    Example:
        >>> pack = MeshPack()
        >>> start, count, base = pack.add(mesh)
        >>> points, normals, boxes = pack.tables()
    """

    def __init__(self) -> None:
        self._points: list[Array] = []
        self._normals: list[Array] = []
        self._boxes: list[Array] = []
        self._rows = self._nodes = 0

    def add(self, mesh: Mesh) -> tuple[int, int, int]:
        """Put a mesh in: first row in `points`, number of rows, and `base` in `boxes`.

        The rows are the corners of a convex mesh, each once, for support functions; those of a triangle mesh are three for
        each triangle. Both get a tree.
        """
        tables = mesh_tables(mesh)
        start, count = self._rows, len(tables.points)
        if isinstance(mesh, ConvexMesh):
            count = len(mesh.points)
            self._put(mesh.points, np.zeros((count, NORMAL_COLUMNS)))
        boxes = tables.boxes.copy()
        boxes[0, 2] = self._rows
        base = self._nodes
        self._boxes.append(boxes)
        self._nodes += len(boxes)
        self._put(tables.points, tables.normals)
        return start, count, base

    def _put(self, points: Array, normals: Array) -> None:
        self._points.append(points)
        self._normals.append(normals)
        self._rows += len(points)

    def tables(self) -> MeshTables:
        """Everything so far; a row of zeros where there is nothing, because kernels want arrays that exist."""
        return MeshTables(
            np.concatenate(self._points) if self._points else np.zeros((1, 3)),
            np.concatenate(self._normals) if self._normals else np.zeros((1, NORMAL_COLUMNS)),
            np.concatenate(self._boxes) if self._boxes else np.zeros((2, 6)),
        )


def _build(mesh: Mesh) -> MeshTables:
    corners = mesh.points[mesh.faces]  # (n, 3, 3)
    count = len(corners)
    depth = max(0, int(np.ceil(np.log2(count / LEAF))))
    order = _order(corners.mean(axis=1), depth)
    normals = np.zeros((count, 3, NORMAL_COLUMNS))
    face = _face_normals(corners)
    normals[:, :, 0:3] = face[:, None]
    normals[:, :, 3:6] = _edge_normals(mesh.faces, face)
    normals[:, :, 6:9] = _corner_normals(mesh, corners, face)
    normals[:, :, 9] = np.arange(count)[:, None]
    points = corners[order].reshape(-1, 3)
    boxes = _boxes(corners[order], depth)
    boxes[0] = depth, count, 0, isinstance(mesh, ConvexMesh) or mesh.solid, 0, 0
    return MeshTables(points, normals[order].reshape(-1, NORMAL_COLUMNS), boxes)


def _order(middles: Array, depth: int) -> np.ndarray:
    """Triangles in the order of the leaves: level by level, every node is cut at the middle of its longest side."""
    count = len(middles)
    order = np.arange(count)
    for level in range(depth):
        nodes = 1 << level
        edges = np.arange(nodes + 1) * count // nodes
        here = middles[order]
        extent = np.maximum.reduceat(here, edges[:-1]) - np.minimum.reduceat(here, edges[:-1])
        node = np.repeat(np.arange(nodes), np.diff(edges))
        along = here[np.arange(count), extent.argmax(axis=1)[node]]
        order = order[np.lexsort((along, node))]
    return order


def _boxes(corners: Array, depth: int) -> Array:
    """Boxes of all nodes; row 0 is left for the mesh's own numbers."""
    leaves, count = 1 << depth, len(corners)
    boxes = np.zeros((2 * leaves, 6))
    first = np.arange(leaves) * count // leaves
    # a little larger than need be, so that no rounding makes a ray slip between two of them
    slack = 1e-12 * float(np.abs(corners).max())
    boxes[leaves:, :3] = np.minimum.reduceat(corners.min(axis=1), first) - slack
    boxes[leaves:, 3:] = np.maximum.reduceat(corners.max(axis=1), first) + slack
    for level in reversed(range(depth)):
        nodes = np.arange(1 << level, 2 << level)
        boxes[nodes, :3] = np.minimum(boxes[2 * nodes, :3], boxes[2 * nodes + 1, :3])
        boxes[nodes, 3:] = np.maximum(boxes[2 * nodes, 3:], boxes[2 * nodes + 1, 3:])
    return boxes


def _unit(vectors: Array) -> Array:
    """Of length one; zero stays zero."""
    # scaled first, so that the squares of tiny vectors do not vanish
    largest = np.abs(vectors).max(axis=-1, keepdims=True)
    scaled = vectors / np.where(largest > 0, largest, 1.0)
    length = np.linalg.norm(scaled, axis=-1, keepdims=True)
    return np.asarray(scaled / np.where(length > 0, length, 1.0))


def _face_normals(corners: Array) -> Array:
    return _unit(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))


def _edge_normals(faces: np.ndarray, face_normals: Array) -> Array:
    """(n, 3, 3): for the edge that begins at each corner, the sum of the normals of its one or two triangles."""
    keys = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)], axis=2), axis=2).reshape(-1, 2)
    _, edge = np.unique(keys, axis=0, return_inverse=True)
    edge = edge.reshape(-1)
    total = np.zeros((edge.max() + 1, 3))
    np.add.at(total, edge, np.repeat(face_normals, 3, axis=0))
    return total[edge].reshape(-1, 3, 3)


def _corner_normals(mesh: Mesh, corners: Array, face_normals: Array) -> Array:
    """(n, 3, 3): for each corner, the sum of the normals of the triangles round it, each times its angle there."""
    total = np.zeros_like(mesh.points)
    for i in range(3):
        u, v = _unit(corners[:, (i + 1) % 3] - corners[:, i]), _unit(corners[:, (i + 2) % 3] - corners[:, i])
        sine = np.linalg.norm(np.cross(u, v), axis=1)
        angle = np.arctan2(sine, (u * v).sum(axis=1))
        np.add.at(total, mesh.faces[:, i], angle[:, None] * face_normals)
    return np.asarray(total[mesh.faces])
