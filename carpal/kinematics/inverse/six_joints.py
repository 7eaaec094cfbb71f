"""Every configuration that brings a 6-joint arm's frame to a pose."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import KernelInput, configuration, run_batch
from carpal._core.compile import direct
from carpal.errors import InputError
from carpal.kinematics.inverse.arm_class import arm_class
from carpal.kinematics.inverse.ik_target import Target, check_target
from carpal.kinematics.inverse.kernels import six_arm, six_general, six_parallel, six_spherical, three_axes
from carpal.kinematics.inverse.kernels.branches import BRANCH, COUNT, FREE, HELD, INSIDE, MARKS, SUMMARY
from carpal.kinematics.inverse.kernels.ik_task import POSE
from carpal.kinematics.inverse.six_class import ANY, PARALLEL, SPHERICAL, SixArm
from carpal.kinematics.inverse.six_reasons import six_note, six_reason
from carpal.kinematics.inverse.solutions import FreeParameter, IKSolutions, Index
from carpal.model import Model
from carpal.spatial import Array

Shapes = list[tuple[int, ...]]
# of each shape: the kernel, rows that it may fill, scratch, rough seconds for a target
KERNELS: dict[str, tuple[Any, int, Shapes, float]] = {
    SPHERICAL: (six_spherical.spherical_batch, 8, [*three_axes.SCRATCH, (6, 6), (6,)], 2e-6),
    PARALLEL: (six_parallel.parallel_batch, six_parallel.ROWS, six_parallel.SCRATCH, 2e-6),
    ANY: (six_general.general6_batch, six_general.SOLUTIONS, six_general.SCRATCH, 4e-4),
}
_FLOAT64 = np.dtype(np.float64)
_LAYOUT = np.array([[0, 1, 2, 4, 5, 6, 8, 9, 10, 3, 7, 11]])  # where a pose's 16 numbers hold rotation and position
_LAST_ROW = [0.0, 0.0, 0.0, 1.0]


def solve_six(
    model: Model,
    arm: SixArm,
    target: Target,
    q0: ArrayLike,
    *,
    device: str = "cpu",
    threads: int | None = None,
) -> IKSolutions:
    """All branches.

    Args:
        model: the robot.
        arm: its class, of `arm_class`.
        target: a pose; the kernel checks it.
        q0: (*batch, nq) solutions are sorted by distance from here; it holds other joints and what singular poses leave open.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.
    """
    entry, rows, scratch, seconds = KERNELS[arm.shape]
    if target.given is not None and (target.given[..., 3, :] != _LAST_ROW).any():
        check_target(target)
    try:
        q, marks, summary = run_batch(
            model, entry, (arm.geo, arm.columns, *_limits(model)),
            [KernelInput("target", target.numbers, (12,)), configuration(model, q0)],
            [(rows, model.nq), (rows, MARKS), (SUMMARY,)],
            scratch=scratch, device=device, threads=threads, world_seconds=seconds,
        )  # fmt: skip
    except InputError:
        check_target(target)  # says what is wrong with a pose; what is left is about other numbers
        raise
    batch = q.shape[:-2]
    if target.numbers.shape[:-1] != batch:  # one target and many starts: each start has its own
        given = None if target.given is None else np.broadcast_to(target.given, (*batch, 4, 4))
        target = Target(target.task, target.kind, np.broadcast_to(target.numbers, (*batch, 12)), given)
    why = _Why(arm, summary)
    return IKSolutions(
        model=model, frame=arm.axes.frame, target=target, method=method_words(arm), q=q, branch_bits=arm.bits,
        free=_free(arm, summary), reason=why.reason, note=why.note, **_marks(marks, summary),
    )  # fmt: skip


def method_words(arm: SixArm) -> str:
    """How an arm of this class is solved."""
    if arm.shape == ANY:
        return "all 16 roots of the general six-joint arm"
    return f"closed form, {arm.shape}" + (", from the tool" if arm.reversed else "")


def solve_one_six(model: Model, frame: str | None, X_WT: Any, q0: Any) -> IKSolutions | None:
    """One pose as a plain array, the commonest call, without the general path's bookkeeping; None where it is not.

    It is the same entry with a batch of one, so the bits are the same; what is refused is explained by the general path.
    """
    call = _call(model, frame)
    if call is None or type(X_WT) is not np.ndarray or X_WT.dtype is not _FLOAT64 or X_WT.shape != (4, 4):
        return None
    if X_WT[3].tolist() != _LAST_ROW:
        return None
    if q0 is None:
        start = call.home
    elif type(q0) is np.ndarray and q0.dtype is _FLOAT64 and q0.shape == (model.nq,):
        start = np.array(q0, ndmin=2)
    else:
        return None
    numbers = X_WT.take(_LAYOUT)
    q, marks, summary = np.empty(call.shape_q), np.empty(call.shape_marks), np.empty((1, SUMMARY))
    try:
        scratch = call.spare.pop()
    except IndexError:  # another thread has it
        scratch = [np.empty((1, *shape)) for shape in call.scratch]
    bad = call.code(*call.constants, numbers, start, q, marks, summary, *scratch, 0, 1, 1, 0)
    call.spare.append(scratch)
    if bad:
        return None
    arm, one = call.arm, summary[0]
    why = _Why(arm, one)
    now = {
        "model": model, "frame": arm.axes.frame, "method": call.method, "q": q[0], "branch_bits": arm.bits,
        "free": _free(arm, one), "reason": why.reason, "note": why.note,
    }  # fmt: skip
    return IKSolutions.put_off(
        now, lambda: {"target": Target(POSE, "pose", numbers[0], X_WT.copy()), **_marks(marks[0], one)}
    )


class _Why(NamedTuple):
    """What the sentences are made from, when somebody asks."""

    arm: SixArm
    summary: Array

    def reason(self, solutions: IKSolutions, index: Index) -> str:
        return six_reason(solutions, index, self.arm, self.summary)

    def note(self, solutions: IKSolutions, index: Index) -> str:
        return six_note(index, self.arm, self.summary)


class _Call(NamedTuple):
    """Everything about a single call that does not change from target to target."""

    arm: SixArm
    code: Any  # the entry's machine code
    constants: tuple[Any, ...]
    home: Array
    method: str
    shape_q: tuple[int, ...]
    shape_marks: tuple[int, ...]
    scratch: Shapes
    spare: list[Any]  # scratch of single calls, nobody's at the moment


@functools.lru_cache(maxsize=64)
def _call(model: Model, frame: str | None) -> _Call | None:
    arm = arm_class(model, frame)
    if not isinstance(arm, SixArm):
        return None
    entry, rows, scratch, _ = KERNELS[arm.shape]
    constants = (arm.geo, arm.columns, *_limits(model))
    home = np.array(model.q_home, ndmin=2)
    shapes = (1, rows, model.nq), (1, rows, MARKS)
    room = [np.empty((1, *shape)) for shape in scratch]
    outputs = (*(np.empty(shape) for shape in shapes), np.empty((1, SUMMARY)))
    code = direct(entry, (*constants, np.zeros((1, 12)), home, *outputs, *room, 0, 0, 1, 0))
    return _Call(arm, code, constants, home, method_words(arm), *shapes, scratch, [room])


def _marks(marks: Array, summary: Array) -> dict[str, Any]:
    return {
        "count": summary[..., COUNT].astype(int),
        "in_limits": marks[..., INSIDE] == 1.0,
        "branch": marks[..., BRANCH].astype(int),
    }


def _free(arm: SixArm, summary: Array) -> FreeParameter | None:
    if arm.shape == ANY or not (summary[..., FREE] % 2.0 == 1.0).any():
        return None
    kind = int(arm.geo[six_arm.KIND])
    joint = 3 if arm.shape == SPHERICAL else (5 if kind == six_parallel.AXES_234 else 4)
    sign = -1.0 if arm.reversed else 1.0
    return FreeParameter("angle", arm.names[joint], sign * np.asarray(summary[..., HELD]))


@functools.lru_cache(maxsize=64)
def _limits(model: Model) -> tuple[Array, Array]:
    """Writable copies: a read-only array would make Numba compile again."""
    return model.q_min.copy(), model.q_max.copy()
