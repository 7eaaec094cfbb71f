"""Motors in a board's order: the arm's joints, then the hand's commands."""

import numpy as np

from carpal.labs.sign import mount_hand, sign_hand
from carpal.labs.sign.motor_table import TENDON_SPEED, motors_of


def test_arm_then_hand():
    hand = sign_hand("parloma")
    alone, mounted = motors_of(mount_hand(hand, "none")), motors_of(mount_hand(hand, "sia5"))
    assert len(mounted.names) == 7 + len(alone.names) and mounted.names[7:] == alone.names == hand.commands
    assert np.array_equal(mounted.low[7:], hand.low) and np.array_equal(alone.high, hand.high)
    assert (alone.speed[hand.tendons] == TENDON_SPEED).all() and np.isfinite(mounted.speed).all()
