"""The fall test: gaps of a hanging weight by hand, and what passes."""

import numpy as np
import penalty_inputs as inputs
import pytest
import setup_inputs as setup

from carpal.engines import PenaltyEngine, fall_test
from carpal.errors import InputError
from carpal.model import Scene, Sphere


def test_a_weight_on_a_spring_opens_its_joint_by_twice_its_rest(figure):
    """Let go without strain, it swings about m g / k; without damping the largest gap is twice that, the mean once."""
    weight = inputs.held_by_points([0, 0, 0], stiffness=1e4, damping=0.0)
    result = fall_test(PenaltyEngine(weight, dt=1e-5), 4 * 2 * np.pi * np.sqrt(1 / 1e4), samples=2000)
    rest = 9.81 / 1e4
    figure("falling weight: largest gap against 2 m g / k, relative", abs(result.largest[0] / (2 * rest) - 1), 1e-3)
    figure("falling weight: mean gap against m g / k, relative", abs(result.mean[0] / rest - 1), 2e-2)
    assert not result and "more than the allowed 0.0001 m" in result.status


def test_actuators_do_not_act_and_stiff_joints_pass():
    engine = setup.tuned_engine(setup.chain(2))
    result = fall_test(engine, 0.2, samples=50)
    assert result and result.joints == ("j0/0", "j0/1", "j1/0", "j1/1") and result.gaps.shape == (51, 4)
    assert result.fallen[1] > 0.05  # it fell
    data = result.to_dict()
    assert data["largest_gap_m"] == result.largest.tolist() and data["bodies"] == ["rod0", "rod1"]
    assert not fall_test(engine, 0.2, samples=50, allowed_gap=1e-9)


def test_bad_input():
    engine = setup.tuned_engine(setup.chain(1))
    with pytest.raises(InputError, match="allowed_gap must be above zero"):
        fall_test(engine, allowed_gap=0.0)
    with pytest.raises(InputError, match="duration must be"):
        fall_test(engine, -1.0)
    with pytest.raises(InputError, match="has no joints"):
        fall_test(setup.free_engine(Scene("s").add_object("ball", Sphere(0.1), mass=1.0)), 0.1)
