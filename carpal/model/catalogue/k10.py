"""Leutenegger's 5-joint arm of the K10 rover: waist, shoulder, elbow, twist, wrist.

Erratum E1: T34 and T45 as printed (A.4, A.5) are no rotations that fit the printed T05; the corrected ones give
T05(0) = identity rotation with offset (0.636, 0, 0.1812) m. `tool` is the wrist frame 5, pointing along its x axis.
"""

from __future__ import annotations

import numpy as np

from carpal.errors import unknown_name
from carpal.model.catalogue.assumed import cylinder, wants_assumed
from carpal.model.model import Model
from carpal.model.parts import Body, Joint
from carpal.spatial import Array, pose

W_S, S_E, E_E, E_W = 0.112, 0.325, 0.0692, 0.311  # waist-shoulder, shoulder-elbow, elbow offset, elbow-wrist [m]

# name, rotation and position of the joint in the previous frame at zero angle, lower, upper [rad], speed [rad/s]
JOINTS = (
    ("waist", ((1, 0, 0), (0, 1, 0), (0, 0, 1)), (0, 0, 0), -3.14, 3.14, 0.2),
    ("shoulder", ((1, 0, 0), (0, 0, 1), (0, -1, 0)), (0, 0, W_S), -1.5, 0.4, 0.01),
    ("elbow", ((1, 0, 0), (0, 0, -1), (0, 1, 0)), (S_E, 0, 0), -3.14, 3.14, 0.03),
    ("twist", ((0, 0, 1), (-1, 0, 0), (0, -1, 0)), (E_W, 0, E_E), -3.14, 3.14, 0.03),
    ("wrist", ((0, -1, 0), (0, 0, -1), (1, 0, 0)), (0, 0, 0), -2.0, 2.0, 0.1),
)
ACCELERATION = 0.2  # [rad/s^2], all joints

# assumed: from, to [m] in the link's frame, radius [m], mass [kg]
ASSUMED = {
    "base": ((0, 0, -0.05), (0, 0, 0.0), 0.06, 1.0),
    "waist": ((0, 0, 0.0), (0, 0, W_S), 0.05, 1.2),
    "shoulder": ((0, 0, 0), (S_E, 0, 0), 0.03, 1.2),
    "elbow": ((0, 0, E_E), (E_W, 0, E_E), 0.025, 0.8),
    "twist": ((0, 0, -0.05), (0, 0, 0.02), 0.025, 0.3),
    "wrist": ((0, 0, 0), (0.12, 0, 0), 0.025, 0.4),
}

MOUNT_HEIGHT = 0.4  # [m] above ground, in Leutenegger's tests (section 5.3.1)
MOUNTINGS: dict[str, Array] = {
    "upright": np.eye(4),
    # base z down
    "upside_down": pose(np.diag([1.0, -1.0, -1.0]), (0, 0, MOUNT_HEIGHT)),
    # base z forward (world x), base x down
    "sideways": pose(np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]), (0, 0, MOUNT_HEIGHT)),
}


def build(mounting: str = "upright", inertia: str | None = None) -> Model:
    """The K10 arm.

    Args:
        mounting: "upright" (base at the world's origin), "upside_down" or "sideways" (base 0.4 m above ground).
        inertia: "assumed" for the listed assumption; none is published.
    """
    if mounting not in MOUNTINGS:
        raise unknown_name("mounting", mounting, MOUNTINGS)
    assumed = wants_assumed(inertia)
    masses = {
        name: cylinder(mass, start, end, radius) if assumed else None
        for name, (start, end, radius, mass) in ASSUMED.items()
    }
    bodies = [Body("base", None, Joint("mount", X_PJ=MOUNTINGS[mounting]), masses["base"])]
    for name, R, p, low, high, speed in JOINTS:
        joint = Joint(
            name, "revolute", X_PJ=pose(np.array(R, float), p),
            q_min=low, q_max=high, v_max=speed, vdot_max=ACCELERATION,
        )  # fmt: skip
        bodies.append(Body(f"{name}_link", bodies[-1].name, joint, masses[name]))
    return Model(
        name="k10",
        bodies=tuple(bodies),
        tool="wrist_link",
        tool_axis=np.array([1.0, 0.0, 0.0]),
        source="Leutenegger (2008), Tables 1-4 and appendix A with corrected T34, T45",
        notes=(
            "erratum E1: printed T34 and T45 are wrong",
            *(("inertias are assumed, none is published",) if assumed else ()),
        ),
    )
