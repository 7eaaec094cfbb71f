"""The task's hand: closed-form inverse kinematics against forward kinematics, places of the fingers' bases."""

import numpy as np
import pytest

from carpal.dynamics import inverse_dynamics
from carpal.errors import CarpalError
from carpal.kinematics import jacobian
from carpal.labs.dexterity.robot import FINGERS, joint_slice, reach_with, task_hand, tip_centre

HAND = task_hand()


def test_a_finger_reaches_what_forward_kinematics_says(figure):
    rng = np.random.default_rng(0)
    worst = 0.0
    for _ in range(60):
        q = np.zeros(15)
        for finger in FINGERS:
            q[joint_slice(finger)] = rng.uniform([-0.5, -0.5, 0.05], [0.5, 1.6, 1.8])
        for finger in FINGERS:
            found = reach_with(HAND, finger, tip_centre(HAND, q, finger))
            worst = max(worst, np.abs(found - q[joint_slice(finger)]).max())
    figure("closed-form fingers against forward kinematics", worst, 1e-9)


def test_the_other_elbow_is_taken_where_the_first_does_not_go():
    q = np.zeros(15)
    q[joint_slice("ring")] = [0.1, 0.3, -0.15]  # bent outwards a little
    point = tip_centre(HAND, q, "ring")
    other = np.zeros(15)
    other[joint_slice("ring")] = reach_with(HAND, "ring", point)
    assert np.abs(tip_centre(HAND, other, "ring") - point).max() < 1e-12


@pytest.mark.parametrize(("point", "word"), [((0.5, 0, 0.2), "span"), ((-0.06, 0.012, 0.19), "joint limits")])
def test_out_of_reach_is_one_sentence(point, word):
    with pytest.raises(CarpalError, match=word):
        reach_with(HAND, "middle", np.array(point))


def test_bases_move_and_the_catalogue_stays():
    moved = task_hand({"index": (0.01, 0.05, 0.12)})
    home = np.zeros(15)
    assert np.allclose(tip_centre(moved, home, "index") - tip_centre(HAND, home, "index"), [0.01, 0.014, 0.02])
    assert np.allclose(tip_centre(HAND, home, "thumb")[:2], [0.16, 0.0])
    assert HAND.nv == 15
    assert sum(shape.collides for shape in HAND.shapes) == 5
    assert np.isfinite(inverse_dynamics(HAND, home, home, home)).all()
    assert jacobian(HAND, home, "little_tip").shape == (6, 15)
