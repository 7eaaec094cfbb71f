"""Attempts add up to what was asked for; a plan is the same alone and in a batch, whichever attempt found it."""

import itertools

import numpy as np
from payload_scenes import questions, relay_scene

from carpal.planning import plan, plan_each
from carpal.planning.planners.restarts import FIRST, attempt_sizes, seed_of


def test_attempts_grow_two_and_two():
    assert list(itertools.islice(attempt_sizes(), 5)) == [600, 600, 1200, 1200, 2400] and FIRST == 600
    assert list(itertools.islice(attempt_sizes(10), 3)) == [10, 10, 20]
    assert seed_of(7, 0) == 7 and seed_of(7, 1) != seed_of(7, 2)


def test_a_later_attempt_gives_the_same_alone_and_in_a_batch():
    scene = relay_scene()
    starts, goals, angles = (x[20:40] for x in questions(scene, 40))
    found = plan_each(scene, starts, goals, angle=angles, seed=np.arange(20), max_samples=2000)
    assert sum(result.ok for result in found) >= 12
    late = [i for i, result in enumerate(found) if result.ok and result.samples > FIRST][:1]
    for i in [*late, next(i for i, result in enumerate(found) if not result.ok or result.samples)]:
        alone = plan(scene, starts[i], goals[i], angle=angles[i], seed=i, max_samples=2000)
        assert (
            np.array_equal(alone.path, found[i].path) and alone.samples == found[i].samples and alone.planner == "sbl"
        )
