"""Where a hand catches: balls are dropped into it in simulation, and the middle of those that it holds is its palm.

The hand's base stands still. A ball comes along a line with the speed at which it shall be met, the digits close from their cup
a lead before it is at the place that it is thrown at, and gravity then pulls in six directions, one after the other.
Directions of approach are the way the digits point, the way they move when they close, and the mean of both; lines are a grid
around the middle of the digits. Cups are shares of the closing motion.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.engines import MuJoCoEngine, Surface
from carpal.errors import InputError
from carpal.kinematics import fk
from carpal.labs.catch.pair.catching_robot import CatchingRobot, servo_actuators, tip_points
from carpal.model import Scene, Sphere
from carpal.spatial import Array, align_z, pose

CUPS = (0.0, 0.25, 0.45)
LEADS = (0.0, 0.04)
COARSE, SPACING, LINES = 0.018, 0.012, 5
"""[m] between the nine lines of the first pass and the 25 of the second."""
FINALISTS = 2
START = 0.25
"""[m] before the place that it is thrown at where a dropped ball begins."""
HOLD, SHAKE = 0.35, 0.12
"""[s] of closing, and of each direction of gravity."""
DT = 1e-3
STILL, NEAR = 0.03, 0.15
"""[m/s] of the ball against the palm, and [m] from the palm's origin, of a ball that is held."""


@dataclass(frozen=True, eq=False)
class Palm:
    """How a hand catches.

    Args:
        X_BP: pose (4, 4) of the palm in the hand's base: origin where the ball's centre shall go, z against its way.
        cup: share closed when the ball comes.
        lead: the digits' signal before the ball's centre is at the origin [s].
        window: offsets (n, 2) [m] in the palm's x and y from which the search's balls were held.
        tried: how many lines were tried with this cup and direction.
    """

    X_BP: Array
    cup: float
    lead: float
    window: Array
    tried: int


def find_palm(robot: CatchingRobot, radius: float, mass: float, speed: float, surface: Surface) -> Palm:
    """The direction, cup and lead that hold the most balls, and the line in their middle.

    Args:
        robot: whose hand.
        radius, mass: of the ball [m, kg].
        speed: at which the ball is met [m/s].
        surface: between ball and hand.
    """
    sampled: list[tuple[int, int, Drop, Array, Array, float]] = []
    for cup in CUPS:
        drop = Drop(robot, radius, mass, surface, cup)
        for (direction, middle), lead in itertools.product(_approaches(robot, cup), LEADS):
            offsets = COARSE * np.array([-1.0, 0.0, 1.0])
            held = drop.grid(middle, direction, speed, lead, offsets)
            sampled.append((int(held.sum()), len(sampled), drop, direction, middle, lead))
    sampled.sort(key=lambda each: (-each[0], each[1]))
    best: tuple[float, Palm | None] = (0.0, None)
    lines_at: Array = np.asarray(SPACING * (np.arange(LINES) - LINES // 2), np.float64)
    for count, _, drop, direction, middle, lead in sampled[:FINALISTS]:
        if not count:
            break
        held = drop.grid(middle, direction, speed, lead, lines_at)
        if held.sum() > best[0]:
            lines = np.argwhere(held)
            i, j = lines[np.linalg.norm(lines - lines.mean(0), axis=1).argmin()]
            R = align_z(direction)
            window = np.array([[lines_at[a] - lines_at[i], lines_at[b] - lines_at[j]] for a, b in np.argwhere(held)])
            origin = middle + R @ [lines_at[i], lines_at[j], 0.0]
            best = float(held.sum()), Palm(pose(R, origin), drop.cup, lead, window, held.size)
    if best[1] is None:
        raise InputError(
            f"no place was found where the hand of '{robot.model.name}' holds a ball of {1000 * radius:g} mm radius met at "
            f"{speed:g} m/s; give the palm, open and closed positions in a setup file, another ball, or a slower meeting."
        )
    return best[1]


def _approaches(robot: CatchingRobot, cup: float) -> list[tuple[Array, Array]]:
    """Directions (3) against which a ball may come, and the point (3) [m] of the base's frame that it is thrown at."""
    opened = tip_points(robot.model, robot.base, robot.posture(cup))
    closed = tip_points(robot.model, robot.base, robot.posture(min(1.0, cup + 0.3)))
    middle = opened.mean(0)
    pointing = middle / np.linalg.norm(middle)
    moved = (closed - opened).mean(0)
    found = [pointing]
    across = moved - (moved @ pointing) * pointing
    if np.linalg.norm(across) > 0.3 * np.linalg.norm(closed - opened, axis=1).mean():
        across /= np.linalg.norm(across)
        found += [across, (across + pointing) / np.sqrt(2)]
    return [(direction, 0.6 * middle if direction is not pointing else middle) for direction in found]


class Drop:
    """Balls dropped into a hand whose base stands still, in MuJoCo.

    Args:
        robot: whose hand.
        radius, mass: of the ball [m, kg].
        surface: between ball and hand.
        cup: share closed when the ball comes.
    """

    def __init__(self, robot: CatchingRobot, radius: float, mass: float, surface: Surface, cup: float) -> None:
        import mujoco

        self.robot, self.cup, self._mujoco = robot, cup, mujoco
        hand = robot.hand_alone()
        scene = Scene("drop", gravity=(0.0, 0.0, 0.0)).add_robot(hand, name="robot")
        scene.add_object("ball", Sphere(radius), mass=mass)
        model = scene.build().replace(actuators=servo_actuators(robot, "robot/"))
        self.engine = MuJoCoEngine(model, dt=DT, integrator="implicitfast", surface=surface)
        self.compiled: Any = self.engine.compiled
        self.compiled.opt.disableflags &= ~int(mujoco.mjtDisableBit.mjDSBL_ACTUATION)
        self.data: Any = mujoco.MjData(self.compiled)
        posture = robot.posture(cup)
        self._joints = [
            (int(self.compiled.joint(f"robot/{name}").qposadr[0]), posture[robot.model.q_index(name)])
            for name in robot.hand_joints
        ]
        self._free = self.compiled.joint("ball")
        self._ball = int(self.compiled.body("ball").id)
        self._X_WB = _pose_of(robot)

    def grid(self, middle: Array, direction: Array, speed: float, lead: float, offsets: Array) -> Array:
        """Which balls are held (n, n) that come along lines off `middle` by the offsets (n) [m] to both sides."""
        R = align_z(direction)
        return np.array(
            [[self.run(middle + R @ [a, b, 0.0], direction, speed, lead) for b in offsets] for a in offsets], bool
        )  # fmt: skip

    def run(self, at: Array, direction: Array, speed: float, lead: float) -> bool:
        """Whether a ball that comes against `direction` (3) along the line through `at` (3) [m] is held."""
        data, compiled = self.data, self.compiled
        self._mujoco.mj_resetData(compiled, data)
        for address, value in self._joints:
            data.qpos[address] = value
        R, p = self._X_WB[:3, :3], self._X_WB[:3, 3]
        q, v = int(self._free.qposadr[0]), int(self._free.dofadr[0])
        data.qpos[q : q + 3] = p + R @ (at + START * direction)
        data.qpos[q + 3 : q + 7] = 1.0, 0.0, 0.0, 0.0
        data.qvel[v : v + 3] = -speed * (R @ direction)
        data.ctrl[:] = [drive.target(self.cup) for drive in self.robot.drives]
        for _ in range(round((START / speed - lead) / DT)):
            self._mujoco.mj_step(compiled, data)
        data.ctrl[:] = [drive.grip for drive in self.robot.drives]
        side = align_z(direction)
        pulls = [
            (-direction, HOLD),
            *((sign * side[:, k], SHAKE) for k in (0, 1) for sign in (1, -1)),
            (direction, SHAKE),
        ]
        held = True
        for pull, length in pulls:
            compiled.opt.gravity[:] = 9.81 * (R @ pull)
            for _ in range(round(length / DT)):
                self._mujoco.mj_step(compiled, data)
            there = R.T @ (data.qpos[q : q + 3] - p)
            held = held and bool(np.linalg.norm(there - at) < NEAR)
            if not held:
                break
        compiled.opt.gravity[:] = 0.0
        return bool(held and np.linalg.norm(data.qvel[v : v + 3]) < STILL and self._touches())

    def _touches(self) -> bool:
        geoms = self.compiled.geom_bodyid
        return any(self._ball in (geoms[c.geom1], geoms[c.geom2]) for c in self.data.contact[: self.data.ncon])


def _pose_of(robot: CatchingRobot) -> Array:
    """Pose (4, 4) of the base at home."""
    return np.asarray(fk(robot.model, np.asarray(robot.model.q_home), robot.base))
