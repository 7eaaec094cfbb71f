"""The regressor of one hanging body, by hand: a pendulum's torque is its first moment times g and its inertia."""

import numpy as np

from carpal.dynamics import dynamics_regressor
from carpal.dynamics.kernels.regressor import PARAMETERS
from carpal.model import Body, Joint, Model
from carpal.spatial import Inertia


def test_a_pendulum():
    model = Model(
        name="p", bodies=(Body("b", None, Joint("j", "revolute", axis=[0, 1, 0]), Inertia.point(1.0, [0.1, 0, 0])),)
    )
    Y = dynamics_regressor(model, [0.3], [0.7], [1.9])
    assert Y.shape == (1, PARAMETERS)
    x, z = np.cos(0.3), -np.sin(0.3)  # the body's own x axis in the world
    axes = model.tables.bodies[1, :9].reshape(3, 3)  # z is the joint's axis; which of the others is the body's x?
    own = axes.T @ [1.0, 0.0, 0.0]
    torque = Y[0, 1:4] @ own
    assert np.isclose(torque, -9.81 * x, atol=1e-12) and z < 0
    assert np.isclose(Y[0, 6], 1.9) and np.allclose(Y[0, [0, 4, 5, 7]], 0.0, atol=1e-15)
