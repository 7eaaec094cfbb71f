import numpy as np
import pytest

from carpal._core.result import Result, status_of_batch


class Answer(Result):
    def __init__(self, ok, status="as asked."):
        self.ok, self.status = ok, status


@pytest.mark.parametrize(
    ("ok", "true"), [(True, True), (False, False), (np.array([True, False]), False), (np.ones((2, 3), bool), True)]
)
def test_it_is_true_where_all_is_ok_and_prints_its_status(ok, true):
    assert bool(Answer(ok)) is true
    assert str(Answer(ok)) == "as asked."


def test_the_status_of_a_batch_counts_and_explains_the_first_that_is_not():
    def status(ok):
        return status_of_batch(np.array(ok), "doors open", "the first closed", lambda index: f"locked at {index}.")

    assert status([[True, True], [False, False]]) == "2 of 4 doors open; the first closed, (1, 0): locked at (1, 0)."
    assert status([True, True]) == "2 of 2 doors open."
    assert status(False) == "locked at ()."
