"""Small robots with couplings and loops, whose motion has a closed form."""

from __future__ import annotations

import numpy as np

from carpal.model import Actuator, Body, Box, Coupling, Frame, Joint, Loop, Model, PlacedShape, Sphere
from carpal.spatial import Inertia, pose, pose_from_xyz_rpy

Z = np.array([0.0, 0.0, 1.0])
LIGHT = Inertia(1.0, np.zeros(3), 0.01 * np.eye(3))


def at(x: float, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    """A pose that only moves."""
    return pose(p=np.array([x, y, z], float))


def hinge(name: str, x: float, **options: float) -> Joint:
    """About z, at x in the parent."""
    return Joint(name, "revolute", X_PJ=at(x), axis=Z, **options)


FOUR_BAR = (0.2, 0.5, 0.4, 0.6)
"""Lengths of crank, coupler, rocker and ground [m]."""


def four_bar(**options: object) -> Model:
    """A crank-rocker in the plane: crank and coupler from one pivot, rocker from the other."""
    a, b, c, d = FOUR_BAR
    bodies = (
        Body("crank", None, hinge("crank", 0.0), LIGHT),
        Body("coupler", "crank", hinge("coupler", a), LIGHT),
        Body("rocker", None, hinge("rocker", d), LIGHT),
    )
    loops = (Loop("pin", "connect", "coupler", "rocker", at(b), at(c)),)
    return Model("four-bar", bodies, loops=loops, q_home=four_bar_angles(0.4), **options)


def four_bar_angles(crank: float) -> np.ndarray:
    """(3) joint angles with the rocker's pin above the ground line: two circles that meet."""
    a, b, c, d = FOUR_BAR
    P = a * np.array([np.cos(crank), np.sin(crank)])
    O = np.array([d, 0.0])
    gap = O - P
    far = float(np.linalg.norm(gap))
    along = (b * b - c * c + far * far) / (2 * far)
    e = gap / far
    pin = P + along * e + np.sqrt(b * b - along * along) * np.array([-e[1], e[0]])
    coupler = np.arctan2(*(pin - P)[::-1]) - crank
    return np.array([crank, np.arctan2(np.sin(coupler), np.cos(coupler)), np.arctan2(*(pin - O)[::-1])])


FIVE_BAR = (0.3, 0.4, 0.25)
"""Length of both cranks, of both couplers, and of the ground [m]."""


def five_bar() -> Model:
    """Two driven cranks whose couplers meet in the tool; the second chain comes first in the tree."""
    a, b, d = FIVE_BAR
    bodies = (
        Body("right", None, hinge("right", d), LIGHT),
        Body("right_coupler", "right", hinge("right_coupler", a), LIGHT),
        Body("left", None, hinge("left", 0.0), LIGHT),
        Body("left_coupler", "left", hinge("left_coupler", a), LIGHT),
    )
    return Model(
        "five-bar", bodies, extra_frames=(Frame("tip", "left_coupler", at(b)),), tool="tip", q_home=five_bar_angles(2.2, 1.0),
        loops=(Loop("pin", "connect", "left_coupler", "right_coupler", at(b), at(b)),),
        actuators=(Actuator("left_motor", joint="left"), Actuator("right_motor", joint="right")),
    )  # fmt: skip


def five_bar_tip(left: float, right: float) -> np.ndarray:
    """(2) where the couplers meet, on the side away from the ground."""
    a, b, d = FIVE_BAR
    A = a * np.array([np.cos(left), np.sin(left)])
    B = np.array([d, 0.0]) + a * np.array([np.cos(right), np.sin(right)])
    gap = B - A
    far = float(np.linalg.norm(gap))
    return 0.5 * (A + B) + np.sqrt(b * b - 0.25 * far * far) * np.array([-gap[1], gap[0]]) / far


def five_bar_angles(left: float, right: float) -> np.ndarray:
    """(4) in the order of the model."""
    a, _, d = FIVE_BAR
    tip = five_bar_tip(left, right)
    turned = []
    for x, angle in ((d, right), (0.0, left)):
        elbow = np.array([x, 0.0]) + a * np.array([np.cos(angle), np.sin(angle)])
        coupler = np.arctan2(*(tip - elbow)[::-1]) - angle
        turned += [angle, np.arctan2(np.sin(coupler), np.cos(coupler))]
    return np.array(turned)


def mimic_arm(on_chain: bool = False) -> Model:
    """Six revolute joints and a gripper whose second finger mimics the first; `on_chain`: joint 5 also follows joint 2.

    Shaped like an arm with the Panda's hand: one finger slides along y, the other along -y as far.
    """
    offsets = ((0, 0, 0.3, 0, 0, 0), (0, 0, 0.1, -1.5, 0, 0), (0.35, 0, 0, 0, 0, 0.2), (0.3, 0, 0, 1.4, 0, 0),
               (0, 0, 0.1, -1.2, 0, 0), (0, 0, 0.1, 1.3, 0, 0))  # fmt: skip
    bodies, parent = [], None
    for i, (x, y, z, *rpy) in enumerate(offsets):
        joint = Joint(f"j{i + 1}", "revolute", X_PJ=pose_from_xyz_rpy([x, y, z], rpy), axis=Z, q_min=-2.8, q_max=2.8)
        bodies.append(Body(f"link{i + 1}", parent, joint, LIGHT))
        parent = f"link{i + 1}"
    for name, side in (("finger1", 1.0), ("finger2", -1.0)):
        joint = Joint(name, "prismatic", X_PJ=at(0, 0, 0.1), axis=np.array([0.0, side, 0.0]), q_min=0.0, q_max=0.04)
        bodies.append(Body(name, parent, joint, LIGHT))
    couplings = [Coupling("fingers", "finger2", "finger1", (0.0, 1.0))]
    if on_chain:
        couplings.append(Coupling("belt", "j5", "j2", (0.1, -0.5, 0.2), follower_ref=0.05, leader_ref=-0.1))
    shapes = [PlacedShape(f"shape_{body.name}", body.name, Sphere(0.04)) for body in bodies[:6]]
    shapes += [PlacedShape(f"shape_{n}", n, Box([0.01, 0.004, 0.03])) for n in ("finger1", "finger2")]
    return Model(
        "mimic arm", tuple(bodies), extra_frames=(Frame("tool", "link6", at(0, 0, 0.15)),), tool="tool",
        q_home=np.array([0.1, 0.4, -0.3, 0.2, 0.3, 0.1, 0.02, 0.02]), couplings=tuple(couplings), shapes=tuple(shapes),
        exclusions=(
            *((f"link{i}", f"link{j}") for i in range(1, 7) for j in range(i + 1, min(i + 3, 7))), ("finger1", "finger2"),
            *((f"link{i}", f"finger{k}") for i in (5, 6) for k in (1, 2)),
        ),
    ).assembled()  # fmt: skip


def with_fingers(arm: Model) -> Model:
    """An arm of the catalogue with two fingers on its tool, of which the second mimics the first."""
    body = next((frame.body for frame in arm.extra_frames if frame.name == arm.tool), arm.tool)
    fingers = [
        Body(name, body, Joint(name, "prismatic", axis=np.array([0.0, side, 0.0]), q_min=0.0, q_max=0.04), LIGHT)
        for name, side in (("finger1", 1.0), ("finger2", -1.0))
    ]
    return arm.replace(
        bodies=(*arm.bodies, *fingers), q_home=np.append(arm.q_home, [0.01, 0.01]),
        couplings=(Coupling("fingers", "finger2", "finger1", (0.0, 1.0)),),
    )  # fmt: skip


def rod_model(kind: str = "connect") -> Model:
    """A crank about y and a lever about x, joined by a rod on a ball joint; the rod's end is tied to the lever."""
    bodies = (
        Body("crank", None, Joint("crank", "revolute", axis=np.array([0.0, 1.0, 0.0])), LIGHT),
        Body("lever", None, Joint("lever", "revolute", X_PJ=at(0.5, 0.1, 0.05), axis=np.array([1.0, 0.0, 0.3])), LIGHT),
        Body("rod", "crank", Joint("rod", "ball", X_PJ=at(0.1, 0.02, 0.1)), LIGHT),
    )
    X_A, X_B = at(0.45, 0.1, 0.0), pose_from_xyz_rpy([0.02, 0.12, 0.1], [0.2, -0.1, 0.3])
    return Model("rod", bodies, loops=(Loop("end", kind, "rod", "lever", X_A, X_B),))
