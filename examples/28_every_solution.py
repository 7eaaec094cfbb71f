"""Every configuration of a six-joint arm that reaches a pose, and the freedom of a seven-joint arm with offsets.

The six-joint arm is a PUMA 560 given by its Denavit-Hartenberg table; no file is needed.
"""

import numpy as np

import carpal
from carpal.kinematics import ik_all, joint_intervals
from carpal.model import DHRow, Model

right = np.pi / 2
table = [
    (0.0, right, 0.0),
    (0.4318, 0.0, 0.0),
    (0.0203, -right, 0.15005),
    (0.0, right, 0.4318),
    (0.0, -right, 0.0),
    (0.0, 0.0, 0.05),
]
puma = Model.from_dh([DHRow(a=a, alpha=alpha, d=d, q_min=-3.0, q_max=3.0) for a, alpha, d in table], name="puma560")

q = np.array([0.3, -0.5, 0.4, 1.0, 0.8, -0.2])
found = ik_all(puma, carpal.fk(puma, q), q0=q)
print(found)
for configuration, code in zip(found, found.branch, strict=False):
    print(f"  {found.branch_name(code):35s}", np.round(configuration, 3))

wrist_straight = ik_all(puma, carpal.fk(puma, [0.3, -0.5, 0.4, 1.0, 0.0, -0.2]))
print(wrist_straight)
too_far = np.eye(4)
too_far[0, 3] = 2.0
print(ik_all(puma, too_far))

arm = carpal.load("srs7")  # any arm with seven joints; Panda, xArm7 and Gen3 have no arm angle in closed form
X = carpal.fk(arm, [0.3, 0.7, -0.4, 1.1, 0.5, -0.8, 0.2])
last = arm.joint_names[-1]
intervals = joint_intervals(arm, X)
print(intervals)
print(f"{last} held at {intervals[0].middle:.3f}:", ik_all(arm, X, locked={last: intervals[0].middle}))
