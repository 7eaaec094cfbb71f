"""Chan's hand: five fingers of three joints, point masses at the link ends, fingers pointing up.

Finger (appendix B.1, standard DH although Chan calls it modified, E22): (l1, +90 deg), (l2, 0), (l3, 0); 0.07 kg at
the end of each link; g = 9.8 m/s^2 against the finger's x axis (B.2). The first joint spreads, the other two bend.

Lost with figures C.1, C.2 and assumed (docs/assumptions.md): link lengths, tip radius, the five base poses,
joint limits. World: z up, the four fingers stand side by side along y and bend towards +x, the thumb faces them (E11).
"""

from __future__ import annotations

import math

import numpy as np

from carpal.model.model import Model
from carpal.model.parts import Body, Frame, Joint
from carpal.spatial import Array, Inertia, pose, rotation_about

LENGTHS = (0.03, 0.05, 0.04)  # l1, l2, l3 [m], assumed
TIP_RADIUS = 0.01  # [m], assumed
LINK_MASS = 0.07  # [kg]
GRAVITY = 9.8  # [m/s^2]
# finger base: position of the first joint [m], and whether it faces the others; assumed
BASES = {
    "thumb": ((0.09, 0.0, 0.06), True),
    "index": ((0.0, 0.036, 0.1), False),
    "middle": ((0.0, 0.012, 0.1), False),
    "ring": ((0.0, -0.012, 0.1), False),
    "little": ((0.0, -0.036, 0.1), False),
}
LIMITS_DEG = ((-30, 30), (-30, 100), (-10, 110))  # spread, base bend, outer bend; assumed


def base_pose(finger: str) -> Array:
    """Finger base in the world: x up, bending towards its z."""
    p, faces_back = BASES[finger]
    side = -1.0 if faces_back else 1.0
    return pose(np.array([[0.0, 0.0, side], [0.0, -side, 0.0], [1.0, 0.0, 0.0]]), p)


def build() -> Model:
    """Chan's hand; frames `<finger>_tip` are the tip spheres' centres, `tool` is the middle one."""
    bodies = [Body("palm", None, Joint("mount"), Inertia.nothing())]
    frames = []
    quarter = pose(rotation_about((1, 0, 0), math.pi / 2))
    for finger in BASES:
        parent, X_PJ = "palm", base_pose(finger)
        for k, (length, (low, high)) in enumerate(zip(LENGTHS, LIMITS_DEG, strict=True), start=1):
            X_JB = pose(p=(length, 0, 0)) @ (quarter if k == 1 else np.eye(4))
            joint = Joint(
                f"{finger}_{k}", "revolute", X_PJ=X_PJ, X_JB=X_JB, q_min=math.radians(low), q_max=math.radians(high)
            )
            body = Body(f"{finger}_link_{k}", parent, joint, Inertia.point(LINK_MASS, np.zeros(3)))
            bodies.append(body)
            parent, X_PJ = body.name, np.eye(4)
        frames.append(Frame(f"{finger}_tip", parent))
    return Model(
        name="cuhk_hand",
        bodies=tuple(bodies),
        extra_frames=tuple(frames),
        tool="middle_tip",
        tool_axis=np.array([1.0, 0.0, 0.0]),
        gravity=np.array([0.0, 0.0, -GRAVITY]),
        source="Chan (1998), appendices B and C",
        notes=(
            "link lengths, base poses, tip radius and limits are assumed: figures C.1 and C.2 are lost",
            "point masses carry 2e-15 kg m^2 about each axis, so that MuJoCo accepts them",
        ),
    )
