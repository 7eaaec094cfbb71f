"""Error budget of a grasp: lateral and vertical errors against the tolerance of 12.7 mm (Leutenegger 2008, 4.1).

Lateral: covariance of the relay's estimated pose at the grip point, joint offsets (the potentiometers are read once, to half a
resolution), and 5 mm by which the axis is aimed outwards to keep the plunger off the flap. Vertical: the same, and the blade's
deflection.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal._core.result import Result
from carpal.kinematics import jacobian
from carpal.labs.retrieve.gripper.structure import blade_deflection
from carpal.labs.retrieve.planning.pick_lines import OVER_FLAP
from carpal.labs.retrieve.relay.held_relay import AIM_OUT, aim_point, gripper_poses
from carpal.labs.retrieve.relay.relay import RELAY, Relay
from carpal.labs.retrieve.robot import GRIPPER
from carpal.labs.retrieve.scene import GRIP_FORCE
from carpal.labs.retrieve.simulation.world import RESOLUTION
from carpal.model import Model
from carpal.spatial import Array, skew

TOLERANCE = 0.0127
"""Half of the hole's diameter [m]: how far the axis may be from the grip point."""


@dataclass(frozen=True, eq=False)
class ErrorBudget(Result):
    """Errors at the grip point [m]; three standard deviations each unless noted.

    Args:
        pose_aside, pose_up: of the estimated relay.
        joints_aside, joints_up: of the joints' offsets.
        joints_worst: the largest sideways error that the offsets can make together.
        aimed_out: of the axis, on purpose.
        blade: deflection at the largest force.
        tolerance: sideways.
        room: between upper blade and flap when it closes.
    """

    pose_aside: float
    pose_up: float
    joints_aside: float
    joints_up: float
    joints_worst: float
    aimed_out: float = AIM_OUT
    blade: float = 0.0
    tolerance: float = TOLERANCE
    room: float = OVER_FLAP

    @property
    def aside(self) -> float:
        """All sideways errors together [m]."""
        return self.aimed_out + float(np.hypot(self.pose_aside, self.joints_aside))

    @property
    def up(self) -> float:
        """All vertical ones before the gripper closes [m]."""
        return float(np.hypot(self.pose_up, self.joints_up))

    @property
    def ok(self) -> bool:
        """Whether the grasp tolerates them."""
        return self.aside <= self.tolerance and self.up <= self.room

    @property
    def status(self) -> str:
        """One true sentence."""
        if self.up > self.room:
            return (
                f"the flap's height is uncertain by {1e3 * self.up:.1f} mm; at most {1e3 * self.room:.1f} mm are tolerated: take "
                "new images or drive nearer to the relay."
            )
        said = "are tolerated" if self.ok else "are too large: take new images or drive nearer to the relay"
        return f"sideways errors of {1e3 * self.aside:.1f} mm of {1e3 * self.tolerance:.1f} mm {said}."

    def rows(self) -> list[tuple[str, str, str]]:
        """For a table: what, sideways [mm], up and down [mm]."""
        mm = [
            1e3 * v
            for v in (self.pose_aside, self.pose_up, self.joints_aside, self.joints_up, self.aimed_out, self.blade)
        ]
        return [
            ("relay's estimated pose, 3 deviations", f"{mm[0]:.2f}", f"{mm[1]:.2f}"),
            ("joints' offsets, 3 deviations", f"{mm[2]:.2f}", f"{mm[3]:.2f}"),
            ("axis aimed outwards", f"{mm[4]:.2f}", "-"),
            ("lower blade's deflection at the largest force (collision margin)", "-", f"{mm[5]:.2f}"),
            ("together", f"{1e3 * self.aside:.2f}", f"{1e3 * self.up:.2f}"),
            ("tolerated", f"{1e3 * self.tolerance:.2f}", f"{1e3 * self.room:.2f}"),
        ]


def grasp_budget(model: Model, q: Array, X_WO: Array, covariance: Array, relay: Relay = RELAY) -> ErrorBudget:
    """The budget of a grasp.

    Args:
        model: the arm.
        q: (5) where the gripper closes.
        X_WO: the relay's estimated pose.
        covariance: (6, 6) of its position and rotation vector, in W.
        relay: its numbers.
    """
    lever = X_WO[:3, :3] @ aim_point(relay)
    to_point = np.hstack([np.eye(3), -skew(lever)])
    spread = to_point @ covariance @ to_point.T
    X_WG = gripper_poses(model, q)
    J = jacobian(model, q)
    r = X_WG[:3, 3] - (X_WG @ np.linalg.inv(GRIPPER.X_TG()))[:3, 3]
    at_grip = J[:3] - skew(r) @ J[3:]
    half = 0.5 * RESOLUTION
    by_joints = at_grip @ at_grip.T * half**2 / 3.0  # evenly spread over the resolution
    return ErrorBudget(
        3.0 * float(np.sqrt(np.linalg.eigvalsh(spread[:2, :2])[-1])), 3.0 * float(np.sqrt(spread[2, 2])),
        3.0 * float(np.sqrt(np.linalg.eigvalsh(by_joints[:2, :2])[-1])), 3.0 * float(np.sqrt(by_joints[2, 2])),
        float(np.linalg.norm(at_grip[:2], axis=0).sum() * half), blade=float(blade_deflection(GRIP_FORCE)),
    )  # fmt: skip
