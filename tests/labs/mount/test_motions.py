"""The arm's motions: all four cases arrive inside the limits; circles, quintics, joint moves, refusals."""

import numpy as np
import pytest

import carpal
from carpal.errors import CarpalError, InputError, UnreachableError
from carpal.labs.mount.motions import circle_error
from carpal.tasks import make_task


@pytest.mark.parametrize("robot", ["sawyer", "sawyer_dh"])
@pytest.mark.parametrize("case", [1, 2, 3, 4])
def test_targets_are_reached_in_time_inside_every_limit(case, robot, figure):
    task = make_task("mount", case=case, robot=robot)
    error = np.linalg.norm(carpal.fk(task.arm, task.motion.q)[:, :3, 3] - task.target, axis=1)
    last = task.dt * (np.flatnonzero(error > 1e-3)[-1] + 1)
    figure(f"mount: case {case}, {robot}: time to stay within 1 mm [s]", last, 2.5)
    assert task.motion.broken_limit(task.arm, task.options.acceleration) is None
    miss = np.linalg.norm(task.target - task.case.printed)
    figure(f"mount: case {case}, {robot}: printed target beside the one reached [m]", miss, 2e-3)
    if case == 1 and robot == "sawyer_dh":
        assert np.allclose(task.target, (0.081, 0.1603, 1.25175), atol=1e-9)


def test_the_bare_gain_breaks_the_speeds_as_the_sheet_says():
    for damping, fastest in ((0.1, 349.0), (0.5, 78.0), (1.0, 59.0)):
        motion = make_task("mount", case=3, gain="unlimited", damping=damping, robot="sawyer_dh").motion
        assert np.abs(motion.v).max() == pytest.approx(fastest, rel=0.02)


def test_a_circle_is_followed(figure):
    task = make_task("mount", target=(0.6, 0.2, 0.5), circle=0.1)
    task.check()
    figure("mount: the circle of 0.1 m in 4 s, largest error [m]", circle_error(task), 1e-3)
    assert task.motion.broken_limit(task.arm, 10.0) is None


def test_quintics():
    goal = (0.3, -0.5, 0.2, 0.4, 0.1, 0.6, 0.0)
    task = make_task("mount", joints=goal)
    assert np.allclose(task.motion.q[-1], goal, atol=1e-12)
    assert task.motion.broken_limit(task.arm, 10.0) is None
    slow = make_task("mount", case=3, motion="quintic", move_time=2.0)
    assert np.linalg.norm(carpal.fk(slow.arm, slow.motion.q[-1])[:3, 3] - slow.target) < 1e-6
    with pytest.raises(InputError, match="too short"):
        make_task("mount", joints=goal, move_time=0.1).check()
    with pytest.raises(InputError, match="longer duration"):
        make_task("mount", joints=goal, move_time=9.0).check()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": (5.0, 0.0, 0.0)}, "not reachable"),
        ({"target": (0.6, 0.2, 0.5), "circle": 2.0}, "not reachable"),
        ({"joints": (0.0,) * 6}, "needs 7 numbers"),
        ({"joints": (9.0, 0, 0, 0, 0, 0, 0)}, "'j0'"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(options, message):
    with pytest.raises(CarpalError, match=message):
        make_task("mount", **options).check()
    assert issubclass(UnreachableError, CarpalError)
