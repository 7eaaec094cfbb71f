"""The table of modes: names that last, margins to slipping, contact coordinates of a rolling ball."""

import modal_scenes as scenes
import numpy as np
import pytest

from carpal.engines import ModalEngine, Surface, simulate
from carpal.engines.modal.mode_table import box_face, friction_of
from carpal.errors import CarpalError
from carpal.model import Box, PlacedShape, Sphere
from carpal.spatial import pose


def test_a_rolling_ball_has_equal_arcs_on_ball_and_floor(figure):
    scene = scenes.thrown_ball(1.0)
    engine = ModalEngine(scene.build(), surface=Surface(mu=0.4))
    table = simulate(engine, scene.start(), duration=0.3).modes().to_pydict()
    assert set(table["mode"]) == {"sliding", "rolling"}
    assert set(table["contact"]) == {"ball|#0"}
    rolling = np.array(table["mode"]) == "rolling"
    floor = np.stack([np.array(table["u_b"]), np.array(table["v_b"])], axis=1)[rolling]
    moved = np.linalg.norm(floor[-1] - floor[0])
    x = np.array(table["point_x"])[rolling]
    figure("rolling ball: arc on the floor against the way [m]", abs(moved - (x[-1] - x[0])), 1e-9)
    sliding = ~rolling
    margin = np.array(table["margin"])
    assert np.abs(margin[sliding][:-1]).max() < 1e-9
    assert (margin[rolling][1:] > 1.0).all()
    assert np.allclose(np.array(table["force_n"]), 5.0 * 9.81)


def test_faces_of_boxes_are_planes_and_edges_are_nothing():
    X = pose(p=(1.0, 0, 0))
    face = box_face(Box((0.2, 0.4, 0.6)), X, np.array([0.0, -1.0, 0.0]))
    assert np.allclose(face[:3, 3], [1.0, -0.2, 0.0])
    assert np.allclose(face[:3, 2], [0, -1, 0])
    assert np.linalg.det(face[:3, :3]) == pytest.approx(1.0)
    assert box_face(Box((0.2, 0.4, 0.6)), X, np.array([0.0, -0.8, 0.6])) is None


def test_friction_is_found_by_name():
    a, b = PlacedShape("hand/tip", "hand/link", Sphere(0.1)), PlacedShape("floor", None, Sphere(0.1))
    options = {"surface": {"mu": 0.1}, "surfaces": {"hand": {"mu": 0.2}, "floor+hand/link": {"mu": 0.3, "tip": "hard"}}}
    assert friction_of(options, a, b) == 0.3
    assert friction_of({"surface": {"mu": 0.1, "tip": "frictionless"}}, a, b) == 0.0


def test_other_engines_have_no_modes():
    scene = scenes.thrown_ball(1.0)
    recording = simulate(ModalEngine(scene.build()), scene.start(), duration=0.002)
    recording.metadata["engine"] = "rigid"
    with pytest.raises(CarpalError, match="engine 'rigid'"):
        recording.modes()
