"""The communication relay ("Brick") of Leutenegger 2008: published data and assumed dimensions.

Published: 0.49 kg, 0.52 m to the antenna's tip, two flaps, one with a knob, one with a hole of 25.4 mm, d / e = 4.036 (19.4 N on
the lower blade with the relay held level, 4.5). All else is assumed and listed in docs/assumptions.md. Its frame O stands on the
ground under the middle of the body: x along the flap with the knob, z up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from carpal.errors import InputError
from carpal.model import Box, ConvexMesh, Cylinder, PlacedShape, Shape
from carpal.perception import MarkLayout
from carpal.spatial import Array, Inertia, pose, rotation_about

LEVER_RATIO = 19.4 / (0.49 * 9.81)  # d / e = 4.036


@dataclass(frozen=True)
class Relay:
    """Dimensions and mass of the relay [m, kg, rad]; the defaults are assumed except where noted.

    Args:
        mass, height, hole: published.
        body: full size of the body (x, y, z).
        flap_width, flap_thickness: of both flaps, which stick out along +x (knob) and -x (hole) as far as the plunger.
        flap_height: of a flap's upper side above the ground.
        e: distance of the lower blade's contact from the gripper's axis; the centre of mass is d = 4.036 e from it.
        c: depth of the centre of mass below the flap's upper side.
        b: distance of the two contacts with the upper blade.
        plunger, flap_gap: radius of the gripper's plunger, and the play between it and the flap's end.
        knob: distance of the knob from the body's middle, its radius and its height.
        antenna: foot of the antenna (x, y) on the body.
        antenna_radius, antenna_angle: half angle of the cone in which the antenna may stand.
        mark_near, mark_far: (x, half width) of the two marks next to the body and of the two far ones.
        mark_radius: of the painted marks.
    """

    mass: float = 0.49
    height: float = 0.52
    hole: float = 0.0254
    body: tuple[float, float, float] = (0.070, 0.120, 0.060)
    flap_width: float = 0.160
    flap_thickness: float = 0.003
    flap_height: float = 0.048
    e: float = 0.030
    c: float = 0.015
    b: float = 0.150
    plunger: float = 0.005
    flap_gap: float = 0.002
    knob: tuple[float, float, float] = (0.086, 0.008, 0.006)
    antenna: tuple[float, float] = (0.0, 0.030)
    antenna_radius: float = 0.003
    antenna_angle: float = math.radians(8.0)
    mark_near: tuple[float, float] = (0.054, 0.060)
    mark_far: tuple[float, float] = (0.098, 0.046)
    mark_radius: float = 0.005

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not np.isfinite(value).all() or (np.ndim(value) == 0 and value <= 0):
                raise InputError(f"{name} of the relay must be finite and above zero; got {value!r}.")
        if self.flap_length <= 0:
            raise InputError(
                f"the gripper's axis, d = {self.d:.4f} m from the centre of mass, must lie beyond the body's side and the "
                f"plunger ({self.body[0] / 2 + self.plunger + self.flap_gap:.4f} m); make e larger or the body smaller."
            )

    @property
    def flap_length(self) -> float:
        """From the body to the plunger on the gripper's axis [m]."""
        return self.d - self.plunger - self.flap_gap - self.body[0] / 2

    @property
    def d(self) -> float:
        """Distance of the centre of mass from the gripper's axis [m]."""
        return LEVER_RATIO * self.e

    @property
    def grip_point(self) -> Array:
        """Where the gripper's axis meets the plane of the flap's upper side (3), in O."""
        return np.array([self.d, 0.0, self.flap_height])

    @property
    def knob_foot(self) -> Array:
        """(3) in O."""
        return np.array([self.knob[0], 0.0, self.flap_height])

    @property
    def centre_of_mass(self) -> Array:
        """(3) in O: above the origin, c below the flap."""
        return np.array([0.0, 0.0, self.flap_height - self.c])

    @property
    def marks(self) -> MarkLayout:
        """Four marks on the flap with the knob, counter-clockwise from above, beginning on the antenna's side."""
        (xn, yn), (xf, yf), z = self.mark_near, self.mark_far, self.flap_height
        return MarkLayout(np.array([[xn, yn, z], [xn, -yn, z], [xf, -yf, z], [xf, yf, z]]), self.mark_radius)

    @property
    def inertia(self) -> Inertia:
        """Inertia of a solid box with nine tenths of the mass and a rod (the antenna) with one tenth.

        The centre of mass is placed as d and c require.
        """
        x, y, z = self.body
        long = self.height - z
        rod = np.diag([long**2 / 12, long**2 / 12, 1e-6]) * 0.1 * self.mass
        box = np.diag([y * y + z * z, x * x + z * z, x * x + y * y]) / 12 * 0.9 * self.mass
        arm = np.array([*self.antenna, z + long / 2]) - self.centre_of_mass
        away = 0.1 * self.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
        return Inertia(self.mass, self.centre_of_mass, box + rod + away)

    def pieces(self, body: str | None, *, margin: float = 0.0, knob_flap: bool = True) -> list[PlacedShape]:
        """Convex collision pieces on a body, in its frame O.

        Args:
            body: name of the body that carries them; None for shapes that stand in the world.
            margin: added to the flaps' thickness on either side [m], for the blade's deflection.
            knob_flap: False leaves out the flap and knob that are in the gripper.
        """
        x, y, z = self.body
        thick = self.flap_thickness + 2 * margin
        middle = self.flap_height - self.flap_thickness / 2
        out = (x + self.flap_length) / 2
        size = (self.flap_length, self.flap_width, thick)
        parts: list[tuple[str, Shape, Array]] = [("relay_body", Box((x, y, z)), pose(p=[0, 0, z / 2]))]
        if knob_flap:
            parts.append(("relay_knob_flap", Box(size), pose(p=[out, 0, middle])))
            _, radius, high = self.knob
            parts.append(("relay_knob", Cylinder(radius, high), pose(p=self.knob_foot + np.array([0, 0, high / 2]))))
        # the hole is filled: a convex piece cannot have one, and nothing is meant to pass through it
        parts.append(("relay_hole_flap", Box(size), pose(p=[-out, 0, middle])))
        parts.append(("relay_antenna", ConvexMesh(self.antenna_sector()), np.eye(4)))
        return [PlacedShape(name, body, shape, X) for name, shape, X in parts]

    def antenna_sector(self, sides: int = 12) -> Array:
        """Corners (n, 3) of the hull of every place where the antenna may be: a cone, widened by the antenna's radius."""
        foot = np.array([*self.antenna, self.body[2]])
        long = self.height - self.body[2]
        angles = 2 * np.pi * np.arange(sides) / sides
        ring = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(sides)]) / np.cos(np.pi / sides)
        tilt = self.antenna_angle
        rim = foot + ring * (long * math.sin(tilt) + self.antenna_radius) + [0, 0, long * math.cos(tilt)]
        # a ring above the rim holds the cap that tips of every lean describe
        return np.concatenate(
            [foot + ring * self.antenna_radius, rim, rim + np.array([0, 0, long * (1.0 - math.cos(tilt))])]
        )


RELAY = Relay()


def relay_pose(x: float, y: float, yaw: float) -> Array:
    """X_WO of a relay that stands on the ground at (x, y) [m], its knob's flap turned by yaw [rad] from the x axis."""
    if not np.isfinite([x, y, yaw]).all():
        raise InputError(f"the relay's x, y and yaw must be finite; got {x}, {y}, {yaw}.")
    return pose(rotation_about(np.array([0.0, 0.0, 1.0]), yaw), (x, y, 0.0))
