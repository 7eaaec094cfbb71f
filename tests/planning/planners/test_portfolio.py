"""The default planner: proven paths that plain numpy finds free, same bits everywhere, exact shapes where spheres are coarse."""

import functools

import numpy as np
import pytest
from lane_inputs import among_boxes, carriage, deepest, dense, pair_names, sphere_arm
from planner_inputs import deepest_by_mujoco, path_samples, scene_checker, scene_pairs

from carpal.contact import CollisionChecker, collision_checker, sphere_checker
from carpal.errors import InputError
from carpal.kinematics import constraint_residual, random_configurations, satisfy_constraints
from carpal.model import Box, Model, Scene
from carpal.planning import plan, plan_each


@functools.cache
def scene_of(seed: int, coupled: bool = False) -> CollisionChecker:
    return collision_checker(among_boxes(sphere_arm(seed, coupled=coupled), seed))


def questions(checker: CollisionChecker, count: int) -> tuple[np.ndarray, np.ndarray]:
    q = random_configurations(checker.model, 30 * count, seed=1)
    if checker.model.is_constrained:
        q = satisfy_constraints(checker.model, q).q
        q = q[((q >= checker.model.q_min) & (q <= checker.model.q_max)).all(axis=1)]
    q = q[
        ~checker.collides(
            q,
        ).hit
    ]
    return q[:count], q[count : 2 * count]


def recheck(checker: CollisionChecker, seed: int, count: int) -> tuple[int, float]:
    """How many of so many questions have paths, and the least distance along these by numpy alone."""
    starts, goals = questions(checker, count)
    pairs = pair_names(checker.tables)
    found = [
        result for result in plan_each(checker, starts, goals, seed=seed, planner="spheres", max_samples=3000) if result
    ]
    assert all(result.proven and result.ended_by == "path" for result in found)
    least = min(deepest(checker.model, pairs, dense(result.path)) for result in found)
    return len(found), least


def test_two_hundred_plans_touch_nothing_by_numpy(figure):
    outcomes = [recheck(scene_of(seed, coupled), seed, 50) for seed in (0, 1) for coupled in (False, True)]
    figure("paths found of 200 questions", sum(n for n, _ in outcomes), 180, at_least=True)
    figure("least distance along them by plain numpy [m]", min(d for _, d in outcomes), 0.0, at_least=True)


@pytest.mark.full
def test_ten_thousand_plans_touch_nothing_by_numpy(figure):
    outcomes = [recheck(scene_of(seed, coupled), seed, 500) for seed in range(10) for coupled in (False, True)]
    figure("paths found of 10,000 questions", sum(n for n, _ in outcomes), 9000, at_least=True)
    figure("least distance along them by plain numpy [m]", min(d for _, d in outcomes), 0.0, at_least=True)


def test_plans_of_capsules_are_free_by_mujoco(figure):
    starts, goals = scene_pairs()
    found = plan_each(scene_checker(), starts[:20], goals[:20], seed=np.arange(20))
    assert all(found) and sum(result.planner == "spheres" for result in found) > 15
    for result, a, b in zip(found, starts, goals, strict=False):
        assert np.array_equal(result.path[0], a) and np.allclose(result.path[-1], b, atol=1e-12) and result.proven
        assert result.cost <= result.cost_found * (1 + 1e-9)
    worst = max(deepest_by_mujoco(path_samples(result.path, 0.01)) for result in found)
    figure("default planner: overlap by MuJoCo along 20 plans [m]", worst, 1e-6)


def test_same_seed_same_bits_alone_in_a_batch_and_with_time_to_spare():
    checker = scene_of(0)
    starts, goals = questions(checker, 6)
    one = plan_each(checker, starts, goals, seed=np.arange(6), max_samples=4000, threads=1)
    two = plan_each(checker, starts, goals, seed=np.arange(6), max_samples=4000, threads=2)
    for i in range(6):
        alone = plan(checker, starts[i], goals[i], seed=i, time_limit=60.0, max_samples=4000)
        for other in (one[i], two[i]):
            assert np.array_equal(alone.path, other.path) and alone.samples == other.samples
            assert alone.checks == other.checks


def test_clearance_is_a_bound_on_the_distance():
    checker = scene_of(1)
    starts, goals = questions(checker, 8)
    for result in plan_each(checker, starts, goals, planner="spheres", max_samples=2000):
        if result:
            least = deepest(checker.model, pair_names(checker.tables), dense(result.path, 0.02))
            assert 0 <= result.clearance <= least + 1e-6 and result.clearance > 0.5 * least - 1e-3


def test_followers_stay_on_their_polynomials():
    checker = scene_of(0, coupled=True)
    starts, goals = questions(checker, 10)
    for result in plan_each(checker, starts, goals, planner="spheres", max_samples=2000):
        if result:
            assert np.abs(constraint_residual(checker.model, result.path)).max() < 1e-9


def closed_in() -> tuple[Model, np.ndarray, np.ndarray]:
    """A carriage between two walls that no path leaves, and one beyond them."""
    scene = Scene("box").add_robot(carriage(), name="c")
    for side in (-0.3, 0.3):
        scene.add_fixed(f"wall_{side}", Box((0.05, 4.0, 4.0)), pose=[side, 0, 0])
    return scene.build(), np.zeros(3), np.array([0.8, 0.0, 0.0])


def test_failures_say_what_ended_the_search(monkeypatch):
    model, start, goal = closed_in()
    shown = plan(model, start, goal, planner="spheres")
    assert not shown and shown.ended_by == "proof that none exists" and "no path exists, shown by" in shown.status
    monkeypatch.setattr("carpal.planning.planners.portfolio.shown_apart", lambda *args: 0)
    result = plan(model, start, goal, planner="spheres", max_samples=3000)
    assert (
        not result and result.samples == 3000 and result.ended_by == "samples" and "max_samples=3000" in result.status
    )
    result = plan(model, start, goal, planner="spheres", time_limit=0.05)
    assert not result and result.ended_by == "time" and "0.05 s" in result.status
    result = plan(model, start, np.array([0.3, 0, 0]))
    assert not result and result.ended_by == "ends" and "the goal touches: 'c/ball'" in result.status


def test_exact_shapes_take_over_where_spheres_touch():
    capsules = scene_checker()
    q = random_configurations(capsules.model, 4000, seed=9)
    start = q[sphere_checker(capsules)(q) & ~capsules.collides(q).hit][0]
    result = plan(capsules, start, scene_pairs()[1][0], max_samples=3000)
    assert result.ok and result.planner == "sbl" and result.proven
    alone = plan(capsules, start, scene_pairs()[1][0], planner="spheres")
    assert not alone and "larger than its shapes" in alone.status


def test_what_needs_exact_shapes_is_said():
    with pytest.raises(InputError, match="device='cpu', without payload"):
        plan(scene_of(0), np.zeros(7), np.zeros(7), planner="spheres", forward=True)
