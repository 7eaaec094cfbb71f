"""The controller's own kinematics against the general ones: hand, Jacobian, weight."""

import numpy as np
from catch_inputs import Q_START

from carpal.kinematics import fk, jacobian
from carpal.labs.catch import catcher
from carpal.labs.catch.arm_tables import arm_chain, arm_links
from carpal.labs.catch.kernels.arm_chain import FRAME_COLUMNS, frames_of, hand_of, holding_torque, jacobian_of
from carpal.model import load

RNG = np.random.default_rng(4)


def test_hand_and_jacobian_are_those_of_the_arm(figure):
    arm, chain = load("catcher_arm"), arm_chain()
    links = arm_links(catcher())
    worst = 0.0
    for _ in range(30):
        q = Q_START + RNG.uniform(-1, 1, 6)
        frames, A = np.zeros((1, 6, FRAME_COLUMNS)), np.zeros((1, 6, 6))
        R, p = frames_of(chain, links, q[None], frames, 0)
        jacobian_of(frames, p, A, 0)
        X = fk(arm, q)
        J = jacobian(arm, q)
        worst = max(worst, np.abs(np.reshape(R, (3, 3)) - X[:3, :3]).max(), np.abs(p - X[:3, 3]).max())
        worst = max(worst, np.abs(A[0] - J).max())
        R2, p2 = hand_of(chain, q[None], 0, 2, 0.12)
        q[2] += 0.12
        X = fk(arm, q)
        worst = max(worst, np.abs(np.reshape(R2, (3, 3)) - X[:3, :3]).max(), np.abs(p2 - X[:3, 3]).max())
    figure("catch: the controller's kinematics against fk and Jacobian, 30 configurations", worst, 1e-13)


def _potential(q):
    """Of all bodies but the ball [J]."""
    return sum(
        body.inertia.mass * 9.81 * (body.X_WB @ [*body.inertia.com, 1.0])[1]
        for body in catcher(q).bodies
        if body.name != "ball"
    )


def test_the_weight_held_is_the_slope_of_the_potential_energy(figure):
    q, h = Q_START + RNG.uniform(-1, 1, 6), 1e-5
    frames = np.zeros((1, 6, FRAME_COLUMNS))
    frames_of(arm_chain(), arm_links(catcher()), q[None], frames, 0)
    held = [holding_torque(frames, (0.0, -9.81, 0.0), i, 0) for i in range(6)]
    slope = [(_potential(q + h * e) - _potential(q - h * e)) / (2 * h) for e in np.eye(6)]
    figure(
        "catch: torques that hold the weight against differences of the energy [N m]",
        np.abs(np.subtract(held, slope)).max(),
        1e-8,
    )
