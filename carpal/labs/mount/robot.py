"""The arm, and the cable-driven XY table that carries it.

A CoreXY table: the lower sled runs along x, the upper sled with the pedestal along y on it. With stiff cables a pulley's
inertia J acts as mass on both axes, 2 J / r^2, because theta_5^2 + theta_6^2 = 2 (x^2 + y^2) / r^2. With elastic cables the
pulleys are bodies of their own, and each cable is two tendons, its two sides, with a pretension.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.engines import Tendon
from carpal.errors import InputError
from carpal.model import STANDARD_GRAVITY, Body, Joint, Model, load, lock_joints, robots
from carpal.spatial import Array, Inertia

PULLEYS = ("pulley_5", "pulley_6")


@dataclass(frozen=True)
class Table:
    """Parameters of the table.

    Args:
        mass: pedestal and upper sled [kg].
        sled_mass: lower sled, which moves along x alone [kg].
        pulley_radius: [m].
        pulley_inertia: of each control pulley [kg m^2].
        stiffness: of a cable between its pulley and the sled, both sides together [N/m]; 0 is a stiff cable.
        cable_damping: [N s/m], both sides together.
        pretension: [N] of each side.
        damping, friction: of both slides [N s/m, N].
        tilt: about y [rad]: the table's x then points down by it.
        rail: y is locked.
        stand: stiffness [N/m] of springs along x and y that hold the arm instead of slides; 0 for none.
    """

    mass: float = 0.0
    sled_mass: float = 0.0
    pulley_radius: float = 0.02
    pulley_inertia: float = 0.0
    stiffness: float = 0.0
    cable_damping: float = 0.0
    pretension: float = 0.0
    damping: float = 0.0
    friction: float = 0.0
    tilt: float = 0.0
    rail: bool = False
    stand: float = 0.0

    @property
    def locked(self) -> tuple[str, ...]:
        """Joints of the plant that are held."""
        return ("arm/slide_y",) if self.rail else ()

    @property
    def gravity(self) -> Array:
        """Gravity (3) [m/s^2] in the table's axes."""
        g = -STANDARD_GRAVITY[2]
        return np.array([g * np.sin(self.tilt), 0.0, -g * np.cos(self.tilt)])

    @property
    def added_mass(self) -> float:
        """What the pulleys' inertia adds on each axis [kg]."""
        return 2 * self.pulley_inertia / self.pulley_radius**2


def arm_model(robot: str, gravity: Array, *, tool: str = "", inertia: str = "published") -> Model:
    """The arm alone, on a mount that does not move; joints that do not move its tool (a gripper's) are locked at home.

    Args:
        robot: a name, or a robot file, which is read in a capped child process.
        gravity: (3) [m/s^2] in the mount's axes.
        tool: its tool frame; "" is the robot's own.
        inertia: "published" or "assumed", of a robot of the catalogue.
    """
    known = robot in robots()
    if inertia == "assumed" and not known:
        raise InputError(
            f"only robots of the catalogue have assumed inertias; '{robot}' is none of {', '.join(robots())}."
        )
    options = {"inertia": "assumed"} if inertia == "assumed" else {}
    arm = load(robot, untrusted=not known, tool=tool or None, **options)
    moving = [arm.joint_names[row - 1] for row in arm.tables.chains[arm.frame_index(None)]]
    if not moving:
        raise InputError(
            f"no joint of '{robot}' moves its tool '{arm.tool}'; choose another: {', '.join(arm.frames[:20])}."
        )
    arm = lock_joints(arm, [name for name in arm.joint_names if name not in moving])
    arm.require_inertia()
    if arm.nq != arm.nv:
        raise InputError(f"mount needs an arm of revolute and prismatic joints; '{robot}' has a ball or a free joint.")
    if arm.is_constrained:
        names = [*(c.name for c in arm.couplings), *(loop.name for loop in arm.loops)]
        raise InputError(f"mount needs an arm whose joints move freely; in '{robot}' {', '.join(names[:4])} ties them.")
    return arm.replace(gravity=gravity)


def pulleys(table: Table) -> tuple[Body, ...]:
    """The control pulleys as bodies; none with stiff cables."""
    if not table.stiffness:
        return ()
    return tuple(
        Body(name, None, Joint(name, "revolute", armature=table.pulley_inertia), Inertia.nothing()) for name in PULLEYS
    )


def cables(table: Table) -> tuple[Tendon, ...]:
    """Both sides of both cables as tendons, none with stiff cables; pulley 5 pulls -x and +y, pulley 6 +x and +y (4.33)."""
    if not table.stiffness:
        return ()
    made = []
    for pulley, (cx, cy) in zip(PULLEYS, ((-1.0, 1.0), (1.0, 1.0)), strict=True):
        # a side lengthens when the pulley winds it up faster than the sled follows: r theta - (cx x + cy y)
        for side, sign in (("pulling", 1.0), ("returning", -1.0)):
            joints = {pulley: sign * table.pulley_radius, "arm/slide_x": -sign * cx, "arm/slide_y": -sign * cy}
            made.append(
                Tendon(f"{pulley}, {side} side", joints, table.stiffness / 2, table.cable_damping / 2, table.pretension)
            )
    return tuple(made)
