import numpy as np
import pytest

from carpal.errors import InputError
from carpal.tasks import Mark, make_task


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
