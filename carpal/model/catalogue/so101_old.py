"""SO-101 as it was in this catalogue first: five joints, forward is -y, the jaw lumped into the gripper; `so101` is today's.

Figures of an earlier public description, angles snapped to exact right angles. The moving jaw (0.012 kg) is part of the
gripper's mass. Limits of shoulder_pan are the usual 110 deg; efforts and speeds are not given.
"""

from __future__ import annotations

import numpy as np

from carpal.model.model import Model
from carpal.model.parts import Body, Frame, Joint
from carpal.spatial import Inertia, pose_from_xyz_rpy

# joint, parent, child, xyz [m], rpy in right angles, lower, upper [rad]; every axis is z
JOINTS = (
    ("shoulder_pan", "base", "shoulder", (0.0207909, -0.0230745, 0.0948817), (-2, 0, 1), -1.91986, 1.91986),
    ("shoulder_lift", "shoulder", "upper_arm", (-0.0303992, -0.0182778, -0.0542), (-1, -1, 0), -1.74533, 1.74533),
    ("elbow_flex", "upper_arm", "lower_arm", (-0.11257, -0.028, 0), (0, 0, 1), -1.69, 1.69),
    ("wrist_flex", "lower_arm", "wrist", (-0.1349, 0.0052, 0), (0, 0, -1), -1.65806, 1.65806),
    ("wrist_roll", "wrist", "gripper", (0, -0.0611, 0.0181), (1, 0, 2), -2.79253, 2.79253),
)
TOOL = ((-0.0079, -0.000218121, -0.0981274), (1, 0, 1))

# link: mass [kg], centre of mass [m], (ixx, iyy, izz, ixy, ixz, iyz) about it [kg m^2]
LINKS = {
    "base": (0.147, (0.020739, 0.00204287, 0.065966),
             (0.000136117, 0.000114686, 0.000130364, 4.59787e-07, 9.75275e-08, -4.97151e-06)),
    "shoulder": (0.100006, (-0.0307604, -1.66727e-05, -0.0252713),
                 (8.3759e-05, 8.10403e-05, 2.39783e-05, 7.55525e-08, -1.16342e-06, 1.54663e-07)),
    "upper_arm": (0.103, (-0.0898471, -0.00838224, 0.0184089),
                  (4.08002e-05, 0.000147318, 0.000142487, -1.97819e-05, -4.03016e-08, 8.97326e-09)),
    "lower_arm": (0.104, (-0.0980701, 0.00324376, 0.0182831),
                  (2.87438e-05, 0.000159844, 0.00014529, 7.41152e-06, 1.26409e-06, -4.90188e-08)),
    "wrist": (0.079, (-0.000103312, -0.0386143, 0.0281156),
              (3.68263e-05, 2.5391e-05, 2.1e-05, 1.7893e-08, -5.28128e-08, 3.6412e-06)),
    "gripper": (0.099, (0.000213627, 0.000245138, -0.025187),
                (2.75087e-05, 4.33657e-05, 3.45059e-05, -3.35241e-07, -5.7352e-06, -5.17847e-08)),
}  # fmt: skip


def _right_angles(rpy: tuple[int, int, int]) -> np.ndarray:
    return np.asarray(rpy) * (np.pi / 2)


def build() -> Model:
    """The five-joint SO-101; `tool` lies between the jaws, the arm points along the roll axis."""
    bodies = [Body("base", None, Joint("mount"), Inertia.from_six(*LINKS["base"]))]
    for name, parent, child, xyz, rpy, low, high in JOINTS:
        X_PJ = pose_from_xyz_rpy(xyz, _right_angles(rpy))
        joint = Joint(name, "revolute", X_PJ=X_PJ, q_min=low, q_max=high)
        bodies.append(Body(child, parent, joint, Inertia.from_six(*LINKS[child])))
    X_GT = pose_from_xyz_rpy(TOOL[0], _right_angles(TOOL[1]))
    return Model(
        name="so101_old",
        bodies=tuple(bodies),
        extra_frames=(Frame("tool", "gripper", X_GT),),
        tool="tool",
        tool_axis=X_GT[:3, :3].T @ (0.0, 0.0, -1.0),  # the jaws reach along -z of the gripper, its roll axis
        source="the SO-101's public description, an earlier one",
        notes=("the moving jaw is lumped into the gripper",),
    )
