"""Prabhu's hand (section 2.4): five fingers on tendons, a 45 degree base joint of ring and little, a 3-DOF wrist.

Prabhu gives what moves and no sizes: every length, mass, limit and speed here is assumed (docs/assumptions.md, drawn in
docs/pictures/parloma_hand.png). Right hand. Palm frame: origin at the wrist's centre, z along the straight fingers, x out
of the palm, y to the thumb's side; the fingers bend towards x. `tool` is that frame.

The spherical parallel wrist appears as what it does, three turns about one point (flexion about y, deviation about x, turn
about z, in this order); its legs are in `the sign lab`, as are the springs and tendons, which are no part of a tree.
"""

from __future__ import annotations

import math

import numpy as np

from carpal.model.model import Model
from carpal.model.parts import Body, Frame, Joint
from carpal.model.shapes import Box, Capsule, PlacedShape
from carpal.spatial import Array, Inertia, pose, rotation_about

WRIST_HEIGHT = 0.075  # [m] of the wrist's centre above the mount
PHALANGES = ("proximal", "middle", "distal")
# lengths [m] of the three phalanges, the tip's cap not counted
LENGTHS = {
    "thumb": (0.040, 0.032, 0.026),
    "index": (0.042, 0.027, 0.022),
    "middle": (0.046, 0.030, 0.023),
    "ring": (0.043, 0.028, 0.022),
    "little": (0.034, 0.021, 0.016),
}
KNUCKLES = {"index": (0.0, 0.031, 0.090), "middle": (0.0, 0.0105, 0.094), "ring": (0.0, -0.0105, 0.090),
            "little": (0.0, -0.031, 0.080)}  # fmt: skip
CUP_FROM = 0.035  # [m] height of the 45 degree joints of ring and little above the wrist
THUMB_BASE = (0.016, 0.038, 0.020)
THUMB_TILT = 60.0  # [deg] between the thumb and the fingers
RADII = (0.0070, 0.0065, 0.0060)  # [m] of the phalanges
THUMB_RADII = (0.0085, 0.0075, 0.0070)
MASSES = (0.015, 0.010, 0.008)  # [kg] of the phalanges of a finger
SMALL, PALM_MASS, FOREARM_MASS = 0.006, 0.30, 0.45  # [kg] of a base joint's part, of the palm, of forearm and motors
PALM_SIZE, PALM_MIDDLE = (0.022, 0.062, 0.062), (0.0, -0.007, 0.037)
COVER_SIZE, COVER_MIDDLE = (0.017, 0.076, 0.072), (0.0, 0.0, 0.040)  # drawn only: fingers begin inside it
FOREARM_RADIUS = 0.030
BEND_DEG, THUMB_BEND_DEG = (90.0, 90.0, 60.0), (50.0, 55.0, 60.0)
# joint, axis in the palm, lower, upper [deg]
WRIST = (
    ("wrist_flexion", (0, 1, 0), -40, 40),
    ("wrist_deviation", (1, 0, 0), -25, 25),
    ("wrist_turn", (0, 0, 1), -40, 40),
)
SPREAD_DEG, CUP_DEG, OPPOSITION_DEG = (-20.0, 20.0), (0.0, 45.0), (0.0, 100.0)
SPEEDS = {"wrist": 4.0, "base": 5.0, "bend": 8.0}  # [rad/s]
DAMPING = 0.002  # [N m s/rad] of every bending joint: the suggested value of Prabhu's finger
ARMATURE = 1.0e-5  # [kg m^2] of every bending joint: pulley, axle and spring move with it
ROTOR = 2.0e-4  # [kg m^2] of wrist and base joints: a geared servo's rotor
SKIN, DARK = (0.86, 0.72, 0.60, 1.0), (0.30, 0.34, 0.40, 1.0)


def finger_turn(finger: str) -> Array:
    """R_PF of a finger with its base joint at zero: x along it, y where it bends to, z the axis of bending."""
    if finger != "thumb":
        return np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    s, c = math.sin(math.radians(THUMB_TILT)), math.cos(math.radians(THUMB_TILT))
    along, bend = np.array([0.0, s, c]), np.array([1.0, 0.0, 0.0])
    return np.column_stack([along, bend, np.cross(along, bend)])


def _base(finger: str) -> tuple[str, Array, tuple[float, ...], tuple[float, float], Array]:
    """Base joint's name, its place in the palm, axis and limits [deg]; and where the finger begins behind it."""
    if finger == "thumb":
        # from beside the palm to across it
        return "thumb_opposition", np.array(THUMB_BASE), (0.0, 0.0, -1.0), OPPOSITION_DEG, np.zeros(3)
    knuckle = np.array(KNUCKLES[finger])
    if finger in ("index", "middle"):
        return f"{finger}_abduction", knuckle, (-1.0, 0.0, 0.0), SPREAD_DEG, np.zeros(3)
    foot = np.array([0.0, knuckle[1], CUP_FROM])
    return f"{finger}_cup", foot, (0.0, 1.0, 1.0), CUP_DEG, knuckle - foot


def knuckle_foot(finger: str) -> Array:
    """Where a finger's bone begins inside the palm (3) [m]."""
    return np.array([0.0, KNUCKLES[finger][1], CUP_FROM])


def _rod(mass: float, length: float, radius: float) -> Inertia:
    """A capsule-like rod along x from the origin."""
    across = mass * (3.0 * radius**2 + length**2) / 12.0
    return Inertia(mass, np.array([length / 2, 0, 0]), np.diag([0.5 * mass * radius**2, across, across]))


def _finger(finger: str) -> tuple[list[Body], list[PlacedShape], Frame]:
    name, p, axis, (low, high), begin = _base(finger)
    base = Body(
        f"{finger}_base", "palm",
        Joint(name, "revolute", X_PJ=pose(p=p), axis=np.array(axis), q_min=math.radians(low), q_max=math.radians(high),
              v_max=SPEEDS["base"], damping=DAMPING, armature=ROTOR),
        Inertia(SMALL, np.zeros(3), np.diag([SMALL * 0.01**2] * 3)),
    )  # fmt: skip
    bodies, shapes = [base], []
    if (
        finger != "thumb"
    ):  # what joins palm and knuckle is drawn, and touches nothing: it moves with its finger inside the palm
        foot = knuckle_foot(finger) - p
        middle, length = 0.5 * (begin + foot), float(np.linalg.norm(begin - foot))
        bone = PlacedShape(f"{finger}_bone", base.name, Capsule(RADII[0], length), pose(p=middle), SKIN, collides=False)
        shapes.append(bone)
    thumb = finger == "thumb"
    X_PJ = pose(finger_turn(finger), begin)
    for part, length, radius, mass, bend in zip(
        PHALANGES, LENGTHS[finger], THUMB_RADII if thumb else RADII, MASSES, THUMB_BEND_DEG if thumb else BEND_DEG,
        strict=True,
    ):  # fmt: skip
        joint = Joint(
            f"{finger}_{part}", "revolute", X_PJ=X_PJ, q_min=0.0, q_max=math.radians(bend), v_max=SPEEDS["bend"],
            damping=DAMPING, armature=ARMATURE,
        )  # fmt: skip
        body = Body(f"{finger}_{part}_link", bodies[-1].name, joint, _rod(mass, length, radius))
        bodies.append(body)
        along = pose(rotation_about((0, 1, 0), math.pi / 2), (length / 2, 0, 0))
        shapes.append(PlacedShape(f"{finger}_{part}_skin", body.name, Capsule(radius, length), along, SKIN))
        X_PJ = pose(p=(length, 0, 0))
    return bodies, shapes, Frame(f"{finger}_tip", bodies[-1].name, X_PJ)


def build() -> Model:
    """Prabhu's hand; frames `<finger>_tip` are the middles of the fingertips' caps."""
    forearm = Inertia(FOREARM_MASS, np.array([0, 0, WRIST_HEIGHT / 2 - 0.01]), np.diag([3.0e-4, 3.0e-4, 2.0e-4]))
    bodies = [Body("forearm", None, Joint("mount"), forearm)]
    X_PJ = pose(p=(0, 0, WRIST_HEIGHT))
    for name, axis, low, high in WRIST:
        joint = Joint(
            name, "revolute", X_PJ=X_PJ, axis=np.array(axis, float), q_min=math.radians(low), q_max=math.radians(high),
            v_max=SPEEDS["wrist"], damping=DAMPING, armature=ROTOR,
        )  # fmt: skip
        last = name == WRIST[-1][0]
        inertia = Box(PALM_SIZE).inertia(PALM_MASS).moved(pose(p=PALM_MIDDLE)) if last else Inertia.nothing()
        bodies.append(Body("palm" if last else f"{name}_part", bodies[-1].name, joint, inertia))
        X_PJ = np.eye(4)
    shapes = [
        PlacedShape("forearm_skin", "forearm", Capsule(FOREARM_RADIUS, 0.02), pose(p=(0, 0, 0.022)), DARK),
        PlacedShape("palm_skin", "palm", Box(PALM_SIZE), pose(p=PALM_MIDDLE), SKIN),
        PlacedShape("palm_cover", "palm", Box(COVER_SIZE), pose(p=COVER_MIDDLE), SKIN, collides=False),
    ]
    frames: list[Frame] = []
    for finger in LENGTHS:
        parts, skins, tip = _finger(finger)
        bodies, shapes, frames = bodies + parts, shapes + skins, [*frames, tip]
    return Model(
        name="parloma_hand",
        bodies=tuple(bodies),
        extra_frames=tuple(frames),
        tool="palm",
        source="Prabhu (2018), section 2.4: what moves; sizes assumed",
        notes=("all lengths, masses, limits and speeds are assumed: Prabhu gives none",),
        shapes=tuple(shapes),
    )
