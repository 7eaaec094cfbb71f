"""Many throws: worlds that share a catcher run together, others beside them, in the order asked."""

import numpy as np

from carpal.labs.catch.cases import run_throws, score_cases
from carpal.labs.catch.task import Catch


def test_scores_come_in_the_order_of_the_cases_and_are_those_of_each_alone():
    """One cannot be reached, two share a catcher and not the moment of the catch, one has another ball."""
    cases = [({"x": 1.5}, 0), ({"x": 0.2}, 0), ({"x": 0.2, "speed": 5.3}, 0), ({"x": 0.2, "ball_mass": 0.1}, 0)]
    made = [(Catch(gains="thesis", **options), seed) for options, seed in cases]
    scores = score_cases(made)
    assert [score.ok for score in scores] == [False, True, True, True]
    assert "out of reach" in scores[0].status
    for score, (task, seed) in zip(scores[2:], made[2:], strict=True):
        assert score == task.score_seeds([seed])[0]


def test_worlds_of_one_call_are_worlds_of_their_own():
    task = Catch(gains="thesis", grid=True)
    throws = [task.draw(seed) for seed in (2, 2)]
    plans = [task.plan_of(throw) for throw in throws]
    short = [type(plan)(plan.knots, plan.grip, plan.catch_time, plan.open_time, 0.01) for plan in plans]
    end, _ = run_throws(task, throws, short)
    np.testing.assert_array_equal(end.q[0], end.q[1])
