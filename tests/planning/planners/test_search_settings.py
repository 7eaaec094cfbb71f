"""Settings reach the kernels as they were given; limits of the search are finite."""

import dataclasses

import numpy as np
import pytest
from planning_scenes import six_joint_arm, table

from carpal.errors import InputError
from carpal.planning.planners.kernels import search_state as state
from carpal.planning.planners.search_settings import SearchSettings, joint_costs, search_limits


def test_numbers_are_where_the_kernels_read_them():
    numbers = SearchSettings.of("est", 0.03, 77, True, False, 0.2, 0.05).numbers
    assert numbers[state.RESOLUTION] == 0.03 and numbers[state.MOST] == 77 and numbers[state.GROWING] == 1
    assert numbers[state.SIMPLIFY] == 0 and numbers[state.RHO] == pytest.approx(0.2) and numbers[state.GAIN] == 0.05
    assert numbers[state.EXTEND] == pytest.approx(0.3)
    assert SearchSettings.of("sbl").numbers[state.GROWING] == 2


def with_limits(**changes):
    arm = six_joint_arm()
    body = arm.bodies[0]
    turning = dataclasses.replace(body, joint=dataclasses.replace(body.joint, **changes))
    return table(arm.replace(bodies=(turning, *arm.bodies[1:]), q_home=None)).build()


def test_a_joint_without_limits_is_searched_half_a_turn_around():
    model = with_limits(q_min=-np.inf, q_max=np.inf)
    low, high = search_limits(model, np.array([np.full(6, 0.5), np.full(6, -1.0)]))
    assert low[0] == pytest.approx(-1 - np.pi) and high[0] == pytest.approx(0.5 + np.pi)
    assert np.array_equal(low[1:], model.q_min[1:])
    with pytest.raises(InputError, match="prismatic joint 'arm/joint_0' has no limits"):
        search_limits(with_limits(kind="prismatic", q_min=-np.inf, q_max=np.inf), np.zeros((2, 6)))


def test_costs_are_times():
    assert np.allclose(joint_costs(with_limits(v_max=4.0)), [0.25, 0.5, 0.5, 0.5, 0.5, 0.5])
    assert joint_costs(with_limits(v_max=np.inf))[0] == 1.0
