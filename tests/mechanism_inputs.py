"""A small mechanism with one of everything, shared by tests."""

import numpy as np

from carpal.model import (
    Capsule,
    LinearActuator,
    Mechanism,
    MechanismBody,
    PlacedShape,
    Plane,
    PrescribedMotion,
    RotaryActuator,
    SlotJoint,
    angle_lines,
    hinge,
)
from carpal.spatial import Inertia, pose

SOLID = Inertia(0.1, (0.0, 0.0, 0.0), 1e-4 * np.eye(3))


def pair():
    a = MechanismBody("a", SOLID, shapes=(PlacedShape("bar", "a", Capsule(0.01, 0.1)),))
    return a, MechanismBody("b", SOLID, pose(p=(0.1 + 1e-13 / 3, 0, 0)), points=[[0, 0, 0.01]], areas=[1e-4])


def whole():
    a, b = pair()
    return Mechanism(
        "pair",
        (a, b),
        joints=(
            *hinge("pin", a, b, (0.05, 0, 0), (0, 1, 0), span=0.01),
            SlotJoint("slot", "b", (0, 0, 0), None, [[0, 0, 0], [1, 0, 0]]),
        ),
        actuators=(
            RotaryActuator("turn", None, "a", P=5.0, D=0.03, command=1, **angle_lines(None, a, (0, 1, 0))),
            LinearActuator("push", "a", (0, 0, 0), "b", (0, 0, 0), P=1600, D=50, target=0.027, limit=80.0),
        ),
        prescribed=(PrescribedMotion("b", [0.0, 1.0], [np.eye(4), pose(p=(0.1, 0, 0))]),),
        fixed=(PlacedShape("floor", None, Plane()),),
        untouched=(("a", "b"), ("a", None)),
    )
