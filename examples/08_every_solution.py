"""Every solution for a point and a direction, or why there is none."""

import numpy as np

import carpal
from carpal.kinematics import random_configurations

arm = carpal.load("k10")  # five joints; its class is recognised from its axes
found = carpal.ik_all(arm, ((0.4, 0.1, 0.2), (0, 0, -1)))
print(found)
for q, code, inside in zip(found, found.branch, found.in_limits, strict=True):
    print(np.round(q, 3), found.branch_name(code), "" if inside else "outside the limits")
assert len(found) == 8 and np.allclose(carpal.fk(arm, found.best)[:3, 3], (0.4, 0.1, 0.2))

far = carpal.ik_all(arm, ((1.0, 0.0, 0.2), (0, 0, -1)))
print(far)
print(far.nearest)
assert not far and far.status.startswith("too far") and far.nearest.angle_error < 0.1

hobby = carpal.load("so101")  # a planar arm: pan, three pitch axes, roll
down = carpal.ik_all(hobby, ((0.06, -0.22, 0.05), (0, 0, -1)), roll=0.5)
print(down)
assert down.free.name == "roll" and np.allclose(down.best[4], 0.5)

aside = carpal.ik_all(hobby, ((0.06, -0.22, 0.05), (0.7, 0, -0.7)))
print(aside)
assert "out of the arm's plane" in aside.status

q = random_configurations(arm, 10_000, seed=1)  # many at once: (*batch, branches, nq)
X = carpal.fk(arm, q)
many = carpal.ik_all(arm, (X[:, :3, 3], X[:, :3, 0]))
print(many)
off = np.abs((many.q - q[:, None] + np.pi) % (2 * np.pi) - np.pi).max(-1)
assert many and np.nanmin(off, axis=1).max() < 1e-6  # the configuration that made the target is among them
