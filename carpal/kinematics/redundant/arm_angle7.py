"""Closed-form inverse kinematics of 7-joint arms by their arm angle, and the angle itself (Prabhu 2018, 5.1 to 5.3)."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import KernelInput, configuration, on_processor_only, run_batch
from carpal.errors import InputError
from carpal.kinematics.inverse.ik_target import Target, check_target, read_target
from carpal.kinematics.inverse.kernels.ik_task import POSE
from carpal.kinematics.inverse.solutions import FreeParameter, IKSolutions
from carpal.kinematics.redundant.elbow_points import elbow_angle, has_traced_arm
from carpal.kinematics.redundant.kernels import srs_pose
from carpal.kinematics.redundant.kernels.srs_arm_angle import arm_angle_batch
from carpal.kinematics.redundant.kernels.srs_branches import (
    BRANCHES,
    CODE,
    COUNT,
    DISTANCE,
    PART,
    PARTS,
    REPORT,
    SINGULAR,
    srs_batch,
)
from carpal.kinematics.redundant.srs_class import SRSGeometry, require_srs, srs_geometry
from carpal.model import Model, need_model
from carpal.spatial import Array

METHOD = "closed form, arm angle"
BITS = ("elbow", "shoulder", "wrist")
NEARLY = 1e-11  # share of the reach that a nearly stretched arm lacks: the elbow is then bent by less than 1e-5 rad
POSE_LAYOUT = np.array([[0, 1, 2, 4, 5, 6, 8, 9, 10, 3, 7, 11]])  # where a pose's 16 numbers hold rotation and position
_FLOAT64 = np.dtype(np.float64)
_LAST_ROW = [0.0, 0.0, 0.0, 1.0]
_SINGULAR_WORDS = (
    (srs_pose.SHOULDER_SINGULAR, "axes 1 and 3 are in line, so only {0[0]} and {0[2]} together are fixed and {0[0]} is kept"),
    (srs_pose.WRIST_SINGULAR, "axes 5 and 7 are in line, so only {0[4]} and {0[6]} together are fixed and {0[4]} is kept"),
    (srs_pose.ELBOW_SINGULAR, "the elbow is stretched or folded flat, so both elbow branches are one"),
    (srs_pose.AXIS_SINGULAR, "the wrist is over the first axis, so the azimuth from which the arm angle counts is kept"),
)  # fmt: skip


def arm_angle(
    model: Model, q: ArrayLike, *, frame: str | None = None, device: str = "cpu", threads: int | None = None
) -> Array:
    """How far the elbow is turned about the line from shoulder to wrist.

    It is measured from the arm with the same wrist and elbow angle whose elbow lies in the plane of the first axis and
    the wrist (joint 3 straight); of elbows bent one way that arm lies on the other side than of elbows bent the other
    way. Over the first axis there is no such plane; the angle is then the elbow's azimuth.

    Args:
        model: an arm with spherical shoulder, revolute elbow and spherical wrist.
        q: configurations (*batch, nq) [rad].
        frame: the frame that the arm carries; None is the tool.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Returns:
        (*batch) [rad], -pi to pi.

    Example:
        >>> round(float(carpal.arm_angle(carpal.load("srs7"), [0.3, 0.7, -0.4, 1.1, 0.5, -0.8, 0.2])), 6)
        -0.270235
    """
    need_model(model, "arm_angle")
    if has_traced_arm(model, frame):
        on_processor_only("arm angles of an arm with offsets", device, threads)
        return elbow_angle(model, q, frame)
    geometry = require_srs(model, frame)
    out = run_batch(
        model, arm_angle_batch, (geometry.numbers, geometry.columns), [configuration(model, q)], [(2,)],
        device=device, threads=threads, world_seconds=1e-7,
    )[0]  # fmt: skip
    return out[..., 0]


def solve_arm_angle(
    model: Model,
    geometry: SRSGeometry,
    X_WT: ArrayLike | Target,
    psi: ArrayLike | None = None,
    q0: ArrayLike | None = None,
    *,
    device: str = "cpu",
    threads: int | None = None,
) -> IKSolutions:
    """Every configuration with an arm angle that brings the frame to a pose: eight, or fewer where branches meet.

    Args: model: the robot. geometry: from `srs_geometry(model)`. X_WT: poses (*batch, 4, 4), or a target that has
        been read. psi: arm angles (*batch) [rad]; those of q0 by default. q0: (*batch, nq) solutions are sorted by
        distance from it, and singular ones keep what the pose leaves open; the home configuration by default, and
        then they stay in the order of their branch codes. device: "cpu" or "cuda". threads: CPU threads; all cores by
        default.
    """
    asked = X_WT if isinstance(X_WT, Target) else read_target(X_WT)
    if asked.kind != "pose":
        raise InputError(f"an arm of seven joints needs a pose X_WT (*batch, 4, 4); got a {asked.kind}.")
    ordered = 0 if q0 is None else 1
    start: Any = model.q_home if q0 is None else q0
    angles = arm_angle(model, start, frame=geometry.frame) if psi is None else psi
    angle, near = _real("arm_angle", angles), _real("q0", start)
    if near.ndim == 0 or near.shape[-1] != model.nq:
        raise InputError(
            f"q0 of model '{model.name}' needs {model.nq} numbers on its last axis; got shape {near.shape}."
        )
    check_plain(asked)
    inputs = [
        KernelInput("target", asked.numbers, (12,)),
        KernelInput("arm_angle", angle[..., None], (1,)),
        KernelInput("q0", near[..., geometry.columns], (7,), geometry.joint_names),
    ]
    try:
        q, marks, report = run_batch(
            model, srs_batch, (geometry.numbers, ordered), inputs, [(BRANCHES, 7), (BRANCHES, 3), (REPORT,)],
            scratch=[(PARTS, PART)], device=device, threads=threads, world_seconds=1e-6,
        )  # fmt: skip
    except InputError:
        check_target(asked)  # says what is wrong with a pose; what is left is about other numbers
        raise
    batch = report.shape[:-1]
    if asked.numbers.shape[:-1] != batch:  # one pose with many angles: every row has its own target
        given = None if asked.given is None else np.broadcast_to(asked.given, (*batch, 4, 4))
        asked = Target(asked.task, asked.kind, np.broadcast_to(asked.numbers, (*batch, 12)), given)
    if model.nq != 7:
        whole = np.broadcast_to(near[..., None, :], (*q.shape[:-1], model.nq)).copy()
        whole[..., geometry.columns] = q
        whole[np.isnan(q[..., 0])] = np.nan
        q = whole
    why = _Why(geometry, report)
    return IKSolutions(
        model=model,
        frame=geometry.frame,
        target=asked,
        method=METHOD,
        q=q,
        branch_bits=BITS,
        free=FreeParameter("arm angle", "", np.broadcast_to(angle, batch)),
        reason=why.reason,
        note=why.note,
        **_marks(marks, report),
    )


def check_plain(asked: Target) -> None:
    """What the kernel does not see of a pose: its last row."""
    if asked.given is not None and (np.abs(asked.given[..., 3, :] - (0.0, 0.0, 0.0, 1.0)) > 1e-12).any():
        check_target(asked)


def solve_one_pose(model: Model, frame: str | None, X_WT: Any, psi: Any, q0: Any) -> IKSolutions | None:
    """One pose and one arm angle as plain numbers, the commonest call, without the general path's bookkeeping.

    None where it is not that, or is refused: the general path says why. It is the same entry with a batch of one, so
    the bits are the same.
    """
    call = _call(model, frame)
    if call is None or type(psi) is not float or type(X_WT) is not np.ndarray:
        return None
    if X_WT.dtype is not _FLOAT64 or X_WT.shape != (4, 4) or X_WT[3].tolist() != _LAST_ROW:
        return None
    if q0 is None:
        near = call.home
    elif type(q0) is np.ndarray and q0.dtype is _FLOAT64 and q0.shape == (7,):
        near = np.array(q0, ndmin=2)
    else:
        return None
    geometry = call.geometry
    target = X_WT.take(POSE_LAYOUT)
    q, marks, report = np.empty((1, BRANCHES, 7)), np.empty((1, BRANCHES, 3)), np.empty((1, REPORT))
    try:
        parts = call.spare.pop()
    except IndexError:  # another thread has it
        parts = np.empty((1, PARTS, PART))
    bad = srs_batch(geometry.numbers, 1, target, np.array(((psi,),)), near, q, marks, report, parts, 0, 1, 1, 0)
    call.spare.append(parts)
    if bad:
        return None
    why = _Why(geometry, report[0])
    now = {
        "model": model, "frame": geometry.frame, "method": METHOD, "q": q[0], "branch_bits": BITS,
        "free": FreeParameter("arm angle", "", np.asarray(psi)), "reason": why.reason, "note": why.note,
    }  # fmt: skip
    return IKSolutions.put_off(
        now, lambda: {"target": Target(POSE, "pose", target[0], X_WT.copy()), **_marks(marks[0], report[0])}
    )


class _Call(NamedTuple):
    """Everything about a single call that does not change from pose to pose."""

    geometry: SRSGeometry
    home: Array
    spare: list[Array]  # scratch of single calls, nobody's at the moment


@functools.lru_cache(maxsize=64)
def _call(model: Model, frame: str | None) -> _Call | None:
    geometry = srs_geometry(model, frame)
    if geometry is None or model.nq != 7:
        return None
    return _Call(geometry, np.array(model.q_home, ndmin=2), [])


def _marks(marks: Array, report: Array) -> dict[str, Any]:
    """The kernel's marks as a result's fields."""
    return {
        "count": report[..., COUNT].astype(np.int64),
        "in_limits": marks[..., 1] > 0,
        "branch": marks[..., 0].astype(np.int64),
    }


def _real(name: str, values: ArrayLike) -> Array:
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(f"{name} is not an array of numbers: its rows differ in length.") from None
    if array.dtype.kind not in "fiu":
        raise InputError(f"{name} must be real numbers; got dtype {array.dtype}.")
    return array.astype(np.float64, copy=False)


def distance_sentence(geometry: SRSGeometry, code: int, n: float) -> str:
    """Why a distance from shoulder to wrist is impossible."""
    nearest, farthest = geometry.reach
    if code == srs_pose.TOO_FAR:
        return (
            f"out of reach by {n - farthest:.4g} m for certain: the wrist would be {n:.4g} m from the shoulder, "
            f"the arm is {farthest:.4g} m long."
        )
    return (
        f"too near by {nearest - n:.4g} m for certain: the wrist would be {n:.4g} m from the shoulder, "
        f"the folded arm keeps it {nearest:.4g} m away."
    )


class _Why(NamedTuple):
    """What the sentences are made from, when somebody asks.

    Args:
        geometry: the arm.
        report: (*batch, REPORT) of the kernel.
    """

    geometry: SRSGeometry
    report: Array

    def reason(self, result: IKSolutions, index: tuple[int, ...]) -> str:
        """Why a target has no solution inside the limits."""
        row, geometry = self.report[index], self.geometry
        if row[CODE] != srs_pose.REACHED:
            return distance_sentence(geometry, int(row[CODE]), float(row[DISTANCE]))
        q = result.q[index][: int(row[COUNT])][:, geometry.columns]
        beyond = np.maximum(np.maximum(geometry.q_min - q, q - geometry.q_max), 0.0)
        best = int(np.argmin(beyond.max(axis=1)))
        joint = int(np.argmax(beyond[best]))
        angle = float(np.asarray(result.free.value)[index]) if result.free is not None else np.nan
        return (
            f"{int(row[COUNT])} solutions at arm angle {angle:.6g} rad, none inside the limits: the nearest has "
            f"{geometry.joint_names[joint]} {np.degrees(beyond[best, joint]):.4g} deg beyond its limit; "
            "arm_angle_intervals lists which arm angles suit."
        )

    def note(self, result: IKSolutions, index: tuple[int, ...]) -> str:
        """What a pose leaves open at an arm angle; empty where nothing."""
        bits, n = int(self.report[index][SINGULAR]), float(self.report[index][DISTANCE])
        said = [words.format(self.geometry.joint_names) for bit, words in _SINGULAR_WORDS if bits & bit]
        nearest, farthest = self.geometry.reach
        if not bits & srs_pose.ELBOW_SINGULAR and min(farthest - n, n - nearest) <= NEARLY * farthest:
            said.append("the elbow is all but stretched or folded flat, so both elbow branches are close together")
        return "; ".join(said)
