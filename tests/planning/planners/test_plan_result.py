"""A result in time: limits kept, no contact on the way."""

import numpy as np
import pytest
from planner_inputs import deepest_by_mujoco, scene_checker, scene_pairs

from carpal.errors import InputError
from carpal.planning import plan

pytestmark = pytest.mark.xdist_group("planners")


def test_the_motion_touches_nothing_and_keeps_limits():
    starts, goals = scene_pairs()
    for i in range(8):
        result = plan(scene_checker(), starts[i], goals[i], seed=i)
        motion = result.trajectory(v_max=2.0, vdot_max=6.0)
        assert motion.check(result.model, v_max=2.0, vdot_max=6.0)
        assert deepest_by_mujoco(motion.sample(0.01)[0]) <= 1e-6
        assert np.allclose(motion.q_end, goals[i], atol=1e-9)


def test_stops_at_corners_where_no_blend_is_free(monkeypatch):
    starts, goals = scene_pairs()
    result = next(
        r for r in (plan(scene_checker(), a, b) for a, b in zip(starts, goals, strict=True)) if len(r.path) > 2
    )
    monkeypatch.setattr("carpal.planning.planners.timed_path._free", lambda *args: (False, ""))
    motion = result.trajectory(v_max=2.0, vdot_max=6.0)
    assert motion.check(result.model, v_max=2.0, vdot_max=6.0)
    q = motion.sample(0.002)[0]
    for corner in result.path:
        assert np.abs(q - corner).max(axis=1).min() < 5e-3


def test_a_goal_at_the_start():
    starts, _ = scene_pairs()
    result = plan(scene_checker(), starts[0], starts[0])
    assert result.ok
    with pytest.raises(InputError):
        result.trajectory(vdot_max=1.0)
