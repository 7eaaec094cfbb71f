"""Yaskawa Motoman SIA5, 7 joints, the real arm of Prabhu (2018) with its elbow offsets of 85 and 60 mm.

Figures of the public description: ros-industrial/motoman, motoman_sia5d_support/urdf/sia5d_macro.xacro, commit 4d63f13.
At zero configuration the forearm is at a right angle to the upper arm. Prabhu (2018) idealises the arm (see `srs7`).
"""

from __future__ import annotations

import numpy as np

from carpal.model.catalogue.assumed import cylinder, wants_assumed
from carpal.model.model import Model
from carpal.model.parts import Body, Frame, Joint
from carpal.spatial import Inertia, pose, pose_from_xyz_rpy

# name, xyz in the previous frame [m], axis, limits [deg], speed [deg/s]; no frame is turned at zero configuration
JOINTS = (
    ("s", (0, 0, 0.31), (0, 0, 1), (-180, 180), 200),
    ("l", (0, 0, 0), (0, 1, 0), (-110, 110), 200),
    ("e", (0, 0, 0.27), (0, 0, 1), (-170, 170), 200),
    ("u", (0.085, 0, 0), (0, -1, 0), (-90, 115), 200),
    ("r", (0.27, 0, 0.06), (-1, 0, 0), (-90, 90), 200),
    ("b", (0, 0, 0), (0, -1, 0), (-110, 110), 230),
    ("t", (0.134, 0, 0), (-1, 0, 0), (-90, 90), 350),
)
TOOL = ((0.011, 0, 0), (-90, -90, -90))  # xyz [m], rpy [deg]

# assumed: the published 30 kg shared out; cylinder from, to [m] in the link's frame, radius [m], mass [kg]
ASSUMED = {
    "base": ((0, 0, 0), (0, 0, 0.2), 0.09, 7.0),
    "s": ((0, 0, -0.11), (0, 0, 0.06), 0.07, 6.0),
    "l": ((0, 0, 0), (0, 0, 0.2), 0.06, 5.0),
    "e": ((0, 0, -0.07), (0.085, 0, 0), 0.06, 4.0),
    "u": ((0, 0, 0), (0.2, 0, 0.06), 0.05, 4.0),
    "r": ((-0.07, 0, 0), (0.03, 0, 0), 0.045, 2.0),
    "b": ((0, 0, 0), (0.1, 0, 0), 0.04, 1.5),
    "t": ((-0.03, 0, 0), (0.011, 0, 0), 0.03, 0.5),
}


def _inertia(link: str) -> Inertia:
    start, end, radius, mass = ASSUMED[link]
    return cylinder(mass, start, end, radius)


def build(inertia: str | None = None) -> Model:
    """SIA5; `inertia="assumed"` shares the published 30 kg out over cylinders (docs/assumptions.md)."""
    assumed = wants_assumed(inertia)
    bodies = [Body("base", None, Joint("mount"), _inertia("base") if assumed else None)]
    for name, xyz, axis, (low, high), speed in JOINTS:
        joint = Joint(
            name, "revolute", X_PJ=pose(p=xyz), axis=np.array(axis, float),
            q_min=float(np.radians(low)), q_max=float(np.radians(high)), v_max=float(np.radians(speed)),
        )  # fmt: skip
        bodies.append(Body(f"link_{name}", bodies[-1].name, joint, _inertia(name) if assumed else None))
    return Model(
        name="sia5",
        bodies=tuple(bodies),
        extra_frames=(Frame("tool", "link_t", pose_from_xyz_rpy(TOOL[0], np.radians(TOOL[1]))),),
        tool="tool",
        source="ros-industrial/motoman, motoman_sia5d_support/urdf/sia5d_macro.xacro, commit 4d63f13",
        notes=("inertias are assumed, only the total of 30 kg is published",) if assumed else (),
    )
