"""Concave meshes cut into convex pieces: together they fill the mesh, and nothing far outside it."""

from __future__ import annotations

import numpy as np
import pytest
from mesh_inputs import bumpy_ring, terrain

from carpal.errors import InputError
from carpal.model import ConvexMesh, convex_pieces
from carpal.model.decomposition import is_convex
from carpal.model.mesh_shapes import TriangleMesh


def inside(piece: ConvexMesh, p: np.ndarray, slack: float) -> np.ndarray:
    a, b, c = piece.points[piece.faces].transpose(1, 0, 2)
    n = np.cross(b - a, c - a)
    n /= np.linalg.norm(n, axis=1)[:, None]
    return ((p @ n.T - (n * a).sum(1)) <= slack).all(axis=1)


def test_a_ring_becomes_pieces_with_a_hole(figure) -> None:
    ring = bumpy_ring(10, 8, 0)
    pieces = convex_pieces(ring, threshold=0.2)
    assert len(pieces) >= 4 and all(isinstance(piece, ConvexMesh) for piece in pieces)
    on_it = ring.points[ring.faces].mean(axis=1)
    covered = np.any([inside(piece, on_it, 0.05) for piece in pieces], axis=0)
    figure("faces of a ring within 50 mm of its convex pieces, share", covered.mean(), 0.99, at_least=True)
    middle = np.random.default_rng(0).uniform(-0.1, 0.1, (100, 3))  # the hole, which the hull of all would fill
    assert not np.any([inside(piece, middle, 0.0) for piece in pieces])


def test_convex_ones_stay_whole() -> None:
    hull = ConvexMesh(np.random.default_rng(1).normal(size=(40, 3)))
    (piece,) = convex_pieces(TriangleMesh(hull.points, hull.faces))
    assert piece == hull
    assert is_convex(hull.points, hull.faces) and is_convex(hull.points, hull.faces[5:])
    assert not is_convex(bumpy_ring(9, 7, 0).points, bumpy_ring(9, 7, 0).faces)


def test_bad_input_is_one_sentence() -> None:
    for match, call in [
        ("has no inside to cut", lambda: convex_pieces(terrain(4, 4, 0))),
        ("takes a TriangleMesh; got str", lambda: convex_pieces("ring")),
        ("threshold must be a number from 0.01 to 1; got 3", lambda: convex_pieces(bumpy_ring(6, 5, 0), threshold=3)),
        ("seed must be a whole number", lambda: convex_pieces(bumpy_ring(6, 5, 0), seed=-1)),
    ]:
        with pytest.raises(InputError, match=match):
            call()
