"""Every number of the catcher that can be chosen or had to be assumed; docs/assumptions.md lists them with their effect."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.engines import ContactLaw
from carpal.errors import InputError
from carpal.spatial import Array

THESIS_P, THESIS_D = (1200.0, 1000.0, 1500.0, 1000.0, 600.0, 500.0), (5.0, 3.0, 5.0, 3.0, 2.0, 2.0)
"""Table 5.2 [N m/rad, N m s/rad] (its printed units are wrong: E10)."""
AREA = 1e-4
"""[m^2] that a contact stands for: it turns numbers of a contact into the engine's per area and cancels out."""
AIR_DENSITY = 1.2
"""[kg/m^3], as erratum E17 has it."""
BALL_NUMBERS = ("ball_mass", "ball_radius", "friction", "drag")
LARGEST_BALL = 0.035
"""[m] largest radius that the closing hand was seen to hold (15 to 35 mm were tried)."""


@dataclass(frozen=True)
class CatcherNumbers:
    """What the catcher is made of.

    Args:
        com_share: a link's centre of mass as a share of the way to its next joint.
        palm_com: centre of mass of the palm (3) [m] in the hand frame.
        arm_P, arm_D: gains (6) of the arm's actuators [N m/rad, N m s/rad].
        torque_limit: of each arm actuator [N m].
        arm_span: distance of the two points of each arm hinge [m].
        joint_rate: circular frequency [rad/s] at which every joint's spring holds its own two bodies; see `joint_rule`.
        joint_damping: damping ratio of the same.
        spring_scale: factor on the springs of the fingers' middle joints.
        contact_stiffness, contact_damping: k, c of a contact [N/m, N s/m].
        separation: share of the damping while separating.
        friction: mu of every contact.
        tangential: stiffness of the asperities [N/m].
        slip_speed: [m/s] at which their velocity element reaches mu N.
        ball_mass, ball_radius: [kg, m].
        drag: the ball's drag coefficient Cd; a smooth sphere's is 0.47, the thesis has none (erratum E17).
        bin_rim: centre (3) [m] of the bin's opening.
        bin_size: opening along x and z, depth along y [m].
        stop_stiffness: of the fingers' stops [N/m], which act 12 mm from the knuckle; 0 leaves them out.
    """

    com_share: float = 0.5
    palm_com: tuple[float, float, float] = (-0.0475, 0.0, -0.010)
    arm_P: tuple[float, ...] = THESIS_P
    arm_D: tuple[float, ...] = THESIS_D
    torque_limit: float = np.inf
    arm_span: float = 0.06
    joint_rate: float = 2.8e4
    joint_damping: float = 0.2
    spring_scale: float = 1.0
    contact_stiffness: float = 5e4
    contact_damping: float = 77.5
    separation: float = 1.0
    friction: float = 0.3
    tangential: float = 2e4
    slip_speed: float = 0.1
    ball_mass: float = 0.12
    ball_radius: float = 0.025
    drag: float = 0.0
    bin_rim: tuple[float, float, float] = (0.27, -0.60, -0.34)
    bin_size: tuple[float, float, float] = (0.20, 0.20, 0.15)
    stop_stiffness: float = 7e4

    def __post_init__(self) -> None:
        least_zero = (
            "joint_damping",
            "spring_scale",
            "contact_damping",
            "friction",
            "tangential",
            "stop_stiffness",
            "drag",
        )
        for item in dataclasses.fields(self):
            value = getattr(self, item.name)
            if value is item.default:  # a campaign makes one of these for each of its balls
                continue
            wanted = len(item.default) if isinstance(item.default, tuple) else 0
            array = np.asarray(value)
            if array.dtype.kind not in "iuf" or array.shape != ((wanted,) if wanted else ()) or np.isnan(array).any():
                what = f"{wanted} numbers" if wanted else "a number"
                raise InputError(f"{item.name} of the catcher must be {what}; got {value!r:.60}.")
            if wanted:
                object.__setattr__(self, item.name, tuple(float(each) for each in array))
            elif item.name in least_zero:
                self._need(item.name, 0.0 <= value < np.inf, "zero or above")
            elif item.name in ("com_share", "separation"):
                self._need(item.name, 0.0 <= value <= 1.0, "from 0 to 1")
            else:
                self._need(item.name, value > 0.0, "above zero")
        for name in ("arm_P", "arm_D", "bin_size"):
            self._need(name, min(getattr(self, name)) > 0, "all above zero")
        if self.ball_radius > LARGEST_BALL:
            raise InputError(
                f"a ball of radius {1000 * self.ball_radius:g} mm is bigger than the hand can hold; at most "
                f"{1000 * LARGEST_BALL:g} mm."
            )

    def _need(self, name: str, good: bool, allowed: str) -> None:
        if not good:
            raise InputError(f"{name} of the catcher must be {allowed}; got {getattr(self, name)!r:.60}.")

    @property
    def ball(self) -> Array:
        """The ball's row (5) of the kernels: mass, moment of inertia, radius, friction, drag [kg, kg m^2, m, -, kg/m]."""
        m, r = self.ball_mass, self.ball_radius
        return np.array([m, 0.4 * m * r**2, r, self.friction, 0.5 * AIR_DENSITY * self.drag * np.pi * r**2])

    @property
    def with_standard_ball(self) -> CatcherNumbers:
        """The same catcher with the ball of the defaults: what catches of different balls have in common."""
        standard: dict[str, Any] = {f.name: f.default for f in dataclasses.fields(self) if f.name in BALL_NUMBERS}
        return dataclasses.replace(self, **standard)

    @property
    def air_rate(self) -> float:
        """Rate k [1/m] of the ball's deceleration k |v| v in air."""
        return float(self.ball[4] / self.ball_mass)

    @property
    def contact_law(self) -> ContactLaw:
        """The engine's law, whose numbers are per area."""
        return ContactLaw(
            stiffness=self.contact_stiffness / AREA, damping=self.contact_damping / AREA, separation=self.separation,
            friction=self.friction, tangential=self.tangential / AREA, slip_speed=self.slip_speed, area=AREA,
        )  # fmt: skip
