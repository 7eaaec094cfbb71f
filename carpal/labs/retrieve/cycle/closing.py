"""Closing of the simulated gripper on the flap, and the check after the lift whether it still holds the relay."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.labs.retrieve.gripper.driving import drive_gripper
from carpal.labs.retrieve.gripper.result import GripperResult
from carpal.labs.retrieve.gripper.settings import GripperSettings
from carpal.labs.retrieve.relay.error_budget import TOLERANCE
from carpal.labs.retrieve.relay.held_relay import grasped, held_relay
from carpal.labs.retrieve.relay.relay import RELAY, Relay
from carpal.labs.retrieve.robot import GRIPPER, STROKE
from carpal.labs.retrieve.scene import OPEN
from carpal.planning import adjust
from carpal.spatial import Array, inverse

TARGET = STROKE  # travel of the rod that is asked for [m]; the flap is met 3 mm before, at its thickness


@dataclass(frozen=True, eq=False)
class Closing:
    """True state of a closed gripper, and the outcome the drive reported.

    Args:
        drive: result of the gripper's drive; the controller knows nothing else.
        seated: whether the flap lies between the blades, laterally within the tolerance.
        aside, above: of the axis from the flap's grip point, and of the upper blade over the flap [m].
        angle, X_PO: how the relay lies in the gripper.
        needed: force on the lower blade that holds the relay level [N].
    """

    drive: GripperResult
    seated: bool
    aside: float
    above: float
    angle: float
    X_PO: Array
    needed: float

    @property
    def holds(self) -> bool:
        """Whether the relay stays in the gripper when it is lifted."""
        return bool(self.seated and str(self.drive.outcome) == "gripped" and float(self.drive.force) >= self.needed)


def close_on(
    gripper: GripperSettings, X_WG: Array, X_WO: Array, seed: int, jam: float = float("nan"), relay: Relay = RELAY
) -> Closing:
    """Close on a relay.

    Args:
        gripper: its numbers.
        X_WG, X_WO: where gripper and relay truly are.
        seed: of the drive's noise.
        jam: travel [m] at which something else blocks it; NaN: nothing.
        relay: its numbers.
    """
    grip = (inverse(X_WO) @ X_WG)[:3, 3] - relay.grip_point
    aside, above = float(np.hypot(grip[0], grip[1])), float(grip[2])
    between = 0.0 <= above <= OPEN - relay.flap_thickness and aside < GRIPPER.blade_radius - 0.01
    start = STROKE - OPEN
    meets = STROKE - relay.flap_thickness if between else float("nan")
    contact = jam if np.isfinite(jam) else meets
    drive = drive_gripper(gripper, TARGET, start=start, contact=contact, seed=seed)
    angle, X_PO = grasped(X_WG, X_WO, relay)
    level = adjust(held_relay(X_PO, relay), 0.0, 0.0).normal_forces
    needed = float(np.abs(level[..., 2]))
    return Closing(drive, between and aside <= TOLERANCE, aside, above, angle, X_PO, needed)


def still_held(gripper: GripperSettings, closing: Closing, seed: int, relay: Relay = RELAY) -> GripperResult:
    """Close again after the lift: if the rod moves further, the relay was lost."""
    travel = STROKE - relay.flap_thickness
    contact = travel if closing.holds else float("nan")
    return drive_gripper(gripper, TARGET, start=travel, contact=contact, seed=seed + 1)
