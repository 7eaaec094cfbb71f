import numpy as np
import pytest
from catch_inputs import engine, held, random_arm

from carpal.errors import InputError
from carpal.kinematics import fk
from carpal.labs.catch import arm_angles, ball_in_hand, body_pose, catcher, catcher_engine, digit_values, finger_angles
from carpal.model import load


@pytest.mark.parametrize("q", random_arm(4, seed=1))
def test_angles_of_a_placed_arm_are_its_own(q):
    made = catcher_engine(catcher(q, ball_position=(0.1, 0.2, 0.3)), check_step=False)
    state = made.start()
    assert np.abs(arm_angles(made.mechanism, state.q, near=q) - q).max() < 1e-12
    X_WH = body_pose(made.mechanism, state.q, "palm")
    assert np.abs(X_WH - fk(load("catcher_arm"), q)).max() < 1e-12
    ball = ball_in_hand(made.mechanism, state.q)
    assert np.abs(X_WH[:3, :3] @ ball + X_WH[:3, 3] - [0.1, 0.2, 0.3]).max() < 1e-12


def test_the_turn_is_kept_where_joint_2_passes_half_a_turn():
    q = np.radians([45.9, 228.9, -98.3, -54.4, -14.1, -37.4])
    made = catcher(q)
    state = catcher_engine(made, check_step=False).start()
    assert abs(np.degrees(arm_angles(made, state.q)[1]) - 228.9) < 1e-9


@pytest.mark.parametrize("closed", [False, True])
def test_digits_start_where_they_are_told(closed):
    made = catcher(closed=closed)
    q = catcher_engine(made).start().q
    wanted = [0.010] * 4 + [-0.75] if closed else [0.027] * 4 + [-0.35]
    assert np.abs(digit_values(made, q) - wanted).max() < 1e-12
    bent = np.degrees(finger_angles(made, q))
    assert np.abs(bent[:, 0] - (86 if closed else 15)).max() < 0.1
    assert np.abs(bent[:, 1] - (95.2 if closed else 10)).max() < 0.8
    assert np.abs(bent[:, 2] - (61.8 if closed else 5)).max() < 0.8


def test_many_states_at_once_and_a_wrong_length():
    mechanism = engine().mechanism
    q = np.array([state.q for state in held()])
    assert arm_angles(mechanism, q).shape == (len(q), 6) and finger_angles(mechanism, q).shape == (len(q), 4, 3)
    assert np.array_equal(arm_angles(mechanism, q)[-1], arm_angles(mechanism, q[-1]))
    assert np.array_equal(ball_in_hand(mechanism, q)[3], ball_in_hand(mechanism, q[3]))
    with pytest.raises(InputError, match="needs 196 numbers"):
        arm_angles(mechanism, q[:, :-1])
