"""The mount's plant as one Model: sleds, pedestal, arm, and where cables stretch also the pulleys.

A CoreXY table: the lower sled runs along x, the upper one with the pedestal along y on it. With stiff cables a pulley's
inertia J is just mass on both axes, 2 J / r^2, because theta_5^2 + theta_6^2 = 2 (x^2 + y^2) / r^2. With elastic ones the
pulleys turn on their own, and each cable is two tendons, its two sides, with a pretension.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from carpal.engines import RigidEngine, Tendon
from carpal.errors import InputError
from carpal.model import STANDARD_GRAVITY, Body, Joint, Model, Scene, load
from carpal.spatial import Array, Inertia

PULLEYS = ("pulley_5", "pulley_6")


@dataclass(frozen=True)
class Table:
    """The table's figures.

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

    @property
    def gravity(self) -> Array:
        """Gravity (3) [m/s^2] in the table's axes."""
        g = -STANDARD_GRAVITY[2]
        return np.array([g * np.sin(self.tilt), 0.0, -g * np.cos(self.tilt)])

    @property
    def added_mass(self) -> float:
        """What the pulleys' inertia adds on each axis [kg]."""
        return 2 * self.pulley_inertia / self.pulley_radius**2


def arm_model(robot: str, gravity: Array) -> Model:
    """The arm alone, on a mount that does not move."""
    arm = load(robot)
    if arm.nq != arm.nv or not arm.has_inertia:
        raise InputError(f"mount needs an arm of revolute and prismatic joints with masses; '{robot}' is none.")
    return arm.replace(gravity=gravity)


def plant_model(
    arm: Model, table: Table, *, floating: bool, joint_damping: float = 0.0, joint_friction: float = 0.0
) -> Model:
    """Everything that moves: q is (x, y, arm, pulleys where cables stretch), or (free base, arm)."""
    scene = Scene("mount", gravity=np.zeros(3) if floating else table.gravity)
    model = scene.add_robot(arm, name="arm", mount="free" if floating else "slide_xy").build()
    return model.replace(
        bodies=tuple(_changed(body, table, joint_damping, joint_friction) for body in model.bodies) + _pulleys(table),
        q_home=np.concatenate([model.q_home, np.zeros(len(_pulleys(table)))]),
    )


def _changed(body: Body, table: Table, joint_damping: float, joint_friction: float) -> Body:
    """The scene's own bodies with the table's masses and the arm's friction."""
    slides = {"arm/slide_x": table.sled_mass, "arm/slide_y": table.mass}
    if body.name in slides:
        mass = slides[body.name]
        joint = replace(
            body.joint, damping=table.damping, friction=table.friction,
            armature=0.0 if table.stiffness else table.added_mass,
        )  # fmt: skip
        return replace(body, joint=joint, inertia=Inertia.point(mass, (0, 0, 0)) if mass else Inertia.nothing())
    if body.joint.kind in ("revolute", "prismatic"):
        joint = replace(
            body.joint, damping=body.joint.damping + joint_damping, friction=body.joint.friction + joint_friction
        )
        return replace(body, joint=joint)
    return body


def _pulleys(table: Table) -> tuple[Body, ...]:
    if not table.stiffness:
        return ()
    return tuple(
        Body(name, None, Joint(name, "revolute", armature=table.pulley_inertia), Inertia.nothing()) for name in PULLEYS
    )


def cables(table: Table) -> tuple[Tendon, ...]:
    """Both sides of both cables; pulley 5 pulls -x and +y, pulley 6 +x and +y (4.33)."""
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


def plant_engine(model: Model, table: Table, arm: Model, *, dt: float, prescribed: bool) -> RigidEngine:
    """The rigid engine; the arm's joints are given accelerations, or torques."""
    joints = tuple(f"arm/{name}" for name in arm.joint_names) if prescribed else ()
    return RigidEngine(model, dt=dt, prescribed=joints, tendons=cables(table))
