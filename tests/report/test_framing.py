"""The framing camera sees every point, and the picture is filled, from any side and for any up."""

import numpy as np
import pytest

import carpal
from carpal.model import Box, Plane, Scene
from carpal.report.drawn_parts import drawn_parts
from carpal.report.framing import framed_points, framing_camera, standing, upward
from carpal.report.stills import model_solids, still


def seen(camera, points):
    """Places of points in a picture, -1 to 1 along each side."""
    local = (points - camera.eye) @ camera.axes.T
    tall = np.tan(0.5 * camera.field)
    return local[:, :2] / -local[:, 2:] / [tall * camera.size[0] / camera.size[1], tall]


@pytest.mark.parametrize("size", [(640, 480), (300, 900), (1400, 300)])
@pytest.mark.parametrize("up", [(0, 0, 1), (0, 1, 0), (-1, 0, 0)])
def test_every_point_is_inside_and_the_picture_is_filled(size, up):
    rng = np.random.default_rng(1)
    for scale in (0.05, 1.0, 30.0):
        points = rng.normal(size=(40, 3)) * scale * rng.uniform(0.1, 1.0, 3) + rng.normal(size=3) * scale
        places = seen(framing_camera(points, np.array(up, float), size), points)
        assert np.abs(places).max() < 0.8 + 1e-9
        assert np.isclose(np.ptp(places, axis=0).max(), 1.6), "one direction of the picture is filled to the margin"


def test_the_camera_stands_above_the_ground():
    for up in np.vstack([np.eye(3), -np.eye(3)]):
        assert standing(up) @ up > 0.3
    assert np.allclose(upward(carpal.load("catcher_arm")), (0, 1, 0))


def test_large_things_in_the_world_do_not_shrink_the_robot():
    scene = Scene("cell").add_robot("k10", name="arm").add_fixed("floor", Plane())
    alone = np.ptp(framed_points(scene.build(), scene.build().q_home, drawn_parts(scene.build())), axis=0).max()
    scene.add_fixed("hall", Box((50.0, 50.0, 0.01)))
    model = scene.build()
    assert np.ptp(framed_points(model, model.q_home, drawn_parts(model)), axis=0).max() <= 3.0001 * alone


@pytest.mark.parametrize("name", ["sawyer", "srs7", "cuhk_hand", "catcher_arm", "panda"])
def test_a_robot_fills_20_to_80_percent_of_its_picture(name):
    model = carpal.load(name)
    parts, things = drawn_parts(model), model_solids(model, model.q_home)
    camera = framing_camera(framed_points(model, model.q_home, parts), upward(model), (160, 120))
    shape = (still(things, camera) != still([], camera)).any(2)
    share = max(np.ptp(np.flatnonzero(shape.any(k))) / (160, 120)[k] for k in (0, 1))
    assert 0.2 < share < 0.8
