"""From anywhere to the start: nothing to do at the start, straight ways, planned ways, refusals."""

import numpy as np
from sign_robots import signer

from carpal.labs.sign import LetterStream
from carpal.labs.sign.motion.approach import clearance, plan_approach


def home():
    return LetterStream(signer("parloma")).x


def test_nothing_moves_at_the_start():
    assert plan_approach(signer("parloma"), home(), home()) == (None, "")


def test_a_way_is_free_and_keeps_the_behaviours_speed():
    ready, goal = signer("parloma"), home()
    n = ready.mounted.arm.nq
    start = goal.copy()
    start[:n] += np.array([0.4, -0.3, 0.2, 0.3, -0.4, 0.2, 0.5])
    start[n:] = ready.letters["V"].commands
    motion, why = plan_approach(ready, start, goal)
    assert why == "" and motion is not None
    x, rate, _ = motion.at(np.linspace(0, motion.duration, 400))
    assert np.allclose(x[0], start) and np.allclose(x[-1], goal, atol=1e-9)
    assert (np.abs(rate[:, :n]).max(0) / ready.mounted.arm.v_max).max() <= ready.behaviour.speed * 1.001
    assert clearance(ready, x)[0] >= ready.behaviour.distance


def test_touching_parts_and_joints_outside_their_limits_are_not_moved():
    ready, goal = signer("parloma"), home()
    start = goal.copy()
    start[0] = ready.mounted.arm.q_max[0] + 0.1
    assert plan_approach(ready, start, goal)[1] == "joint 1 of the arm stands outside its limits."
    n, rng = ready.mounted.arm.nq, np.random.default_rng(0)
    while True:
        start = goal.copy()
        start[n:] = rng.uniform(ready.hand.low, ready.hand.high)
        if clearance(ready, start[None])[0] < 0:
            break
    motion, why = plan_approach(ready, start, goal)
    assert motion is None and "must be freed by hand" in why
