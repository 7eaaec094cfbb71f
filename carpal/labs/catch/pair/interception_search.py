"""Where and how an arm meets a flying object: a posture on the flight, the share of the velocity that the palm has, the motion.

The whole flight is sampled. At every sample the palm faces the object, turned about its normal in steps, and inverse
kinematics gives a posture; the palm goes along with a share of the object's velocity and brakes evenly. A motion must keep the
joints' range, speed and torque and touch nothing; of those the largest share wins, then the least asked of the limits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from carpal.contact import ContactTables, collides, contact_tables
from carpal.errors import InputError
from carpal.kinematics import fk, ik, jacobian, random_configurations
from carpal.labs.catch.pair.catching_robot import CatchingRobot
from carpal.labs.catch.pair.joint_legs import Leg, Limits, asked_of, quintic_leg
from carpal.labs.catch.pair.palm_search import Palm
from carpal.model import Model, Scene
from carpal.spatial import Array, align_z, rotation_about

Verdicts = NDArray[np.bool_]
EVERY = 0.03
"""[s] between two places of the flight that are tried."""
TURNS = 12
SHARES = (0.75, 0.6, 0.45, 0.3, 0.15, 0.0)
REACT, STOP, REST, HOME = 0.1, 0.15, 0.25, 1.2
"""[s] before the arm sets off, of braking with the object, of holding it still, and of the way home."""
LEAST_FLIGHT = 0.3
"""[s] of flight before the place where the arm waits."""
TURN_LENGTH = 0.2
"""[m] that a radian counts as where postures are compared."""
CHECKED = 12
"""Motions of a throw that are checked for collisions before it is given up."""
MARGIN = 0.005
"""[m] that a motion keeps from everything else."""


@dataclass(frozen=True, eq=False)
class Interception:
    """How an object is met.

    Args:
        time: of the first touch [s].
        legs: of the arm: approach, brake, way home.
        share: of the object's velocity with which the palm goes along.
        X_WP: the palm (4, 4) at the touch.
        speed, torque: largest share of the limits that the motion asks for.
        rejected: how many motions were left out, by reason.
    """

    time: float
    legs: tuple[Leg, ...]
    share: float
    X_WP: Array
    speed: float
    torque: float
    rejected: dict[str, int]

    @property
    def rest_time(self) -> float:
        """When the arm stands still with the object [s]."""
        return self.legs[1].end

    @property
    def end(self) -> float:
        """When it is home again [s]."""
        return self.legs[-1].end

    def arm_at(self, time: float) -> tuple[Array, Array, Array]:
        """Position, rate and acceleration (n) of the arm's joints."""
        leg = next((leg for leg in reversed(self.legs) if time >= leg.start), self.legs[0])
        q, v, vdot = leg.at(time)
        return (q, v, vdot) if leg.start <= time <= leg.end else (q, 0 * v, 0 * vdot)


def limits_of(robot: CatchingRobot, speed: float) -> Limits:
    """The arm's limits; joints without a speed in their file get `speed` [rad/s, m/s], at most which all have."""
    rigid = robot.rigid
    low, high = rigid.coupled_limits
    return Limits(low, high, np.minimum(rigid.v_max, speed), np.asarray(rigid.tau_max))


def interception(
    robot: CatchingRobot, palm: Palm, flight: tuple[Array, Array, Array], limits: Limits, ready: Array,
    tables: ContactTables | None = None, start: tuple[float, Array, Array] | None = None,
) -> Interception:  # fmt: skip
    """The best interception of a flight, for an arm that is ready or moves already.

    Args:
        robot, palm: who catches.
        flight: times (n) [s], positions and velocities (n, 3) of the object.
        limits: of the arm.
        ready: its joints (n) where it waits and where it takes the object.
        tables: of the robot and what stands around it, to be checked for collisions; None: the robot with itself.
        start: time, positions and rates (n) of the arm's joints from where it goes on; in `ready` after `REACT` by default.
    """
    rigid = robot.rigid
    begin, q0, v0 = start or (REACT, ready, np.zeros_like(ready))
    times, places, speeds = flight
    step = max(1, round(EVERY / (times[1] - times[0])))
    rows = np.arange(0, len(times), step)
    rows = rows[(times[rows] > begin + 0.1) & _within(rigid, places[rows])]
    rejected = {"out of reach": 0, "joint range": 0, "too fast": 0, "torque": 0, "collision": 0}
    if not len(rows):
        raise InputError("out of reach: the flight does not come near the arm while it has time to move.")
    targets, which = _targets(palm, places[rows], speeds[rows])
    answer = ik(rigid, targets, np.broadcast_to(q0, (len(targets), len(ready))), frame=robot.base, attempts=4)
    ok = np.asarray(answer.ok, bool)
    rejected["out of reach"] = int((~ok).sum())
    options = []
    for i in np.flatnonzero(ok):
        row, q = rows[which[i]], np.asarray(answer.q)[i]
        J = jacobian(rigid, q, robot.base)
        X_WP = targets[i] @ palm.X_BP  # it moves without turning, so its velocity is the base's
        for share in SHARES:
            twist = np.r_[share * speeds[row], 0.0, 0.0, 0.0]
            v = np.asarray(np.linalg.lstsq(J, twist, rcond=1e-3)[0], np.float64)
            if np.linalg.norm(J @ v - twist) > 0.02 * np.linalg.norm(twist) + 1e-9 and share > 0:
                continue
            legs = _motion(times[row], begin, (q0, v0), (q, v), ready)
            asked = [asked_of(rigid, leg, limits) for leg in legs]
            fast, hard, out = (max(each[k] for each in asked) for k in range(3))
            reason = (
                "joint range"
                if out > 0
                else "too fast"
                if fast > limits.share
                else "torque"
                if hard > limits.share
                else ""
            )
            if reason:
                rejected[reason] += share == 0.0  # the motion that asks for the least
                continue
            options.append((-share, max(fast, hard), float(times[row]), legs, X_WP, fast, hard))
            break
    options.sort(key=lambda option: option[:3])
    for option in options[:CHECKED]:
        if not touches(robot, palm.cup, option[3], tables):
            share, _, time, legs, X_WP, fast, hard = option
            return Interception(time, legs, -share, X_WP, fast, hard, rejected)
        rejected["collision"] += 1
    worst = max(rejected, key=lambda name: rejected[name])
    counts = ", ".join(f"{number} by {name}" for name, number in rejected.items() if number)
    raise InputError(
        f"{worst}: no way to meet the object was left of {len(targets)} postures along its flight ({counts})."
    )


def ready_posture(
    robot: CatchingRobot, palm: Palm, flight: tuple[Array, Array, Array], limits: Limits, tables: ContactTables | None = None
) -> Array:  # fmt: skip
    """Joints (n) in which the arm waits: on the nominal flight, far from its limits and from singular postures.

    Args:
        robot, palm: who catches.
        flight: the nominal one, as of `interception`.
        limits: of the arm.
        tables: as of `interception`.
    """
    rigid, (times, places, speeds) = robot.rigid, flight
    rows = np.arange(0, len(times), max(1, round(EVERY / (times[1] - times[0]))))
    rows = rows[(times[rows] > LEAST_FLIGHT) & _within(rigid, places[rows])]
    if not len(rows):
        raise InputError("out of reach: the nominal flight does not come near the arm.")
    targets, _ = _targets(palm, places[rows], speeds[rows])
    answer = ik(
        rigid,
        targets,
        np.broadcast_to(np.asarray(rigid.q_home), (len(targets), rigid.nq)),
        frame=robot.base,
        attempts=8,
    )
    q = np.asarray(answer.q)
    with np.errstate(invalid="ignore"):
        margin = np.minimum(q - limits.low, limits.high - q).min(-1)
    J = jacobian(rigid, q, robot.base)
    J[:, 3:] *= TURN_LENGTH
    worth = np.linalg.svd(J, compute_uv=False)[:, -1] * np.clip(margin / 0.5, 0.0, 1.0)
    worth = np.where(np.asarray(answer.ok, bool), worth, 0.0)
    for i in np.argsort(-worth)[: 3 * CHECKED]:
        still = (quintic_leg(0.0, 1.0, (q[i], 0 * q[i]), (q[i], 0 * q[i])),)
        if worth[i] > 0 and not touches(robot, palm.cup, still, tables):
            return q[i]
    raise InputError(
        f"out of reach: none of {len(targets)} postures along the nominal flight is inside the joints' range and touches nothing."
    )


def _within(rigid: Model, places: Array) -> Verdicts:
    """Places (n) that the arm may reach: no farther from its foot than the farthest of many postures, and 0.15 m."""
    q = random_configurations(rigid, 300, seed=0)
    foot = fk(rigid, np.asarray(rigid.q_home), next(body.name for body in rigid.bodies if body.joint.kind != "fixed"))[
        :3, 3
    ]
    far = np.linalg.norm(fk(rigid, q)[:, :3, 3] - foot, axis=-1).max() + 0.15
    return np.asarray(np.linalg.norm(places - foot, axis=-1) < far, bool)


def _targets(palm: Palm, places: Array, speeds: Array) -> tuple[Array, Array]:
    """Poses (n, 4, 4) of the hand's base with the palm on the flight and facing it, and the flight's row of each."""
    X_PB = np.linalg.inv(palm.X_BP)
    out, which = [], []
    for row, (p, v) in enumerate(zip(places, speeds, strict=True)):
        speed = np.linalg.norm(v)
        if speed < 1e-6:
            continue
        R = align_z(-v / speed)
        for turn in range(TURNS):
            X = np.eye(4)
            X[:3, :3], X[:3, 3] = R @ rotation_about(np.array([0.0, 0.0, 1.0]), 2 * np.pi * turn / TURNS), p
            out.append(X @ X_PB)
            which.append(row)
    return np.array(out), np.array(which)


def _motion(
    time: float, begin: float, a: tuple[Array, Array], b: tuple[Array, Array], home: Array
) -> tuple[Leg, Leg, Leg]:  # fmt: skip
    """Approach, brake, and home."""
    q, v = b
    stop = q + 0.5 * STOP * v
    still = np.zeros_like(home)
    rest = time + STOP
    approach, brake = quintic_leg(begin, time, a, b), quintic_leg(time, rest, b, (stop, still))
    return approach, brake, quintic_leg(rest + REST, rest + REST + HOME, (stop, still), (home, still))


def touches(robot: CatchingRobot, cup: float, legs: tuple[Leg, ...], tables: ContactTables | None) -> bool:
    """Whether anything of the robot comes within `MARGIN` of itself or its surroundings along a motion, digits in their cup."""
    q_arm = np.concatenate([leg.at(np.linspace(leg.start, leg.end, 24))[0] for leg in legs])
    q = np.repeat(robot.posture(cup)[None], len(q_arm), axis=0)
    q[:, robot.arm_rows] = q_arm
    return bool(collides(contact_tables(robot.model) if tables is None else tables, q, margin=MARGIN))


def palm_at(robot: CatchingRobot, palm: Palm, q_arm: Array) -> Array:
    """Pose (4, 4) of the palm for the arm's joints (n)."""
    return np.asarray(fk(robot.rigid, q_arm, robot.base)) @ palm.X_BP


def checked_pairs(robot: CatchingRobot, cup: float, scene: Scene) -> ContactTables:
    """What may touch along a motion: all pairs of the scene but bodies that are nearer than `MARGIN` in the arm's home already.

    Those are neighbours whose covers meet, and parts of the hand, which does not move in itself before it closes.
    """
    exclude: list[tuple[str, str]] = []
    q = robot.posture(cup)
    while True:
        tables = contact_tables(robot.model, exclude=exclude)
        names = collides(tables, q, margin=MARGIN).names()
        if names is None:
            prefix = scene.robots[0].name
            return contact_tables(scene.build(), exclude=[(f"{prefix}/{a}", f"{prefix}/{b}") for a, b in exclude])
        a, b = (tables.bodies[tables.names.index(name)] for name in names)
        exclude.append((str(a), str(b)))
