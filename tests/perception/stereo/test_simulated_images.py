"""Simulated images: dots are where the camera's model says, nearer things cover farther ones, seeds repeat."""

import numpy as np
import pytest
from relay_views import PAIR

from carpal.errors import InputError
from carpal.perception import Camera, Dot, Surface, project, simulate_image

SMALL = Camera(200, 160, 180.0, 181.0, 98.0, 83.0, np.array([-0.1, 0.02, 1e-3, -1e-3]))
SHEET = np.array([[-1, -1, 1.0], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]) * [0.4, 0.3, 1.0]
TOWARDS = np.array([0.0, 0.0, -1.0])


def quiet(surfaces, **options):
    return simulate_image(SMALL, surfaces, noise=0.0, texture=0.0, pebbles=0, **options)


def test_a_dot_is_where_it_is_projected(figure):
    rng, worst = np.random.default_rng(0), 0.0
    for _ in range(10):
        centre = np.array([rng.uniform(-0.3, 0.3), rng.uniform(-0.2, 0.2), 1.0])
        image = quiet([Surface(SHEET, 20.0, (Dot(centre, TOWARDS, 0.015, 240.0),))]).astype(float)
        near = np.rint(project(SMALL, centre)).astype(int)
        part = image[near[1] - 6 : near[1] + 7, near[0] - 6 : near[0] + 7] - 20
        v, u = np.mgrid[near[1] - 6 : near[1] + 7, near[0] - 6 : near[0] + 7]
        found = np.array([(part * u).sum(), (part * v).sum()]) / part.sum()
        worst = max(worst, np.abs(found - project(SMALL, centre)).max())
    figure("centre of a simulated dot against its projection [px]", worst, 0.03)


def test_nearer_covers_farther():
    far = Surface(SHEET, 20.0, (Dot(np.array([0.0, 0.0, 1.0]), TOWARDS, 0.05, 240.0),))
    near = Surface(SHEET * [0.3, 0.3, 0.8], 90.0)
    for order in ([far, near], [near, far]):
        assert quiet(order)[83, 98] == 90
    assert quiet([far])[83, 98] == 240


def test_same_seed_same_picture():
    scene = [Surface(SHEET, 20.0)]
    assert (simulate_image(SMALL, scene, seed=3) == simulate_image(SMALL, scene, seed=3)).all()
    assert (simulate_image(SMALL, scene, seed=3) != simulate_image(SMALL, scene, seed=4)).any()
    assert simulate_image(PAIR.left, []).shape == (960, 1280)


def test_what_is_out_of_view_is_left_out():
    behind = Surface(SHEET * [1, 1, -1], 0.0, (Dot(np.array([0.0, 0.0, -1.0]), TOWARDS, 0.1),))
    aside = Dot(np.array([50.0, 0.0, 1.0]), TOWARDS, 0.1)
    assert (quiet([behind, Surface(SHEET + np.array([40, 0, 0]), 0.0, ())]) == 120).all()
    assert (quiet([Surface(np.eye(3) + np.array([9, 9, 1]), 0.0, (aside,))]) == 120).mean() > 0.99


def test_bad_input():
    with pytest.raises(InputError, match="3 corners or more"):
        quiet([Surface(SHEET[:2], 1.0)])
