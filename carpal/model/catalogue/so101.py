"""SO-101 as it is sold today: pan, lift, elbow, wrist pitch, roll, and the gripper as a sixth joint.

Figures of TheRobotStudio's SO-ARM100, Simulation/SO101/so101_new_calib.urdf (Apache-2.0): zero is the middle of each
joint's range, forward is +x, 10 N m and 10 rad/s at every joint. Angles within 1e-5 of a right angle are snapped to it and
lengths below 1e-7 m to zero (the file is rounded to six digits); the gripper frame's 1e-9 kg is left out. Joints are in
LeRobot's order; `carpal.model.q_from_lerobot` converts its degrees and its gripper of 0 to 100.
"""

from __future__ import annotations

import numpy as np

from carpal.model.model import Model
from carpal.model.parts import Body, Frame, Joint
from carpal.spatial import Inertia, pose_from_xyz_rpy

RIGHT = np.pi / 2
EFFORT, SPEED = 10.0, 10.0  # [N m], [rad/s] of every joint

# joint, parent, child, xyz [m], rpy in right angles, lower, upper [rad]; every axis is z
JOINTS = (
    ("shoulder_pan", "base", "shoulder", (0.0388353, 0.0, 0.0624), (2, 0, -2), -1.91986, 1.91986),
    ("shoulder_lift", "shoulder", "upper_arm", (-0.0303992, -0.0182778, -0.0542), (-1, -1, 0), -1.74533, 1.74533),
    ("elbow_flex", "upper_arm", "lower_arm", (-0.11257, -0.028, 0.0), (0, 0, 1), -1.69, 1.69),
    ("wrist_flex", "lower_arm", "wrist", (-0.1349, 0.0052, 0.0), (0, 0, -1), -1.65806, 1.65806),
    ("wrist_roll", "wrist", "gripper", (0.0, -0.0611, 0.0181), (1, 0.0486795 / RIGHT, 2), -2.74385, 2.84121),
    ("gripper", "gripper", "moving_jaw", (0.0202, 0.0188, -0.0234), (1, 0, 0), -0.174533, 1.74533),
)  # fmt: skip
TOOL = ((-0.0079, -0.000218121, -0.0981274), (0, 2, 0))

# link: mass [kg], centre of mass [m], (ixx, iyy, izz, ixy, ixz, iyz) about it [kg m^2]
LINKS = {
    "base": (0.147, (0.0137179, -5.19711e-05, 0.0334843),
        (0.000114686, 0.000136117, 0.000130364, -4.59787e-07, 4.97151e-06, 9.75275e-08)),
    "shoulder": (0.100006, (-0.0307604, -1.66727e-05, -0.0252713),
        (8.3759e-05, 8.10403e-05, 2.39783e-05, 7.55525e-08, -1.16342e-06, 1.54663e-07)),
    "upper_arm": (0.103, (-0.0898471, -0.00838224, 0.0184089),
        (4.08002e-05, 0.000147318, 0.000142487, -1.97819e-05, -4.03016e-08, 8.97326e-09)),
    "lower_arm": (0.104, (-0.0980701, 0.00324376, 0.0182831),
        (2.87438e-05, 0.000159844, 0.00014529, 7.41152e-06, 1.26409e-06, -4.90188e-08)),
    "wrist": (0.079, (-0.000103312, -0.0386143, 0.0281156),
        (3.68263e-05, 2.5391e-05, 2.1e-05, 1.7893e-08, -5.28128e-08, 3.6412e-06)),
    "gripper": (0.087, (0.000213627, 0.000245138, -0.025187),
        (2.75087e-05, 4.33657e-05, 3.45059e-05, -3.35241e-07, -5.7352e-06, -5.17847e-08)),
    "moving_jaw": (0.012, (-0.00157495, -0.0300244, 0.0192755),
        (6.61427e-06, 1.89032e-06, 5.28738e-06, -3.19807e-07, -5.90717e-09, -1.09945e-07)),
}  # fmt: skip


def build() -> Model:
    """SO-101; `tool` lies between the jaws, the arm points along the roll axis."""
    bodies = [Body("base", None, Joint("mount"), Inertia.from_six(*LINKS["base"]))]
    for name, parent, child, xyz, rpy, low, high in JOINTS:
        X_PJ = pose_from_xyz_rpy(xyz, RIGHT * np.array(rpy))
        joint = Joint(name, "revolute", X_PJ=X_PJ, q_min=low, q_max=high, v_max=SPEED, tau_max=EFFORT)
        bodies.append(Body(child, parent, joint, Inertia.from_six(*LINKS[child])))
    return Model(
        name="so101",
        bodies=tuple(bodies),
        extra_frames=(Frame("tool", "gripper", pose_from_xyz_rpy(TOOL[0], RIGHT * np.array(TOOL[1]))),),
        tool="tool",
        source="TheRobotStudio SO-ARM100, so101_new_calib.urdf (Apache-2.0)",
    )
