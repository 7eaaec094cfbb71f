"""The arm angle of seven-joint arms without a closed form (Sawyer, for one): the questions of SRS arms, answered numerically.

The pose's self-motion curves are traced (`self_motion_curves`), cut into arcs on which the arm angle is monotone
(`self_motion_arcs`), and every crossing of the wanted arm angle is polished onto the pose. What shoulder, elbow and wrist
mean is defined in `elbow_points`.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import ArrayLike

from carpal.kinematics.inverse.ik_target import Target
from carpal.kinematics.inverse.numeric import ik
from carpal.kinematics.inverse.solutions import FreeParameter, IKSolutions
from carpal.kinematics.redundant.elbow_points import elbow_angle
from carpal.kinematics.redundant.self_motion_arcs import INSIDE, SelfMotionArc, cut_arcs, joint_margins, points_at
from carpal.kinematics.redundant.self_motion_curves import STEP, SelfMotion, trace_self_motion, wrap
from carpal.model import Model
from carpal.spatial import Array

_TURN = 2 * np.pi


def solve_self_motion(
    model: Model, asked: Target, psi: Array | None, q0: ArrayLike, *, frame: str | None = None
) -> IKSolutions:
    """Every traced configuration with an arm angle; `ik_all` comes here where no closed form fits.

    Args:
        model: an arm with seven revolute joints.
        asked: poses (*batch).
        psi: (*batch) [rad]; None takes that of q0.
        q0: (*batch, nq) solutions are sorted by distance from it; joints outside the arm stay there.
        frame: the frame that is to reach; None is the tool.

    Returns:
        `IKSolutions` whose branch codes number the arcs of the pose's self-motion.
    """
    start = np.asarray(q0, float)
    angle = elbow_angle(model, start, frame) if psi is None else psi
    batch = np.broadcast_shapes(asked.numbers.shape[:-1], np.shape(angle), start.shape[:-1])
    poses = np.broadcast_to(_poses(asked), (*batch, 4, 4))
    angles, starts = np.broadcast_to(angle, batch), np.broadcast_to(start, (*batch, model.nq))
    rows = {i: _solve_one(model, frame, poses[i], float(angles[i]), starts[i]) for i in np.ndindex(*batch)}
    most = max((len(q) for q, _, _ in rows.values()), default=0)
    q = np.full((*batch, most, model.nq), np.nan)
    inside = np.zeros((*batch, most), bool)
    branch = np.full((*batch, most), -1)
    count = np.zeros(batch, int)
    for i, (found, good, arcs) in rows.items():
        n = count[i] = len(found)
        q[(*i, slice(n))], inside[(*i, slice(n))], branch[(*i, slice(n))] = found, good, arcs
    name = str(model.tool if frame is None else frame)
    target = Target(asked.task, asked.kind, np.broadcast_to(asked.numbers, (*batch, 12)), poses)
    return IKSolutions(
        model=model, frame=name, target=target,
        method=f"self-motion traced numerically, steps up to {STEP:g} rad",
        q=q, count=count, in_limits=inside, branch=branch,
        free=FreeParameter("arm angle", "", np.asarray(angles, float)),
        reason=lambda _, i: _why(model, frame, poses[i], float(angles[i])),
    )  # fmt: skip


def traced_arcs(model: Model, X_WT: Array, frame: str | None = None) -> tuple[SelfMotion, tuple[SelfMotionArc, ...]]:
    """A pose's self-motion and its arcs; the last few poses are remembered, so that a sweep of arm angles traces once."""
    return _remembered(model, frame, np.ascontiguousarray(X_WT, float).tobytes())


@functools.lru_cache(maxsize=16)
def _remembered(model: Model, frame: str | None, pose: bytes) -> tuple[SelfMotion, tuple[SelfMotionArc, ...]]:
    motion = trace_self_motion(model, np.frombuffer(pose).reshape(4, 4), frame=frame)
    return motion, cut_arcs(motion)


def into_limits(model: Model, q: Array, near: Array) -> Array:
    """The same configurations (*batch, nq) with whole turns of revolute joints chosen inside the limits, as near as may be.

    What is outside by rounding is put on the limit.
    """
    out = np.array(q, float)
    for kind, i in model.joint_slices():
        if kind != "revolute":
            continue
        x = out[..., i] + _TURN * np.rint((near[..., i] - out[..., i]) / _TURN)
        low, high = model.q_min[i], model.q_max[i]
        with np.errstate(invalid="ignore"):
            x = np.where(x > high + INSIDE, x - _TURN * np.ceil((x - high - INSIDE) / _TURN), x)
            x = np.where(x < low - INSIDE, x + _TURN * np.ceil((low - INSIDE - x) / _TURN), x)
            x = np.where((x > high) & (x <= high + INSIDE), high, x)
            x = np.where((x < low) & (x >= low - INSIDE), low, x)
        out[..., i] = x
    return out


def _poses(asked: Target) -> Array:
    X = np.zeros((*asked.numbers.shape[:-1], 4, 4))
    X[..., :3, :3] = asked.numbers[..., :9].reshape(*asked.numbers.shape[:-1], 3, 3)
    X[..., :3, 3] = asked.numbers[..., 9:]
    X[..., 3, 3] = 1.0
    return X


def _solve_one(
    model: Model, frame: str | None, X: Array, psi: float, q0: Array
) -> tuple[Array, np.ndarray, np.ndarray]:
    """Configurations nearest to q0 first, whether each is inside the limits, and its arc."""
    motion, arcs = traced_arcs(model, X, frame)
    q, numbers = points_at(motion, arcs, psi)
    outside = np.ones(model.nq, bool)
    outside[motion.columns] = False
    q[:, outside] = q0[outside]
    inside = np.asarray((joint_margins(model, q)[:, motion.columns] >= -INSIDE).all(1))
    q = into_limits(model, q, q0)
    order = np.lexsort((numbers, np.linalg.norm(q - q0, axis=1)))
    return q[order], inside[order], numbers[order]


def _why(model: Model, frame: str | None, X: Array, psi: float) -> str:
    motion, arcs = traced_arcs(model, X, frame)
    if not motion:
        return f"{motion.status[:-1]}; {ik(model, X, frame=frame).status}"
    q, _ = points_at(motion, arcs, psi)
    if not len(q):
        spans = ", ".join(f"{low:.4g} to {high:.4g}" for low, high in _covered(arcs))
        return (
            f"no configuration has the arm angle {psi:.6g} rad: the traced curves have {spans} rad, whole turns aside."
        )
    margins = joint_margins(model, q)[:, motion.columns]
    best = int(np.argmax(margins.min(1)))
    worst = int(np.argmin(margins[best]))
    tail = "" if any(not piece.violated for arc in arcs for piece in arc.pieces) else ", nor at any other arm angle"
    plural = "solutions" if len(q) > 1 else "solution"
    return (
        f"{len(q)} {plural} with the arm angle {psi:.6g} rad, none inside the limits{tail}; in the best "
        f"{motion.joint_names[worst]} is {-margins[best, worst]:.4g} rad outside (traced numerically)."
    )


def _covered(arcs: tuple[SelfMotionArc, ...]) -> list[tuple[float, float]]:
    """Arm angles that some arc has, as few stretches as may be, each beginning in [-pi, pi)."""
    spans = sorted((float(wrap(arc.psi[0])), float(wrap(arc.psi[0]) + arc.psi[-1] - arc.psi[0])) for arc in arcs)
    merged = spans[:1]
    for low, high in spans[1:]:
        if low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged
