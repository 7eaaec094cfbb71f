"""Budgets: time, samples, both, and the default."""

from carpal.planning.planners.search_budget import SECONDS, SearchBudget


def test_time_is_the_default():
    assert SearchBudget.of(None, None).seconds == SECONDS and SearchBudget.of(None, 5).seconds is None


def test_samples_are_counted_exactly():
    budget = SearchBudget.of(None, 100)
    assert [budget.left(n) for n in (0, 60, 100, 140)] == [100, 40, 0, 0] and not budget.out_of_time()
    assert SearchBudget.of(1.0, None).left(10**6) > 10**8


def test_time_runs_out():
    assert SearchBudget.of(1e-9, 7).out_of_time() and SearchBudget.of(1e-9, 7).spent > 0
