import numpy as np
import pytest

import carpal
from carpal.errors import InputError, UnknownNameError
from carpal.model import State

ARM = carpal.load("so101_old")


def test_home_of_one_and_of_many() -> None:
    one, many = State.home(ARM), State.home(ARM, batch=(2, 3), v=np.arange(5))
    assert one.time == 0.0 and one.batch == () and np.array_equal(one.q, ARM.q_home) and not one.v.any()
    assert many.batch == (2, 3) and many.q.shape == (2, 3, 5) and np.array_equal(many.v[1, 2], np.arange(5))
    many.q[0, 0, 0] = 9.0
    assert many.q[1, 0, 0] == ARM.q_home[0]  # no two worlds share memory
    assert repr(one) == "<State at 0.0 s: nq 5, nv 5>" and "batch (2, 3)" in repr(many)


def test_a_state_is_its_own() -> None:
    q = np.zeros(5)
    state = State(0.0, q, q)
    q[0] = 1.0
    assert state.q[0] == 0.0 and state.v[0] == 0.0
    with pytest.raises(AttributeError):
        state.time = 1.0


def test_replace() -> None:
    state = State.home(ARM).replace(time=3, v=np.ones(5))
    assert state.time == 3.0 and isinstance(state.time, float) and state.v.sum() == 5
    with pytest.raises(UnknownNameError, match="unknown part of a State 'velocity'"):
        state.replace(velocity=1)


def test_times_of_many_worlds() -> None:
    assert State(np.arange(2), np.zeros((2, 3)), np.zeros((2, 3))).time.tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("time", "q", "v", "says"),
    [
        (0.0, 1.0, [1.0], "a state needs q"),
        (0.0, np.zeros((2, 3)), np.zeros((3, 3)), r"got shapes \(2, 3\), \(3, 3\)"),
        (np.zeros(3), np.zeros((2, 3)), np.zeros((2, 3)), "a state needs q"),
        (0.0, "abc", [1.0], "q must be real numbers"),
        (0.0, [[1.0], [1.0, 2.0]], [1.0], "rows differ in length"),
        ("now", [1.0], [1.0], "time must be real numbers"),
    ],
)
def test_wrong_shapes_are_one_sentence(time, q, v, says: str) -> None:
    with pytest.raises(InputError, match=says):
        State(time, q, v)


def test_home_with_a_wrong_velocity() -> None:
    with pytest.raises(InputError, match="v of model 'so101_old' needs 5 numbers"):
        State.home(ARM, v=np.zeros(4))
