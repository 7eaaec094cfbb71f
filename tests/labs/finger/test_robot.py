import numpy as np
import pytest
from finger_inputs import bodies, facts_finger, random_finger

import carpal
from carpal.errors import InputError, UnknownNameError
from carpal.labs.finger import SpringFinger, absolute_angles


def test_defaults_are_prabhus_finger():
    finger = facts_finger()
    assert np.allclose(finger.com, np.array(finger.length) / 2) and np.allclose(
        finger.inertia, finger.mass * finger.length**2 / 12
    )
    assert tuple(finger.gravity) == (0, -9.81, 0) and not finger.neutral.any() and not finger.damping.any()
    assert "100 mm, 33 g, k 0.05, 0.03, 0.02 N m/rad" in repr(finger)
    with pytest.raises(ValueError, match="read-only"):
        finger.mass[0] = 1.0


def test_points_and_chain_are_the_same_finger():
    rng = np.random.default_rng(0)
    finger, q = random_finger(rng), rng.uniform(-2, 2, (5, 3))
    tip = carpal.fk(finger.chain, q)[:, :2, 3]
    assert np.allclose(finger.points(q)[:, 3], tip, atol=1e-16)
    assert np.allclose(finger.points(q)[0, 3], bodies(finger, q[0])[2])
    assert np.allclose(absolute_angles(q)[:, 2], q.sum(1))
    assert finger.chain is finger.chain and finger.chain.mass == pytest.approx(finger.mass.sum())


def test_replace_keeps_the_rest():
    finger = facts_finger(com=(0.01, 0.01, 0.01))
    other = finger.replace(stiffness=0.1, name="stiff")
    assert tuple(other.stiffness) == (0.1,) * 3 and np.array_equal(other.com, finger.com) and other.name == "stiff"
    assert other.row[11] == 0.1 and finger.row[11] == 0.05


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"length": (0.1, 0.0, 0.1)}, "length of phalanx 2 must be above zero"),
        ({"mass": (0.1, 0.1, -1)}, "mass of phalanx 3"),
        ({"stiffness": (0, 1, 1)}, "stiffness of phalanx 1"),
        ({"damping": -1.0}, "damping of phalanx 1 must be zero or above"),
        ({"gravity": (0, 1)}, "gravity of the finger must be 3 finite numbers"),
        ({"neutral": (0, np.nan, 0)}, "neutral of the finger must be 3 finite"),
        ({"q_min": 1.0, "q_max": 0.5}, "q_min of phalanx 1 must be below q_max"),
        ({"q_max": (np.nan, 1, 1)}, "q_max of the finger must be 3 numbers"),
        ({"mass": "heavy"}, "must be real numbers"),
        ({"name": ""}, "name must be a text"),
    ],
)  # fmt: skip
def test_bad_fingers_are_one_sentence(changes, words):
    with pytest.raises(InputError, match=words):
        facts_finger(**changes)


def test_bad_calls():
    with pytest.raises(UnknownNameError, match="did you mean 'stiffness'"):
        facts_finger().replace(stifness=1)
    with pytest.raises(InputError, match="3 angles"):
        absolute_angles((1, 2))
    assert isinstance(facts_finger(), SpringFinger)
