import numpy as np
import pytest

import carpal
from carpal.kinematics import arm_angle, arm_angle_intervals, arm_slice, elbow_position, random_configurations
from carpal.kinematics.redundant.band_slices import limit_name, upwards
from carpal.kinematics.redundant.self_motion_curves import wrap


@pytest.mark.parametrize("name", ["sia5", "sawyer"])
def test_samples_hold_the_pose_and_know_their_stretch(name):
    model = carpal.load(name)
    for q in random_configurations(model, 3, seed=41):
        X = carpal.fk(model, q)
        cut = arm_slice(model, X)
        assert np.abs(carpal.fk(model, cut.q) - X).max() < 1e-9
        assert np.abs(wrap(arm_angle(model, cut.q) - cut.psi)).max() < 1e-8
        inside = (cut.margin >= -1e-9).all(1)
        clearly = np.abs(cut.margin.min(1)) > 1e-6
        assert (inside == (cut.stretch >= 0))[clearly].all()
        assert np.allclose(cut.height, elbow_position(model, cut.q)[:, 2])
        which = np.flatnonzero(cut.stretch >= 0)
        low, high = cut.ends(which)
        assert ((cut.psi[which] >= low - 1e-9) & (cut.psi[which] <= high + 1e-9)).all()
        assert set(cut.stretch[which]) == set(range(len(cut.stretches)))  # every stretch has a sample
        assert len(cut.stretches) == len(arm_angle_intervals(model, X))
        assert np.abs(wrap(cut.q - q)).max(1).min() < 0.2  # the generating configuration is among them


def test_what_ends_a_stretch():
    model = carpal.load("sia5")
    X = carpal.fk(model, [0.3, 0.6, -0.4, 0.5, 0.3, -0.6, 0.2])
    cut = arm_slice(model, X)
    assert cut.stretches[0].branch == "elbow +, shoulder +, wrist -"
    assert (cut.stretches[0].at_low, cut.stretches[0].at_high) == ("q_min of r", "q_max of r")
    assert limit_name(model, model.q_max - 0.1, 3, "u") == "q_max of u"


def test_out_of_reach_is_an_empty_slice():
    for name in ("sia5", "sawyer"):
        X = carpal.fk(carpal.load(name), np.zeros(7))
        X[0, 3] = 3.0
        cut = arm_slice(carpal.load(name), X)
        assert len(cut.q) == len(cut.stretches) == len(cut.height) == 0


def test_up_is_against_gravity():
    assert np.allclose(upwards(carpal.load("sia5")), (0, 0, 1))
