"""Settings of a pick-up: planner, seed, place of delivery; planning with the open gripper and with the held relay."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from carpal.contact import collision_checker
from carpal.errors import InputError, unknown_name
from carpal.labs.retrieve.relay.relay import RELAY, Relay
from carpal.labs.retrieve.scene import NEAR, carrying_scene, free_arm, scene_with_relays
from carpal.model import Model, TriangleMesh
from carpal.planning import PlanResult, Trajectory, joint_trajectory, plan
from carpal.spatial import Array

PLANNERS = {"sbl": "sbl", "est": "est", "rrt": "rrt_connect", "none": ""}
SAMPLES = 6000
PLACE = (0.45, -0.30)
"""Where the flap's grip point is put down by default (x, y) [m]."""


@dataclass(frozen=True, eq=False)
class PickSetting:
    """Settings of a pick-up.

    Args:
        planner: "sbl", "est", "rrt", or "none": straight joint lines without collision checks.
        seed: of the planners' random numbers.
        place: (x, y) of the grip point where the relay is let go [m].
        relay: its numbers.
        terrain: instead of flat ground, without the relay.
    """

    planner: str = "sbl"
    seed: int = 0
    place: tuple[float, float] = PLACE
    relay: Relay = RELAY
    terrain: TriangleMesh | None = None

    def __post_init__(self) -> None:
        if self.planner not in PLANNERS:
            raise unknown_name("planner", self.planner, PLANNERS)
        if len(self.place) != 2 or not all(math.isfinite(v) for v in self.place):
            raise InputError(f"place must be two finite numbers (x, y) [m]; got {self.place!r:.60}.")

    @property
    def checks_collisions(self) -> bool:
        """Whether collisions are checked."""
        return self.planner != "none"

    @property
    def model(self) -> Model:
        """The scene's arm."""
        return free_arm(self.terrain).model

    def free_path(self, relays: Array, q_from: Array, q_to: Array) -> FreePath:
        """Path with the open gripper around the relay, which stands at one of n poses (n, 4, 4)."""
        if not self.checks_collisions:
            return FreePath(None, joint_trajectory(self.model, [q_from, q_to]), "", np.array([q_from, q_to]))
        checker = collision_checker(scene_with_relays(relays, self.relay, self.terrain), margin=NEAR)
        found = plan(
            checker, q_from, q_to, planner=PLANNERS[self.planner], seed=self.seed, max_samples=SAMPLES, proof=True, sheets=True
        )  # fmt: skip
        return FreePath(found, found.trajectory() if found else None, found.status, found.path)

    def carried_path(self, q_from: Array, q_to: Array, angle: float, spread: float) -> PlanResult:
        """Path with the relay in the gripper, its angle known to a spread [rad]."""
        return plan(
            carrying_scene(self.terrain), q_from, q_to, planner=PLANNERS[self.planner], seed=self.seed, angle=angle,
            spread=spread, max_samples=SAMPLES, sheets=True,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class FreePath:
    """A path without the relay: the planner's result, its motion or None, the status, its corners (n, 5)."""

    found: PlanResult | None
    motion: Trajectory | None
    status: str
    path: Array
