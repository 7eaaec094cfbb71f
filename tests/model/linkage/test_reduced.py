"""The reduced model: forward kinematics at curve.q(drive) puts every point where the curve says."""

import numpy as np
import pytest
from linkage_inputs import NAMES, linkage, loop_driven

import carpal
from carpal.spatial import pose, rotation_from_rpy

X_WL = pose(rotation_from_rpy((0.3, 1.2, -0.5)), (0.1, 0.2, -0.3))


@pytest.mark.parametrize("name", [*NAMES, "loop_driven"])
def test_forward_kinematics_follows_the_curve(name, figure):
    made = loop_driven() if name == "loop_driven" else linkage(name)
    curve, model = made.curve(), made.model(X_WL)
    drives = np.linspace(made.drive.start, made.drive.stop, 25)
    worst = 0.0
    for bar in made.bars:
        for label in bar.points:
            place = f"{bar.name}.{label}"
            flat = curve.place(place, drives)
            wanted = (X_WL @ np.concatenate([flat, np.zeros((25, 1)), np.ones((25, 1))], 1).T).T[:, :3]
            got = carpal.fk(model, curve.q(drives), place)[:, :3, 3] if bar.name != "ground" else wanted
            worst = max(worst, np.abs(got - wanted).max())
    figure(f"{name}: reduced model's points against the curve [m]", worst, 1e-14)
    assert np.abs(curve.q(made.drive.start) - model.q_home).max() == 0.0


def test_velocities_follow_from_dq():
    made = linkage("six_bar_finger")
    curve, model = made.curve(), made.model(X_WL)
    v = (carpal.jacobian(model, curve.q(0.018), "distal.T") @ curve.dq(0.018))[:3]
    h = 1e-7
    places = [carpal.fk(model, curve.q(0.018 + s), "distal.T")[:3, 3] for s in (-h, h)]
    assert np.abs((places[1] - places[0]) / (2 * h) - v).max() < 1e-6 * np.linalg.norm(v)


def test_the_tool_is_the_last_phalanx_and_cuts_are_named():
    model = linkage("six_bar_finger").model()
    assert model.tool == "distal" and "loops are cut at" in model.notes[0]
    assert model.has_inertia and model.mass == pytest.approx(0.035 + 0.003 + 0.023 + 0.002 + 0.017)
