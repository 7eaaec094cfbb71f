"""The K10 arm with Leutenegger's axisymmetric gripper: bars, motor, fixed upper blade, plunger, moving lower blade.

Published (2008): the bars' section, the stroke of 50 mm, the motor's mass of 39 g; all other dimensions are assumed
(docs/assumptions.md). Its axis is the wrist's x axis: the arm has no roll joint, and the gripper needs none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from carpal.errors import InputError
from carpal.model import Body, Box, Capsule, Cylinder, Joint, Model, PlacedShape, load
from carpal.spatial import Array, pose, rotation_about

ALONG_X = rotation_about(np.array([0.0, 1.0, 0.0]), np.pi / 2)
STROKE, SPEED = 0.050, 0.005  # of the actuator [m, m/s]
BLADE_MASS = 0.040  # assumed [kg]

# assumed: link, name, radius, length of the capsule [m], its middle [m], whether it lies along x
ARM_PARTS = (
    ("waist_link", "waist", 0.045, 0.03, (0.0, 0.0, 0.080), False),
    ("shoulder_link", "upper_arm", 0.030, 0.325, (0.1625, 0.0, 0.0), True),
    ("elbow_link", "forearm", 0.025, 0.311, (0.1555, 0.0, 0.0692), True),
)


@dataclass(frozen=True)
class GripperParts:
    """Numbers of the gripper, along the wrist's x axis [m].

    Args:
        plane: from the wrist to the lower face of the upper blade, where the flap lies.
        blade_radius, upper_thickness, lower_thickness: of the two round blades.
        plunger: radius of the actuator's rod.
        bar: section of each aluminium bar (published) and the bars' distance from the axis.
        motor: length, width and height of the actuator's body.
    """

    plane: float = 0.140
    blade_radius: float = 0.080
    upper_thickness: float = 0.008
    lower_thickness: float = 0.006
    plunger: float = 0.005
    bar: tuple[float, float, float] = (0.00635, 0.0254, 0.020)
    motor: tuple[float, float, float] = (0.102, 0.018, 0.015)

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not np.isfinite(value).all() or np.min(value) <= 0:
                raise InputError(f"{name} of the gripper must be finite and above zero; got {value!r}.")

    def fixed_pieces(self) -> list[PlacedShape]:
        """Convex pieces on the wrist."""
        thin, wide, off = self.bar
        long = self.plane - self.upper_thickness
        length, width, height = self.motor
        return [
            PlacedShape("bar_left", "wrist_link", Box((long, thin, wide)), pose(p=[long / 2, off, 0])),
            PlacedShape("bar_right", "wrist_link", Box((long, thin, wide)), pose(p=[long / 2, -off, 0])),
            PlacedShape("gripper_motor", "wrist_link", Box((length, width, height)), pose(p=[long - length / 2, 0, 0])),
            PlacedShape(
                "upper_blade", "wrist_link", Cylinder(self.blade_radius, self.upper_thickness),
                pose(ALONG_X, (self.plane - self.upper_thickness / 2, 0, 0)),
            ),
        ]  # fmt: skip

    def moving_pieces(self, body: str, at: float, opening: float, *, margin: float = 0.0) -> list[PlacedShape]:
        """Plunger and lower blade on a body.

        Args:
            body: which carries them.
            at: distance of the upper blade's lower face from that body's origin, along x.
            opening: between the blades [m]; for a moving body the plunger is drawn as long as at that opening.
            margin: by which the lower blade is thickened on its outer side, for its deflection.
        """
        thick = self.lower_thickness + margin
        rod = opening + self.lower_thickness
        blade = pose(ALONG_X, (at + opening + thick / 2, 0, 0))
        return [
            PlacedShape("plunger", body, Cylinder(self.plunger, rod), pose(ALONG_X, (at + rod / 2, 0, 0))),
            PlacedShape("lower_blade", body, Cylinder(self.blade_radius, thick), blade),
        ]

    def X_TG(self, X_WT: Array | None = None) -> Array:
        """The gripper's frame G in the tool frame: z along the pointing axis, origin in the plane of the flap; or X_WG."""
        X = pose(np.array([[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]]), (self.plane, 0, 0))
        return X if X_WT is None else X_WT @ X


GRIPPER = GripperParts()


def gripper_arm(
    opening: float = 0.035, parts: GripperParts = GRIPPER, *, mounting: str = "upside_down", moving: bool = False,
    margin: float = 0.0, inertia: str | None = None,
) -> Model:  # fmt: skip
    """The K10 arm with its gripper and collision pieces.

    Args:
        opening: between the blades [m], 0 to the stroke of 0.05 m; of a moving gripper the one at home.
        parts: the gripper's numbers.
        mounting: of the arm, as of `load("k10")`.
        moving: adds the gripper's prismatic joint as sixth coordinate; otherwise the opening is fixed.
        margin: by which the lower blade is thickened [m], for example `blade_deflection(force)`.
        inertia: as of `load("k10")`.
    """
    if not (isinstance(opening, int | float) and math.isfinite(opening) and 0 <= opening <= STROKE):
        raise InputError(f"opening of the gripper must lie in 0 to {STROKE} m; got {opening!r}.")
    if not (math.isfinite(margin) and margin >= 0):
        raise InputError(f"margin of the gripper must be zero or above [m]; got {margin!r}.")
    arm = load("k10", mounting=mounting, inertia=inertia)
    shapes = [PlacedShape("mount", "base", Box((0.12, 0.12, 0.06)), pose(p=[0, 0, -0.03]))]
    for link, name, radius, length, middle, along in ARM_PARTS:
        shapes.append(PlacedShape(name, link, Capsule(radius, length), pose(ALONG_X if along else None, middle)))
    shapes += parts.fixed_pieces()
    # the blade is on a body of its own, so that a plan can move it or leave it out
    start, axis = pose(p=[parts.plane, 0, 0]), np.array([1.0, 0.0, 0.0])
    if moving:
        joint = Joint("gripper", "prismatic", X_PJ=start, axis=axis, q_min=0.0, q_max=STROKE, v_max=SPEED)
    else:
        joint = Joint("gripper", X_PJ=start)
    weight = Cylinder(parts.blade_radius, parts.lower_thickness).inertia(BLADE_MASS) if inertia else None
    blade = Body("blade_link", "wrist_link", joint, weight)
    shapes += parts.moving_pieces("blade_link", -opening if moving else 0.0, opening, margin=margin)
    near = [("forearm", name) for name in ("bar_left", "bar_right", "gripper_motor")] + [("mount", "upper_arm")]
    home = np.append(np.asarray(arm.q_home), opening) if moving else arm.q_home
    return arm.replace(bodies=(*arm.bodies, blade), shapes=tuple(shapes), exclusions=tuple(near), q_home=home)
