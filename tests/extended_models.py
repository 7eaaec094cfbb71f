"""A small model that has one of everything beside its tree."""

from __future__ import annotations

import numpy as np

from carpal.model import (
    Actuator,
    Body,
    Coupling,
    Frame,
    Joint,
    Loop,
    Model,
    ModelTendon,
    PathStep,
    PlacedShape,
    Sphere,
    Visual,
)
from carpal.spatial import Inertia, pose


def extended_model() -> Model:
    """Three hinges, of which the third follows the first; a loop, tendons, a servo, visuals and a contact pair."""
    names, bodies, parent = ("a", "b", "c"), [], None
    for name in names:
        joint = Joint(
            f"hinge_{name}", "revolute", X_PJ=pose(p=np.array([0.3, 0.0, 0.0])), axis=np.array([0.0, 1.0, 0.0]),
            stiffness=2.0 if name == "b" else 0.0, q_spring=0.1 if name == "b" else 0.0,
        )  # fmt: skip
        inertia = Inertia(1.0, np.zeros(3), 0.01 * np.eye(3))
        bodies.append(Body(name, parent, joint, inertia, gravity_compensation=0.5 if name == "c" else 0.0))
        parent = name
    return Model(
        "extended",
        tuple(bodies),
        extra_frames=(Frame("tip", "c", pose(p=np.array([0.3, 0.0, 0.0]))), Frame("root", None)),
        shapes=(
            PlacedShape("ball_a", "a", Sphere(0.05), contype=2, conaffinity=4),
            PlacedShape("ball_c", "c", Sphere(0.05), collides=False),
        ),
        contact_pairs=(("ball_a", "ball_c"),),
        visuals=(
            Visual("seen", "a", mesh="a.obj", scale=(0.001, 0.001, 0.001), rgba=None),
            Visual("ground", None, shape=Sphere(0.2), X_BV=pose(p=np.array([1.0, 0.0, 0.0]))),
        ),
        couplings=(Coupling("gear", "hinge_c", "hinge_a", (0.1, -2.0, 0.5), 0.2, 0.3),),
        loops=(Loop("closing", "connect", "c", None, pose(p=np.array([0.1, 0.0, 0.0])), pose(p=np.array([0.9, 0, 0]))),),
        tendons=(
            ModelTendon("pull", {"hinge_a": 0.01, "hinge_b": -0.02}, stiffness=100.0, rest=(0.0, 0.1)),
            ModelTendon("cable", {}, (
                PathStep("site", "tip"), PathStep("site", "root"), PathStep("pulley", divisor=2.0), PathStep("site", "root"),
                PathStep("site", "tip"),
            )),
        ),
        actuators=(
            Actuator("servo", "position", joint="hinge_a", gain=50.0, bias=(0.0, -50.0, -1.0), force_range=(-5, 5)),
            Actuator("winch", tendon="pull", gear=3.0),
        ),
    )  # fmt: skip
