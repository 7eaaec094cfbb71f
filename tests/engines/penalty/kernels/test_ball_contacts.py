"""Balls against balls, capsules, boxes and planes: depth, place and normal as the contact folder has them."""

import numpy as np
import penalty_inputs as inputs
import pytest

from carpal.contact import shape_distance
from carpal.engines import PenaltyEngine
from carpal.model import Box, Capsule, Mechanism, PlacedShape, Plane, Sphere
from carpal.spatial import rotation_from_wxyz

BALL = Sphere(0.03)
OTHERS = {"sphere": Sphere(0.05), "capsule": Capsule(0.02, 0.1), "box": Box((0.1, 0.06, 0.08)), "plane": Plane()}


@pytest.mark.parametrize("kind", OTHERS)
def test_depth_place_and_normal_are_those_of_the_contact_folder(kind, figure):
    rng = np.random.default_rng(8)
    worst, met = 0.0, 0
    for _ in range(60):
        turn_ball, turn_body, turn_shape = (rotation_from_wxyz(rng.normal(size=4)) for _ in range(3))
        X_WB, X_BS = (
            inputs.pose(0.02 * rng.normal(size=3), turn_body),
            inputs.pose(0.01 * rng.normal(size=3), turn_shape),
        )
        X_BC = inputs.pose(0.02 * rng.normal(size=3))
        X_WA = inputs.pose(0.05 * rng.normal(size=3), turn_ball)
        ball = inputs.body("ball", com=(0.01, 0.0, 0.02), X_WB=X_WA, shapes=(PlacedShape("ball", "ball", BALL, X_BC),))
        other = inputs.body(
            "other", com=(0.0, 0.01, 0.0), X_WB=X_WB, shapes=(PlacedShape("it", "other", OTHERS[kind], X_BS),)
        )
        engine = PenaltyEngine(Mechanism("pair", (ball, other)), dt=1e-6)
        true = shape_distance(BALL, X_WA @ X_BC, OTHERS[kind], X_WB @ X_BS)
        found = engine.contacts(engine.start(), np.zeros(engine.model.nv))
        assert len(found) == (true.distance < 0)
        if found:
            met += 1
            point, normal = np.array(found[0].point), np.array(found[0].normal)
            middle = 0.5 * (true.p_WA + true.p_WB)
            errors = (found[0].depth + true.distance, *(point - middle), *(normal - true.n_AB_W))
            worst = max(worst, float(np.abs(errors).max()))
    assert met >= 10
    figure(
        f"ball against {kind}, {met} random overlaps: depth, place and normal against the contact folder", worst, 1e-12
    )
