"""What can be chosen of `catch`. Every default that had to be assumed is in docs/assumptions.md."""

from __future__ import annotations

import math
from dataclasses import dataclass

from carpal.errors import InputError
from carpal.labs.catch.catcher_numbers import LARGEST_BALL
from carpal.tasks import option


@dataclass(frozen=True)
class CatchOptions:
    """What can be chosen."""

    x: float = option(
        0.2, "Where the ball crosses the catch plane, on Yesmunt's grid (0 to 0.4).", unit="m", slider=(0.0, 0.4)
    )
    y: float = option(0.14, "The same upwards (0 to 0.35).", unit="m", slider=(0.0, 0.35))
    speed: float = option(5.2, "Of the throw.", unit="m/s", above=0.0, slider=(4.6, 5.8))
    angle: float = option(45.0, "Of the throw above the horizon.", unit="deg", slider=(35.0, 55.0))
    side: float = option(0.0, "Of the throw away from straight ahead.", unit="deg", slider=(-10.0, 10.0))
    gains: str = option(
        "tuned", "Of the arm: the thesis's, or critically damped with the weight held.", choices=("thesis", "tuned")
    )
    controller: str = option(
        "thesis", "The thesis's: the ball's flight known, without drag, met in one plane by a palm at rest. Or the best: seen by "
        "cameras, filtered, met where the joints move least by a palm that goes along.", choices=("thesis", "best"),
    )  # fmt: skip
    speed_limit: float = option(
        12.0, "Largest joint speed: controller best plans with it, and a plan that asks for more is refused. 0 is none, and "
        "as the thesis there is none.", unit="rad/s", at_least=0.0,
    )  # fmt: skip
    as_thesis: bool = option(
        False, "The thesis's own settings: its gains, its kick of the digits, its differenced rates, no torque limit."
    )
    close: str = option(
        "ramp", "How the digits are commanded to close: over 20 ms, at once, or with the script's kick.",
        choices=("ramp", "step", "kick"),
    )  # fmt: skip
    close_early: float = option(0.02, "Before the catch the digits are commanded to close.", unit="s", at_least=0.0)
    approach_fraction: float = option(1.0, "Share of the flight that the approach takes.", above=0.0)
    ik: str = option(
        "turn", "Inverse kinematics along the path: rotation vector, or the thesis's Newton on its angles.",
        choices=("turn", "angles"),
    )  # fmt: skip
    torque_limit: float = option(
        100.0, "Largest torque of each arm joint; 0 is none, and as the thesis there is none.", unit="N m", at_least=0.0
    )
    ball: str = option(
        "known",
        "The ball's flight is known from the start, or estimated from noisy sightings.",
        choices=("known", "estimated"),
    )
    noise: float = option(
        0.004, "Deviation of a sighting along each axis, 120 a second.", unit="m", at_least=0.0, slider=(0.0, 0.02)
    )
    ball_mass: float = option(0.12, "Of the ball.", unit="kg", above=0.0, slider=(0.05, 0.2))
    ball_radius: float = option(0.025, "Of the ball.", unit="m", above=0.0, slider=(0.02, 0.035))
    friction: float = option(0.3, "Between ball and hand.", at_least=0.0, slider=(0.0, 1.0))
    drag: float = option(
        0.0, "Drag coefficient of the ball; a smooth sphere's is 0.47. Controller best knows it.", at_least=0.0,
        slider=(0.0, 1.0),
    )  # fmt: skip
    window: tuple[float, float, float, float] = option(
        (0.0, 0.4, 0.0, 0.35),
        "Where vary throws at: lowest and highest x, lowest and highest y; the thesis's grid.",
        unit="m",
    )
    vary: float = option(
        0.0, "Vary throw, mass and friction with the seed: 1 is point in the window, speed 0.1 m/s, angle 2 deg, mass 10 %, "
        "friction 20 %.", at_least=0.0,
    )  # fmt: skip
    throw: bool = option(False, "Catch, then throw the ball back at a disc instead of dropping it in the bin.")
    target_x: float = option(0.1, "Centre of the disc, sideways.", unit="m")
    target_y: float = option(-0.6, "Height of the disc; the arm's base is at 0.", unit="m")
    target_ahead: float = option(2.0, "Distance of the disc ahead of the base.", unit="m", above=0.0)
    grid: bool = option(False, "All 30 points of the thesis's grid; seeds count its points.")
    arm: str = option("", "Another arm: a catalogue name or a .urdf, .xml or .mjcf file; it may have its own hand.")
    hand: str = option("", "The hand on it: a name or a file.")
    mount_frame: str = option("", "Of the arm, where the hand is put; by default its tool.")
    mount: tuple[float, ...] = option(
        (), "Pose of the hand there: x y z in m, roll pitch yaw in deg; by default just clear of the last link."
    )
    setup: str = option("", "TOML file with arm, hand, object, throw, window and surface (docs/catch.md).")
    engine: str = option(
        "penalty", "What moves arm, hand and ball; penalty the catcher alone, modal other arms and hands.",
        choices=("penalty", "modal", "mujoco"),
    )  # fmt: skip
    dt: float = option(
        0.0, "Step of the penalty engine; 0 is the thesis's 2e-5 s, or 1e-5 s for the stiffer dampers of tuned gains. MuJoCo "
        "takes 1e-4 s.", unit="s", at_least=0.0,
    )  # fmt: skip
    appendix: bool = option(
        False, "Add to the report: the same catch four times, to show what causes torques above 200 N m."
    )

    @property
    def open(self) -> bool:
        """Whether another arm and hand catch, not Yesmunt's."""
        return bool(self.arm or self.setup)

    def check_together(self) -> None:
        """Refuse what makes no sense together."""
        if self.open:
            if self.engine == "penalty":
                raise InputError(
                    "engine 'penalty' is for the catcher's linkage hand; another arm and hand take --engine modal or mujoco."
                )
            if self.mount and len(self.mount) != 6:
                raise InputError(f"mount must be x y z [m] and roll pitch yaw [deg]; got {len(self.mount)} numbers.")
            return
        if self.hand or self.mount or self.mount_frame:
            raise InputError("hand, mount and mount_frame are for another arm: give arm, or a setup file.")
        if self.engine == "modal":
            raise InputError("engine 'modal' is for another arm and hand (--arm); the catcher takes penalty or mujoco.")
        for name in ("x", "y", "angle", "side", "target_x", "target_y"):
            if not math.isfinite(getattr(self, name)):
                raise InputError(f"{name} must be a finite number; got {getattr(self, name)}.")
        if not 0.0 < self.angle < 90.0 or not abs(self.side) < 60.0:
            raise InputError(
                f"a throw at {self.angle:g} deg, {self.side:g} deg aside, never reaches the catch plane; take an angle between 0 "
                "and 90 deg and less than 60 deg aside."
            )
        if self.ball_radius > LARGEST_BALL:
            raise InputError(
                f"a ball of radius {1000 * self.ball_radius:g} mm is bigger than the hand can hold; at most "
                f"{1000 * LARGEST_BALL:g} mm."
            )
        if self.approach_fraction > 1.0:
            raise InputError(f"approach_fraction must be above 0 and at most 1; got {self.approach_fraction:g}.")
        x0, x1, y0, y1 = self.window
        if not (x0 <= x1 and y0 <= y1):
            raise InputError(
                f"window must be lowest and highest x, then y; got {', '.join(f'{w:g}' for w in self.window)}."
            )
        if self.controller == "best":
            for name, value, only in (
                ("as_thesis", self.as_thesis, False), ("throw", self.throw, False), ("ik", self.ik, "turn"),
                ("approach_fraction", self.approach_fraction, 1.0),
            ):  # fmt: skip
                if value != only:
                    raise InputError(f"{name} is the thesis's controller's; leave it with controller 'best'.")
        if self.engine == "mujoco" and self.as_thesis:
            raise InputError(
                "the script's own control is compiled with the penalty engine; leave as_thesis with engine 'mujoco'."
            )
        if self.engine == "mujoco" and self.throw:
            raise InputError("throwing back is for the penalty engine; leave engine alone.")
