"""Where must the joints be? And if nowhere: why?"""

import numpy as np

import carpal
from carpal.kinematics import follow, random_configurations, redundancy

arm = carpal.load("sawyer")
targets = carpal.fk(arm, random_configurations(arm, 1000, seed=1))
result = carpal.ik(arm, targets)
print(result)
assert result
assert np.abs(carpal.fk(arm, result.q) - targets).max() < 2e-6

rover = carpal.load("k10", mounting="upside_down")
print(redundancy(rover, "pose"))
print(redundancy(rover, "pointing"))
down = carpal.ik(rover, ([0.4, 0.1, 0.2], [0, 0, -1]))  # a point, and the gripper straight down
print(down)
assert down

far = carpal.ik(arm, [2.0, 0.0, 0.0])
print(far)
assert not far and "out of reach" in far.status

q0 = np.array([0.2, -0.6, 0.1, 1.2, 0.0, 0.5, 0.3])
line = np.tile(carpal.fk(arm, q0), (50, 1, 1))
line[:, 2, 3] -= np.linspace(0, 0.1, 50)  # straight down
path = follow(arm, line, q0)
print(path)
assert path and np.abs(np.diff(path.q, axis=0)).max() < 0.05
