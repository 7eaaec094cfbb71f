"""Where may the elbow be, at a pose and along a path?"""

import numpy as np

import carpal
from carpal.kinematics import PosePath, arm_angle_band, trace_self_motion
from carpal.model import arms
from carpal.spatial import pose_from_xyz_rpy

print(arms(dof=7, payload=(3, 10), max_mass=35))  # Prabhu's choice of an arm (2018)

arm = carpal.load("sia5")
q = np.array([0.3, 0.6, -0.4, 0.5, 0.3, -0.6, 0.2])
X = carpal.fk(arm, q)
psi = float(carpal.arm_angle(arm, q))
found = carpal.arm_angle_intervals(arm, X)
print(found)
for interval in found:
    print(interval.branch, np.degrees([interval.low, interval.high]).round(1), f"margin {interval.margin:.3f} rad")
assert any(psi in interval for interval in found)

# along a line: a continuous arm angle that keeps to the middle of the band
aside = PosePath.line(X, pose_from_xyz_rpy((-0.1, 0.15, -0.05)) @ X, 2.0)
band = arm_angle_band(arm, aside)
print(band)
assert band and np.abs(np.diff(band.psi)).max() < 0.2

# and where it ends, and why
away = X.copy()
away[:3, 3] += (0.0, 0.25, -0.1)
broken = arm_angle_band(arm, PosePath.line(X, away, 2.0))
print(broken)
assert not broken and broken.broken.cause == "reach"

# an arm without closed form: the same questions, answered by tracing its self-motion
other = carpal.load("sawyer")
q = np.array([0.2, -0.6, 0.1, 1.2, 0.0, 0.5, 0.3])
X = carpal.fk(other, q)
print(trace_self_motion(other, X))
print(carpal.arm_angle_intervals(other, X))
same = carpal.ik_all(other, X, arm_angle=float(carpal.arm_angle(other, q)), q0=q)
print(same)
assert np.abs(same.q[0] - q).max() < 1e-9
