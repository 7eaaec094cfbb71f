"""What the catcher is, described once: arm, palm, fingers and thumb as the bodies of a tree, their shapes, and their couplings.

`mechanism.py` makes free bodies and stiff joints of it for the penalty engine, `scene.py` adds the ball and the bin, and
`mujoco_plant.py` writes MJCF. Shoulder link 1 is the fixed base, link i + 1 moves with joint i (erratum E27), centres of mass
lie part of the way to the next joint. Joint angles are those of the catalogue's `catcher_arm`. In the tree a finger's rods ride
on the phalanx beside which they lie (docs/assumptions.md); `coupled_angles` gives its joints on the linkage's exact curve.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import ArrayLike

from carpal.labs.catch.catcher_numbers import CatcherNumbers
from carpal.labs.catch.hand_geometry import (
    FINGER_CLOSED,
    FINGER_OPEN,
    FINGERS,
    SKIN,
    THUMB_AXIS,
    THUMB_BASE,
    THUMB_CLOSED,
    capsule_between,
    finger_linkage,
    finger_pose,
    palm_inertia,
    palm_shapes,
    phalanx_inertia,
    phalanx_shapes,
    thumb_inertia,
    thumb_shapes,
)
from carpal.model import Body, Frame, Joint, Model, PlacedShape, load, real_array
from carpal.spatial import Array, Inertia, inverse, pose, rotation_from_wxyz

ARM = "catcher_arm"
LINKS = ("shoulder_link_2", "shoulder_link_3", "upper_arm", "elbow_link", "forearm", "palm")
"""Bodies that joints 1 to 6 move."""
RADII = (0.035, 0.03, 0.028, 0.026, 0.024)
COM_SHARE = 0.5  # of the catalogue's arm
PHALANGES = {"proximal": "P", "middle": "D", "distal": "T"}
"""Bars of a finger that are phalanges, and the point at the far end of each."""
BESIDE = {"proximal": "rod", "middle": "rod2"}
"""Phalanx, and the rod that lies beside it."""
STOPS_DEG = (10.0, 111.0)
"""Angles of the proximal phalanx at its stops."""
DEGREE = 4
"""Of the polynomials that couple a finger's joints in MuJoCo, the highest that it takes."""


@functools.cache
def arm_model() -> Model:
    """`catcher_arm`, built once: thousands of throws are planned with it."""
    return load(ARM)


@functools.cache
def arm_joints() -> tuple[Body, ...]:
    """The six moving bodies without inertia; the catalogue's fixed rows are folded into the bodies before them."""
    found: list[Body] = []
    carried: dict[str | None, tuple[str | None, Array]] = {None: (None, np.eye(4))}  # X of a body in the moving one
    for body in arm_model().bodies:
        parent, X_AP = carried[body.parent]
        joint, X_AJ = body.joint, X_AP @ body.joint.X_PJ
        if joint.kind == "fixed":
            carried[body.name] = (parent, X_AJ @ joint.X_JB)
        else:
            child = LINKS[len(found)]
            moving = Joint(joint.name, "revolute", X_PJ=X_AJ, axis=joint.axis, X_JB=joint.X_JB)
            found.append(Body(child, parent, moving))
            carried[body.name] = (child, np.eye(4))
    return tuple(found)


def arm_bodies(numbers: CatcherNumbers) -> list[Body]:
    """Five links and the palm."""
    moving = [body for body in arm_model().bodies if body.joint.kind != "fixed"]
    inertias = [*(_link_inertia(body, numbers.com_share) for body in moving[:-1]), palm_inertia(numbers.palm_com)]
    return [
        Body(body.name, body.parent, body.joint, inertia)
        for body, inertia in zip(arm_joints(), inertias, strict=True)
    ]  # fmt: skip


def arm_shapes() -> dict[str, tuple[PlacedShape, ...]]:
    """Shapes of each link, to look at, and of the palm: the ball meets the hand alone."""
    joints, shapes = arm_joints(), {"palm": palm_shapes("palm")}
    for body, after, radius in zip(joints[:-1], joints[1:], RADII, strict=True):
        start, end = inverse(body.joint.X_JB)[:3, 3], after.joint.X_PJ[:3, 3]
        shapes[body.name] = (capsule_between(body.name, body.name, start, end, radius, SKIN, collides=False),)
    return shapes


def thumb_body() -> Body:
    """The thumb, whose frame has the hand's axes at the closed angle."""
    half = -0.5 * THUMB_CLOSED
    back = pose(rotation_from_wxyz(np.r_[np.cos(half), np.sin(half) * THUMB_AXIS]))
    return Body(
        "thumb",
        "palm",
        Joint("thumb", "revolute", X_PJ=pose(p=THUMB_BASE), axis=THUMB_AXIS, X_JB=back),
        thumb_inertia(),
    )


def finger_bodies(finger: str, stops: bool) -> list[Body]:
    """The three phalanges of a finger; the proximal one has limits where there are `stops`."""
    linkage = finger_linkage(finger)
    middle = linkage.curve().poses(0.5 * (FINGER_OPEN + FINGER_CLOSED))
    made, before, X_PJ = [], "palm", finger_pose(finger)
    for bar, end in PHALANGES.items():
        inertia = phalanx_inertia(linkage, bar)
        if bar in BESIDE:  # as it lies in mid-stroke
            X = inverse(_flat(middle[linkage.index[bar]])) @ _flat(middle[linkage.index[BESIDE[bar]]])
            inertia = inertia + phalanx_inertia(linkage, BESIDE[bar]).moved(X)
        name = f"{finger}/{bar}"
        low, high = np.radians(STOPS_DEG) if bar == "proximal" and stops else (-np.inf, np.inf)
        made.append(Body(name, before, Joint(name, "revolute", X_PJ=X_PJ, q_min=low, q_max=high), inertia))
        before, X_PJ = name, pose(p=(*linkage.bars[linkage.index[bar]].points[end], 0.0))
    return made


def robot_bodies(numbers: CatcherNumbers) -> list[Body]:
    """All bodies of the tree: arm, palm, phalanges, thumb."""
    fingers = [body for finger in FINGERS for body in finger_bodies(finger, numbers.stop_stiffness > 0)]
    return [*arm_bodies(numbers), *fingers, thumb_body()]


def robot_shapes() -> list[PlacedShape]:
    """All shapes of the tree, in the order of its bodies."""
    arm = arm_shapes()
    shapes = [shape for link in LINKS for shape in arm[link]]
    for finger in FINGERS:
        shapes += [s for bar in PHALANGES for s in phalanx_shapes(finger_linkage(finger), bar, f"{finger}/{bar}")]
    return [*shapes, *thumb_shapes("thumb")]


def actuator_ends(finger: str) -> list[Frame]:
    """Frames `<finger>/M` on the palm and `<finger>/L` on the proximal phalanx, between which the actuator pulls."""
    linkage = finger_linkage(finger)
    M, L = (linkage.point(place)[1] for place in linkage.push_points())
    at = pose(p=(finger_pose(finger) @ [*M, 0.0, 1.0])[:3])
    return [Frame(f"{finger}/M", "palm", at), Frame(f"{finger}/L", f"{finger}/proximal", pose(p=(*L, 0.0)))]


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


def _flat(row: Array) -> Array:
    c, s = np.cos(row[2]), np.sin(row[2])
    return pose(np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), (row[0], row[1], 0.0))


def _link_inertia(body: Body, share: float) -> Inertia:
    """The catalogue's inertia with the centre of mass at another share of the way."""
    assert body.inertia is not None  # the catalogue's arm has masses
    joint = inverse(body.joint.X_JB)[:3, 3]
    com = joint + (share / COM_SHARE) * (body.inertia.com - joint)
    return Inertia(body.inertia.mass, com, body.inertia.about_com)
