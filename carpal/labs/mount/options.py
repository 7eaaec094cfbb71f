"""Options of `mount`. Assumed defaults are listed in docs/assumptions.md."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from carpal.errors import InputError
from carpal.spatial import Array
from carpal.tasks import option

DEFAULT_PULSE = (50.0, 150.0, 0.05, 0.10)
"""Alkire (2020), 6.3: 50 N on x, 150 N on y (E7: its larger drift is on y), from 0.05 s to 0.10 s."""
BASES = ("table", "rail", "stand", "floating")


@dataclass(frozen=True)
class MountOptions:
    """Options of `mount`."""

    case: int = option(
        0,
        "A movement of Alkire (2020), for a Sawyer: 1, 2, 3 or 4; 1 when neither target nor joints are given.",
        at_least=0,
    )
    target: tuple[float, ...] = option(
        (),
        "Instead of a case: goal of the tool, in the arm's frame; by default a point that the robot reaches.",
        unit="m",
    )
    attitude: str = option(
        "auto",
        "Whether tracking keeps the tool's attitude (Alkire): 'auto' keeps it with seven joints and more.",
        choices=("auto", "kept", "free"),
    )
    joints: tuple[float, ...] = option((), "Instead of a case: goal of the joints, by a quintic.", unit="rad, m")
    control: str = option("none", "Control of the table.", choices=("none", "open", "closed"))
    pulse: str = option(
        "none", "External force: none, default (50 N on x, 150 N on y, 0.05 to 0.10 s), or FX,FY,FROM,UNTIL."
    )
    push: tuple[float, float] = option((0.0, 0.0), "Constant external force.", unit="N")
    law: str = option(
        "exact",
        "Prediction of the reaction; 'printed': as printed in Alkire (2020).",
        choices=("exact", "printed"),
    )
    disturbance: str = option("calculated", "The reaction is calculated from the commanded motion, or from measured joints.",
                              choices=("calculated", "measured"))  # fmt: skip
    feedback: str = option("position", "Sensor of the feedback.", choices=("position", "accelerometer"))
    motion: str = option(
        "tracking", "How the arm moves to its target.", choices=("tracking", "quintic", "reaction-aware")
    )
    minimise: str = option(
        "force",
        "What a reaction-aware motion minimises: the mount's peak horizontal force, a free table's peak displacement, or the "
        "weighted wrench on the mount.",
        choices=("force", "displacement", "wrench"),
    )
    weights: tuple[float, ...] = option(
        (1.0, 1.0, 1.0, 0.0, 0.0, 0.0), "Of that wrench, on fx, fy, fz, mx, my, mz.", unit="1/N, 1/(N m)"
    )
    gain: str = option(
        "limited",
        "Tracking inside the joints' limits, or with Alkire's gain of 350 / s and no limits.",
        choices=("limited", "unlimited"),
    )
    damping: float = option(
        0.1, "a of damped least squares; it decides the posture, and so the shift, of cases 3 and 4.", above=0.0
    )
    acceleration: float = option(10.0, "Largest acceleration of every joint (assumed).", unit="rad/s^2", above=0.0)
    move_time: float = option(0.0, "Duration of a quintic or reaction-aware move; 0 is the shortest allowed, or 1.5 s.",
                              unit="s", at_least=0.0)  # fmt: skip
    circle: float = option(0.0, "Radius of a circle about the target, traced once.", unit="m", at_least=0.0)
    circle_time: float = option(4.0, "Duration of the circle.", unit="s", above=0.0)
    robot: str = option("sawyer", "The arm: a name (see `carpal robots`, `carpal robots --zoo`) or a robot file.")
    tool: str = option(
        "", "The frame that is the tool; by default the robot's own. Joints that do not move it are locked."
    )
    inertia: str = option("published", "Mass properties of a catalogue robot.", choices=("published", "assumed"))
    base: str = option(
        "table",
        "A table that slides along x and y; a rail along x; a stand whose springs give way along x and y; or a base that floats "
        "and turns freely, without weight.",
        choices=BASES,
    )
    stand_stiffness: float = option(5e4, "Of the stand, along x and y (assumed).", unit="N/m", above=0.0)
    table_mass: float = option(0.0, "Pedestal and upper sled.", unit="kg", at_least=0.0)
    sled_mass: float = option(0.0, "Lower sled, which moves along x alone.", unit="kg", at_least=0.0)
    pulley_radius: float = option(0.02, "Of the control pulleys (assumed).", unit="m", above=0.0)
    pulley_inertia: float = option(0.0, "Of each control pulley.", unit="kg m^2", at_least=0.0)
    cable_stiffness: float = option(0.0, "Of each cable; 0 is stiff.", unit="N/m", at_least=0.0)
    cable_damping: float = option(0.0, "Of each cable.", unit="N s/m", at_least=0.0)
    pretension: float = option(100.0, "Of each cable, for the tensions (assumed).", unit="N", at_least=0.0)
    table_damping: float = option(0.0, "Of both slides.", unit="N s/m", at_least=0.0)
    table_friction: float = option(0.0, "Coulomb friction of both slides.", unit="N", at_least=0.0)
    tilt: float = option(0.0, "The table's x axis points down by this angle.", unit="rad")
    torque_max: float = option(0.0, "Largest torque of a control pulley; 0 is without limit.", unit="N m", at_least=0.0)
    slip_torque: float = option(
        0.0, "Torque at which a cable slips on its pulley; 0 is never.", unit="N m", at_least=0.0
    )
    torque_step: float = option(0.0, "Resolution of the pulleys' torque.", unit="N m", at_least=0.0)
    command_noise: float = option(0.0, "Deviation of the pulleys' torque.", unit="N m", at_least=0.0)
    bandwidth: float = option(25.0, "All three poles of the closed loop.", unit="rad/s", above=0.0)
    sensor_noise: float = option(0.0, "Deviation of the table's sensor.", unit="m, m/s^2", at_least=0.0)
    sensor_step: float = option(0.0, "Resolution of the table's sensor.", unit="m, m/s^2", at_least=0.0)
    sensor_bias: float = option(0.0, "Of the accelerometer.", unit="m/s^2")
    delay: float = option(0.0, "Of the table's position sensor, in whole periods.", unit="s", at_least=0.0)
    encoder_noise: float = option(0.0, "Deviation of the joints' encoders.", unit="rad", at_least=0.0)
    encoder_step: float = option(0.0, "Resolution of the joints' encoders.", unit="rad", at_least=0.0)
    mass_error: float = option(0.0, "Relative error of all masses of the prediction.")
    mass_spread: float = option(0.0, "Largest relative error of each mass of the prediction, drawn with the seed.",
                                at_least=0.0)  # fmt: skip
    drive: str = option(
        "exact", "The arm follows its motion exactly, or by torques with feedback.", choices=("exact", "torque")
    )
    joint_damping: float = option(0.0, "Of every arm joint, with drive 'torque'.", unit="N m s/rad", at_least=0.0)
    joint_friction: float = option(
        0.0, "Coulomb friction of every arm joint, with drive 'torque'.", unit="N m", at_least=0.0
    )
    friction_known: bool = option(False, "The arm's drive compensates the joints' friction.")
    dead_joint: int = option(0, "This joint (counted from 1) stops suddenly; 0 is none.", at_least=0)
    dead_time: float = option(0.3, "When it stops.", unit="s", at_least=0.0)
    worn_joint: int = option(
        0, "Friction rises in this joint (counted from 1), with drive 'torque'; 0 is none.", at_least=0
    )
    worn_rate: float = option(0.0, "How fast it rises.", unit="N m/s", at_least=0.0)
    tolerance: float = option(
        1e-3,
        "Largest final error of the tool, and largest final displacement of a controlled table.",
        unit="m",
        above=0.0,
    )
    duration: float = option(3.0, "Duration of the run.", unit="s", above=0.0)
    endurance: float = option(0.0, "Instead of one move: there and back, repeated for this time; one row a second.", unit="s",
                              at_least=0.0)  # fmt: skip
    engine: str = option("rigid", "Engine that simulates the plant.", choices=("rigid", "mujoco"))
    integrator: str = option("rk4", "Of MuJoCo.", choices=("rk4", "euler"))
    dt: float = option(1e-3, "Length of a period and of a step.", unit="s", above=0.0)

    def check_together(self) -> None:
        """Refuse options that exclude each other."""
        controlled = self.control != "none"
        torque_needs = {
            "joint_damping": self.joint_damping, "joint_friction": self.joint_friction, "worn_joint": self.worn_joint,
        }  # fmt: skip
        for name, value in torque_needs.items():
            if value and self.drive != "torque":
                raise InputError(f"{name} needs drive 'torque'.")
        if self.engine == "mujoco" and self.drive != "torque":
            raise InputError("MuJoCo has no prescribed joints: engine 'mujoco' needs drive 'torque'.")
        if self.engine == "mujoco" and self.cable_stiffness:
            raise InputError("elastic cables need engine 'rigid'; leave cable_stiffness at 0 for MuJoCo.")
        if self.dead_joint and self.drive == "torque":
            raise InputError("dead_joint needs drive 'exact'; use worn_joint with drive 'torque'.")
        if self.base == "rail" and (self.engine == "mujoco" or self.cable_stiffness):
            raise InputError(
                "a rail needs engine 'rigid' and stiff cables; leave engine and cable_stiffness at their defaults."
            )
        if self.base == "stand" and self.cable_stiffness:
            raise InputError("a stand has no cables; leave cable_stiffness at 0.")
        if self.base == "floating" and (controlled or self.pulse != "none" or any(self.push) or self.cable_stiffness):
            raise InputError(
                "a floating base has no table: leave control, pulse, push and cable_stiffness at their defaults."
            )
        if self.cable_stiffness and not self.pulley_inertia:
            raise InputError("elastic cables need pulleys with inertia: give pulley_inertia above 0 [kg m^2].")
        if self.dt > self.duration:
            raise InputError(f"dt must not be longer than the duration {self.duration:g} s; got {self.dt:g}.")
        if self.endurance and (self.engine != "rigid" or self.circle):
            raise InputError(
                "endurance needs engine 'rigid' and a move to a point; leave engine and circle at their defaults."
            )
        if self.delay > 1.0:
            raise InputError(f"delay must be 1 s or less; got {self.delay:g}.")


def parse_pulse(pulse: str, push: tuple[float, float]) -> Array:
    """Rows (fx, fy, from, until) of a pulse, and of a constant push."""
    rows = [(*push, 0.0, math.inf)] if any(push) else []
    if pulse == "default":
        rows.append(DEFAULT_PULSE)
    elif pulse != "none":
        try:
            numbers = [float(word) for word in pulse.replace(",", " ").split()]
        except ValueError:
            numbers = []
        if len(numbers) != 4 or not np.isfinite(numbers).all() or numbers[3] <= numbers[2]:
            raise InputError(
                f"pulse must be none, default, or FX,FY,FROM,UNTIL in N and s with UNTIL after FROM; got '{pulse}'."
            )
        rows.append((numbers[0], numbers[1], numbers[2], numbers[3]))
    return np.array(rows, dtype=np.float64).reshape(-1, 4)
