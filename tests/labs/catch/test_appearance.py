"""The trunk and the covers are pictures: they hang on the right bodies and change neither masses nor contacts."""

import numpy as np

import carpal
from carpal.labs.catch.appearance import HEAD, TRUNK, catcher_visuals
from carpal.labs.catch.scene import catcher, catcher_tree
from carpal.labs.catch.task import Catch
from carpal.report.camera import Camera
from carpal.report.palette import FIELD


def test_every_cover_reaches_to_the_next_joint():
    tree = catcher_tree()
    for body in tree.bodies:
        cover = next((seen for seen in tree.visuals if seen.name == f"{body.parent}/cover"), None)
        if cover is not None:
            at = body.joint.X_PJ[:3, 3]
            low, high = cover.shape.points.min(0), cover.shape.points.max(0)
            assert (at >= low - 1e-9).all() and (at <= high + 1e-9).all(), body.name
    trunk = next(seen for seen in tree.visuals if seen.name == "trunk")
    assert trunk.body is None and trunk.shape.points[:, 0].max() < 0, "beside the first joint"


def test_physics_knows_nothing_of_it():
    tree, mechanism = catcher_tree(), catcher()
    assert mechanism.visuals == catcher_visuals() and len(tree.visuals) == len(mechanism.visuals)
    plain = tree.replace(visuals=())
    q = np.asarray(tree.q_home)
    assert np.array_equal(carpal.mass_matrix(tree, q), carpal.mass_matrix(plain, q))
    assert {shape.name for shape in tree.shapes} == {shape.name for shape in plain.shapes}


def test_head_and_trunk_are_in_the_picture_of_studio_and_report():
    """By projection: every ball of them is within the camera's upright and level field."""
    eye, look_at = (np.array(place) for place in Catch.view)
    right, up, back = Camera(eye, look_at, np.array([0.0, 1.0, 0.0])).axes
    half = np.tan(0.5 * FIELD)
    for *middle, radius in HEAD + TRUNK:
        x, y, far = np.array([right, up, -back]) @ (np.array(middle) - eye)
        assert max(abs(y), abs(x) / 1.6) + 1.2 * radius < half * far, middle
