"""What drives the robot: finger torques vanish in balance, gravity is held, the touch is there when it should be."""

import dataclasses

import numpy as np
import pytest
from sign_robots import hand, plan, signer

from carpal.dynamics import inverse_dynamics
from carpal.labs.sign import tendon_angles
from carpal.labs.sign.controller import STOP, SignPolicy, finger_torques
from carpal.model import State


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7])
def test_torques_vanish_where_the_balance_is(share):
    finger = hand().fingers["ring"]
    travel = share * finger.travel
    angle = tendon_angles(finger, travel).angles
    assert np.abs(finger_torques(finger, travel, 0.0, angle, np.zeros(3))).max() < 1e-10
    rough = dataclasses.replace(finger, friction=0.1)
    assert np.abs(finger_torques(rough, travel, 0.1, tendon_angles(rough, travel).angles, np.zeros(3))).max() < 1e-10


def test_stops_push_back():
    finger = hand().fingers["ring"]
    under = finger_torques(finger, -1.0, 0.0, finger.low - 0.1, np.zeros(3))
    inside = finger_torques(finger, 0.0, 0.0, finger.low, np.zeros(3))
    assert np.allclose(under - inside, 0.1 * STOP + 0.1 * finger.springs)


def test_on_the_plan_motors_get_what_the_dynamics_ask():
    word = plan("CIAO")
    policy = SignPolicy(word, 1e-3)
    t = 1.7
    x, v, a = (part[0] for part in word.motion.at(t))
    one = signer()
    q = one.mounted.configuration(x[:7], one.hand.joints(x[7:]))
    rates = np.zeros(one.mounted.model.nv)
    rates[:7] = v[:7]
    u = policy(t, State(t, q, rates))
    wanted = np.zeros(one.mounted.model.nv)
    wanted[:7] = a[:7]
    assert np.allclose(u[:4], inverse_dynamics(one.mounted.model, q, rates, wanted)[:4], atol=0.3)


def test_the_touch_comes_in_the_middle_of_a_letter():
    word = plan("CIAO")
    q, v = word.q[0], np.zeros(word.mounted.model.nv)
    free, pressed = SignPolicy(word, 1e-3), SignPolicy(word, 1e-3, touch=1.0)
    early, late = 0.02, 0.25
    assert np.array_equal(free(early, State(early, q, v)), pressed(early, State(early, q, v)))
    difference = pressed(late, State(late, q, v)) - free(late, State(late, q, v))
    index = word.mounted.model.q_index("hand/index_proximal")
    assert difference[index] < -0.03  # against the way it bends
