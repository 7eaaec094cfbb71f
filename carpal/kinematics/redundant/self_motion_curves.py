"""Self-motion of a seven-joint arm: the curves of configurations that hold the tool still, traced numerically.

A pose leaves seven revolute joints one freedom, so its configurations form closed curves on the torus of joint angles. They
are traced by continuation (`kernels/continuation.py`) from many seeded starts, limits set aside, and then cut where limits
are crossed. Nothing here is proved complete: a curve that no start met is missed, and a limit touched twice within one step
may be.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import Groups, KernelInput, configuration, run_batch
from carpal._core.result import Result
from carpal.errors import InputError
from carpal.kinematics.axes import chain_axes
from carpal.kinematics.inverse.ik_target import check_target, read_target
from carpal.kinematics.inverse.kernels.ik_task import NUMBERS, Arm, Work
from carpal.kinematics.inverse.numeric import ik
from carpal.kinematics.jacobians import jacobian
from carpal.kinematics.redundant.elbow_points import elbow_points
from carpal.kinematics.redundant.kernels.continuation import (
    CLOSED,
    NO_START,
    SINGULAR,
    TraceInput,
    TraceOutput,
    TraceScratch,
    trace_batch,
)
from carpal.kinematics.redundant.kernels.pinned_pose import ALONG, JOINTS, PinInput, PinOutput, PinScratch, pin_batch
from carpal.model import Model, need_model
from carpal.spatial import Array

STEP = 0.04  # [rad] longest step along a curve, in the norm of all joints
POINTS = 16384  # in one curve
STARTS, ROUNDS = 48, 4  # searches in a round; a round that meets no new curve is the last
ON_CURVE = 1e-6  # [rad] a configuration this near a curve belongs to it
EXACT = 1e-11  # [m, rad] what counts as holding the pose
_TURN = 2 * np.pi


@dataclass(frozen=True, eq=False)
class SelfMotionCurve:
    """One connected curve of configurations that hold the tool at its pose.

    Args:
        q: (points, nq) unwrapped, so that neighbours are near each other; [rad].
        psi: (points) arm angle, unwrapped along the curve [rad].
        psi_rate: (points) d psi / ds.
        tangent: (points, nq) unit tangent; zero for joints outside the arm.
        s: (points) arc length in joint space [rad].
        length: of the whole curve [rad].
        closed: whether it came back to its start, whole turns aside.
        winding: (nq) whole turns that each joint has made when the curve closes.
    """

    q: Array
    psi: Array
    psi_rate: Array
    tangent: Array
    s: Array
    length: float
    closed: bool
    winding: np.ndarray

    def nearest(self, q: Array) -> tuple[int, float]:
        """Index of the traced point nearest to q, whole turns aside, and its distance [rad]."""
        d = np.sqrt((wrap(self.q - q) ** 2).sum(1))
        i = int(np.argmin(d))
        return i, float(d[i])


@dataclass(frozen=True, eq=False)
class SelfMotion(Result):
    """Every self-motion curve that was found for a pose.

    Args:
        model, frame, X_WT: what was asked.
        curves: longest first.
        starts: searches made.
        solved: how many of them reached the pose.
        step: [rad] longest step between traced points: the resolution of everything that is read off them.
    """

    model: Model
    frame: str
    X_WT: Array
    curves: tuple[SelfMotionCurve, ...]
    starts: int
    solved: int
    step: float

    @property
    def columns(self) -> np.ndarray:
        """(7) where the arm's joints stand in q."""
        return arm_columns(self.model, self.frame)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Of the arm's seven joints."""
        return chain_axes(self.model, self.frame).names

    @property
    def ok(self) -> bool:
        """Whether the pose was reached at all, limits aside."""
        return bool(self.curves)

    @property
    def status(self) -> str:
        """One sentence."""
        if not self.curves:
            return f"no self-motion: none of {self.starts} searches reached the pose, limits set aside."
        n, opened = len(self.curves), sum(not c.closed for c in self.curves)
        ends = "all closed" if not opened else f"{opened} ending at a singular configuration"
        points = sum(len(c.q) for c in self.curves)
        return (
            f"{n} self-motion curve{'s' if n > 1 else ''} traced numerically, {ends}: {points} points, "
            f"steps up to {self.step:g} rad, from {self.solved} solutions of {self.starts} searches."
        )

    def locate(self, q: ArrayLike) -> tuple[int, float]:
        """(index of the curve nearest to a configuration, distance from it [rad]), polished between traced points."""
        q = np.asarray(q, float)
        best = (-1, np.inf)
        for k, curve in enumerate(self.curves):
            i, rough = curve.nearest(q)
            if rough < best[1] + 2 * self.step:
                # a vertex may be half a step away from q along the curve: pin the plane through q across the tangent
                guess = curve.q[i] + (curve.tangent[i] @ wrap(q - curve.q[i])) * curve.tangent[i]
                near = q + wrap(guess - q)
                point, report = pin(
                    self.model, self.frame, self.X_WT, near, ALONG, curve.tangent[i] @ q, curve.tangent[i]
                )
                distance = float(np.linalg.norm(wrap(point - q))) if report[0] < 1e-9 else rough
                best = min(best, (k, min(distance, rough)), key=lambda pair: pair[1])
        return best


def trace_self_motion(
    model: Model,
    X_WT: ArrayLike,
    *,
    frame: str | None = None,
    q0: ArrayLike | None = None,
    step: float = STEP,
    starts: int = STARTS,
    seed: int = 0,
) -> SelfMotion:
    """Find and trace the self-motion curves of a pose.

    Args:
        model: an arm with seven revolute joints between the world and the frame.
        X_WT: (4, 4) pose of the frame.
        frame: a name from `model.frames`; None is the tool.
        q0: configurations (*batch, nq) tried first, for example of a pose nearby; joints outside the arm stay at the first.
        step: longest step along a curve [rad].
        starts: searches in a round; rounds end when one meets nothing new.
        seed: of the starts; same seed, same curves.
    """
    need_model(model, "trace_self_motion")
    asked = read_target(X_WT)
    if asked.kind != "pose" or asked.numbers.ndim != 1:
        raise InputError(f"self-motion is traced for one pose (4, 4) at a time; got shape {np.shape(X_WT)}.")
    check_target(asked)
    if not isinstance(step, int | float) or not 1e-4 <= step <= 0.2:
        raise InputError(f"step must be a number from 0.0001 to 0.2 rad; got {step!r}.")
    name = str(model.tool if frame is None else frame)
    X = np.array(X_WT, float)
    elbow_points(model, name)  # refuses arms of another shape, before any work
    curves: list[SelfMotionCurve] = []
    made = solved = 0
    given = None if q0 is None else np.asarray(q0, float).reshape(-1, model.nq)
    for turn in range(ROUNDS + (given is not None)):
        guesses = given if turn == 0 and given is not None else _guesses(model, starts, seed + turn, given)
        found = ik(_unlimited(model), np.broadcast_to(X, (len(guesses), 4, 4)), guesses, frame=name, attempts=1)
        made, solved = made + len(guesses), solved + int(found.ok.sum())
        before = len(curves)
        for q in _polished(model, name, X, found.q[found.ok]):
            if not any(_belongs(model, name, X, curve, q, step) for curve in curves):
                curve = _trace(model, name, X, q, step)
                if curve is not None:
                    curves.append(curve)
        if len(curves) == before and (turn > 0 or given is None):
            break
    curves.sort(key=lambda curve: (-round(curve.length, 6), *curve.q[0]))
    return SelfMotion(model, name, X, tuple(curves), made, solved, float(step))


def wrap(angles: Array) -> Array:
    """The same angles in [-pi, pi)."""
    return (angles + np.pi) % _TURN - np.pi


def pin(
    model: Model, frame: str, X_WT: Array, q: Array, mode: Any, value: ArrayLike, row: Array
) -> tuple[Array, Array]:
    """Points of self-motion curves near guesses q (*batch, nq) where row . q = value, or the arm angle is `value`.

    Returns:
        q (*batch, nq) and reports (*batch, 11): error, psi, psi rate, elbow radius, unit tangent along `row`.
    """
    at = arm_columns(model, frame)
    pins = np.concatenate([_stack(mode, value, q.shape[:-1]), row[..., at]], -1)
    constants = _arm(model, frame), np.zeros(NUMBERS), elbow_points(model, frame).packed()
    inputs = [
        KernelInput("target", read_target(X_WT).numbers, (12,)),
        configuration(model, q),
        KernelInput("pin", pins, (2 + JOINTS,)),
    ]
    out, report = run_batch(
        model, pin_batch, constants, inputs, [(model.nq,), (4 + JOINTS,)], scratch=_scratch(model, 3), groups=_PIN,
        world_seconds=2e-5,
    )  # fmt: skip
    return out, report


def arm_columns(model: Model, frame: str) -> np.ndarray:
    """Where the arm's seven joints stand in q."""
    return chain_axes(model, frame).columns


def arm_speeds(model: Model, frame: str) -> np.ndarray:
    """Where the arm's seven joints stand in v."""
    return model.tables.joints[model.tables.chains[model.frame_index(frame)], 3]


def _stack(mode: Any, value: ArrayLike, batch: tuple[int, ...]) -> Array:
    return np.stack([np.broadcast_to(np.asarray(x, float), batch) for x in (mode, value)], -1)


def _arm(model: Model, frame: str) -> Arm:
    tables, row = model.tables, model.frame_index(frame)
    return Arm(
        tables.joints, tables.bodies, tables.frames, row, tables.chains[row], model.q_min.copy(), model.q_max.copy()
    )


def _pin_scratch(*arrays: Array) -> PinScratch:
    return PinScratch(Work(*arrays[:8]), *arrays[8:])


def _trace_scratch(*arrays: Array) -> TraceScratch:
    return TraceScratch(Work(*arrays[:8]), *arrays[8:])


_PIN = Groups(PinInput, PinOutput, _pin_scratch)
_TRACE = Groups(TraceInput, TraceOutput, _trace_scratch)


def _scratch(model: Model, rows: int) -> list[tuple[int, ...]]:
    n = JOINTS
    bodies = (len(model.tables.joints), 12)
    return [(model.nq,), (model.nq,), (6, n), (n, n), (n, n), (n,), (n,), bodies, *[(n,)] * rows]


@functools.lru_cache(maxsize=64)
def _unlimited(model: Model) -> Model:
    """The same arm with joints that turn without end: curves cross limits and come back."""
    import dataclasses

    bodies = tuple(
        dataclasses.replace(body, joint=dataclasses.replace(body.joint, q_min=-np.inf, q_max=np.inf))
        if body.joint.kind == "revolute"
        else body
        for body in model.bodies
    )
    return dataclasses.replace(model, bodies=bodies)


def _guesses(model: Model, count: int, seed: int, given: Array | None) -> Array:
    """Starts all over the torus; joints outside the arm stay where they are."""
    rng = np.random.default_rng(seed)
    guesses = np.tile(np.asarray(model.q_home if given is None else given[0], float), (count, 1))
    at = arm_columns(model, str(model.tool))
    guesses[:, at] = rng.uniform(-np.pi, np.pi, (count, len(at)))
    return guesses


def _polished(model: Model, frame: str, X: Array, q: Array) -> Array:
    """Solutions of a search brought to rounding: near singular configurations 1e-6 m may be far along a joint."""
    if not len(q):
        return q
    at = arm_columns(model, frame)
    rows = np.zeros(q.shape)
    rows[:, at] = np.linalg.svd(jacobian(model, q, frame)[..., arm_speeds(model, frame)])[2][:, -1]
    exact, report = pin(model, frame, X, q, ALONG, (rows * q).sum(1), rows)
    return exact[report[:, 0] < EXACT]


def _belongs(model: Model, frame: str, X: Array, curve: SelfMotionCurve, q: Array, step: float) -> bool:
    if curve.nearest(q)[1] > 2 * step:
        return False
    return SelfMotion(model, frame, X, (curve,), 0, 0, step).locate(q)[1] < ON_CURVE


def _trace(model: Model, frame: str, X: Array, q: Array, step: float) -> SelfMotionCurve | None:
    """The curve through q; both ways where it ends at a singular configuration."""
    forward = _run_trace(model, frame, X, q, step, 1.0)
    if forward is None:
        return None
    end, q_f, notes_f = forward
    if end == CLOSED:
        return _curve(model, frame, q_f, notes_f, True)
    backward = _run_trace(model, frame, X, q, step, -1.0)
    if backward is not None:
        _, q_b, notes_b = backward
        notes_b = notes_b[:0:-1].copy()
        notes_b[:, 1] *= -1
        notes_b[:, 3:] *= -1
        q_f, notes_f = np.concatenate([q_b[:0:-1], q_f]), np.concatenate([notes_b, notes_f])
    return _curve(model, frame, q_f, notes_f, False)


def _run_trace(
    model: Model, frame: str, X: Array, q: Array, step: float, side: float
) -> tuple[int, Array, Array] | None:
    constants = _arm(model, frame), np.zeros(NUMBERS), elbow_points(model, frame).packed(), float(step), side
    inputs = [KernelInput("target", read_target(X).numbers, (12,)), configuration(model, q)]
    shapes = [(POINTS, model.nq), (POINTS, 3 + JOINTS), (2,)]
    points, notes, report = run_batch(
        model, trace_batch, constants, inputs, shapes, scratch=_scratch(model, 4), groups=_TRACE, world_seconds=2e-2
    )
    end, count = int(report[0]), int(report[1])
    if end == NO_START or (end == SINGULAR and count < 3):
        return None
    return end, points[:count].copy(), notes[:count].copy()


def _curve(model: Model, frame: str, q: Array, notes: Array, closed: bool) -> SelfMotionCurve:
    chords = np.linalg.norm(np.diff(q, axis=0), axis=1)
    s = np.concatenate([[0.0], np.cumsum(chords)])
    back = wrap(q[0] - q[-1])
    tangent = np.zeros(q.shape)
    tangent[:, arm_columns(model, frame)] = notes[:, 3:]
    winding = np.rint((q[-1] + back - q[0]) / _TURN).astype(int) if closed else np.zeros(model.nq, int)
    length = float(s[-1] + (np.linalg.norm(back) if closed else 0.0))
    psi = np.unwrap(notes[:, 0])
    return SelfMotionCurve(q, psi, notes[:, 1], tangent, s, length, closed, winding)
