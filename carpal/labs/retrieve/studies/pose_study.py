"""Success rate over many relay poses: one plan per pose, executed with many draws of friction and joint offsets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from carpal.labs.retrieve.controller import HELD, RetrieveCycle, backed_off
from carpal.labs.retrieve.cycle.closing import close_on, still_held
from carpal.labs.retrieve.gripper.settings import GripperSettings
from carpal.labs.retrieve.planning.cycle_plan import CyclePlan
from carpal.labs.retrieve.planning.pick_setting import PLACE
from carpal.labs.retrieve.planning.reachability import check_reach
from carpal.labs.retrieve.relay.held_relay import gripper_poses, standing
from carpal.labs.retrieve.relay.relay import RELAY, relay_pose
from carpal.labs.retrieve.relay.swing import FRAME, SETTLE
from carpal.labs.retrieve.scene import OPEN, free_arm
from carpal.labs.retrieve.score import PLACE_TOLERANCE
from carpal.labs.retrieve.simulation.true_motion import TrueMotion, follow_free, follow_held
from carpal.labs.retrieve.simulation.true_scene import CARRIED, NEAR_GROUND
from carpal.labs.retrieve.simulation.world import RetrieveWorld
from carpal.spatial import Array

AREA = ((0.15, 0.80), (-0.60, 0.60))
"""Ground in front of the rover over which relays are drawn: x, y [m]; yaw is any."""


@dataclass(frozen=True, eq=False)
class PoseOutcome:
    """One relay, planned for once, executed with several draws.

    Args:
        relay_at: (x, y, yaw).
        seed: of the images and the planner.
        planned: whether there was a plan.
        status: of the plan.
        causes: (draws) why each did not arrive; empty where it did.
        collisions, outside: how many draws touched something, how many relays left their set of angles.
        swings: (draws) by how much the relay turned in the gripper [rad].
        seconds: planning to the relay and for carrying it.
        error: of the localisation [m], of the grip point.
        duration: of the planned motions [s].
    """

    relay_at: tuple[float, float, float]
    seed: int
    planned: bool
    status: str
    causes: tuple[str, ...]
    collisions: int = 0
    outside: int = 0
    swings: tuple[float, ...] = ()
    seconds: tuple[float, float] = (0.0, 0.0)
    error: float = float("nan")
    duration: float = 0.0

    @property
    def delivered(self) -> int:
        """How many draws arrived."""
        return sum(not cause for cause in self.causes)


def reachable_poses(count: int, seed: int = 0) -> list[tuple[float, float, float]]:
    """Relays (x, y, yaw) drawn over AREA that `check_reach` calls reachable."""
    rng = np.random.default_rng(seed)
    found: list[tuple[float, float, float]] = []
    while len(found) < count:
        (x0, x1), (y0, y1) = AREA
        x, y, yaw = rng.uniform(x0, x1), rng.uniform(y0, y1), rng.uniform(-np.pi, np.pi)
        if check_reach(relay_pose(x, y, yaw)):
            found.append((float(x), float(y), float(yaw)))
    return found


def study_pose(relay_at: tuple[float, float, float], seed: int, draws: int, planner: str = "sbl") -> PoseOutcome:
    """Localise and plan once, execute with every draw."""
    cycle = RetrieveCycle(RetrieveWorld(relay_at, seed), planner=planner, seed=seed)
    located = cycle.localise()
    if not located or located.X_WO is None:
        return PoseOutcome(relay_at, seed, False, located.status, ("not localised",) * draws)
    plan = cycle.plan()
    grip = np.append(RELAY.grip_point, 1.0)
    error = float(np.linalg.norm((located.X_WO @ grip - cycle.X_WO @ grip)[:3]))
    if not plan:
        return PoseOutcome(relay_at, seed, False, plan.status, (plan.cause,) * draws, seconds=plan.seconds, error=error)
    worlds = [RetrieveWorld(relay_at, seed, draw) for draw in range(draws)]
    causes, collisions, outside, swings = execute_draws(plan, worlds)
    return PoseOutcome(
        relay_at,
        seed,
        True,
        plan.status,
        tuple(causes),
        collisions,
        outside,
        tuple(swings),
        plan.seconds,
        error,
        plan.duration,
    )


def execute_draws(
    plan: CyclePlan, worlds: list[RetrieveWorld], place: tuple[float, float] = PLACE
) -> tuple[list[str], int, int, list[float]]:
    """(cause of each failure or "", draws that touched, relays that left their set, swings [rad]) of one plan in many worlds.

    The same as `RetrieveCycle` in each of them, at its first try; a grasp that would be tried again is a failure here.
    """
    n, model = len(worlds), free_arm(worlds[0].terrain).model
    offsets = np.array([w.offsets for w in worlds])
    X_WO = np.stack([w.X_WO for w in worlds])
    causes = [""] * n
    touched = 0

    def watch(name: str, done: TrueMotion) -> None:
        nonlocal touched
        for i, (a, b) in enumerate(done.met):
            if a and not causes[i]:
                causes[i] = f"{name}: {_group(a)} / {_group(b)}"
                touched += 1

    if plan.stow is not None:  # the rover has backed off meanwhile
        watch("stow", follow_free(plan.stow, offsets, OPEN, np.stack([backed_off(X) for X in X_WO])))
    for name in ("approach", "grasp"):
        watch(name, follow_free(plan.move(name).trajectory, offsets, OPEN, X_WO))
    if all(causes):  # every draw has failed
        return causes, touched, 0, [0.0] * n
    q = plan.move("grasp").trajectory.q_end
    gripper = GripperSettings()
    closings = [close_on(gripper, gripper_poses(model, q + w.offsets), w.X_WO, w.grip_seed) for w in worlds]
    for i, (world, closing) in enumerate(zip(worlds, closings, strict=True)):
        outcome = str(closing.drive.outcome)
        if outcome != "gripped":
            causes[i] = causes[i] or f"gripper {outcome}"
        elif str(still_held(gripper, closing, world.grip_seed).outcome) != "gripped":
            causes[i] = causes[i] or "lost in the lift"
    phi, X_PO = np.array([c.angle for c in closings]), np.stack([c.X_PO for c in closings])
    turned = [phi]
    left = np.zeros(n, bool)
    for part, name in enumerate(HELD):
        motion = plan.move(name).trajectory
        times = np.arange(0.0, motion.duration + SETTLE, FRAME)
        friction = np.array([w.friction(times, part) for w in worlds])
        found = {"carry": plan.rest.carry, "bring": plan.rest.bring}.get(name)
        how = CARRIED if found is not None or name in ("carry", "bring") else NEAR_GROUND
        history = None if found is None else found.angles
        done = follow_held(motion, offsets, np.full(n, RELAY.flap_thickness), phi, X_PO, friction, how, history)
        watch(name, done)
        left |= done.outside
        turned += [done.angles.min(axis=1), done.angles.max(axis=1)]
        phi = done.angles[:, -1]
        X_WO = np.stack([_pose(row) for row in done.rows[:, -1]])
        if all(causes):
            break
    X_WO = standing(X_WO)
    for name in ("retreat", "home"):
        watch(name, follow_free(plan.move(name).trajectory, offsets, OPEN, X_WO))
    grips = (X_WO @ np.append(RELAY.grip_point, 1.0))[:, :2]
    for i in range(n):
        if left[i]:
            causes[i] = causes[i] or "angle left its set"
        elif np.linalg.norm(grips[i] - place) > PLACE_TOLERANCE:
            causes[i] = causes[i] or "misplaced"
    spans = np.ptp(np.array(turned), axis=0)
    return causes, touched, int(left.sum()), [float(x) for x in spans]


def _pose(row: Array) -> Array:
    from carpal.spatial import pose, rotation_from_wxyz

    return pose(rotation_from_wxyz(row[9:]), row[6:9])


def _group(name: str) -> str:
    """What a shape belongs to, for counting."""
    part = name.split("/")[-1]
    if part.startswith("relay"):
        return part.replace("relay_", "relay's ").replace("_", " ")
    return {"ground": "ground", "rover_wall": "rover's wall"}.get(part, "gripper" if _of_gripper(part) else "arm")


def _of_gripper(part: str) -> bool:
    return part in ("upper_blade", "lower_blade", "plunger", "bar_left", "bar_right", "gripper_motor")


def counted(outcomes: list[PoseOutcome]) -> list[tuple[str, int]]:
    """Causes of failures over all draws, the most frequent first."""
    return Counter(cause for o in outcomes for cause in o.causes if cause).most_common()
