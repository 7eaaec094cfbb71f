"""Rethink Robotics Sawyer, 7 joints, head locked.

Figures of the maker's public description: RethinkRobotics/sawyer_robot, sawyer_description/urdf/sawyer_base.urdf.xacro,
commit 2fe61d9. The arm of Alkire (2020), which gives only a Denavit-Hartenberg table (see `sawyer_dh`).
"""

from __future__ import annotations

import numpy as np

from carpal.model.model import Model
from carpal.model.parts import Body, Frame, Joint
from carpal.spatial import Inertia, pose_from_xyz_rpy

# link: mass [kg], centre of mass [m], (ixx, iyy, izz, ixy, ixz, iyz) about it [kg m^2]
LINKS = {
    "base": (2.0687, (-0.0006241, -2.8025e-05, 0.065404),
             (0.0067599, 0.0067877, 0.0074031, -4.2024e-05, -6.1904e-07, 1.5888e-05)),
    "l0": (5.3213, (0.024366, 0.010969, 0.14363), (0.053314, 0.057902, 0.023659, 0.0047093, 0.011734, 0.0080179)),
    "head": (1.5795, (0.0053207, -2.6549e-05, 0.1021),
             (0.011833, 0.0082709, 0.0049661, -4.4669e-06, 4.9425e-05, 4.2124e-07)),
    "l1": (4.505, (-0.0030849, -0.026811, 0.092521),
           (0.022398, 0.014613, 0.017295, -0.00023986, -0.00029362, -0.0060875)),
    "l2": (1.745, (-0.00016044, -0.014967, 0.13582),
           (0.025506, 0.0253, 0.0034179, 4.4101e-06, 1.4955e-05, -0.0033204)),
    "l3": (2.5097, (-0.0048135, -0.0281, -0.084154),
           (0.01016, 0.0065685, 0.0069078, -9.7452e-06, 0.00026624, 0.0030316)),
    "l4": (1.1136, (-0.0018844, 0.0069001, 0.1341),
           (0.013557, 0.013555, 0.0013658, 1.8109e-05, 0.00013523, 0.0010561)),
    "l5": (1.5625, (0.0061133, -0.023697, 0.076416),
           (0.0047328, 0.0029676, 0.0031762, 0.00011526, 4.6269e-05, -0.0011557)),
    "l6": (0.3292, (-8.0726e-06, 0.0085838, -0.0049566),
           (0.00031105, 0.00021549, 0.00035976, 1.4771e-06, -3.7074e-07, -8.4533e-06)),
}  # fmt: skip

_RIGHT = 1.57079632679  # as the maker writes it
# joint, parent, child, xyz [m], rpy [rad], lower, upper [rad], speed [rad/s], effort [N m]; every axis is z
JOINTS = (
    ("j0", "base", "l0", (0, 0, 0.08), (0, 0, 0), -3.0503, 3.0503, 1.74, 80.0),
    ("j1", "l0", "l1", (0.081, 0.05, 0.237), (-_RIGHT, _RIGHT, 0), -3.8095, 2.2736, 1.328, 80.0),
    ("j2", "l1", "l2", (0, -0.14, 0.1425), (_RIGHT, 0, 0), -3.0426, 3.0426, 1.957, 40.0),
    ("j3", "l2", "l3", (0, -0.042, 0.26), (-_RIGHT, 0, 0), -3.0439, 3.0439, 1.957, 40.0),
    ("j4", "l3", "l4", (0, -0.125, -0.1265), (_RIGHT, 0, 0), -2.9761, 2.9761, 3.485, 9.0),
    ("j5", "l4", "l5", (0, 0.031, 0.275), (-_RIGHT, 0, 0), -2.9761, 2.9761, 3.485, 9.0),
    ("j6", "l5", "l6", (0, -0.11, 0.1053), (-_RIGHT, -0.17453, 3.1416), -4.7124, 4.7124, 4.545, 9.0),
)
HEAD_ON_L0 = (0, 0, 0.2965)
HAND_ON_L6 = ((0, 0, 0.0245), (0, 0, 1.570796))

SOURCE = "RethinkRobotics/sawyer_robot, sawyer_description/urdf/sawyer_base.urdf.xacro, commit 2fe61d9"


def _inertia(link: str) -> Inertia:
    mass, com, six = LINKS[link]
    return Inertia.from_six(mass, com, six)


def build() -> Model:
    """Sawyer on its own base, without pedestal; `tool` is the hand flange."""
    bodies = [Body("base", None, Joint("mount"), _inertia("base"))]
    for name, parent, child, xyz, rpy, lower, upper, speed, effort in JOINTS:
        joint = Joint(
            name, "revolute", X_PJ=pose_from_xyz_rpy(xyz, rpy), q_min=lower, q_max=upper, v_max=speed, tau_max=effort
        )
        bodies.append(Body(child, parent, joint, _inertia(child)))
        if child == "l0":
            head = Joint("head_pan", "fixed", X_PJ=pose_from_xyz_rpy(HEAD_ON_L0))
            bodies.append(Body("head", "l0", head, _inertia("head")))
    return Model(
        name="sawyer",
        bodies=tuple(bodies),
        extra_frames=(Frame("tool", "l6", pose_from_xyz_rpy(*HAND_ON_L6)),),
        tool="tool",
        q_home=np.zeros(7),
        source=SOURCE,
        notes=("the head's pan joint is locked at zero",),
    )
