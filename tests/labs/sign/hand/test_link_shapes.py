"""Capsules of links: where they are, and that links which meet in a point do not overlap."""

import numpy as np

from carpal.contact import collision_checker
from carpal.labs.sign.hand.link_shapes import with_link_shapes
from carpal.model import load


def test_a_model_with_shapes_keeps_them():
    model = load("parloma_hand")
    assert with_link_shapes(model, 0.05) is model


def test_every_link_of_an_arm_is_covered_once():
    model = with_link_shapes(load("sia5"), 0.045)
    bodies = [shape.body for shape in model.shapes]
    assert len(bodies) == len(set(bodies))
    assert {"base", "link_l", "link_e", "link_u", "link_b"} <= set(bodies)
    forearm = next(shape for shape in model.shapes if shape.body == "link_u")
    end = forearm.X_BS[:3, 3] + 0.5 * forearm.shape.length * forearm.X_BS[:3, 2]
    assert np.allclose(end, (0.27, 0.0, 0.06))  # where the wrist's axes meet


def test_links_that_meet_in_a_point_do_not_overlap():
    for name in ("sia5", "srs7"):
        checker = collision_checker(with_link_shapes(load(name), 0.045))
        model = checker.model
        q = np.random.default_rng(0).uniform(-0.5, 0.5, (50, 7))
        assert (checker.distance(np.clip(q, model.q_min, model.q_max)).distance > 0.005).all()


def test_a_hand_s_fingers_are_covered_and_its_palm_is_not():
    model = with_link_shapes(load("cuhk_hand"), 0.009)
    assert len(model.shapes) == 15
    assert all(shape.body != "palm" for shape in model.shapes)
