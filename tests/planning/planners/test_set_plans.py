"""Plans to sets of goals, on spheres and on exact shapes: any may be reached, none that touches is."""

import numpy as np
import pytest
from planner_inputs import scene_checker, scene_pairs

import carpal
from carpal.errors import UnknownNameError
from carpal.kinematics import random_configurations
from carpal.planning import PoseGoal, plan, plan_each


@pytest.mark.parametrize("planner", [None, "sbl"])
def test_a_set_is_reached_at_one_that_is_free(planner):
    checker, (starts, goals) = scene_checker(), scene_pairs()
    q = random_configurations(checker.model, 200, seed=4)
    touching = q[checker.collides(q).hit][:3]
    result = plan(checker, starts[0], [*touching, goals[0], goals[1]], planner=planner, seed=1, max_samples=4000)
    assert result and result.proven and result.goal_index in (3, 4)
    assert np.allclose(result.path[-1], [*touching, goals[0], goals[1]][result.goal_index], atol=1e-12)
    none = plan(checker, starts[0], touching, planner=planner)
    assert not none and none.ended_by == "ends" and "touch" in none.status


@pytest.mark.parametrize("planner", [None, "sbl"])
def test_poses_are_reached_by_any_posture_and_the_same_alone_and_in_a_batch(planner):
    checker, (starts, goals) = scene_checker(), scene_pairs()
    X = carpal.fk(checker.model, goals[2])
    wanted = [PoseGoal(X), PoseGoal(X, position=0.02, angle=(0.1, 0.1, np.pi)), PoseGoal(X[:3, 3])]
    every = plan_each(checker, starts[:3], wanted, seed=[3, 4, 5], planner=planner, max_samples=4000)
    for i, (result, goal) in enumerate(zip(every, wanted, strict=True)):
        assert result and result.proven and max(goal.miss(checker.model, result.path[-1])) < 1e-6
        assert not checker.collides(result.path).hit.any() and np.array_equal(result.path[0], starts[i])
        alone = plan(checker, starts[i], goal, seed=3 + i, planner=planner, max_samples=4000)
        assert np.array_equal(alone.path, result.path)


def test_failures_of_goals_are_sentences():
    checker, (starts, _) = scene_checker(), scene_pairs()
    far = plan(checker, starts[0], PoseGoal([50.0, 0, 0]))
    assert not far and far.ended_by == "goal" and "out of reach" in far.status
    with pytest.raises(UnknownNameError, match="'x'; valid"):
        plan(checker, starts[0], PoseGoal([1, 0, 0], frame="x"))
    buried = plan(checker, starts[0], PoseGoal([0.0, 0, 0.0], frame=checker.model.frames[-1]), time_limit=0.5)
    assert not buried and buried.ended_by in ("goal", "ends")
