"""Settings of the gripper's motor, sensors, filter and control program, checked and packed for the kernels."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field

import numpy as np

from carpal.errors import InputError
from carpal.labs.retrieve.gripper.kernels import gripper_run as run
from carpal.labs.retrieve.gripper.kernels import position_filter as kalman
from carpal.labs.retrieve.gripper.kernels import stall_rule as rule
from carpal.labs.retrieve.gripper.linear_actuator import LinearMotor, l12_motor
from carpal.labs.retrieve.gripper.structure import LOWER_BLADE
from carpal.spatial import Array

SENSE_BITS, LIMIT_BITS = 8, 7  # Leutenegger 2008, 4.6.3


@dataclass(frozen=True)
class GripperSettings:
    """The gripper of Leutenegger 2008: motor, sensors, filter, control, limits. Lengths [m], forces [N], times [s].

    Args:
        motor: by default the L12 with gearing 210 and 50 mm stroke.
        way_force, zone_force: force limits under way and in the target zone.
        zone: width of the target zone on either side of the target.
        tolerance: error within which the position counts as reached.
        gain: proportional gain [V/m].
        full_scale: current [A] of the largest count; 8 bits to sense, 7 bits to limit.
        reading_deviation, noise_current: deviation of the potentiometer [m], and the current [A] that doubles its variance.
        bend: largest error of linearity of the potentiometer [m].
        current_noise: deviation of the sensed current [A].
        speed_deviation: of the filter's modelled speed [m/s]; sets how far it trusts readings.
        limited_factor: on the model's variance while the current is limited.
        shortest_sample, longest_sample: sample times are spread evenly between them.
        late_share, late_by: share of samples that come late, and by how much at most.
        delay: longest time until a command acts.
        blade_stiffness: of the lower blade at its edge [N/m].
        still_speed, felt_force, average_time, hold_time: a stall is a mean speed below and a mean force above, held.
        longest: time after which a motion is given up.
        step: of the simulated motor.
    """

    motor: LinearMotor = field(default_factory=l12_motor)
    way_force: float = 20.0
    zone_force: float = 40.0
    zone: float = 0.010
    tolerance: float = 0.0003
    gain: float = 12000.0
    full_scale: float = 0.256
    reading_deviation: float = 0.00015
    noise_current: float = 0.1
    bend: float = 0.0005
    current_noise: float = 0.002
    speed_deviation: float = 0.0012
    limited_factor: float = 100.0
    shortest_sample: float = 0.012
    longest_sample: float = 0.030
    late_share: float = 0.02
    late_by: float = 0.08
    delay: float = 0.020
    blade_stiffness: float = LOWER_BLADE.stiffness
    still_speed: float = 0.0006
    felt_force: float = 8.0
    average_time: float = 0.2
    hold_time: float = 0.15
    longest: float = 30.0
    step: float = 0.0005

    def __post_init__(self) -> None:
        if not isinstance(self.motor, LinearMotor):
            raise InputError(f"motor must be a LinearMotor, for example l12_motor(); got {self.motor!r:.60}.")
        for item in dataclasses.fields(self):
            value = getattr(self, item.name)
            if item.name == "motor":
                continue
            may_be_zero = item.name in ("bend", "current_noise", "late_share", "late_by", "delay", "reading_deviation")
            if (
                not isinstance(value, int | float)
                or not math.isfinite(value)
                or value < 0
                or (value == 0 and not may_be_zero)
            ):
                least = "zero or above" if may_be_zero else "above zero"
                raise InputError(f"{item.name} of the gripper must be finite and {least}; got {value!r}.")
        if self.shortest_sample > self.longest_sample or self.late_share > 1:
            raise InputError(
                f"shortest_sample ({self.shortest_sample}) must not exceed longest_sample ({self.longest_sample}), nor "
                f"late_share ({self.late_share}) one."
            )
        for name in ("way_force", "zone_force"):
            if self.limit_current(getattr(self, name)) <= self.motor.breakaway / self.motor.force_per_ampere:
                enough = self.motor.breakaway - self.motor.friction + self.force_resolution + self.momentum_force(0.0)
                raise InputError(
                    f"{name} of {getattr(self, name):.4g} N is too low: with friction, momentum and the limit's step of "
                    f"{self.force_resolution:.2g} N the motor could not start; about {enough:.2g} N or more would do."
                )

    @property
    def current_step(self) -> float:
        """Step of the settable current limit [A]."""
        return self.full_scale / 2**LIMIT_BITS

    @property
    def force_resolution(self) -> float:
        """What one step of the current limit is in force [N]."""
        return self.motor.force_per_ampere * self.current_step

    def momentum_force(self, force: float) -> float:
        """Force [N] that the rotor's momentum adds when the current limit of that force [N] is met at the rated voltage.

        Under a limited current there is no back EMF that brakes: a mass with speed u winds the blade up by sqrt(k m) u.
        """
        m = self.motor
        speed = max(m.volts - (force + m.friction) / m.force_per_ampere * m.resistance, 0.0) / m.k_v
        # when the limit is met the rod is already being braked: its lag behind the load line adds across, as in a circle
        lag = m.mass * m.free_speed / m.stall_force * self.blade_stiffness * speed
        return math.hypot(math.sqrt(self.blade_stiffness * m.mass) * speed, lag)

    def limit_current(self, force: float) -> float:
        """Current limit [A], in whole steps of the drive, at which neither current nor momentum press more than `force` [N]."""
        low, high = -self.motor.friction, force
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if middle + self.momentum_force(middle) <= force else (low, middle)
        current = (low + self.motor.friction) / self.motor.force_per_ampere
        return self.current_step * min(max(math.floor(current / self.current_step + 1e-9), 0), 2**LIMIT_BITS - 1)

    def rule_table(self, target: float) -> Array:
        """The kernels' numbers of the program, for a target [m]."""
        table = np.zeros(rule.RULE_NUMBERS)
        table[[rule.TARGET, rule.TOLERANCE, rule.ZONE]] = target, self.tolerance, self.zone
        # the dead band must break the standing rod loose
        dead_band = self.motor.breakaway / self.motor.force_per_ampere * self.motor.resistance
        table[[rule.GAIN, rule.DEAD_BAND, rule.LARGEST_VOLTS]] = self.gain, dead_band, self.motor.volts
        table[[rule.WAY_LIMIT, rule.ZONE_LIMIT]] = (
            self.limit_current(self.way_force),
            self.limit_current(self.zone_force),
        )
        table[[rule.BLADE, rule.STILL, rule.FELT]] = self.blade_stiffness, self.still_speed, self.felt_force
        table[[rule.AVERAGE, rule.HOLD, rule.LONGEST]] = self.average_time, self.hold_time, self.longest
        return table

    def filter_table(self) -> Array:
        """The kernels' numbers of the filter, with the true k_v."""
        table = np.zeros(kalman.FILTER_NUMBERS)
        table[[kalman.K_V, kalman.WINDING]] = self.motor.k_v, self.motor.resistance
        table[[kalman.SPEED_DEVIATION, kalman.LIMITED_FACTOR]] = self.speed_deviation, self.limited_factor
        table[[kalman.READING_DEVIATION, kalman.NOISE_CURRENT]] = self.reading_deviation, self.noise_current
        return table

    def sensor_table(self) -> Array:
        """The true deviations of the readings, in the filter's columns; a program may believe others."""
        return GripperSettings.filter_table(self)

    def setup_table(self) -> Array:
        """The kernels' numbers of sampling and sensing."""
        table = np.zeros(run.SETUP_NUMBERS)
        table[[run.STEP, run.SHORTEST, run.LONGEST_SAMPLE]] = self.step, self.shortest_sample, self.longest_sample
        table[[run.LATE_SHARE, run.LATE_BY, run.DELAY]] = self.late_share, self.late_by, self.delay
        table[[run.CURRENT_NOISE, run.COUNT]] = self.current_noise, self.full_scale / 2**SENSE_BITS
        return table
