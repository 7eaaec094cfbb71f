"""The contact scene of a catch: robot, object and ground, where everything touches everything, and the engines that move it."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.contact import collides, contact_tables
from carpal.engines import Engine, ModalEngine, MuJoCoEngine, Surface
from carpal.errors import unknown_name
from carpal.labs.catch.pair.aerodynamics import Air
from carpal.labs.catch.pair.catching_robot import CatchingRobot, servo_actuators
from carpal.labs.catch.pair.interception_search import Interception
from carpal.labs.catch.pair.joint_legs import driving_torque
from carpal.labs.catch.pair.palm_search import Palm
from carpal.model import Model, Plane, Scene, Shape, State
from carpal.spatial import Array, pose

ARM_RATE = 45.0
"""[rad/s] circular frequency with which errors of the arm die out, critically damped."""
COVER = 5e-4
"""[m] between bodies that count as neighbours at home."""
MOST_CONTACTS = 512
"""Contact points of the modal engine: closed digits touch each other and the palm in many shapes."""
CLOSING = 0.02
"""[s] over which the digits' targets go from the cup to closed."""
ENGINES = ("modal", "mujoco")
OBJECT, ROBOT, GROUND = "ball", "robot", "ground"


@dataclass(frozen=True, eq=False)
class Thrown:
    """What is thrown: shape, mass [kg], pose (4, 4), velocity and spin (3) [m/s, rad/s] at the start, and the air."""

    shape: Shape
    mass: float
    X_WO: Array
    v: Array
    w: Array
    air: Air


def surroundings(robot: CatchingRobot, ground: float | None, gravity: Array) -> Scene:
    """The robot and what stands around it; the ground is at a height [m], or there is none."""
    scene = Scene("catch", gravity=gravity).add_robot(robot.model, name=ROBOT)
    for a, b in neighbours(robot):
        scene.exclude(f"{ROBOT}/{a}", f"{ROBOT}/{b}")
    if ground is not None:
        scene.add_fixed(GROUND, Plane(), pose=pose(p=(0.0, 0.0, ground)))
        foot = next(body.name for body in robot.model.bodies if body.parent is None)
        scene.exclude(f"{ROBOT}/{foot}", GROUND)  # it is bolted to it
    return scene


@functools.lru_cache(maxsize=8)
def neighbours(robot: CatchingRobot) -> tuple[tuple[str, str], ...]:
    """Bodies of the robot whose shapes overlap or all but touch at home: covers of neighbouring links, which are no contacts."""
    found: list[tuple[str, str]] = []
    while True:
        tables = contact_tables(robot.model, exclude=found)
        near = collides(tables, np.asarray(robot.model.q_home), margin=COVER)
        names = near.names()
        if names is None:
            return tuple(found)
        a, b = (tables.bodies[tables.names.index(name)] for name in names)
        found.append((str(a), str(b)))


class PairDrive:
    """What drives the joints: the arm follows an interception by computed torque, the digits close by their servos.

    Args:
        robot, palm, plan: who does what.
        model: of the scene.
        thrown: the object, which the air moves.
    """

    def __init__(
        self, robot: CatchingRobot, palm: Palm, plan: Interception, model: Model, thrown: Thrown
    ) -> None:  # fmt: skip
        self.robot, self.palm, self.plan, self.model, self.air = robot, palm, plan, model, thrown.air
        self.signal = plan.time - palm.lead
        self.arm = np.array([model.v_index(f"{ROBOT}/{name}") for name in robot.arm_joints])
        self.hand = np.array([model.v_index(f"{ROBOT}/{drive.joint}") for drive in robot.drives])
        self.object = model.v_index(OBJECT)
        self.limit = np.asarray(robot.rigid.tau_max)
        self.peak, self.limited = np.zeros(len(self.arm)), 0

    def gains(self) -> tuple[Array, Array]:
        """Stiffness and damping (nv) of the digits' servos."""
        stiffness, damping = np.zeros(self.model.nv), np.zeros(self.model.nv)
        stiffness[self.hand] = [drive.stiffness for drive in self.robot.drives]
        damping[self.hand] = [drive.damping for drive in self.robot.drives]
        return stiffness, damping

    def target(self, time: float) -> Array:
        """Positions (nv) that the digits' servos go for: their cup, and from the signal on their grip."""
        where = np.zeros(self.model.nv)
        where[self.hand] = self.set_points(time)
        return where

    def set_points(self, time: float) -> Array:
        """The same of the drives alone."""
        s = float(np.clip((time - self.signal) / CLOSING, 0.0, 1.0))
        cups = np.array([drive.target(self.palm.cup) for drive in self.robot.drives])
        return np.asarray(cups + s * (np.array([drive.grip for drive in self.robot.drives]) - cups))

    def forces(self, time: float, state: State) -> Array:
        """Generalised forces (nv): computed torque of the arm within its limits, and the air on the object."""
        u = np.zeros(self.model.nv)
        q_wanted, v_wanted, vdot = self.plan.arm_at(time)
        q, v = state.q[self.arm], state.v[self.arm]
        vdot = vdot + ARM_RATE**2 * (q_wanted - q) + 2.0 * ARM_RATE * (v_wanted - v)
        torque = driving_torque(self.robot.rigid, q, v, vdot, v_wanted)
        self.peak = np.maximum(self.peak, np.minimum(np.abs(torque), self.limit))
        self.limited += bool((np.abs(torque) > self.limit).any())
        u[self.arm] = np.clip(torque, -self.limit, self.limit)
        at = self.object
        u[at : at + 3] += self.air.force(state.v[at : at + 3], state.v[at + 3 : at + 6])
        return u


def pair_engine(name: str, model: Model, drive: PairDrive, surface: Surface, dt: float) -> tuple[Engine, Any]:
    """The engine of a catch and the policy that drives it.

    Args:
        name: "modal" or "mujoco".
        model: of the scene.
        drive: what drives it.
        surface: of everything that touches.
        dt: step [s].
    """
    if name == "modal":
        stiffness, damping = drive.gains()
        engine: Any = ModalEngine(
            model,
            dt=dt,
            surface=surface,
            stiffness=stiffness,
            damping=damping,
            target=drive.target,
            most_contacts=MOST_CONTACTS,
        )
        return engine, drive.forces
    if name != "mujoco":
        raise unknown_name("engine", name, ENGINES)
    driven = model.replace(actuators=servo_actuators(drive.robot, f"{ROBOT}/"))
    engine = MuJoCoEngine(driven, dt=dt, integrator="implicitfast", surface=surface, controls=drive.set_points(0.0))

    def policy(time: float, state: State) -> Array:
        engine.set_controls(drive.set_points(time))
        return drive.forces(time, state)

    return engine, policy


def start_state(robot: CatchingRobot, palm: Palm, scene: Scene, ready: Array) -> State:
    """The scene's start with the arm's joints (n) ready and the digits in their cup."""
    state = scene.start()
    q = np.array(state.q)
    q[: robot.model.nq] = robot.posture(palm.cup)
    q[robot.arm_rows] = ready
    return State(state.time, q, state.v)
