"""Straight tool lines of a grasp: down beside the flap, in between the blades, up; and reversed (Leutenegger 2008, 5.7, 7.8).

The blades are wider than the flap is long, so the gripper comes from the side: it is lowered in front of the flap's end, moves in
level with the flap between its open blades, and sinks until the upper blade almost lies on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.contact import CollisionChecker, CollisionResult, collides, collision_checker
from carpal.errors import CarpalError
from carpal.kinematics import ik_all
from carpal.labs.retrieve.relay.held_relay import aim_point, grasped, gripper_poses
from carpal.labs.retrieve.relay.relay import RELAY, Relay
from carpal.labs.retrieve.robot import GRIPPER
from carpal.labs.retrieve.scene import NEAR, carrying_scene, free_arm, scene_with_relays
from carpal.model import Model, TriangleMesh
from carpal.planning import Trajectory, tool_trajectory
from carpal.spatial import Array

DOWN = np.array([0.0, 0.0, -1.0])
BESIDE = 0.130  # [m] from the grip point to where the gripper is lowered: blade's radius and 50 mm
ABOVE = 0.040  # [m] above the height of the entry line
OVER_KNOB = 0.010  # [m] of the upper blade above the flap on the entry line; the knob is 6 mm high
OVER_FLAP = 0.004  # [m] of the upper blade above the flap when it closes
LIFT = 0.040  # [m]
SIDES = np.radians([0.0, 20.0, -20.0, 40.0, -40.0])
"""Angles to the flap's direction at which entry lines are tried."""
ASIDE = 60.0  # [s/rad] that an oblique entry must save
SPREAD = 0.06  # [rad] by which the relay's angle in the gripper is uncertain after the grasp
STEP = 0.01  # [s] between collision checks along a line


@dataclass(frozen=True, eq=False)
class PickLines:
    """Tool lines of a pick-up with one posture of the arm.

    Args:
        q_before: (5) where the planned path ends and the lines begin.
        grasp: down, in, and onto the flap.
        lift: up with the relay.
        side: angle of the entry line to the flap's direction [rad].
    """

    q_before: Array
    grasp: Trajectory
    lift: Trajectory
    side: float


def line_points(X_WO: Array, side: float, relay: Relay = RELAY) -> Array:
    """Positions (4, 3) of the gripper's frame at the corners of a grasp: above, beside, in, onto."""
    grip = (X_WO @ np.append(aim_point(relay), 1.0))[:3]
    c, s = np.cos(side), np.sin(side)
    out = X_WO[:3, :3] @ np.array([c, s, 0.0])
    out[2] = 0.0
    up = np.array([0.0, 0.0, 1.0])
    level = grip + OVER_KNOB * up
    return np.array([level + BESIDE * out + ABOVE * up, level + BESIDE * out, level, grip + OVER_FLAP * up])


def wrist_points(points: Array) -> Array:
    """Of the tool (n, 3) whose gripper's frame is at points (n, 3), pointing straight down."""
    return np.asarray(points - GRIPPER.plane * DOWN)


def postures(model: Model, point: Array) -> Array:
    """Postures (n, 5) within the limits with the gripper's frame at a point (3), pointing straight down."""
    found = ik_all(model, (wrist_points(point), DOWN))
    count = int(found.count)
    return np.array(found.q[:count][found.in_limits[:count]]).reshape(-1, model.nq)


def travel_time(model: Model, a: Array, b: Array) -> Array:
    """What the slowest joint takes [s] between configurations (*batch, 5)."""
    return np.asarray((np.abs(b - a) / model.v_max).max(axis=-1))


def straight(model: Model, points: Array, q0: Array) -> Trajectory:
    """The tool along straight lines, pointing down, stopping at corners."""
    return tool_trajectory(model, (wrist_points(points), DOWN), q0, corner=0.0)


def find_pick_lines(
    X_WO: Array,
    q_from: Array,
    relay: Relay = RELAY,
    *,
    terrain: TriangleMesh | None = None,
    checked: bool = True,
) -> tuple[list[PickLines], list[str]]:
    """Tool lines that grasp a relay, the quickest to start first, and why others were refused.

    Args:
        X_WO: its estimated pose.
        q_from: (5) where the arm comes from.
        relay: its numbers.
        terrain: instead of flat ground.
        checked: whether colliding lines are left out.
    """
    model, refused = free_arm(terrain).model, []
    checker = collision_checker(scene_with_relays(X_WO[None], relay, terrain))
    found_lines: list[PickLines] = []
    for side in SIDES if checked else SIDES[:1]:
        points = line_points(X_WO, float(side), relay)
        found = postures(model, points[0])
        if not len(found):
            refused.append("no posture reaches the place beside the flap")
        for q0 in found:
            try:
                grasp = straight(model, points, q0)
                lift = straight(model, np.array([points[3], points[3] + [0, 0, LIFT]]), grasp.q_end)
            except CarpalError as problem:
                refused.append(str(problem).split("; ")[0].rstrip("."))
                continue
            why = _touches(checker, grasp, lift, X_WO, relay, terrain) if checked else ""
            if why:
                refused.append(why)
                continue
            found_lines.append(PickLines(q0, grasp, lift, float(side)))
    # straight in is best: other sides only if they save time
    found_lines.sort(key=lambda lines: float(travel_time(model, q_from, lines.q_before)) + ASIDE * abs(lines.side))
    return found_lines, refused


def _touches(
    checker: CollisionChecker, grasp: Trajectory, lift: Trajectory, X_WO: Array, relay: Relay, terrain: TriangleMesh | None
) -> str:  # fmt: skip
    """The first collision before the lines, on them, or with the relay lifted; empty without one."""
    before = collides(checker.tables, grasp.q_start, margin=NEAR)
    if before:
        return f"beside the flap {_pair(before)}"
    hit = checker.collides(grasp.sample(max(STEP, grasp.duration / 400))[0])
    if hit:
        return f"on the entry line {_pair(hit)}"
    angle, _ = grasped(gripper_poses(checker.model, grasp.q_end), X_WO, relay)
    angles = angle + np.linspace(-SPREAD, SPREAD, 5)
    held = np.concatenate([np.repeat(lift.q_end[None], 5, axis=0), angles[:, None]], axis=1)
    lifted = carrying_scene(terrain).checker.collides(held)
    return f"with the relay lifted {_pair(lifted)}" if lifted else ""


def _pair(hit: CollisionResult) -> str:
    a, b = hit.tables.pair_names(int(np.atleast_1d(hit.pair)[np.atleast_1d(hit.hit)][0]))
    return f"'{a}' and '{b}' touch, or nearly"
