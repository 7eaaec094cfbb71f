"""The catching hand: where palm, fingers and thumb are, in the hand frame (x fingers, y side, z palm normal).

Yesmunt 2014 gives breadth (93 mm), length (210 mm), masses (Table 3.2), strokes and gains; its figures of the hand are lost, so
the shapes are ours (docs/assumptions.md). The fingers' bars are in `data/*.toml`. A right hand: the thumb lies at -y, behind
the ball, so that it opposes the fingers and stays out of the ball's way in.
"""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from carpal.model import Box, Capsule, Linkage, PlacedShape, Sphere
from carpal.spatial import Array, Inertia, align_z, pose, rotation_about

Colour = tuple[float, float, float, float]
DATA = Path(__file__).parent / "data"
FINGERS = ("index", "middle", "ring", "little")
KNUCKLES = {  # [m], in the hand frame
    "index": (0.020, -0.0345, -0.006),
    "middle": (0.022, -0.0115, -0.006),
    "ring": (0.020, 0.0115, -0.006),
    "little": (0.012, 0.0345, -0.006),
}
FINGER_OPEN, FINGER_CLOSED = 0.027, 0.010
"""Length of a finger's actuator [m], appendix A."""
THUMB_OPEN, THUMB_CLOSED = -0.35, -0.75
"""Angle of the thumb [rad], appendix A."""
THUMB_P, THUMB_D = 5.0, 0.03
THUMB_AXIS = np.array([1.0, 0.0, 0.0])
THUMB_BASE, THUMB_KNEE, THUMB_TIP = (-0.046, -0.046, 0.004), (-0.046, -0.040, 0.034), (-0.044, 0.004, 0.044)  # closed
THUMB_RADII, THUMB_MASSES = (0.009, 0.008), (0.040, 0.028)
PALM_MASS, PALM_INERTIA = 0.4, (0.00026, 0.00045, 0.00068)
PALM_BOX = ((-0.016, 0.0, -0.012), (0.080, 0.093, 0.024))  # centre, full size
EYE = 0.0035  # radius of a rod's eye
HEEL = ((-0.050, -0.034, 0.004), (-0.050, 0.034, 0.004), 0.014)
RIMS = (
    ((-0.030, -0.042, 0.001), (0.012, -0.042, 0.001), 0.010),
    ((-0.030, 0.042, 0.001), (0.012, 0.042, 0.001), 0.010),
)
BALL_AIM = (0.004, 0.0, 0.0)
"""Where the ball's centre should be at the catch [m]: a little towards the fingers."""
SKIN, PAD, BONE, DRIVE = (
    (0.80, 0.82, 0.86, 1.0),
    (0.24, 0.27, 0.33, 1.0),
    (0.17, 0.42, 0.69, 1.0),
    (0.45, 0.5, 0.58, 1.0),
)


def capsule_between(
    name: str, body: str, p: ArrayLike, q: ArrayLike, radius: float, rgba: Colour, *, collides: bool = True
) -> PlacedShape:
    """A capsule whose axis runs from p (3) to q (3) [m] of the body."""
    start, end = np.asarray(p, float), np.asarray(q, float)
    length = float(np.linalg.norm(end - start))
    X = pose(align_z((end - start) / length), 0.5 * (start + end))
    return PlacedShape(name, body, Capsule(radius, length), X, rgba=rgba, collides=collides)


def palm_shapes(body: str) -> tuple[PlacedShape, ...]:
    """Palm box, heel pad and two side rims, all of which touch."""
    centre, size = PALM_BOX
    shapes = [PlacedShape("palm", body, Box(size), pose(p=centre), rgba=SKIN)]
    shapes.append(capsule_between("heel", body, HEEL[0], HEEL[1], HEEL[2], PAD))
    for side, (p, q, radius) in zip(("thumb_rim", "little_rim"), RIMS, strict=True):
        shapes.append(capsule_between(side, body, p, q, radius, PAD))
    return tuple(shapes)


def palm_inertia(com: tuple[float, float, float]) -> Inertia:
    """Table 3.2, axes along the hand's; the centre of mass (3) [m] is assumed."""
    return Inertia(PALM_MASS, np.array(com), np.diag(PALM_INERTIA))


def thumb_shapes(body: str) -> tuple[PlacedShape, ...]:
    """Both links of the thumb, in its own frame: the hand's axes at the closed angle, origin on its axis."""
    base, knee, tip = (np.array(p) - np.array(THUMB_BASE) for p in (THUMB_BASE, THUMB_KNEE, THUMB_TIP))
    return (
        capsule_between("thumb_1", body, base, knee, THUMB_RADII[0], BONE),
        capsule_between("thumb_2", body, knee, tip, THUMB_RADII[1], BONE),
    )


def thumb_inertia() -> Inertia:
    """Two solid capsules of the given masses, in the thumb's frame."""
    first, second = (
        shape.shape.inertia(mass).moved(shape.X_BS)
        for shape, mass in zip(thumb_shapes("thumb"), THUMB_MASSES, strict=True)
    )
    return first + second


def thumb_pose(angle: float) -> Array:
    """X_HT (4, 4) of the thumb's frame at an angle [rad]."""
    return pose(rotation_about(THUMB_AXIS, angle - THUMB_CLOSED), THUMB_BASE)


def finger_linkage(finger: str) -> Linkage:
    """Bars and pins of a finger; index, middle and ring share one."""
    return _linkage("little_finger.toml" if finger == "little" else "finger.toml")


@functools.cache
def _linkage(file: str) -> Linkage:
    return Linkage.from_toml(DATA / file)


def finger_pose(finger: str) -> Array:
    """X_HL (4, 4) of a finger's plane: x along the fingers, y along the palm's normal, so that flexion is positive."""
    return pose(np.column_stack([[1, 0, 0], [0, 0, 1], [0, -1, 0]]).astype(float), KNUCKLES[finger])


def phalanx_shapes(linkage: Linkage, bar_name: str, body: str) -> tuple[PlacedShape, ...]:
    """What a finger's bar looks like: a phalanx touches with the capsule from joint to joint, all else is inside."""
    bar = linkage.bars[linkage.index[bar_name]]
    flat = {key: np.array([x, y, 0.0]) for key, (x, y) in bar.points.items()}
    if not bar.phalanx:
        first, last = flat.values()
        return (capsule_between(body, body, first, last, bar.radius, DRIVE, collides=False),)
    ends = {"proximal": ("K", "P"), "middle": ("P", "D"), "distal": ("D", "T")}[bar_name]
    shapes = [capsule_between(body, body, flat[ends[0]], flat[ends[1]], bar.radius, BONE)]
    if "L" in flat:  # the tail that the actuator pulls, inside the palm
        shapes.append(capsule_between(f"{body}/tail", body, flat["K"], flat["L"], 0.003, DRIVE, collides=False))
    return tuple(shapes)


def phalanx_inertia(linkage: Linkage, bar_name: str) -> Inertia:
    """A phalanx's mass fills its capsule; a rod's sits in the eyes at its two ends."""
    bar = linkage.bars[linkage.index[bar_name]]
    assert bar.mass is not None  # the data files give all masses
    if not bar.phalanx:
        eye = Sphere(EYE).inertia(0.5 * bar.mass)
        first, second = (eye.moved(pose(p=(x, y, 0.0))) for x, y in bar.points.values())
        return first + second
    shape = phalanx_shapes(linkage, bar_name, bar_name)[0]
    return shape.shape.inertia(bar.mass).moved(shape.X_BS)
