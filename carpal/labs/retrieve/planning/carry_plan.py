"""Plan of the delivery: to a posture in which the relay hangs (Leutenegger 2008, 5.7), to the place, down, out, home.

Where the gripper is level the relay hangs, so its angle is known whatever friction did before; from there it is brought to the
place. A relay that was let go stands at one of the angles that the settled set holds: leaving it and going home keep away from
all of them.
"""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass, field

import numpy as np

from carpal.contact import collision_checker
from carpal.errors import CarpalError
from carpal.kinematics import ik_all
from carpal.labs.retrieve.planning.pick_lines import (
    ABOVE,
    BESIDE,
    LIFT,
    OVER_KNOB,
    SIDES,
    SPREAD,
    STEP,
    postures,
    straight,
    travel_time,
)
from carpal.labs.retrieve.planning.pick_setting import PickSetting
from carpal.labs.retrieve.planning.plan_preview import corners_blended, corners_stopped
from carpal.labs.retrieve.relay.held_relay import carried_poses, gripper_poses, relay_in_payload, standing
from carpal.labs.retrieve.scene import HOME, carrying_scene, scene_with_relays
from carpal.model import Model
from carpal.planning import PlanResult, Trajectory, gravity_in_gripper, joint_trajectory
from carpal.spatial import Array

PUT_GAP = 0.004  # [m] above the ground at which the relay is let go
GENTLE = 0.1  # [rad/s^2] of the joints while the relay is carried: its payload model allows 0.3 m/s^2 at the relay
COPIES = 0.07  # [rad] between the relays that stand for all angles at which it may have been put down
LEVEL = (
    (0.40, 0.20, -30.0),
    (0.45, -0.10, -60.0),
    (0.35, 0.30, 0.0),
    (0.35, -0.30, -90.0),
    (0.25, 0.40, -90.0),
    (0.45, 0.0, 0.0),
)
"""Wrists (x, y) [m] at HEIGHT and the directions [degrees] in which the gripper is level, where the relay may hang; assumed."""
HEIGHT = 0.34
TRIES = 8  # level postures that are tried


@dataclass(frozen=True, eq=False)
class Move:
    """One motion of the cycle: `name` of its stage, the `trajectory` of the five joints, whether the relay is `held`."""

    name: str
    trajectory: Trajectory
    held: bool = False


@dataclass(frozen=True, eq=False)
class CarryPlan:
    """Motions after the lift, or why there are none (`status`).

    Args:
        moves: carry, bring, lower, retreat, home.
        carry, bring, home: results of the planner; None without one.
        put: (m, 4, 4) poses at which the relay may stand in the end.
        hanging, settled: least and largest angle of the relay in the gripper [rad], where it hangs and where it is let go.
        away: (3) direction in which the gripper leaves the relay.
        paths: corners (n, 5) of "carry", "bring" and "home".
    """

    ok: bool
    status: str
    moves: tuple[Move, ...] = ()
    carry: PlanResult | None = None
    bring: PlanResult | None = None
    home: PlanResult | None = None
    put: Array = field(default_factory=lambda: np.zeros((0, 4, 4)))
    hanging: tuple[float, float] = (0.0, 0.0)
    settled: tuple[float, float] = (0.0, 0.0)
    away: Array = field(default_factory=lambda: np.zeros(3))
    paths: dict[str, Array] = field(default_factory=dict)


@functools.lru_cache(maxsize=1)
def level_postures() -> Array:
    """Collision-free postures (n, 5) with a level gripper and a relay hanging within 0.5 rad of the vertical."""
    scene = carrying_scene()
    found = []
    for x, y, heading in LEVEL:
        ahead = np.array([np.cos(np.radians(heading)), np.sin(np.radians(heading)), 0.0])
        answer = ik_all(scene.model, (np.array([x, y, HEIGHT]), ahead))
        found.append(answer.q[: int(answer.count)][answer.in_limits[: int(answer.count)]])
    q = np.concatenate(found)
    g = gravity_in_gripper(scene.model, scene.payload, q)
    hanging = np.arctan2(g[:, 1], g[:, 0])
    free = np.ones(len(q), bool)
    for aside in (-0.5, 0.0, 0.5):
        free &= ~scene.checker.collides(np.concatenate([q, (hanging + aside)[:, None]], axis=1)).hit
    return np.asarray(q[free])


def plan_carry(setting: PickSetting, q: Array, angle: float) -> CarryPlan:
    """From a configuration (5) with the relay lifted, at an angle [rad] in the gripper."""
    model, (x, y) = setting.model, setting.place
    above = np.array([x, y, setting.relay.flap_height + LIFT])
    goals = postures(model, above)
    if not len(goals):
        return CarryPlan(
            False, f"the place ({x:.2f}, {y:.2f}) m to put the relay down is not within reach; choose another."
        )
    said = f"every posture above the place ({x:.2f}, {y:.2f}) m touches something; choose another."
    level = level_postures()
    level = level[np.argsort(travel_time(model, q, level))]
    for hanging in level[: TRIES if setting.checks_collisions else 1]:
        first = setting.carried_path(q, hanging, angle, SPREAD) if setting.checks_collisions else None
        if first is not None and not first:
            said = f"no path to carry the relay: {first.status}"
            continue
        low, high = first.angles.settled.intervals[0] if first is not None else (angle, angle)
        for goal in goals[np.argsort(travel_time(model, hanging, goals))]:
            answer = _bring(setting, hanging, goal, above, 0.5 * (low + high), 0.5 * (high - low))
            if answer.ok:
                motion = (
                    first.trajectory(vdot_max=GENTLE)
                    if first
                    else joint_trajectory(model, [q, hanging], vdot_max=GENTLE)
                )
                moves = (Move("carry", motion, True), *answer.moves)
                paths = {"carry": np.array([q, hanging]) if first is None else first.path, **answer.paths}
                return dataclasses.replace(answer, moves=moves, carry=first, hanging=(low, high), paths=paths)
            said = answer.status
    return CarryPlan(False, said)


def _bring(setting: PickSetting, q: Array, goal: Array, above: Array, angle: float, spread: float) -> CarryPlan:
    """From the level posture to one above the place, and on until home."""
    model = setting.model
    try:
        lower = straight(model, np.array([above, above - [0, 0, LIFT - PUT_GAP]]), goal)
    except CarpalError as problem:
        return CarryPlan(False, str(problem))
    brought = setting.carried_path(q, goal, angle, spread) if setting.checks_collisions else None
    if brought is not None and not brought:
        return CarryPlan(False, f"no path to bring the relay to its place: {brought.status}")
    settled = None if brought is None else brought.angles.settled
    low, high = (angle, angle) if settled is None else settled.intervals[0]
    put = where_put(setting, lower.q_end, np.array([angle]) if settled is None else settled.samples(COPIES))
    back = back_out(setting, lower.q_end, 0.5 * (low + high), put)
    if isinstance(back, str):
        return CarryPlan(False, back)
    out, away = back
    home = setting.free_path(put, out.q_end, HOME)
    if home.motion is None:
        return CarryPlan(False, f"no path home: {home.status}")
    motion = brought.trajectory(vdot_max=GENTLE) if brought else joint_trajectory(model, [q, goal], vdot_max=GENTLE)
    moves = (Move("bring", motion, True), Move("lower", lower, True), Move("retreat", out), Move("home", home.motion))
    paths = {"bring": np.array([q, goal]) if brought is None else brought.path, "home": home.path}
    return CarryPlan(True, "", moves, None, brought, home.found, put, (0.0, 0.0), (low, high), away, paths)


def where_put(setting: PickSetting, q: Array, angles: Array) -> Array:
    """Where the relay may stand (n, 4, 4) when it is let go at angles (n)."""
    X_WG = np.repeat(gripper_poses(setting.model, q)[None], len(angles), axis=0)
    return standing(carried_poses(X_WG, angles, relay_in_payload(setting.relay)))


def out_points(start: Array, away: Array) -> Array:
    """Corners (4, 3) of the retreat: off the flap, out in a direction (3), up."""
    off = start + np.array([0, 0, OVER_KNOB - PUT_GAP])
    return np.array([start, off, off + BESIDE * away, off + BESIDE * away + [0, 0, ABOVE]])


def stored_carry(model: Model, x: dict[str, Array]) -> CarryPlan:
    """The part of a stored plan that follows the lift."""
    goal = x["bring"][-1]
    above = gripper_poses(model, goal)[:3, 3]
    lower = straight(model, np.array([above, above - [0, 0, LIFT - PUT_GAP]]), goal)
    out = straight(model, out_points(gripper_poses(model, lower.q_end)[:3, 3], x["away"]), lower.q_end)
    moves = (
        Move("carry", corners_stopped(model, x["carry"], GENTLE), True),
        Move("bring", corners_stopped(model, x["bring"], GENTLE), True),
        Move("lower", lower, True), Move("retreat", out), Move("home", corners_blended(model, x["home"])),
    )  # fmt: skip
    hanging, settled = ((float(low), float(high)) for low, high in (x["hanging"], x["settled"]))
    paths = {name: x[name] for name in ("carry", "bring", "home")}
    return CarryPlan(True, "", moves, None, None, None, x["put"], hanging, settled, x["away"], paths)


def back_out(setting: PickSetting, q: Array, angle: float, put: Array) -> tuple[Trajectory, Array] | str:
    """Retreat off the flap, out and up, and its direction, away from the body; or why there is none."""
    X_WG = gripper_poses(setting.model, q)
    checker = collision_checker(scene_with_relays(put, setting.relay, setting.terrain))
    said = ""
    for side in SIDES if setting.checks_collisions else SIDES[:1]:
        away = X_WG[:3, :3] @ np.array([-np.cos(angle + side), -np.sin(angle + side), 0.0])
        away[2] = 0.0
        try:
            motion = straight(setting.model, out_points(X_WG[:3, 3], away), q)
        except CarpalError as problem:
            said = str(problem)
            continue
        if setting.checks_collisions:
            hit = checker.collides(motion.sample(max(STEP, motion.duration / 400))[0])
            if hit:
                said = f"on the retreat {hit}"
                continue
        return motion, away
    return f"the gripper cannot leave the relay: {said}"
