"""The policy is asked period after period, and answers with staged or held controls."""

import pytest

from carpal.engines import Staged
from carpal.errors import InputError
from carpal.model import State
from carpal.tasks import make_task


def test_it_is_asked_in_order():
    task = make_task("mount", case=2, control="open")
    policy, home = task.policy(), State.home(task.model)
    assert isinstance(policy(0.0, home), Staged)
    with pytest.raises(InputError, match="expected number 1, got 5"):
        policy(5e-3, home)


def test_torques_are_held():
    task = make_task("mount", case=2, drive="torque", control="open")
    assert task.policy()(0.0, State.home(task.model)).shape == (9,)
