"""The joint servo: torques against eq. 5.1, presses against its static balance, overrides."""

import numpy as np
import pytest
from dexterity_inputs import setting_of

from carpal.dynamics import inverse_dynamics
from carpal.errors import CarpalError
from carpal.kinematics import fk
from carpal.labs.dexterity.controller import STIFFNESS, Overrides, press_target, servo_torque
from carpal.labs.dexterity.robot import task_hand
from carpal.model import State

HAND = task_hand()


def test_the_servo_is_pd_and_gravity(figure):
    setting = setting_of(8)
    model = setting.scene.build()
    rng = np.random.default_rng(0)
    q, v = setting.start().q.copy(), rng.normal(size=21)
    q[:15] += 0.1 * rng.normal(size=15)
    where, rate = setting.target(0.18)
    tau = servo_torque(model, State(0.18, q, v), np.r_[where, np.zeros(6)], np.r_[rate, np.zeros(6)])
    hand = setting.hand
    weight = inverse_dynamics(hand.replace(gravity=np.array([0, 0, -9.8])), q[:15], np.zeros(15), np.zeros(15))
    wanted = 0.15 * (where - q[:15]) + 0.02 * (rate - v[:15]) + weight
    figure("servo torques against eq. 5.1 [N m]", np.abs(tau[:15] - wanted).max(), 1e-12)
    assert np.all(tau[15:] == 0)


def test_a_press_is_a_balance(figure):
    """At rest the servo's torque K (target - q) must equal J^T f of the force on the object, gravity being compensated."""
    q = np.tile([0.1, 0.3, 0.6], 5)
    f = np.array([0.7, -0.2, 0.4])
    X = fk(HAND, q, "thumb_tip")
    point = X[:3, 3] + [0.0, 0.006, 0.008]
    target = press_target(HAND, q, "thumb", point, f)
    step, wanted = 1e-6, np.zeros(3)
    local = X[:3, :3].T @ (point - X[:3, 3])
    for k in range(3):
        ends = []
        for sign in (1, -1):
            d = q.copy()
            d[k] += sign * step
            Y = fk(HAND, d, "thumb_tip")
            ends.append(Y[:3, :3] @ local + Y[:3, 3])
        wanted[k] = f @ (ends[0] - ends[1]) / (2 * step)
    figure("torque of a press against virtual work", np.abs(STIFFNESS * (target - q[:3]) - wanted).max(), 1e-9)


def test_overrides_are_checked_and_counted():
    overrides = Overrides()
    overrides.set("friction", 0.1)
    overrides.set("targets", np.zeros(15))
    assert overrides.friction == 0.1
    assert overrides.version == 1  # targets need no rebuilt engine
    for name, value in (("friction", -1), ("restitution", 1.1), ("gravity", np.nan), ("targets", [1, 2]), ("mass", 1)):
        with pytest.raises(CarpalError):
            overrides.set(name, value)
