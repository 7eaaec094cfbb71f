"""Paths over the independent joints of robots with closed loops: every point satisfies them, or the path is refused."""

from __future__ import annotations

import numpy as np
import pytest
from constrained_models import at, five_bar, five_bar_angles, five_bar_tip, mimic_arm

from carpal.contact import collides
from carpal.errors import InputError
from carpal.kinematics import constraint_residual, random_configurations, satisfy_constraints
from carpal.model import Box, Joint, Model, PlacedShape, Sphere
from carpal.planning import plan, plan_each, shorten_path
from carpal.planning.planners.planned_ties import planned_ties
from carpal.planning.planners.tied_paths import bent_path, kept_ties


def walled(wall: Box = Box([0.02, 0.08, 0.1])) -> Model:  # noqa: B008 # a constant
    """A five-bar whose tip must go around a wall."""
    shapes = PlacedShape("tip", "left_coupler", Sphere(0.02), at(0.4)), PlacedShape("wall", None, wall, at(0.12, 0.57))
    return five_bar().replace(shapes=shapes)


START, GOAL = five_bar_angles(2.4, 1.4), five_bar_angles(1.7, 0.7)


@pytest.mark.parametrize("planner", ["rrt_connect", "sbl", "est"])
def test_a_five_bar_goes_around_a_wall_with_its_loop_closed(planner):
    model = walled()
    results = plan_each(model, np.stack([START] * 6), np.stack([GOAL] * 6), planner=planner, seed=np.arange(6))
    for result in results:
        assert result.ok, result.status
        path = result.path
        assert np.abs(constraint_residual(model, path)).max() <= 1e-9
        assert np.array_equal(path[[0, -1]], [START, GOAL]) and np.abs(np.diff(path, axis=0)).max() <= result.resolution
        assert not collides(model, path).hit.any()
        tips = np.array([five_bar_tip(left, right) for right, _, left, _ in path])  # a closed form of the loop
        to_wall = np.maximum(np.abs(tips - (0.12, 0.57)) - (0.01, 0.04), 0.0)
        assert (np.hypot(*to_wall.T) >= 0.02 - 1e-12).all()
        assert result.sweep(tolerance=1e-4).ok.all()
    assert np.array_equal(plan(model, START, GOAL, planner=planner, seed=3).path, results[3].path)


def test_a_given_path_of_a_loop_is_shortened_and_stays_closed():
    model = walled()
    given = plan(model, START, GOAL, simplify=False, seed=1).path[::10]
    given = np.concatenate([given, GOAL[None]])
    result = shorten_path(model, given)
    assert result.ok, result.status
    assert result.cost <= result.cost_found and np.abs(constraint_residual(model, result.path)).max() <= 1e-9


def test_ends_that_assemble_differently_are_not_joined():
    """The loop closes in another way at the goal: no path of closed loops may jump there."""
    model = walled()
    narrow = model.replace(
        bodies=tuple(body if body.name not in ("left", "right") else _limited(body) for body in model.bodies)
    )
    goal = GOAL.copy()
    goal[1], goal[3] = -2.0, 2.0
    goal = satisfy_constraints(narrow, goal).q
    assert five_bar_tip(goal[2], goal[0])[1] > 0.1
    other = np.linalg.norm(goal - GOAL)
    assert other > 1.0 and np.abs(constraint_residual(narrow, goal)).max() <= 1e-9
    result = plan(narrow, START, goal, max_samples=300)
    assert not result.ok and len(result.path) == 0 and "no path found in 300 samples" in result.status


def _limited(body):
    joint = body.joint
    return type(body)(
        body.name,
        body.parent,
        Joint(joint.name, "revolute", X_PJ=joint.X_PJ, axis=joint.axis, q_min=0.5, q_max=2.6),
        body.inertia,
    )


def test_a_path_that_cannot_be_kept_closed_is_not_ok():
    model = walled()
    found = plan(model, START, GOAL, seed=1)
    torn = type(found)(**{**found.__dict__, "path": np.stack([START, START + np.array([0.0, 3.0, 0.0, 3.0])])})
    result = kept_ties(torn)
    assert not result.ok and len(result.path) == 0 and "a path was found by rrt_connect, but" in result.status


def test_an_open_loop_is_refused_at_the_ends():
    with pytest.raises(InputError, match=r"the goal violates .* loop 'pin' is open by"):
        plan(walled(), START, GOAL + np.array([0.0, 0.1, 0.0, 0.0]))


def test_a_bent_path_follows_the_curve():
    model = mimic_arm(True)
    ends = random_configurations(model, 2, seed=1)
    path, residual = bent_path(model, ends, 0.02)
    assert residual == 0.0
    assert len(path) > 10 and np.array_equal(path[[0, -1]], ends)
    assert np.abs(constraint_residual(model, path)).max() <= 1e-12
    assert planned_ties(model).bent
