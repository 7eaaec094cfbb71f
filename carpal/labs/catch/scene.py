"""The catcher's scene: robot, ball and bin in Yesmunt's world (gravity along -y, the ball flies in +z), in two forms.

`catcher` is a Mechanism in full coordinates for the penalty engine, `catcher_tree` a tree Model in joint coordinates for
dynamics, pictures and MuJoCo; both are made from the same robot (`robot.py`), ball and bin. Commands: 0 to 5 the arm's joint
angles [rad], 6 to 9 the lengths of index, middle, ring and little finger's actuators [m], 10 the thumb's angle [rad]. Every
surface of the hand and the bin touches the ball, nothing else touches (docs/limitations.md).
"""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
from numpy.typing import ArrayLike

from carpal.engines import PenaltyEngine
from carpal.errors import InputError
from carpal.labs.catch.appearance import catcher_visuals
from carpal.labs.catch.catcher_numbers import CatcherNumbers
from carpal.labs.catch.hand_geometry import FINGER_CLOSED, FINGER_OPEN, FINGERS, THUMB_CLOSED, THUMB_OPEN
from carpal.labs.catch.mechanism import robot_mechanism
from carpal.labs.catch.robot import actuator_ends, arm_model, coupled_angles, robot_bodies, robot_shapes
from carpal.model import Body, Box, Joint, Mechanism, MechanismBody, Model, PlacedShape, Sphere, real_array
from carpal.spatial import Array, Inertia, pose, wxyz_from_rotation

GRAVITY = np.array([0.0, -9.81, 0.0])
ARM_COMMANDS, FINGER_COMMANDS, THUMB_COMMAND = slice(0, 6), slice(6, 10), 10
COMMANDS = 11
WALL = 0.01
BALL_COLOUR, BIN_COLOUR = (0.87, 0.42, 0.13, 1.0), (0.55, 0.58, 0.62, 0.5)


def hand_command(closed: bool) -> Array:
    """The digits' part (5) of the command."""
    finger, thumb = (FINGER_CLOSED, THUMB_CLOSED) if closed else (FINGER_OPEN, THUMB_OPEN)
    return np.array([finger] * len(FINGERS) + [thumb])


def catcher(
    q: ArrayLike | None = None,
    ball_position: ArrayLike = (0.0, -5.0, 0.0),
    ball_velocity: ArrayLike = (0.0, 0.0, 0.0),
    *,
    closed: bool = False,
    numbers: CatcherNumbers | None = None,
) -> Mechanism:
    """The catcher, assembled exactly and at rest, and the ball at its launch.

    Args:
        q: joint angles (6) [rad] of the arm; Yesmunt's start pose by default.
        ball_position, ball_velocity: of the ball's centre (3) [m, m/s] in W.
        closed: whether the hand starts closed.
        numbers: what it is made of.
    """
    numbers, angles = _checked(numbers, q)
    held = robot_mechanism(angles, hand_command(closed), numbers, GRAVITY)
    ball = ball_body(numbers, vector("ball_position", ball_position), vector("ball_velocity", ball_velocity))
    sides = [*(body.name for body in held.bodies), None]
    return dataclasses.replace(
        held,
        bodies=(*held.bodies, ball),
        fixed=bin_shapes(numbers),
        untouched=tuple(itertools.combinations(sides, 2)),
        visuals=catcher_visuals(),
    )


def catcher_tree(
    q: ArrayLike | None = None,
    ball_position: ArrayLike = (0.0, -5.0, 0.0),
    *,
    closed: bool = False,
    numbers: CatcherNumbers | None = None,
) -> Model:
    """The same catcher as `catcher(...)`, as a tree; its home is that assembly. The bin stands in the world.

    Joints: the arm's six by their own names, `<finger>/<phalanx>`, `thumb`, and the free `ball`.
    """
    numbers, angles = _checked(numbers, q)
    digits = hand_command(closed)
    ball = ball_body(numbers, vector("ball_position", ball_position), np.zeros(3))
    bodies = [*robot_bodies(numbers), Body("ball", None, Joint("ball", "free"), ball.inertia)]
    fingers = [coupled_angles(finger, length) for finger, length in zip(FINGERS, digits, strict=False)]
    home = [angles, *fingers, digits[-1:], ball.X_WB[:3, 3], wxyz_from_rotation(ball.X_WB[:3, :3])]
    return Model(
        "catcher", tuple(bodies), tuple(frame for finger in FINGERS for frame in actuator_ends(finger)), tool="palm",
        gravity=GRAVITY, q_home=np.concatenate(home), shapes=(*bin_shapes(numbers), *robot_shapes(), *ball.shapes),
        source="Yesmunt (2014); the hand's shapes are ours", visuals=catcher_visuals(),
    )  # fmt: skip


def catcher_engine(mechanism: Mechanism, numbers: CatcherNumbers | None = None, **options: object) -> PenaltyEngine:
    """The penalty engine with the catcher's contact law; options as of PenaltyEngine (dt, device, threads, ...)."""
    return PenaltyEngine(mechanism, contact=(numbers or CatcherNumbers()).contact_law, **options)  # type: ignore[arg-type]


def ball_body(numbers: CatcherNumbers, position: Array, velocity: Array) -> MechanismBody:
    """A solid ball."""
    radius = numbers.ball_radius
    shape = PlacedShape("ball", "ball", Sphere(radius), rgba=BALL_COLOUR)
    moment = 0.4 * numbers.ball_mass * radius**2
    return MechanismBody(
        "ball", Inertia(numbers.ball_mass, np.zeros(3), moment * np.eye(3)), pose(p=position),
        np.r_[velocity, 0.0, 0.0, 0.0], shapes=(shape,),
    )  # fmt: skip


def bin_shapes(numbers: CatcherNumbers) -> tuple[PlacedShape, ...]:
    """Floor and four walls, open upwards (+y)."""
    (x, y, z), (wide, long, deep) = numbers.bin_rim, numbers.bin_size
    boxes = {
        "bin_floor": ((x, y - deep - WALL / 2, z), (wide + 2 * WALL, WALL, long + 2 * WALL)),
        "bin_left": ((x - (wide + WALL) / 2, y - deep / 2, z), (WALL, deep, long + 2 * WALL)),
        "bin_right": ((x + (wide + WALL) / 2, y - deep / 2, z), (WALL, deep, long + 2 * WALL)),
        "bin_near": ((x, y - deep / 2, z - (long + WALL) / 2), (wide, deep, WALL)),
        "bin_far": ((x, y - deep / 2, z + (long + WALL) / 2), (wide, deep, WALL)),
    }
    return tuple(PlacedShape(name, None, Box(size), pose(p=p), rgba=BIN_COLOUR) for name, (p, size) in boxes.items())


def _checked(numbers: CatcherNumbers | None, q: ArrayLike | None) -> tuple[CatcherNumbers, Array]:
    numbers = numbers or CatcherNumbers()
    if not isinstance(numbers, CatcherNumbers):
        raise InputError(f"numbers must be CatcherNumbers; got {type(numbers).__name__}.")
    return numbers, vector("q", np.asarray(arm_model().q_home) if q is None else q, 6)


def vector(name: str, values: ArrayLike, count: int = 3) -> Array:
    """Some finite numbers, or one clear sentence."""
    array = real_array(values, name)
    if array.shape != (count,) or not np.isfinite(array).all():
        raise InputError(f"{name} must be {count} finite numbers; got {values!r:.80}.")
    return array
