import numpy as np
import pytest

from carpal.errors import InputError
from carpal.tasks import Mark, MovingMark, make_task


def test_reach_marks_its_target():
    task = make_task("reach", target=(0.9, 0.2, 0.4))
    (mark,) = task.marks()
    assert mark.kind == "target" and np.allclose(mark.points, [[0.9, 0.2, 0.4]])


@pytest.mark.parametrize("points", [np.zeros((0, 3)), [1.0, 2.0], [[np.nan, 0, 0]]])
def test_what_is_no_place_is_refused(points):
    with pytest.raises(InputError, match="points of mark 'here'"):
        Mark("here", points)


def test_kinds():
    with pytest.raises(InputError, match="one of target, path"):
        Mark("here", (0, 0, 0), "arrow")


def test_a_moving_mark_has_a_row_for_each_time():
    mark = MovingMark("push", np.array([0.0, 1.0, 2.0]), np.zeros((3, 3)), np.ones((3, 3)))
    assert [mark.row(t) for t in (-1.0, 0.0, 0.99, 1.0, 5.0)] == [0, 0, 0, 1, 2]
    with pytest.raises(InputError, match=r"vectors of mark 'push' must be \(3, 3\)"):
        MovingMark("push", mark.time, mark.points, np.ones((2, 3)))
    with pytest.raises(InputError, match="needs vectors or 3 words, one of both; got 2 words"):
        MovingMark("letter", mark.time, mark.points, words=("a", "b"))
