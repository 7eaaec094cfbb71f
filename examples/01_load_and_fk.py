"""Load a robot and ask where its tool is: one configuration, then a thousand with the same call."""

import numpy as np

import carpal

arm = carpal.load("sawyer")
print(arm)

X_WT = carpal.fk(arm, arm.q_home)
print("tool at", X_WT[:3, 3], "m")

Q = np.random.default_rng(0).uniform(arm.q_min, arm.q_max, (1000, arm.nq))
X = carpal.fk(arm, Q)
reach = np.linalg.norm(X[:, :3, 3], axis=1).max()
print(f"farthest of 1000 random poses: {reach:.3f} m from the base")

assert X.shape == (1000, 4, 4)
assert np.array_equal(X[17], carpal.fk(arm, Q[17]))  # batched equals one at a time, bit for bit
assert reach < 1.5
