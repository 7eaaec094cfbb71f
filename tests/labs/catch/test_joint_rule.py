import dataclasses

import numpy as np
from penalty_inputs import body, pose

from carpal.engines import PenaltyEngine
from carpal.labs.catch.joint_rule import ease, with_joint_rule
from carpal.model import Mechanism, PointJoint

RATE, RATIO = 2e3, 0.1


def test_a_body_on_the_world_swings_at_the_chosen_rate():
    """Free vibration of a pinned sphere along the pin's own direction: period and decay."""
    ball = body("ball", 0.5, moments=(0.01, 0.01, 0.01), X_WB=pose((1e-4, 0, 0)))
    pinned = Mechanism("pinned", (ball,), (PointJoint("p", None, (0, 0, 0), "ball", (0, 0, 0)),), gravity=np.zeros(3))
    pinned = with_joint_rule(pinned, RATE, RATIO)
    assert abs(pinned.joints[0].stiffness - 0.5 * RATE**2) < 1e-6
    engine = PenaltyEngine(pinned, dt=1e-5)
    turn = 2 * np.pi / (RATE * np.sqrt(1 - RATIO**2))
    end = engine.run(engine.start(), steps=round(turn / 1e-5)).state
    assert abs(end.q[0] / 1e-4 - np.exp(-RATIO * RATE * turn)) < 5e-3


def test_no_joint_is_faster_than_the_rate():
    """Largest eigenvalue of M^-1 K of one joint, by numpy alone, is the rate squared at most, and nearly reaches it."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        a, b = (body(n, rng.uniform(0.01, 2), rng.uniform(-0.1, 0.1, 3), rng.uniform(1e-4, 1.5e-4, 3)) for n in "ab")
        p = rng.uniform(-0.1, 0.1, 3)
        both = with_joint_rule(Mechanism("both", (a, b), (PointJoint("p", "a", p, "b", p),)), RATE, RATIO)
        J = np.zeros((3, 12))
        M = np.zeros((12, 12))
        for i, (part, sign) in enumerate(((a, -1.0), (b, 1.0))):
            arm = p - part.inertia.com
            cross = np.array([[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]])
            J[:, 6 * i : 6 * i + 6] = sign * np.hstack([np.eye(3), -cross])
            M[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = part.inertia.mass * np.eye(3)
            M[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = part.inertia.about_com
        joint = both.joints[0]
        fastest = np.linalg.eigvals(np.linalg.solve(M, joint.stiffness * J.T @ J)).real.max()
        assert 0.5 * RATE**2 < fastest <= RATE**2 * (1 + 1e-9)
        mass = joint.stiffness / RATE**2
        assert abs(joint.damping - 2 * RATIO * mass * RATE) < 1e-9


def test_the_world_gives_no_way_and_slots_stay_as_they_are():
    assert ease(None, np.zeros(3)) == 0.0
    ball = body("ball", 2.0)
    assert abs(ease(ball, np.zeros(3)) - 0.5) < 1e-15
    from carpal.labs.catch import catcher

    made = catcher()
    again = with_joint_rule(made, 1e4, 0.2)
    slots = [j for j in made.joints if not isinstance(j, PointJoint)]
    assert slots and all(j in again.joints for j in slots)
    assert dataclasses.replace(again, joints=()).bodies == made.bodies
