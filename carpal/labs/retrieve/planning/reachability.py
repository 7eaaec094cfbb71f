"""Reachability of a relay before any motion: graspable or not, the cause, and a remedy (Leutenegger 2008, 7.8).

The workspace of the arm is a ball with a hollow (facts of appendix A): a point is out of reach, inside the hollow about the
waist, or beyond a joint's limit; a relay under the rover cannot be grasped; and the antenna of a relay within reach may still
block the arm.
"""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass

import numpy as np

from carpal._core.result import Result
from carpal.contact import collides
from carpal.kinematics import ik_all
from carpal.labs.retrieve.planning.pick_lines import DOWN, PickLines, find_pick_lines, line_points, wrist_points
from carpal.labs.retrieve.relay.relay import RELAY, Relay
from carpal.labs.retrieve.scene import HOME, NEAR, WALL, free_arm, scene_with_relays
from carpal.model import TriangleMesh
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class Reach(Result):
    """Whether a relay can be grasped; `status` is one true sentence that says why not, and what would help.

    Args:
        ok: whether it can.
        status: the sentence.
        cause: "" or "under the rover", "hollow", "out of reach", "joint limits", "blocked", "home blocked".
        lines: possible grasps as tool lines, the quickest first.
    """

    ok: bool
    status: str
    cause: str
    lines: list[PickLines]


def check_reach(
    X_WO: Array,
    q_from: Array = HOME,
    relay: Relay = RELAY,
    *,
    terrain: TriangleMesh | None = None,
    checked: bool = True,
) -> Reach:
    """Whether and how a relay at X_WO (4, 4) can be grasped from above.

    Args:
        X_WO: its pose.
        q_from: (5) where the arm comes from [rad].
        relay: its numbers.
        terrain: instead of flat ground.
        checked: False skips all collision checks, as a pick-up without planning does.
    """
    x, y = (float(v) for v in X_WO[:2, 3])
    problem = grip_reach(X_WO, relay)
    if problem is not None:
        return problem
    if checked:
        at_home = collides(scene_with_relays(X_WO[None], relay, terrain), q_from, margin=NEAR)
        if at_home:
            return _no("home blocked", f"the relay at ({x:.2f}, {y:.2f}) m stands where the arm is: {str(at_home).rstrip('.')}; "
                       "drive the rover so that the relay is in front of it.")  # fmt: skip
    lines, refused = find_pick_lines(X_WO, q_from, relay, terrain=terrain, checked=checked)
    if lines:
        return Reach(True, f"the relay at ({x:.2f}, {y:.2f}) m can be grasped in {len(lines)} ways.", "", lines)
    common = Counter(refused).most_common(1)
    why = common[0][0] if common else "no posture follows the lines"
    turned = np.degrees(np.arctan2(X_WO[1, 0], X_WO[0, 0]))
    return _no("blocked", f"the relay at ({x:.2f}, {y:.2f}) m, turned by {turned:.0f} degrees, "
               f"is within reach, but {why}; approach it from the side to which its flap with the knob points.")  # fmt: skip


def _no(cause: str, status: str) -> Reach:
    return Reach(False, status, cause, [])


def grip_reach(X_WO: Array, relay: Relay = RELAY) -> Reach | None:
    """Why the grip point itself cannot be reached, whatever stands around; None where it can."""
    x, y = (float(v) for v in X_WO[:2, 3])
    front = WALL[0][1]
    if x < front + relay.body[0] / 2 and abs(y) < WALL[1][1] + 0.1:
        return _no("under the rover", f"the relay at ({x:.2f}, {y:.2f}) m stands under the rover, whose front is at x = "
                   f"{front:.2f} m: drive back until it is at least {0.25 - front:.2f} m in front of it.")  # fmt: skip
    model = free_arm().model
    grip = line_points(X_WO, 0.0, relay)[3]
    wrist = wrist_points(grip)
    found = ik_all(model, (wrist, DOWN))
    count = int(found.count)
    rho, at = float(np.hypot(*wrist[:2])), f"({grip[0]:.2f}, {grip[1]:.2f}) m"
    if count == 0:
        near, far = ring(round(float(wrist[2]), 3))
        if rho > 0.5 * (near + far):
            return _no("out of reach", f"the relay's flap at {at} is out of reach: {rho:.2f} m from the arm's axis, {far:.2f} m "
                       f"is the most with the gripper pointing down; drive {rho - far + 0.05:.2f} m nearer.")  # fmt: skip
        return _no("hollow", f"the relay's flap at {at} lies inside the hollow of the arm's workspace: {rho:.2f} m from the "
                   f"arm's axis, {near:.2f} m is the least; drive {near - rho + 0.05:.2f} m back.")  # fmt: skip
    if not found.in_limits[:count].any():
        return _no("joint limits", f"the relay's flap at {at} needs a joint beyond its limits in all {count} postures; turn the "
                   "rover so that the relay is in front of it.")  # fmt: skip
    return None


@functools.lru_cache(maxsize=8)
def ring(height: float) -> tuple[float, float]:
    """Least and largest distance [m] from the arm's axis of a wrist at a height [m] that points down; to 5 mm."""
    model = free_arm().model
    radii = np.arange(0.02, 0.80, 0.005)
    reached = [int(ik_all(model, (np.array([r, 0.0, height]), DOWN)).count) > 0 for r in radii]
    inside = radii[np.array(reached)]
    return (float(inside[0]), float(inside[-1])) if len(inside) else (0.0, 0.0)
