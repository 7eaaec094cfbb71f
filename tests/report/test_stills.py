"""Stills against the geometry of a pinhole camera, and as files that others read."""

import io

import numpy as np
import pytest
from matplotlib import image as reader

import carpal
from carpal.errors import InputError
from carpal.model import Box, Plane, Scene, Sphere
from carpal.report import solids
from carpal.report.palette import SHELL
from carpal.report.stills import Camera, Solid, marks, model_solids, png, recorded_still, still
from carpal.tasks import Still

CAMERA = Camera((0, 0, 5.0), (0, 0, 0), (0, 1.0, 0), 0.5, (200, 160))
RED, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)


def ball(at, radius, rgba):
    return marks([at], radius, rgba)[0]


def reddish(picture):
    return (picture[..., 0] > 1.6 * picture[..., 1]) & (picture[..., 0] > 1.6 * picture[..., 2])


def bluish(picture):
    return (picture[..., 2] > 1.6 * picture[..., 0].astype(float)) & (
        picture[..., 2] > 1.6 * picture[..., 1].astype(float)
    )


def test_a_face_covers_the_square_of_a_pinhole_camera(figure):
    points, faces = solids.box((1.2, 1.2, 0.2))
    picture, empty = (still(things, CAMERA).astype(float) for things in ([Solid(points, faces, RED)], []))
    covered = (empty - picture)[..., 1] / (empty - picture)[80, 100, 1]  # a pixel's share, from its green
    error = abs(np.sqrt(covered.sum()) - 80 / np.tan(0.25) * 1.2 / 4.9)
    figure(
        "side of a box in a still against a pinhole camera [pixels]",
        error,
        0.5,
        note="half a point of the raster an edge",
    )
    rows, columns = np.indices(covered.shape)
    middle = [(covered * places).sum() / covered.sum() for places in (rows, columns)]
    assert np.allclose(middle, (79.5, 99.5), atol=0.3)


def test_right_is_right_and_up_is_up():
    rows, columns = np.nonzero(reddish(still([ball((0.5, 0.4, 0), 0.2, RED)], CAMERA).astype(float)))
    half = 80 / np.tan(0.25)
    assert columns.mean() - 99.5 == pytest.approx(half * 0.1, abs=1.0)
    assert 79.5 - rows.mean() == pytest.approx(half * 0.08, abs=1.0)


@pytest.mark.parametrize("order", [1, -1])
def test_the_nearer_one_hides_the_other_in_any_order(order):
    things = [ball((0, 0, 1.0), 0.4, RED), ball((0, 0, -1.0), 0.4, BLUE)][::order]
    picture = still(things, CAMERA).astype(float)
    assert reddish(picture)[80, 100] and not bluish(picture).any()


def test_glass_lets_what_is_behind_shine_through_and_not_what_is_before():
    pane = solids.box((2, 2, 0.01))
    glass = Solid(pane[0], pane[1], (0.0, 0.0, 1.0, 0.5))
    behind = still([ball((0, 0, -1), 0.3, RED), glass], CAMERA).astype(float)[80, 100]
    before = still([ball((0, 0, 1), 0.3, RED), glass], CAMERA).astype(float)[80, 100]
    assert behind[0] > 60 and behind[2] > 60 and before[2] < 60


def test_a_shadow_lies_on_the_floor():
    camera = Camera((0, 2.0, 5.0), (0, 0, 0), (0, 1.0, 0), 0.6, (200, 160))
    thing = [ball((0, 0.2, 0), 0.4, RED)]
    with_floor, without = still(thing, camera, -1.0).astype(int), still(thing, camera).astype(int)
    empty = still([ball((0, 50.0, 0), 0.01, RED)], camera, -1.0).astype(int)
    dark = (empty - with_floor).sum(2) > 40
    assert (dark & ~reddish(without.astype(float))).sum() > 100


def test_a_model_is_drawn_by_its_shapes_or_by_its_links():
    scene = Scene("s").add_fixed("floor", Plane()).add_fixed("block", Box((0.1, 0.2, 0.3)))
    model = scene.add_object("ball", Sphere(0.05), mass=0.1).build()
    q = np.array(model.q_home)
    q[:3] = (1.0, 2.0, 3.0)
    things = model_solids(model, q)
    middles = [thing.points.mean(0) for thing in things]
    assert len(things) == 2 and sum(np.allclose(middle, (1, 2, 3), atol=0.01) for middle in middles) == 1
    arm = carpal.load("sawyer")
    links = model_solids(arm, arm.q_home)
    assert len(links) >= 15 and SHELL in {thing.rgba for thing in links}


def test_a_task_still_stands_on_the_floor():
    arm = carpal.load("catcher_arm")
    wanted = Still(
        "home", np.array(arm.q_home), np.array([1.0, 0.3, -1.5]), np.array([0.0, -0.2, 0.0]), path=np.ones((2, 3))
    )
    picture = recorded_still(arm, wanted, (120, 90))
    assert picture.shape == (90, 120, 3) and picture.dtype == np.uint8
    assert picture.astype(int).std() > 5
    assert np.array_equal(picture, recorded_still(arm, wanted, (120, 90)))


def test_a_png_is_read_back_as_it_was():
    picture = np.random.default_rng(0).integers(0, 256, (7, 11, 3)).astype(np.uint8)
    again = reader.imread(io.BytesIO(png(picture)))
    assert np.array_equal(np.round(255 * again[..., :3]).astype(np.uint8), picture)


@pytest.mark.parametrize(
    "bad",
    [
        {"eye": (0, 0, 0)}, {"eye": (0, 5.0, 0)}, {"eye": (np.nan, 0, 1)}, {"look_at": (0, 0)}, {"field": 0.0}, {"field": 4.0},
        {"size": (0, 10)},
    ],
)  # fmt: skip
def test_a_camera_that_sees_nothing_is_refused(bad):
    with pytest.raises(InputError):
        Camera(**({"eye": (0, 0, 5.0), "look_at": (0, 0, 0), "up": (0, 1.0, 0)} | bad))
