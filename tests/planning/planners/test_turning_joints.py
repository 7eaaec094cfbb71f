"""Continuous joints go the short way round, in the files that know them as such."""

import numpy as np
import pytest
from planning_scenes import turning_arm

import carpal
from carpal.model import Coupling
from carpal.planning import plan
from carpal.planning.planners.turning_joints import continuous_joints, nearest_turns


def test_continuous_joints_are_those_without_limits():
    arm = turning_arm()
    assert np.flatnonzero(continuous_joints(arm)).tolist() == [0, 5]
    tied = arm.replace(couplings=(Coupling("c", "joint_5", "joint_4", (0.0, 1.0)),))
    assert np.flatnonzero(continuous_joints(tied)).tolist() == [0]


def test_continuous_joints_of_a_urdf_are_known(tmp_path):
    text = """<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/>
    <child link="b"/><axis xyz="0 0 1"/><limit effort="1" velocity="1"/></joint></robot>"""
    (tmp_path / "r.urdf").write_text(text)
    assert continuous_joints(carpal.load(str(tmp_path / "r.urdf"))).tolist() == [True]


def test_goals_move_by_whole_turns():
    arm = turning_arm()
    start, goal = np.full((1, 6), 3.0), np.full((1, 6), -3.0)
    near = nearest_turns(arm, start, goal)
    assert np.allclose(near[0], [2 * np.pi - 3, -3, -3, -3, -3, 2 * np.pi - 3], atol=1e-15)
    assert np.abs(near - start)[:, [0, 5]].max() <= np.pi


@pytest.mark.parametrize("planner", ["rrt_connect", "sbl"])
def test_three_to_minus_three_goes_through_pi(planner):
    start, goal = np.array([3.0, 0.3, 0.2, 0, 0.3, 0]), np.array([-3.0, 0.3, 0.2, 0, 0.3, 0])
    result = plan(turning_arm(), start, goal, planner=planner)
    assert result and np.abs(np.diff(result.path[:, 0])).sum() < 0.3
    assert np.isclose(np.cos(result.path[-1, 0]), np.cos(3.0))
