"""Structural check of Leutenegger's gripper in its two load cases (4.5): the relay held level, and a jammed blade.

Only the aluminium bars have a published section (1/4 x 1 inch flat, drawing C.3): they are computed as cantilevers. The printed
plastic parts were analysed by finite elements of shapes that are lost: each is an *equivalent section*, a beam of its known lever
and material whose second moment of area is fitted to the one published deflection. Their deflections at other forces
follow, their stresses hold for a rectangle of the assumed width and are marked as such.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.labs.retrieve.gripper.linear_actuator import LinearMotor, l12_motor
from carpal.model import real_array
from carpal.spatial import Array

ALUMINIUM, VEROBLUE = 70e9, 2.7e9  # elastic moduli [Pa]
ALUMINIUM_YIELD, VEROBLUE_YIELD = 240e6, 50e6  # 6061-T6; Leutenegger 2008, 4.5.1 [Pa]
INCH = 0.0254
HOLD_FORCE, STALL_FORCE = 19.4, 70.0  # A3 with the relay held level; largest stall force (Leutenegger 2008, 4.5) [N]
BAR_LOAD = 20.0  # on both bars together, load factor 4 (4.5.1) [N]
LEVER = 3.8 / STALL_FORCE  # of the blade's edge about the shaft, from 3.8 N m at 70 N [m]
BAR_LENGTH = 0.100  # assumed [m]


@dataclass(frozen=True)
class Beam:
    """A cantilever with a force at its end: length [m], modulus [Pa], second moment [m^4], half height [m], yield [Pa]."""

    name: str
    length: float
    modulus: float
    second_moment: float
    half_height: float
    yield_stress: float
    fitted: bool

    @property
    def stiffness(self) -> float:
        """[N/m] at its end."""
        return 3.0 * self.modulus * self.second_moment / self.length**3

    def deflection(self, force: float) -> float:
        """[m] under a force [N] at its end."""
        return force / self.stiffness

    def stress(self, force: float) -> float:
        """Largest bending stress [Pa] under a force [N] at its end."""
        return force * self.length * self.half_height / self.second_moment


def _fitted(name: str, deflection: float, force: float, length: float, width: float) -> Beam:
    """An equivalent section: the rectangle of that width [m] that bends by the deflection [m] under the force [N]."""
    second_moment = force * length**3 / (3.0 * VEROBLUE * deflection)
    height = (12.0 * second_moment / width) ** (1.0 / 3.0)
    return Beam(name, length, VEROBLUE, second_moment, height / 2.0, VEROBLUE_YIELD, True)


# the bars bend across their thin side
BAR = Beam("aluminium bar", BAR_LENGTH, ALUMINIUM, INCH * (INCH / 4) ** 3 / 12, INCH / 8, ALUMINIUM_YIELD, False)
LOWER_BLADE = _fitted("lower blade", 3.4e-3, STALL_FORCE, LEVER, 0.030)
MOTOR_SUPPORT = _fitted("motor support", 0.02e-3, STALL_FORCE, 0.025, 0.020)


@dataclass(frozen=True)
class BladeCheck:
    """One part in one load case: force [N], deflection [m], stress over yield, or torque over its limit."""

    case: str
    part: str
    force: float
    deflection: float
    used: float
    fitted: bool

    @property
    def ok(self) -> bool:
        """Whether it stays below yield, or below the limit of the shaft."""
        return self.used <= 1.0

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        bent = "" if math.isnan(self.deflection) else f" bends {self.deflection * 1e3:.2g} mm and"
        how = " (equivalent section)" if self.fitted else ""
        return f"{self.case}: {self.part}{how} at {self.force:.3g} N{bent} uses {100 * self.used:.0f} % of its limit."


def blade_deflection(force: ArrayLike) -> Array:
    """Deflection [m] of the lower blade's edge under forces (*batch) [N]; it belongs into collision margins."""
    given = real_array(force, "force")
    if not np.isfinite(given).all():
        raise InputError("force on the blade must be finite [N].")
    return given / LOWER_BLADE.stiffness


def structural_check(force_limit: float = 40.0, motor: LinearMotor | None = None) -> list[BladeCheck]:
    """Every part in Leutenegger's two load cases, the jam at the motor's stall force and at the limit.

    Args:
        force_limit: what the drive's force limit is set to [N].
        motor: for the side force of its shaft; by default Leutenegger's L12.
    """
    if not (isinstance(force_limit, int | float) and math.isfinite(force_limit) and force_limit > 0):
        raise InputError(f"force_limit must be finite and above zero [N]; got {force_limit!r}.")
    motor = l12_motor() if motor is None else motor
    rows = []
    shaft = motor.side_force * motor.stroke  # torque where the shaft leaves its housing [N m]
    cases = (
        ("relay held level", HOLD_FORCE),
        ("jam at the limit", float(force_limit)),
        ("jam without limit", STALL_FORCE),
    )
    for case, force in cases:
        for part in (LOWER_BLADE, MOTOR_SUPPORT):
            used = part.stress(force) / part.yield_stress
            rows.append(BladeCheck(case, part.name, force, part.deflection(force), used, True))
        rows.append(BladeCheck(case, "actuator shaft", force, math.nan, force * LEVER / shaft, False))
    each = BAR_LOAD / 2.0
    rows.insert(
        2,
        BladeCheck(
            cases[0][0], "aluminium bars", BAR_LOAD, BAR.deflection(each), BAR.stress(each) / BAR.yield_stress, False
        ),
    )
    return rows
