"""Every inverse-kinematics solution of an arm that has a closed form, or of a 7-joint arm by tracing its self-motion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.kinematics.axes import chain_axes
from carpal.kinematics.inverse.arm_class import KNOWN, PointingArm, arm_class, arm_words
from carpal.kinematics.inverse.ik_target import Target, check_target, read_target
from carpal.kinematics.inverse.nearest import check_preference, nearest_answer
from carpal.kinematics.inverse.pointing5 import solve_one, solve_pointing
from carpal.kinematics.inverse.six_class import SixArm
from carpal.kinematics.inverse.six_joints import solve_one_six, solve_six
from carpal.kinematics.inverse.solutions import IKSolutions, Index, NearestAnswer
from carpal.kinematics.redundant.arm_angle7 import solve_arm_angle, solve_one_pose
from carpal.kinematics.tied_chain import satisfied_home, satisfied_start, tied_chain
from carpal.model import Model, need_model


def ik_all(
    model: Model,
    target: ArrayLike | tuple[ArrayLike, ArrayLike],
    *,
    q0: ArrayLike | None = None,
    arm_angle: ArrayLike | None = None,
    roll: ArrayLike | None = None,
    locked: Mapping[str, ArrayLike] | None = None,
    prefer: str = "position",
    frame: str | None = None,
    device: str = "cpu",
    threads: int | None = None,
) -> IKSolutions:
    """Every solution, in closed form where the arm's axes allow one.

    Five joints (the K10's shape; planar arms such as SO-101, WidowX, youBot): the target is (point, direction). Six joints:
    the target is a pose. Seven joints: the target is a pose, and `arm_angle` says where the elbow is. Only joints
    between the world and the frame count; others stay at q0.

    Args:
        model: the robot.
        target: a tuple (point, direction), each (*batch, 3), [m]; or X_WT (*batch, 4, 4). The direction is that of
            `model.tool_axis`; of planar arms it is the roll axis'.
        q0: (*batch, nq) solutions are sorted by distance from it; the home configuration by default.
        arm_angle: (*batch) [rad] 7 joints: angle of the elbow about the line from shoulder to wrist; that of q0 by default.
        roll: (*batch) [rad] planar arms: angle of the roll joint where roll is free; that of q0 by default.
        locked: {joint: angle (*batch) [rad]} 7 joints: holds one joint, and solves the other six exactly; where it is neither
            the first nor the last of the arm, at one angle.
        prefer: "position" or "direction": what the nearest answer of a target out of reach makes small first.
        frame: the frame that is to reach; None is the tool.
        device: "cpu" or "cuda"; not for traced arms of seven joints.
        threads: CPU threads; all cores by default.

    Returns:
        `IKSolutions`; `print` it for one sentence.

    Example:
        >>> arm = carpal.load("k10")
        >>> len(ik_all(arm, ((0.4, 0.1, 0.2), (0, 0, -1))))
        8
    """
    need_model(model, "ik_all")
    if model.is_constrained:
        if tied_chain(model, frame) is not None:
            raise InputError(f"this arm has {arm_words(model, frame)}; {KNOWN}. Use ik for a numeric answer.")
        q0 = satisfied_home(model) if q0 is None else satisfied_start(model, q0)
    plain = locked is None and roll is None and threads is None and prefer == "position" and device == "cpu"
    if plain and arm_angle is None and type(target) is tuple and len(target) == 2:
        one = solve_one(model, frame, *target, q0)
        if one is not None:
            return one
    if plain and arm_angle is not None:
        one = solve_one_pose(model, frame, target, arm_angle, q0)
        if one is not None:
            return one
    if plain and arm_angle is None:
        one = solve_one_six(model, frame, target, q0)
        if one is not None:
            return _with_nearest(one, prefer)
    asked = read_target(target)
    check_preference(prefer)
    start: Any = model.q_home if q0 is None else q0
    if locked is not None:
        from carpal.kinematics.redundant.locked_arm import asked_lock, solve_locked

        held_arm, angle = asked_lock(model, frame, locked)
        _want(asked.kind, "pose", "a pose X_WT (4, 4)", model, 7)
        _unused("arm_angle", arm_angle, "seven joints of which none is held")
        check_target(asked)
        return _with_nearest(solve_locked(model, held_arm, asked, angle, start, device=device, threads=threads), prefer)
    geometry = arm_class(model, frame)
    if isinstance(geometry, PointingArm):
        _want(asked.kind, "point and direction", "a tuple (point, direction)", model, 5)
        _unused("arm_angle", arm_angle, "seven joints")
        check_target(asked)
        held = None if roll is None else _angles("roll", roll)
        return solve_pointing(model, geometry, asked, start, roll=held, prefer=prefer, device=device, threads=threads)
    if isinstance(geometry, SixArm):
        _want(asked.kind, "pose", "a pose X_WT (4, 4)", model, 6)
        _unused("arm_angle", arm_angle, "seven joints")
        _unused("roll", roll, "five joints whose last one rolls")
        return _with_nearest(solve_six(model, geometry, asked, start, device=device, threads=threads), prefer)
    axes = chain_axes(model, frame)
    if not axes.all_revolute or len(axes.u) != 7:
        raise InputError(f"this arm has {arm_words(model, frame)}; {KNOWN}. Use ik for a numeric answer.")
    _want(asked.kind, "pose", "a pose X_WT (4, 4)", model, 7)
    _unused("roll", roll, "five joints whose last one rolls")
    psi = None if arm_angle is None else _angles("arm_angle", arm_angle)
    if geometry is None:
        from carpal.kinematics.redundant.self_motion import solve_self_motion

        check_target(asked)
        return _with_nearest(solve_self_motion(model, asked, psi, start, frame=frame), prefer)

    return _with_nearest(solve_arm_angle(model, geometry, asked, psi, start, device=device, threads=threads), prefer)


def _with_nearest(found: IKSolutions, prefer: str) -> IKSolutions:
    """The same result, which also searches for the nearest pose when somebody asks; its direction is the whole attitude."""

    def seek(solutions: IKSolutions, index: Index) -> NearestAnswer:
        one = Target(solutions.target.task, solutions.target.kind, solutions.target.numbers[index])
        offered = list(solutions.q[index][: int(solutions.count[index])])
        return nearest_answer(solutions.model, solutions.frame, one, solutions.model.tool_axis, prefer, offered)

    object.__setattr__(found, "seek", seek)
    return found


def _want(kind: str, wanted: str, words: str, model: Model, joints: int) -> None:
    if kind != wanted:
        raise InputError(f"the target of an arm with {joints} joints ('{model.name}') must be {words}; got a {kind}.")


def _unused(name: str, value: Any, owner: str) -> None:
    if value is not None:
        raise InputError(f"{name} belongs to arms with {owner}; got {value!r:.60}.")


def _angles(name: str, values: ArrayLike) -> np.ndarray:
    array = np.asarray(values)
    if array.dtype.kind not in "fiu" or not np.isfinite(array).all():
        raise InputError(f"{name} must be finite numbers [rad]; got {values!r:.60}.")
    return array.astype(float)
