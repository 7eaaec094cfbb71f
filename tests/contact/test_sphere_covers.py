"""Coverings: random points of the surface are inside a sphere, and no sphere sticks out by more than the stated excess."""

import numpy as np
import pytest
from lane_inputs import BOWL, SHAPES, surface_points

from carpal.contact import shape_distance, sphere_cover
from carpal.contact.sphere_covers import cut_surface
from carpal.model import Sphere


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.kind)
def test_every_surface_point_is_inside_a_sphere(shape):
    cover = sphere_cover(shape)
    points = surface_points(shape, 4000, np.random.default_rng(1))
    inside = (np.linalg.norm(points[:, None] - cover.centres, axis=2) - cover.radii).min(axis=1)
    assert inside.max() <= 1e-9
    assert sphere_cover(shape) is cover and len(cover.radii) <= 400


@pytest.mark.parametrize("shape", SHAPES[:6], ids=lambda s: s.kind)
def test_no_sphere_sticks_out_by_more_than_is_said(shape):
    cover = sphere_cover(shape)
    rng = np.random.default_rng(2)
    u = rng.normal(size=(len(cover.radii), 40, 3))
    u /= np.linalg.norm(u, axis=2, keepdims=True)
    points = (cover.centres[:, None] + cover.radii[:, None, None] * u).reshape(-1, 3)
    poses = np.tile(np.eye(4), (len(points), 1, 1))
    poses[:, :3, 3] = points
    out = shape_distance(shape, np.eye(4), Sphere(1e-6), poses).distance.max()
    assert out <= cover.excess + 1e-5


def test_cut_triangles_are_the_same_surface():
    cut = cut_surface(np.asarray(BOWL.points), np.asarray(BOWL.faces))
    area = [0.5 * np.linalg.norm(np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0]), axis=1).sum()
            for t in (cut, np.asarray(BOWL.points)[np.asarray(BOWL.faces)])]  # fmt: skip
    assert np.isclose(*area, rtol=1e-12) and len(cut) > 500
