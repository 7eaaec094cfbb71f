"""Many throws: worlds that share a catcher run together, others beside them, in the order asked."""

import numpy as np

from carpal.tasks.catch.many import run_throws, score_throws
from carpal.tasks.catch.task import Catch


def test_scores_come_in_the_order_of_the_throws():
    task = Catch(gains="thesis", x=0.2)
    good, far = task.draw(0), Catch(gains="thesis", x=1.5).draw(0)
    scores = score_throws(task, [far, good])
    assert [score.ok for score in scores] == [False, True]
    assert "out of reach" in scores[0].status


def test_worlds_of_one_call_are_worlds_of_their_own():
    task = Catch(gains="thesis", grid=True)
    throws = [task.draw(seed) for seed in (2, 2)]
    plans = [task.plan_of(throw) for throw in throws]
    short = [type(plan)(plan.knots, plan.grip, plan.catch_time, plan.open_time, 0.01) for plan in plans]
    end = run_throws(task, throws, short)
    np.testing.assert_array_equal(end.q[0], end.q[1])
