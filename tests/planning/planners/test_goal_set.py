"""Sets of goals: in the order of distance, the same for the same seed, and the entry that was reached."""

import numpy as np

import carpal
from carpal.planning import PoseGoal
from carpal.planning.planners.goal_set import GoalSet


def test_roots_are_sorted_seeded_and_owned():
    arm = carpal.load("ur5")
    q = np.array([0.5, -1.0, 1.2, 0.3, 0.8, 0.1])
    goals = GoalSet(arm, [q + 0.5, PoseGoal(carpal.fk(arm, q), position=0.05)])
    assert not goals.fixed and goals.single is None
    one, two, later = goals.roots(q, 7, 0).q, goals.roots(q, 7, 0).q, goals.roots(q, 7, 1).q
    assert np.array_equal(one, two) and not np.array_equal(one[: len(later)], later[: len(one)])
    far = np.linalg.norm((one - q) / arm.v_max, axis=1)
    assert (np.diff(far) >= 0).all() and far[0] < 1e-6
    assert goals.reached(one[0]) == 1 and goals.reached(q + 0.5) == 0


def test_fixed_sets_and_whole_turns():
    arm = carpal.load("ur5")
    goals = GoalSet(arm, [np.zeros(6), np.full(6, 0.2)])
    assert goals.fixed
    assert np.array_equal(goals.roots(np.full(6, 0.3), 0, 3).q, [np.full(6, 0.2), np.zeros(6)])
    assert GoalSet(arm, [np.zeros(6)]).single is not None
