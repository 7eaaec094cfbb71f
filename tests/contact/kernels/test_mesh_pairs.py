"""The yes/no form against meshes, and needle triangles: verdicts agree with distances, nothing is NaN."""

from __future__ import annotations

import numpy as np
import pytest
from mesh_inputs import bumpy_ring, soup
from random_models import random_pose

from carpal.contact import collides, shape_distance
from carpal.model import Box, Capsule, Scene, Sphere
from carpal.spatial import wxyz_from_rotation

SOLIDS = [Sphere(0.1), Capsule(0.05, 0.2), Box((0.1, 0.15, 0.2))]


@pytest.mark.parametrize("solid", SOLIDS, ids=lambda shape: shape.kind)
def test_verdicts_of_a_scene_are_the_signs_of_distances(solid) -> None:
    """Apart, crossing the surface, and swallowed whole by the solid mesh."""
    mesh = bumpy_ring(12, 9, 0)
    scene = Scene("s").add_object("thing", solid, mass=1.0).add_fixed("ring", mesh)
    rng = np.random.default_rng(0)
    model = scene.build()
    X = np.array([random_pose(rng) for _ in range(60)])
    X[:, :3, 3] = rng.uniform(-1.1, 1.1, (60, 3)) * (1, 1, 0.5)
    q = np.concatenate([X[:, :3, 3], wxyz_from_rotation(X[:, :3, :3])], axis=1)
    far = shape_distance(solid, X, mesh, np.eye(4)).distance
    verdict = np.array(
        [
            bool(np.any(collides(model, one).hit))
            if hasattr(collides(model, one), "hit")
            else bool(collides(model, one))
            for one in q
        ]
    )
    sure = np.abs(far) > 1e-9
    assert (verdict == (far < 0))[sure].all() and 5 < verdict.sum() < 55


def test_needles_and_touching_give_numbers() -> None:
    mesh = soup(60, 4)
    rng = np.random.default_rng(1)
    X = np.array([random_pose(rng) for _ in range(40)])
    X[:20, :3, 3] = mesh.points[mesh.faces].mean(axis=1)[:20]  # right on the triangles
    for solid in SOLIDS:
        r = shape_distance(solid, X, mesh, np.eye(4))
        assert np.isfinite(r.distance).all() and np.isfinite(r.n_AB_W).all() and np.isfinite(r.p_WA).all()
        assert np.allclose(np.linalg.norm(r.n_AB_W, axis=1), 1.0, atol=1e-9)
        assert (r.distance[:20] < 0).all()
