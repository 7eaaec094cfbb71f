"""The mount's wrench: weight at rest, Newton and Euler for the whole robot in motion, and where it is taken."""

import numpy as np
import pytest
from random_models import random_chain, random_inertia, random_pose, random_state, relative_error

from carpal.dynamics import angular_momentum, com, com_acceleration, com_velocity, mount_wrench
from carpal.errors import ModelError
from carpal.kinematics import fk, integrate
from carpal.model import Body, Joint, Model


def test_at_rest_it_carries_the_weight() -> None:
    model = random_chain(1)
    q = np.zeros(7)
    wrench = mount_wrench(model, q, q, q)
    weight = model.mass * model.gravity
    lever = com(model, q) - fk(model, q, "base")[:3, 3]
    assert np.allclose(wrench, -np.concatenate([weight, np.cross(lever, weight)]), rtol=1e-12, atol=1e-12)


def test_it_is_the_rate_of_the_whole_robot_s_momentum(figure) -> None:
    """Force = m (a_C - g); torque about the base = dL/dt there, by central differences of the angular momentum."""
    worst_force = worst_torque = 0.0
    h = 1e-5
    for seed in range(20):
        model = random_chain(seed, 6, kinds=("revolute", "prismatic", "ball"))
        q, v, vdot = random_state(model, np.random.default_rng(seed))
        base = fk(model, q, "base")[:3, 3]
        wrench = mount_wrench(model, q, v, vdot)
        force = model.mass * (com_acceleration(model, q, v, vdot) - model.gravity)
        worst_force = max(worst_force, relative_error(wrench[:3], force))

        def about_base(s: float, model=model, q=q, v=v, vdot=vdot, base=base) -> np.ndarray:
            qs, vs = integrate(model, q, v, s), v + s * vdot
            lever = com(model, qs) - base
            return angular_momentum(model, qs, vs) + np.cross(lever, model.mass * com_velocity(model, qs, vs))

        rate = (about_base(h) - about_base(-h)) / (2 * h)
        torque = rate - np.cross(com(model, q) - base, model.mass * model.gravity)
        worst_torque = max(worst_torque, relative_error(wrench[3:], torque))
    figure("mount force against m (a - g) of the centre of mass, 20 arms: largest error", worst_force, 1e-12)
    figure("mount torque against the rate of angular momentum, 20 arms: largest error", worst_torque, 2e-8)


def test_it_is_taken_at_the_base_s_origin_wherever_the_joint_puts_it() -> None:
    """A fixed base placed by X_PJ, by X_JB or by both is the same base."""
    rng = np.random.default_rng(0)
    X, Y, inertia = random_pose(rng), random_pose(rng), [random_inertia(rng) for _ in range(2)]

    def model(X_PJ: np.ndarray, X_JB: np.ndarray) -> Model:
        base = Body("base", None, Joint("mount", X_PJ=X_PJ, X_JB=X_JB), inertia[0])
        return Model(name="m", bodies=(base, Body("arm", "base", Joint("j", "revolute"), inertia[1])))

    expected = mount_wrench(model(X @ Y, np.eye(4)), [0.3], [0.4], [0.5])
    assert relative_error(mount_wrench(model(X, Y), [0.3], [0.4], [0.5]), expected) < 1e-13
    assert relative_error(mount_wrench(model(np.eye(4), X @ Y), [0.3], [0.4], [0.5]), expected) < 1e-13


def test_floating_bodies_do_not_count() -> None:
    rng = np.random.default_rng(1)
    arm, stone = random_chain(2, 3), Body("stone", None, Joint("float", "free"), random_inertia(rng))
    both = arm.replace(bodies=(*arm.bodies, stone), tool=arm.tool, q_home=None)
    q, v, vdot = random_state(both, rng)
    assert np.array_equal(mount_wrench(both, q, v, vdot), mount_wrench(arm, q[:3], v[:3], vdot[:3]))
    alone = Model(name="stone", bodies=(stone,))
    with pytest.raises(ModelError, match="model 'stone' floats on a free joint: it has no mount"):
        mount_wrench(alone, alone.q_home, np.zeros(6), np.zeros(6))
