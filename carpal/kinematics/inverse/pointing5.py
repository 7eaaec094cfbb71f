"""Every configuration that brings a 5-joint arm's tool to a point, pointing along a direction."""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import KernelInput, configuration, run_batch
from carpal._core.cpu_pool import cpu_threads, run_on_cpu
from carpal.kinematics.inverse.arm_class import PointingArm, arm_class
from carpal.kinematics.inverse.ik_target import FARTHEST, Target
from carpal.kinematics.inverse.kernels.branches import BRANCH, COUNT, FREE, HELD, INSIDE, MARKS, SUMMARY
from carpal.kinematics.inverse.kernels.ik_task import POINTING
from carpal.kinematics.inverse.kernels.pointing_offset_elbow import offset_elbow_batch
from carpal.kinematics.inverse.kernels.pointing_planar import planar_batch
from carpal.kinematics.inverse.kernels.pointing_refine import SCRATCH as REFINE_SCRATCH
from carpal.kinematics.inverse.kernels.pointing_refine import refine_batch
from carpal.kinematics.inverse.kernels.pointing_search import ROWS, SCRATCH, pointing_search_batch
from carpal.kinematics.inverse.nearest import nearest_answer
from carpal.kinematics.inverse.pointing_reasons import pointing_reason
from carpal.kinematics.inverse.solutions import FreeParameter, IKSolutions, Index, NearestAnswer
from carpal.model import Model
from carpal.spatial import Array

# of each shape: the kernel, rows that it may fill, scratch, rough seconds for a target
KERNELS: dict[str, tuple[Any, int, list[tuple[int, ...]], float]] = {
    "offset elbow": (offset_elbow_batch, 8, [], 2e-6),
    "planar": (planar_batch, 8, [], 2e-6),
    "offset elbow, tool off its line": (pointing_search_batch, ROWS, SCRATCH, 5e-4),
}


def solve_pointing(
    model: Model,
    arm: PointingArm,
    target: Target,
    q0: ArrayLike,
    *,
    roll: ArrayLike | None = None,
    prefer: str = "position",
    device: str = "cpu",
    threads: int | None = None,
) -> IKSolutions:
    """All branches.

    Args:
        model: the robot.
        arm: its geometry, of `arm_class`.
        target: a checked (point, direction).
        q0: (*batch, nq) solutions are sorted by distance from here; it holds the other joints, and roll where that is free.
        roll: (*batch) angle of the roll joint [rad], used where roll is free.
        prefer: what the nearest answer makes small first, "position" or "direction".
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.
    """
    entry, rows, scratch, seconds = KERNELS[arm.shape]
    held: ArrayLike = _UNSET if roll is None else np.asarray(roll, float)[..., None]
    q, marks, summary = run_batch(
        model, entry, (arm.geo, arm.axes.columns, *_limits(model)),
        [KernelInput("target", target.numbers, (12,)), configuration(model, q0), KernelInput("roll", held, (1,))],
        [(rows, model.nq), (rows, MARKS), (SUMMARY,)],
        scratch=scratch, device=device, threads=threads, world_seconds=seconds,
    )  # fmt: skip
    if not arm.exact:
        _refine(model, arm, target, q0, q, marks, summary, threads)
    if target.numbers.shape[:-1] != q.shape[:-2]:  # one target and many starts: each start has its own
        target = Target(target.task, target.kind, np.broadcast_to(target.numbers, (*q.shape[:-2], 12)))
    why = _Why(arm, summary, prefer)
    return IKSolutions(
        model=model, frame=arm.axes.frame, target=target, method=f"closed form, {arm.shape}", q=q, branch_bits=arm.bits,
        free=_free(arm, summary), reason=why.reason, seek=why.seek, **_marks(marks, summary),
    )  # fmt: skip


def _refine(
    model: Model,
    arm: PointingArm,
    target: Target,
    q0: ArrayLike,
    q: Array,
    marks: Array,
    summary: Array,
    threads: int | None,
) -> None:
    """Finish the answers on the arm's own axes, in place: the closed form took them for those of its class."""
    batch = summary.shape[:-1]
    worlds = int(np.prod(batch))
    tool = np.concatenate([arm.axes.X_WF[:3, 3], arm.direction])
    flat = lambda a, width: np.array(np.broadcast_to(a, (*batch, width)).reshape(worlds, width))  # noqa: E731
    arguments = (
        np.hstack([arm.axes.u, arm.axes.c]), tool, arm.axes.columns, *_limits(model),
        flat(target.numbers, 12), flat(np.asarray(q0, float), model.nq),
        q.reshape(worlds, *q.shape[-2:]), marks.reshape(worlds, *marks.shape[-2:]), summary.reshape(worlds, SUMMARY),
    )  # fmt: skip
    threads = threads or cpu_threads()
    scratch = (np.empty((threads, *shape)) for shape in REFINE_SCRATCH)
    run_on_cpu(refine_batch, (*arguments, *scratch), worlds, threads=threads, world_seconds=2e-5)


def solve_one(model: Model, frame: str | None, point: Any, direction: Any, q0: Any) -> IKSolutions | None:
    """One target in plain arrays, the commonest call, without the general path's bookkeeping; None where it is not.

    It is the same entry with a batch of one, so the bits are the same; what is refused is explained by the general path.
    """
    call = _call(model, frame)
    if call is None or not _is_plain(point, 3) or not _is_plain(direction, 3):
        return None
    if q0 is None:
        start = call.home
    elif _is_plain(q0, model.nq):
        start = np.array(q0, ndmin=2)
    else:
        return None
    x, y, z = direction.tolist()
    a, b, c = point.tolist()
    length = math.sqrt(x * x + y * y + z * z)
    if not length >= 1e-9 or not abs(a) + abs(b) + abs(c) < FARTHEST:
        return None
    numbers = np.array(((x / length, y / length, z / length, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, a, b, c),))
    q, marks, summary = np.empty(call.shape_q), np.empty(call.shape_marks), np.empty((1, SUMMARY))
    scratch = [np.empty((1, *shape)) for shape in call.scratch] if call.scratch else ()
    if call.entry(*call.constants, numbers, start, _NO_ROLL, q, marks, summary, *scratch, 0, 1, 1, 0):
        return None
    arm, one = call.arm, summary[0]
    why = _Why(arm, one, "position")
    now = {
        "model": model, "frame": arm.axes.frame, "method": call.method, "q": q[0], "branch_bits": arm.bits,
        "free": _free(arm, one) if one[FREE] else None, "reason": why.reason, "seek": why.seek,
    }  # fmt: skip
    return IKSolutions.put_off(
        now, lambda: {"target": Target(POINTING, "point and direction", numbers[0]), **_marks(marks[0], one)}
    )


class _Why(NamedTuple):
    """What the sentences and the nearest answer are made from, when somebody asks."""

    arm: PointingArm
    summary: Array
    prefer: str

    def reason(self, solutions: IKSolutions, index: Index) -> str:
        return pointing_reason(solutions, index, self.arm, self.summary)

    def seek(self, solutions: IKSolutions, index: Index) -> NearestAnswer:
        target, axes = solutions.target, self.arm.axes
        one = Target(target.task, target.kind, target.numbers[index])
        offered = list(solutions.q[index][: int(solutions.count[index])])
        axis_T = axes.X_WF[:3, :3].T @ self.arm.direction
        return nearest_answer(solutions.model, axes.frame, one, axis_T, self.prefer, offered)


class _Call(NamedTuple):
    """Everything about a single call that does not change from target to target."""

    arm: PointingArm
    entry: Any
    constants: tuple[Any, ...]
    home: Array
    method: str
    shape_q: tuple[int, ...]
    shape_marks: tuple[int, ...]
    scratch: list[tuple[int, ...]]


@functools.lru_cache(maxsize=64)
def _call(model: Model, frame: str | None) -> _Call | None:
    arm = arm_class(model, frame)
    if not isinstance(arm, PointingArm) or not arm.exact:
        return None
    entry, rows, scratch, _ = KERNELS[arm.shape]
    constants = (arm.geo, arm.axes.columns, *_limits(model))
    home = np.array(model.q_home, ndmin=2)
    method = f"closed form, {arm.shape}"
    return _Call(arm, entry, constants, home, method, (1, rows, model.nq), (1, rows, MARKS), scratch)


def _marks(marks: Array, summary: Array) -> dict[str, Any]:
    return {
        "count": summary[..., COUNT].astype(int),
        "in_limits": marks[..., INSIDE] == 1.0,
        "branch": marks[..., BRANCH].astype(int),
    }


def _free(arm: PointingArm, summary: Array) -> FreeParameter | None:
    if arm.shape != "planar" or not (summary[..., FREE] == 1.0).any():
        return None
    return FreeParameter("roll", arm.axes.names[4], summary[..., HELD])


def _is_plain(x: Any, width: int) -> bool:
    return type(x) is np.ndarray and x.dtype is _FLOAT64 and x.shape == (width,)


_FLOAT64 = np.dtype(np.float64)
_UNSET = np.full(1, np.nan)
_NO_ROLL = np.full((1, 1), np.nan)


@functools.lru_cache(maxsize=64)
def _limits(model: Model) -> tuple[Array, Array]:
    """Writable copies: a read-only array would make Numba compile again."""
    return model.q_min.copy(), model.q_max.copy()
