"""Ranges and speeds that limits take from a model."""

from __future__ import annotations

import numpy as np
import pytest
from composed_inputs import two_arms
from constrained_models import mimic_arm

from carpal.errors import InputError, UnknownNameError
from carpal.kinematics import JointLimit, SpeedLimit


def test_a_margin_narrows_the_range_down_to_its_middle():
    model = two_arms()
    low, high = JointLimit(0.1).range(model)
    np.testing.assert_allclose(low, model.q_min + 0.1)
    np.testing.assert_allclose(high, model.q_max - 0.1)
    low, high = JointLimit(0.4).range(model)
    assert low[1] == high[1] == pytest.approx(0.05)


def test_leaders_keep_their_followers_inside():
    model = mimic_arm(True)
    np.testing.assert_array_equal(JointLimit().range(model), model.coupled_limits)


def test_speeds_come_from_the_model_an_array_or_names():
    model = two_arms()
    np.testing.assert_allclose(SpeedLimit(share=0.5).speeds(model), 0.5 * model.v_max)
    named = SpeedLimit({"lift": 0.1}).speeds(model)
    assert named[1] == 0.1 and named[0] == model.v_max[0]
    np.testing.assert_array_equal(SpeedLimit(np.arange(10.0)).speeds(model), np.arange(10.0))


def test_what_cannot_be_used_is_refused():
    model = two_arms()
    with pytest.raises(InputError, match="margin of JointLimit must be a number"):
        JointLimit(-0.1)
    with pytest.raises(InputError, match="share of SpeedLimit must be a number above zero"):
        SpeedLimit(share=0.0)
    with pytest.raises(UnknownNameError, match="valid: turn, lift"):
        SpeedLimit({"lfit": 1.0}).speeds(model)
    with pytest.raises(InputError, match=r"v_max\['lift'\] is nan"):
        SpeedLimit({"lift": np.nan}).speeds(model)
    with pytest.raises(InputError, match="v_max of SpeedLimit needs 10 numbers"):
        SpeedLimit(np.ones(3)).speeds(model)
