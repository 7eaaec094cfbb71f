"""A stand-in for Leutenegger's relay: its mass and height are published (section 2.3), its other figures are assumed.

Held at the flap by its side, the antenna stands along the gripper's axis, back towards the arm. The lever d / e = 4.036
follows from the published 19.4 N at contact 3 (section 4.5); b, c and e are guesses that give figure 35's
thresholds (erratum E8).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from carpal.model import Box, Capsule, PlacedShape
from carpal.planning import Payload
from carpal.spatial import pose

MASS, HEIGHT = 0.49, 0.52  # [kg], [m] to the antenna's tip
LEVER = 19.4 / (MASS * 9.81)  # d / e
REACH, WIDTH, DROP = 0.03, 0.15, 0.015  # e, b, c [m], assumed
BODY = (0.10, 0.09, 0.07)  # [m] assumed
FLAP = (0.10, 0.09, 0.004)  # [m] assumed
ANTENNA = 0.008  # [m] radius, assumed; it is flexible
GRIP = 0.14  # [m] from the wrist to the plane of the contacts along the K10's tool axis x, assumed
BELOW = 0.05  # [m] of the body beyond the plane of the flaps, assumed


def relay_payload(**changes: Any) -> Payload:
    """The relay in the gripper of `k10`, whose tool points along x; `changes` as of `Payload`."""
    mass, arm = float(changes.get("mass", MASS)), float(changes.get("arm", LEVER * REACH))
    top = BELOW - HEIGHT  # the antenna's tip, seen along the axis
    base = BELOW - BODY[2]
    shapes = (
        PlacedShape("body", None, Box(BODY), pose(p=(arm, 0, BELOW - 0.5 * BODY[2]))),
        PlacedShape("flap", None, Box(FLAP), pose(p=(arm - 0.5 * (BODY[0] + FLAP[0]), 0, 0))),
        PlacedShape("far_flap", None, Box(FLAP), pose(p=(arm + 0.5 * (BODY[0] + FLAP[0]), 0, 0))),
        PlacedShape(
            "antenna", None, Capsule(ANTENNA, base - top - ANTENNA), pose(p=(arm, 0, 0.5 * (base + top + ANTENNA)))
        ),
    )
    spread = (BODY[0] ** 2 + BODY[1] ** 2) / 12  # of the body's own inertia about an axis through its middle
    given: dict[str, Any] = {
        "mass": mass, "arm": arm, "drop": DROP, "inertia": mass * (arm**2 + spread + 0.1 * FLAP[0] ** 2),
        "contact_width": WIDTH, "contact_reach": REACH, "shapes": shapes, "name": "relay",
        "X_TG": pose(np.array([[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]]), (GRIP, 0, 0)),
    }  # fmt: skip
    return Payload(**(given | changes))
