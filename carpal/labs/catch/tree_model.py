"""The catcher as a tree Model in joint coordinates: arm, palm, phalanges, thumb and ball.

What the penalty mechanism holds by rods is here left to whoever moves it: `coupled_angles` are the phalanges' angles on the
linkages' exact curves. The rods' masses ride on the phalanx beside which they lie (docs/assumptions.md).
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import ArrayLike

from carpal.labs.catch.arm_bodies import ARM, arm_joints
from carpal.labs.catch.catcher_numbers import CatcherNumbers
from carpal.labs.catch.hand_bodies import STOPS_DEG
from carpal.labs.catch.hand_geometry import (
    FINGER_CLOSED,
    FINGER_OPEN,
    FINGERS,
    THUMB_AXIS,
    THUMB_BASE,
    THUMB_CLOSED,
    finger_linkage,
    finger_pose,
    phalanx_inertia,
)
from carpal.labs.catch.plant import GRAVITY, catcher, hand_command
from carpal.model import Body, Frame, Joint, Model, PlacedShape, load, real_array
from carpal.spatial import Array, inverse, pose, rotation_from_wxyz, wxyz_from_rotation

PHALANGES = ("proximal", "middle", "distal")
BESIDE = {"rod": "proximal", "rod2": "middle"}
DEGREE = 4
"""Of the polynomials that couple a finger's joints in MuJoCo, the highest that it takes."""


def coupled_angles(finger: str, length: ArrayLike) -> Array:
    """Angles (*batch, 3) [rad] of a finger's three joints, palm first, at lengths (*batch) [m] of its actuator."""
    curve = finger_linkage(finger).curve()
    angles = np.stack([curve.angle(bar, real_array(length, "length")) for bar in PHALANGES], -1)
    return np.diff(angles, axis=-1, prepend=0.0)


@functools.cache
def coupling(finger: str) -> tuple[tuple[Array, Array], float]:
    """Coefficients, lowest first, of middle and distal angle against the proximal one, and their largest error [rad]."""
    angles = coupled_angles(finger, np.linspace(FINGER_OPEN, FINGER_CLOSED, 200))
    fits, worst = [], 0.0
    for joint in (1, 2):
        fit = np.polynomial.Polynomial.fit(angles[:, 0], angles[:, joint], DEGREE).convert()
        worst = max(worst, float(np.abs(fit(angles[:, 0]) - angles[:, joint]).max()))
        fits.append(np.asarray(fit.coef, float))
    return (fits[0], fits[1]), worst


def catcher_tree(
    q: ArrayLike | None = None,
    ball_position: ArrayLike = (0.0, -5.0, 0.0),
    *,
    closed: bool = False,
    numbers: CatcherNumbers | None = None,
) -> Model:
    """The same catcher as `catcher(...)`, as a tree; its home is that assembly. The bin stands in the world.

    Joints: the arm's six by their own names, `<finger>/<phalanx>`, `thumb`, and the free `ball`.
    """
    mechanism = catcher(q, ball_position, closed=closed, numbers=numbers)
    parts = {body.name: body for body in mechanism.bodies}
    angles = np.asarray(load(ARM).q_home if q is None else q, float)
    bodies: list[Body] = []
    frames: list[Frame] = []
    shapes: list[PlacedShape] = [*mechanism.fixed]
    home = [angles]
    for joint in arm_joints(load(ARM)):
        moving = Joint(joint.name, "revolute", X_PJ=joint.X_AJ, axis=joint.axis, X_JB=joint.X_JB)
        bodies.append(Body(joint.child, joint.parent, moving, parts[joint.child].inertia))
        shapes += parts[joint.child].shapes
    digits = hand_command(closed)
    stops = (numbers or CatcherNumbers()).stop_stiffness > 0
    for finger, length in zip(FINGERS, digits, strict=False):
        bodies += _finger_bodies(finger, stops)
        shapes += [shape for bar in PHALANGES for shape in parts[f"{finger}/{bar}"].shapes]
        frames += _actuator_ends(finger)
        home.append(coupled_angles(finger, length))
    swing = Joint("thumb", "revolute", X_PJ=pose(p=THUMB_BASE), axis=THUMB_AXIS, X_JB=_turn_back())
    bodies.append(Body("thumb", "palm", swing, parts["thumb"].inertia))
    shapes += parts["thumb"].shapes
    home.append(digits[-1:])
    ball = parts["ball"]
    bodies.append(Body("ball", None, Joint("ball", "free"), ball.inertia))
    shapes += ball.shapes
    home += [ball.X_WB[:3, 3], wxyz_from_rotation(ball.X_WB[:3, :3])]
    return Model(
        "catcher", tuple(bodies), tuple(frames), tool="palm", gravity=GRAVITY, q_home=np.concatenate(home),
        shapes=tuple(shapes), source="thesis 1 (Yesmunt 2014); the hand's shapes are ours",
    )  # fmt: skip


def _turn_back() -> Array:
    """X_JB of the thumb, whose frame has the hand's axes at the closed angle."""
    half = -0.5 * THUMB_CLOSED
    return pose(rotation_from_wxyz(np.r_[np.cos(half), np.sin(half) * THUMB_AXIS]))


def _finger_bodies(finger: str, stops: bool) -> list[Body]:
    linkage = finger_linkage(finger)
    middle = linkage.curve().poses(0.5 * (FINGER_OPEN + FINGER_CLOSED))
    made, before = [], "palm"
    X_PJ = finger_pose(finger)
    for bar in PHALANGES:
        inertia = phalanx_inertia(linkage, bar)
        for rod, phalanx in BESIDE.items():
            if phalanx == bar:  # as it lies in mid-stroke
                X = inverse(_flat(middle[linkage.index[bar]])) @ _flat(middle[linkage.index[rod]])
                inertia = inertia + phalanx_inertia(linkage, rod).moved(X)
        name = f"{finger}/{bar}"
        low, high = np.radians(STOPS_DEG) if bar == "proximal" and stops else (-np.inf, np.inf)
        made.append(Body(name, before, Joint(name, "revolute", X_PJ=X_PJ, q_min=low, q_max=high), inertia))
        before = name
        end = {"proximal": "P", "middle": "D", "distal": "T"}[bar]
        X_PJ = pose(p=(*linkage.bars[linkage.index[bar]].points[end], 0.0))
    return made


def _flat(row: Array) -> Array:
    c, s = np.cos(row[2]), np.sin(row[2])
    return pose(np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), (row[0], row[1], 0.0))


def _actuator_ends(finger: str) -> list[Frame]:
    """Frames `<finger>/M` on the palm and `<finger>/L` on the proximal phalanx, between which the actuator pulls."""
    linkage = finger_linkage(finger)
    M, L = (linkage.point(place)[1] for place in linkage.push_points())
    at = pose(p=(finger_pose(finger) @ [*M, 0.0, 1.0])[:3])
    return [Frame(f"{finger}/M", "palm", at), Frame(f"{finger}/L", f"{finger}/proximal", pose(p=(*L, 0.0)))]
