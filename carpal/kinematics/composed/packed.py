"""From a model, targets and limits to the tables that the kernels of composed inverse kinematics read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.errors import InputError, unknown_name
from carpal.kinematics.composed.kernels.active_set import Quadratic
from carpal.kinematics.composed.kernels.composed_step import Room, Work
from carpal.kinematics.composed.kernels.target_rows import (
    ANGULAR_TOLERANCE,
    ANGULAR_WEIGHT,
    AXIS,
    BODY_COLUMNS,
    GAIN,
    LINEAR_TOLERANCE,
    LINEAR_WEIGHT,
    NUMBER_COLUMNS,
    OFFSET,
    TABLE_COLUMNS,
    Robot,
)
from carpal.kinematics.composed.limits import JointLimit, Limit, RowLimit, SpeedLimit
from carpal.kinematics.composed.targets import (
    KINDS,
    ComTarget,
    PoseTarget,
    PostureTarget,
    Target,
    three_numbers,
    three_weights,
    unit_vectors,
)
from carpal.kinematics.constraints import closure_scratch, independent_velocities
from carpal.kinematics.kernels.closure import Closure
from carpal.kinematics.reach import rotation_weight
from carpal.model import NQ, NV, Model
from carpal.spatial import Array

BOUNDED = ("revolute", "prismatic")


@dataclass(frozen=True, eq=False)
class Packed:
    """Tables of a problem; arrays as of `kernels/target_rows.py`.

    Args:
        targets: those with a row in the table, in the table's order: by priority.
        robot: with infinite `longest`; `robot_within` puts that of a duration.
        constants: table, numbers, posture, posture_weight, posture_row, levels.
        solving: the same with every gain at 1.
        scratch: shape of each scratch array of a slot.
        speeds: (nv) highest speeds, infinite where none is limited.
        low, high: (nq) limits of joints, infinite where none is asked for.
        further: limits given by rows.
        closing: shapes of the scratch that closes loops.
    """

    targets: tuple[Target, ...]
    posture: PostureTarget | None
    robot: Robot
    constants: tuple[Any, ...]
    solving: tuple[Any, ...]
    speeds: Array
    low: Array
    high: Array
    further: tuple[RowLimit, ...]
    closing: list[tuple[int, ...]]

    def robot_within(self, longest: Array) -> Robot:
        """The robot's tables for steps of at most `longest` (nv)."""
        return self.robot._replace(longest=longest)

    def scratch(self, extra: int) -> list[tuple[int, ...]]:
        """Shapes of a slot's scratch for `extra` rows of further limits."""
        robot, levels = self.robot, self.constants[5]
        n, nv, nq = len(robot.columns), len(robot.longest), len(robot.q_low)
        m = n + len(robot.tied) + extra
        rows = int(levels[-1]) + len(robot.tied) + extra
        closing = self.closing
        wide = max(1, closing[4][0])
        work = [
            (nq,), (nq,), (rows, nv), (rows,), (rows, n), (n, n), (m, 2), (n,), (nv,), (wide,),
            (len(robot.joints), BODY_COLUMNS), *closing,
        ]  # fmt: skip
        return [*work, (n, n), (n,), (m, n), (m, 2), (n,), (n, n), (n, n), (n,), (n,), (n,), (n,)]


def room(*arrays: Any) -> Room:
    """The kernels' scratch from its arrays in their order."""
    work = Work._make((*arrays[:11], Closure._make(arrays[11:18])))
    return Room(work, Quadratic._make(arrays[18:]))


def pack(model: Model, targets: tuple[Target, ...], limits: tuple[Limit, ...]) -> Packed:
    """Everything about a problem that does not change from call to call."""
    posture = next((target for target in targets if isinstance(target, PostureTarget)), None)
    others = [target for target in targets if target is not posture]
    last = max(target.priority for target in others)
    lowest: Any = () if posture is None else (last + 1 if posture.priority is None else posture.priority,)
    order = sorted(range(len(others)), key=lambda i: others[i].priority)
    others = [others[i] for i in order]
    table = np.zeros((len(others), TABLE_COLUMNS), np.int64)
    numbers = np.zeros((len(others), NUMBER_COLUMNS))
    levels, row, posture_row = [0], 0, 0
    counted, weights = _posture(model, posture)
    priorities: list[int] = sorted({target.priority for target in others} | set(lowest))
    for priority in priorities:
        for i, target in enumerate(others):
            if target.priority == priority:
                table[i], numbers[i] = _row(model, target, row)
                row += 6 if isinstance(target, PoseTarget) else 3
        if priority in lowest:
            posture_row = row
            row += len(counted)
        levels.append(row)
    robot, low, high = _robot(model, limits)
    speed = next((limit for limit in limits if isinstance(limit, SpeedLimit)), None)
    constants = (table, numbers, counted, weights, posture_row, np.array(levels, np.int64))
    full = numbers.copy()
    full[:, GAIN] = 1.0
    return Packed(
        targets=tuple(others),
        posture=posture,
        robot=robot,
        constants=constants,
        solving=(table, full, *constants[2:]),
        speeds=np.full(model.nv, np.inf) if speed is None else speed.speeds(model),
        low=low,
        high=high,
        further=tuple(limit for limit in limits if isinstance(limit, RowLimit)),
        closing=closure_scratch(model)[1:],
    )


def _row(model: Model, target: Target, first: int) -> tuple[Array, Array]:
    numbers = np.zeros(NUMBER_COLUMNS)
    numbers[GAIN] = target.gain
    what = KINDS[type(target).__name__]
    if isinstance(target, ComTarget):
        model.require_inertia()
        numbers[LINEAR_WEIGHT : LINEAR_WEIGHT + 3] = three_weights("weight of ComTarget", target.weight)
        numbers[LINEAR_TOLERANCE] = _tolerance(target, "tolerance")
        return np.array([what, -1, 0, -1, 0, first]), numbers
    given: Any = target
    frame, base = model.frame_index(given.frame), -1 if given.base is None else model.frame_index(given.base)
    if given.base is not None and frame == base:
        raise InputError(f"target '{given.label}' has '{given.base}' as its frame and as its base.")
    bodies = model.tables.frame_body
    name = str(model.tool if given.frame is None else given.frame)
    if what in (KINDS["PoseTarget"], KINDS["PointTarget"]):
        numbers[LINEAR_WEIGHT : LINEAR_WEIGHT + 3] = three_weights(f"weight of {type(target).__name__}", target.weight)
        numbers[LINEAR_TOLERANCE] = _tolerance(given, "tolerance")
    if what != KINDS["PointTarget"]:
        weight = given.rotation_weight
        weight = float(np.max(target.weight)) * rotation_weight(model, name) if weight is None else weight
        numbers[ANGULAR_WEIGHT : ANGULAR_WEIGHT + 3] = three_weights("rotation_weight", weight)
        numbers[ANGULAR_TOLERANCE] = _tolerance(given, "angle_tolerance")
    axis = getattr(given, "axis", None)
    numbers[AXIS : AXIS + 3] = (
        model.tool_axis if axis is None else unit_vectors(f"axis of target '{given.label}'", axis)
    )
    point = three_numbers(f"point of target '{given.label}'", getattr(given, "point", (0.0, 0.0, 0.0)))
    numbers[OFFSET : OFFSET + 3] = point
    return np.array([what, frame, bodies[frame], base, 0 if base < 0 else bodies[base], first]), numbers


def _tolerance(target: Any, name: str) -> float:
    value = getattr(target, name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 < value < np.inf:
        raise InputError(f"{name} of {type(target).__name__} must be a number above zero; got {value!r}.")
    return float(value)


def _posture(model: Model, posture: PostureTarget | None) -> tuple[np.ndarray, Array]:
    """(k, 2) indices in v and q of the joints that a posture counts, and their weights."""
    if posture is None:
        return np.zeros((0, 2), np.int64), np.zeros(0)
    kinds = {name: kind for (kind, _), name in zip(model.joint_slices(), model.joint_names, strict=True)}
    choices = [name for name in model.independent_joints if kinds[name] in BOUNDED]
    names = choices if posture.joints is None else list(posture.joints)
    weights: Any = posture.weight
    for name in [*names, *(weights if isinstance(weights, Mapping) else ())]:
        if name not in choices:
            raise unknown_name(f"independent revolute or prismatic joint of model '{model.name}'", name, choices)
    if not names:
        raise InputError(f"a posture of model '{model.name}' counts no joint; joints: {', '.join(choices) or 'none'}.")
    counted = np.array([(model.v_index(name), model.q_index(name)) for name in names], np.int64)
    numbers = [weights.get(name, 1.0) for name in names] if isinstance(weights, Mapping) else [weights] * len(names)
    for name, weight in zip(names, numbers, strict=True):
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0.0 <= weight < np.inf:
            raise InputError(f"weight of {name} in PostureTarget must be a number, zero or above; got {weight!r}.")
    return counted, np.array(numbers, float)


def _robot(model: Model, limits: tuple[Limit, ...]) -> tuple[Robot, Array, Array]:
    tables = model.tables
    independent = set(model.independent_joints)
    rows = [row for row, name in enumerate(model.joint_names, 1) if name in independent]
    columns = np.array(independent_velocities(model), np.int64)
    if not len(columns):
        raise InputError(f"model '{model.name}' has no joint that can be chosen: there is nothing to solve for.")
    joint = next((limit for limit in limits if isinstance(limit, JointLimit)), None)
    low, high = (np.full(model.nq, -np.inf), np.full(model.nq, np.inf)) if joint is None else joint.range(model)
    tied, q_at, v_at = [], 0, 0
    for (kind, _), name in zip(model.joint_slices(), model.joint_names, strict=True):
        if name not in independent:
            limited = kind in BOUNDED and joint is not None
            tied += [(v_at + k, q_at if limited else -1) for k in range(NV[kind])]
        q_at, v_at = q_at + NQ[kind], v_at + NV[kind]
    robot = Robot(
        tables.joints, tables.bodies, tables.frames, model.constraint_tables, np.array(rows, np.int64), columns,
        np.array(tied, np.int64).reshape(-1, 2), low, high, np.full(model.nv, np.inf),
    )  # fmt: skip
    return robot, low, high
