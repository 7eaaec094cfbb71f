"""What moves an arm, and what its mount must supply."""

import numpy as np

import carpal
from carpal.dynamics import com_acceleration, gravity_forces

arm = carpal.load("sawyer")
rng = np.random.default_rng(1)
q = rng.uniform(arm.q_min, arm.q_max)
v, vdot = rng.normal(size=(2, arm.nv))

tau = carpal.inverse_dynamics(arm, q, v, vdot)
print("joint torques [N m]:", tau.round(3))
print("to hold still [N m]:", gravity_forces(arm, q).round(3))
assert np.allclose(carpal.forward_dynamics(arm, q, v, tau), vdot, atol=1e-8)

wrench = carpal.mount_wrench(arm, q, v, vdot)
print("the mount supplies:", wrench[:3].round(3), "N and", wrench[3:].round(3), "N m")
newton = arm.mass * (com_acceleration(arm, q, v, vdot) - arm.gravity)
assert np.allclose(wrench[:3], newton, atol=1e-9)
