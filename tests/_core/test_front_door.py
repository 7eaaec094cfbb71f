"""Calls through a front door: bad arguments get one sentence, good ones the bare function, callbacks their own errors."""

import pickle

import numpy as np
import pytest

import carpal
from carpal._core.front_door import CHECKED, check_calls
from carpal.engines import RigidEngine, simulate
from carpal.errors import CarpalError, InputError
from carpal.kinematics import JointMotion, quintic_time, random_configurations
from carpal.model import Box
from carpal.perception import looking_at
from carpal.spatial import rotation_from_rpy


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: carpal.fk("sawyer", [0.0] * 7), "carpal.load('sawyer') makes one"),
        (lambda: carpal.load(3.5), "got float 3.5"),
        (lambda: quintic_time(np.nan, 1.0, 1.0, 1.0), "q0 is nan"),
        (lambda: rotation_from_rpy([0.0, 1j, 0.0]), "rpy must be real numbers; got dtype complex128"),
        (lambda: rotation_from_rpy([[1.0], [1.0, 2.0]]), "rpy is not an array of numbers: its rows differ in length"),
        (lambda: rotation_from_rpy(0.3), "the shapes of its arguments do not fit: rpy a single number"),
        (lambda: random_configurations(carpal.load("k10"), 10**30), "count is 1e+30; whole numbers go up to"),
        (lambda: random_configurations(carpal.load("k10"), 5, seed=-1), "seed is -1"),
        (lambda: looking_at([0, 0, 0], "down"), "must be real numbers"),
        (lambda: carpal.report.write_replay(7, "x.html"), "recording must be"),
        (
            lambda: carpal.ik(carpal.load("k10"), ([0.4, -0.1, 0.2], [0.0, 0.0, 1.0]), limits=np.nan),
            "limits must be true or false",
        ),
        (lambda: carpal.tasks.checked_steps(float("inf"), 0.01), "period is inf; it must be finite"),
        (lambda: Box("large"), "the size of a box must be real numbers"),
    ],
)
def test_bad_arguments_are_named(call, sentence):
    with pytest.raises(CarpalError) as caught:
        call()
    assert sentence in str(caught.value)


def test_numpy_numbers_are_numbers():
    model = carpal.load("k10")
    a = random_configurations(model, np.int64(4), seed=np.int32(2))
    assert np.array_equal(a, random_configurations(model, 4, seed=2))


def test_what_a_callback_raises_is_its_own():
    model = carpal.load("sawyer")

    def policy(time, state):
        return np.zeros(3) + np.zeros(4)

    with pytest.raises(ValueError, match="broadcast") as caught:
        simulate(RigidEngine(model, dt=1e-3), carpal.Scene("s").add_robot("sawyer").start(), policy, 0.01)
    assert not isinstance(caught.value, InputError)


def test_a_faulty_call_stays_python_s_own():
    with pytest.raises(TypeError, match="missing"):
        quintic_time(1.0)


def test_names_stay_what_they_are():
    """Pickle finds a checked function where it was defined; signature and documentation are those of the bare one."""
    assert pickle.loads(pickle.dumps(carpal.fk)) is carpal.fk and carpal.fk.__wrapped__.__name__ == "fk"
    assert getattr(carpal.kinematics, "quintic_time") is quintic_time and hasattr(quintic_time, CHECKED)  # noqa: B009
    assert check_calls(quintic_time) is quintic_time


def test_answers_are_those_of_the_bare_function():
    model = carpal.load("sawyer")
    q = random_configurations(model, 5)
    assert np.array_equal(carpal.fk(model, q), carpal.fk.__wrapped__(model, q))
    motion = JointMotion(0.1, np.zeros((2, 1)), np.zeros((2, 1)), np.zeros((2, 1)))
    assert motion.dt == 0.1
