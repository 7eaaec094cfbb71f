"""Modelled bodies: links meet at their joints, hands have a palm, and nothing of it is part of the model."""

import numpy as np
import pytest

import carpal
from carpal.report.drawn_parts import drawn_parts, surface
from carpal.report.modelled import modelled_parts

OURS = ["sawyer", "srs7", "k10", "sia5", "catcher_arm", "cuhk_hand", "parloma_hand", "so101_old"]


@pytest.mark.parametrize("name", OURS)
def test_links_meet(name):
    """In every configuration, the parts of a body reach into the housing of each joint that it carries."""
    model = carpal.load(name)
    parts = drawn_parts(model)
    assert parts and all(np.isfinite(surface(part)[0]).all() for part in parts)
    assert len({part.name for part in parts}) == len(parts)
    clouds = {}
    for part in parts:
        points = surface(part)[0] @ part.X_BS[:3, :3].T + part.X_BS[:3, 3]
        clouds.setdefault(part.body, []).append(points)
    rng = np.random.default_rng(0)
    low, high = (np.where(np.isfinite(x), x, s) for x, s in ((model.q_min, -1.0), (model.q_max, 1.0)))
    for q in rng.uniform(low, high, (3, model.nq)):
        for body in model.bodies:
            if body.parent is None or body.joint.kind == "fixed" or body.parent not in clouds:
                continue
            X = carpal.fk(model, q, body.parent)
            at = (X @ body.joint.X_PJ)[:3, 3]
            near = np.concatenate(clouds[body.parent]) @ X[:3, :3].T + X[:3, 3]
            size = np.ptp(near, axis=0).max()
            assert np.linalg.norm(near - at, axis=1).min() < 0.5 * size, f"{body.name} hangs in the air"


def test_a_hand_has_a_palm():
    palms = [part for part in drawn_parts(carpal.load("cuhk_hand")) if part.name.endswith("/palm")]
    assert len(palms) == 1


def test_only_the_named_bodies_are_modelled_and_the_model_stays_as_it_is():
    model = carpal.load("k10")
    before = (model.shapes, model.visuals, model.tables.bodies.copy())
    parts = modelled_parts(model, {model.bodies[-1].name})
    assert {part.body for part in parts} <= {model.bodies[-1].name, None}
    assert model.shapes is before[0] and model.visuals is before[1] and (model.tables.bodies == before[2]).all()
    assert modelled_parts(model, set()) == []
