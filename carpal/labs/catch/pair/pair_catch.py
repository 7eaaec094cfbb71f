"""One catch with any arm and hand: robot and palm found once, then throws, plans, runs and scores."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.contact import ContactTables
from carpal.engines import Engine, Recording, Surface
from carpal.kinematics import fk, random_configurations
from carpal.labs.catch.pair.aerodynamics import Air
from carpal.labs.catch.pair.catching_robot import CatchingRobot, catching_robot, corner_points
from carpal.labs.catch.pair.interception_search import (
    Interception,
    checked_pairs,
    interception,
    limits_of,
    ready_posture,
)
from carpal.labs.catch.pair.joint_legs import Limits
from carpal.labs.catch.pair.pair_scene import OBJECT, ROBOT, PairDrive, Thrown, pair_engine, start_state, surroundings
from carpal.labs.catch.pair.pair_setup import PairSetup, Window
from carpal.labs.catch.pair.palm_search import Palm, find_palm
from carpal.model import PlacedShape, Scene, Shape, Sphere, State
from carpal.spatial import Array, pose

LONGEST = 3.0
"""[s] of flight that is sampled."""
AFTER = 0.1
"""[s] of the run after the arm is back."""
EVERY = 5
"""Steps between two recorded rows."""


@dataclass(frozen=True, eq=False)
class ReadyPair:
    """Robot, palm, limits, waiting posture, the pairs that are checked, and the window with its goal."""

    setup: PairSetup
    robot: CatchingRobot
    palm: Palm
    limits: Limits
    ready: Array
    tables: ContactTables
    window: Window

    @property
    def air(self) -> Air:
        """What the air does to the object."""
        x, y, z = (float(each) for each in self.robot.model.gravity)
        return Air(equal_radius(self.setup.form), self.setup.mass, self.setup.drag, (x, y, z))


def equal_radius(form: Shape) -> float:
    """Radius [m] of the sphere with the volume of a shape's bounding box; a sphere's own."""
    if isinstance(form, Sphere):
        return float(form.radius)
    edges = np.ptp(corner_points(PlacedShape("x", None, form)), axis=0)
    return float((3.0 * np.prod(edges) / (4.0 * np.pi)) ** (1 / 3))


@functools.lru_cache(maxsize=8)
def ready_pair(key: str) -> ReadyPair:
    """The pair of a setup's key, found once: it takes seconds."""
    data: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in json.loads(key).items()}
    drawn: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.pop("window").items()}
    setup = PairSetup(**data, window=Window(**drawn))
    robot = catching_robot(
        setup.arm, setup.hand or None, frame=setup.frame or None, X_FH=setup.X_FH, base=setup.base or None,
        opened=setup.opened, closed=setup.closed,
    )  # fmt: skip
    surface = Surface(mu=setup.mu, restitution=setup.restitution)
    radius = equal_radius(setup.form)
    palm = find_palm(robot, radius, setup.mass, setup.meeting_speed, surface)
    limits = limits_of(robot, setup.speed_limit)
    window = setup.window if setup.window.goal else Window(**{**vars(setup.window), "goal": _goal(robot)})
    tables = checked_pairs(robot, palm.cup, surroundings(robot, setup.ground, np.asarray(robot.model.gravity)))
    half = ReadyPair(setup, robot, palm, limits, np.zeros(0), tables, window)
    p, v, w = draw_throw(half, 0, 0.0)
    flight = half.air.flight(p, v, w, LONGEST)
    return ReadyPair(setup, robot, palm, limits, ready_posture(robot, palm, flight, limits, tables), tables, window)


def _goal(robot: CatchingRobot) -> tuple[float, float, float]:
    """Where throws go to by default: 0.45 of the reach ahead of the first joint and 0.25 of it up."""
    rigid = robot.rigid
    foot = fk(rigid, np.asarray(rigid.q_home), next(b.name for b in rigid.bodies if b.joint.kind != "fixed"))[:3, 3]
    q = random_configurations(rigid, 300, seed=0)
    reach = float(np.linalg.norm(fk(rigid, q)[:, :3, 3] - foot, axis=-1).max())
    return float(foot[0] + 0.45 * reach), float(foot[1]), float(foot[2] + 0.25 * reach)


def draw_throw(pair: ReadyPair, seed: int, vary: float) -> tuple[Array, Array, Array]:
    """Position, velocity and spin (3) of a seed's throw: the setup's own, or of its window (`vary` 0: its middle)."""
    if pair.setup.throw:
        numbers = np.array(pair.setup.throw)
        return numbers[:3], numbers[3:6], numbers[6:]
    window, rng = pair.window, np.random.default_rng([seed, 28])

    def of(low: float, high: float) -> float:
        return float(0.5 * (low + high) + vary * 0.5 * (high - low) * rng.uniform(-1, 1))

    half = 0.5 * np.array(window.goal_size)
    goal = np.array(window.goal) + vary * half * rng.uniform(-1, 1, 3)
    distance, azimuth = of(*window.distance), np.radians(of(*window.azimuth_deg))
    height, time = of(*window.height), of(*window.flight)
    spin = vary * window.spin * rng.uniform(-1, 1, 3)
    start = np.array(window.goal) + np.array([distance * np.cos(azimuth), distance * np.sin(azimuth), height])
    gravity = np.asarray(pair.robot.model.gravity)
    return start, (goal - start) / time - 0.5 * time * gravity, spin


def plan_of(pair: ReadyPair, throw: tuple[Array, Array, Array]) -> Interception:
    """The interception of a throw, or why there is none."""
    return interception(
        pair.robot, pair.palm, pair.air.flight(*throw, LONGEST), pair.limits, pair.ready, pair.tables
    )  # fmt: skip


def scene_of(pair: ReadyPair, throw: tuple[Array, Array, Array]) -> Scene:
    """Robot, ground and the object at its start."""
    p, v, w = throw
    scene = surroundings(pair.robot, pair.setup.ground, np.asarray(pair.robot.model.gravity))
    return scene.add_object(OBJECT, pair.setup.form, mass=pair.setup.mass, pose=pose(p=p), twist=np.r_[v, w])


def begin_catch(
    pair: ReadyPair, throw: tuple[Array, Array, Array], plan: Interception, engine: str
) -> tuple[Engine, State, Any, PairDrive]:  # fmt: skip
    """Engine, state, policy and drive of a catch."""
    scene = scene_of(pair, throw)
    p, v, w = throw
    thrown = Thrown(pair.setup.form, pair.setup.mass, pose(p=p), v, w, pair.air)
    drive = PairDrive(pair.robot, pair.palm, plan, scene.build(), thrown)
    surface = Surface(mu=pair.setup.mu, restitution=pair.setup.restitution)
    made, policy = pair_engine(engine, drive.model, drive, surface, pair.setup.dt)
    return made, start_state(pair.robot, pair.palm, scene, pair.ready), policy, drive


def kept_of(pair: ReadyPair, plan: Interception, drive: PairDrive) -> dict[str, Any]:
    """What a recording keeps of a catch for its score."""
    return {
        "time": plan.time, "rest": plan.rest_time, "end": plan.end, "share": plan.share, "speed_share": plan.speed,
        "torque_share": plan.torque, "peak_torque": drive.peak.tolist(), "limited_steps": drive.limited,
        "X_BP": pair.palm.X_BP.tolist(), "cup": pair.palm.cup, "lead": pair.palm.lead, "base": pair.robot.base,
        "window": pair.palm.window.tolist(), "tried": pair.palm.tried,
    }  # fmt: skip


def palm_poses(recording: Recording, kept: dict[str, Any]) -> Array:
    """Pose (rows, 4, 4) of the palm at every recorded row."""
    return np.asarray(fk(recording.model, recording.q, f"{ROBOT}/{kept['base']}")) @ np.array(kept["X_BP"])
