"""Terrain meshes from stereo, with the relay removed (Leutenegger 2008, 7.4.2).

A reconstructed terrain contains the relay itself. Triangles that overlap the relay at its estimated pose, or come nearer than a
margin, are flattened into the plane that it stands on; the relay is then a separate obstacle.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.labs.retrieve.relay.relay import RELAY, Relay
from carpal.model import TriangleMesh, checked_pose
from carpal.spatial import Array, inverse


def check_terrain(mesh: TriangleMesh) -> None:
    """Refuse a terrain that an arm could reach through: a sheet has one rim, every further one is a hole."""
    if not isinstance(mesh, TriangleMesh):
        raise InputError(f"a terrain must be a TriangleMesh; got {type(mesh).__name__}.")
    rims = _rims(mesh.faces)
    if len(rims) > 1:
        largest = sorted(rims, key=len)[:-1]
        middle = mesh.points[list(largest[-1])].mean(axis=0)
        raise InputError(
            f"the terrain has {len(rims) - 1} holes, one at ({middle[0]:.2f}, {middle[1]:.2f}, {middle[2]:.2f}) m, through which "
            "the arm could be planned: fill them, or take the images from where nothing is hidden."
        )


def _rims(faces: np.ndarray) -> list[set[int]]:
    """Points of each closed line of edges that belong to one triangle only."""
    edges = np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    once, counts = np.unique(edges, axis=0, return_counts=True)
    home: dict[int, int] = {}

    def root(point: int) -> int:
        while home.setdefault(point, point) != point:
            point = home[point]
        return point

    for a, b in once[counts == 1].tolist():
        home[root(a)] = root(b)
    groups: dict[int, set[int]] = {}
    for point in home:
        groups.setdefault(root(point), set()).add(point)
    return list(groups.values())


def cut_out_relay(mesh: TriangleMesh, X_WO: ArrayLike, relay: Relay = RELAY, *, margin: float = 0.02) -> TriangleMesh:
    """The terrain with every triangle near the relay flattened into the plane on which it stands.

    Args:
        mesh: the terrain in W.
        X_WO: the relay's estimated pose (4, 4).
        relay: its numbers.
        margin: distance [m] within which triangles belong to the relay.
    """
    check_terrain(mesh)
    if not np.isfinite(margin) or margin < 0:
        raise InputError(f"margin must be zero or above [m]; got {margin!r}.")
    X = checked_pose(X_WO, "the relay's pose")
    points = mesh.points @ inverse(X)[:3, :3].T + inverse(X)[:3, 3]
    corners = points[mesh.faces]
    near = np.zeros(len(mesh.faces), dtype=bool)
    for low, high in _boxes(relay):
        # boxes about both: a triangle is flattened rather too early than too late
        near |= ((corners.max(axis=1) >= low - margin) & (corners.min(axis=1) <= high + margin)).all(axis=1)
    flat = points.copy()
    flat[np.unique(mesh.faces[near]), 2] = 0.0
    return TriangleMesh(flat @ X[:3, :3].T + X[:3, 3], mesh.faces)


def _boxes(relay: Relay) -> list[tuple[Array, Array]]:
    """Lowest and highest corners of the relay's pieces in O."""
    x, y, z = relay.body
    end, w = x / 2 + relay.flap_length, relay.flap_width / 2
    sector = relay.antenna_sector()
    top = relay.flap_height + relay.knob[2]
    return [
        (np.array([-x / 2, -y / 2, 0.0]), np.array([x / 2, y / 2, z])),
        (np.array([-end, -w, 0.0]), np.array([end, w, top])),
        (sector.min(axis=0), sector.max(axis=0)),
    ]
