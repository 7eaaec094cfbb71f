"""Inverse kinematics: which configurations bring the tool to a target."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import UNGROUPED, Groups, KernelInput, configuration, run_batch
from carpal.errors import InputError, unknown_name
from carpal.kinematics.configuration import random_configurations
from carpal.kinematics.forward import fk
from carpal.kinematics.inverse.ik_result import IKResult
from carpal.kinematics.inverse.ik_target import Target, check_target, read_target
from carpal.kinematics.inverse.kernels.ik_search import (
    ATTEMPTS,
    POSITION_ERROR,
    REPORT,
    ROTATION_ERROR,
    SOLVED,
    STEPS,
    ik_batch,
)
from carpal.kinematics.inverse.kernels.ik_task import NUMBERS
from carpal.kinematics.inverse.tied_problem import tied_problem, tied_work
from carpal.kinematics.reach import reach_bound, rotation_weight
from carpal.kinematics.tied_chain import satisfied_home, satisfied_start, tied_chain
from carpal.model import Model, need_model
from carpal.spatial import Array

METHODS = ("lm", "newton", "dls", "ccd")
SAMPLES = 256  # starts that are drawn once for a model and a seed
# what a method begins with: steps in an attempt, attempts, damping, longest joint step [rad, m]
DEFAULTS = {
    "lm": (50, 256, 0.01, 1.0),
    "newton": (50, 50, 0.0, np.inf),
    "dls": (3000, 10, 0.1, 0.2),
    "ccd": (500, 10, 0.0, np.inf),
}
_FLOAT64 = np.dtype(np.float64)


def ik(
    model: Model,
    target: ArrayLike | tuple[ArrayLike, ArrayLike],
    q0: ArrayLike | None = None,
    *,
    frame: str | None = None,
    method: str = "lm",
    seed: int = 0,
    attempts: int | None = None,
    steps: int | None = None,
    position_tolerance: float = 1e-6,
    angle_tolerance: float = 1e-6,
    damping: float | None = None,
    difference: float = 0.0,
    limits: bool = True,
    device: str = "cpu",
    threads: int | None = None,
) -> IKResult:
    """Solve for joint angles numerically, inside the joint limits, starting again elsewhere when a search gets stuck.

    Answers satisfy couplings and loops: where these tie joints of the chain, the search is over the independent joints (method
    "lm"); elsewhere dependent joints follow q0.

    Args:
        model: the robot.
        target: a pose X_WT (*batch, 4, 4); a point (*batch, 3) [m]; or a tuple (point, direction), each (*batch, 3), for the
            tool's position and the direction of `model.tool_axis`.
        q0: where the first search starts (*batch, nq); by default a closed-form answer where the arm has one and the method
            is "lm", else the nearest of 256 sampled configurations.
        frame: the frame that is to reach; None is the tool.
        method: "lm" (Levenberg-Marquardt), "newton" (six joints, ZXZ angles), "dls" (damped least squares), "ccd".
        seed: of the sampled starts. Same seed, same answer, in a batch or alone.
        attempts: how many starts at most.
        steps: steps in one attempt.
        position_tolerance: [m].
        angle_tolerance: [rad].
        damping: lm: factor of the squared error; dls: the constant a.
        difference: newton: step of a forward-difference Jacobian [rad]; 0 is the analytic one, Yesmunt (2014) used 0.12.
        limits: newton: whether answers must be inside the joint limits; the other methods never leave them.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Returns:
        An `IKResult`; `print` it for one sentence.

    Example:
        >>> arm = carpal.load("sawyer")
        >>> carpal.ik(arm, carpal.fk(arm, arm.q_home + 0.3)).ok
        True
    """
    need_model(model, "ik")
    asked = read_target(target)
    options = (method, seed, attempts, steps, position_tolerance, angle_tolerance, damping, difference, limits)
    try:
        problem = _problem(model, frame, asked.kind, options)
    except TypeError:  # an option that cannot be hashed is no number: let the check say so
        problem = _problem.__wrapped__(model, frame, asked.kind, options)
    if q0 is None and problem.closed is not None and asked.numbers.size:
        return _seeded(problem, asked, device, threads)
    constants = problem.with_start(q0 is not None)
    start: Any = problem.home if q0 is None else q0
    if q0 is not None and model.is_constrained and problem.entry is ik_batch:
        start = satisfied_start(model, q0)
    if asked.is_one and device == "cpu" and threads is None and _is_plain(start, model.nq):
        # one target is the commonest call: skip the general path's bookkeeping
        q, report = np.empty((1, model.nq)), np.empty((1, REPORT))
        given = (asked.numbers[None], np.array(start, ndmin=2), q, report)
        scratch = problem.borrow()
        bad = problem.entry(*constants, *given, *scratch, 0, 1, 1, 0)
        problem.spare.append(scratch)
        if not bad:
            return _result(problem, asked, q[0], report[0])
    check_target(asked)
    inputs = [KernelInput("target", asked.numbers, (12,)), configuration(model, start)]
    q, report = run_batch(
        model, problem.entry, constants, inputs, [(model.nq,), (REPORT,)],
        scratch=problem.scratch, groups=problem.groups, device=device, threads=threads, world_seconds=2e-5,
    )  # fmt: skip
    return _result(problem, asked, q, report)


def _seeded(problem: _Problem, asked: Target, device: str, threads: int | None) -> IKResult:
    """Begin at a closed-form answer where there is one inside the limits, at the samples where there is none."""
    from carpal.kinematics.inverse.closed_seed import closed_seeds

    check_target(asked)
    model, batch = problem.model, asked.numbers.shape[:-1]
    rows = asked.numbers.reshape(-1, 12)
    seeds, has = closed_seeds(model, problem.closed, Target(asked.task, asked.kind, rows), threads)
    q, report = np.empty((len(rows), model.nq)), np.empty((len(rows), REPORT))
    for given, part in ((True, np.flatnonzero(has)), (False, np.flatnonzero(~has))):
        if len(part):
            start = seeds[part] if given else np.broadcast_to(problem.home, (len(part), model.nq))
            q[part], report[part] = run_batch(
                model, ik_batch, problem.with_start(given), [KernelInput("target", rows[part], (12,)),
                 configuration(model, start)],
                [(model.nq,), (REPORT,)], scratch=problem.scratch, device=device, threads=threads, world_seconds=2e-5,
            )  # fmt: skip
    return _result(problem, asked, q.reshape(*batch, model.nq), report.reshape(*batch, REPORT))


def search(model: Model, frame: str, target: Target, axis_T: Array, *, weight: float) -> Array:
    """(nq) where a search inside the limits ends that counts a radian as `weight` metres, from many starts.

    Unlike `ik` it names its own axis of the frame for the direction, and its own weight.
    """
    options = ("lm", 0, None, None, 1e-9, 1e-9, None, 0.0, True)
    problem = _problem(model, frame, target.kind, options)
    constants = list(problem.constants)
    numbers = constants[9].copy()
    numbers[2], numbers[3:6] = weight, axis_T
    constants[9] = numbers
    q, _ = run_batch(
        model, ik_batch, tuple(constants), [KernelInput("target", target.numbers, (12,)),
         configuration(model, problem.home)],
        [(model.nq,), (REPORT,)], scratch=problem.scratch, world_seconds=2e-5,
    )  # fmt: skip
    return q


def _is_plain(q: Any, nq: int) -> bool:
    return type(q) is np.ndarray and q.shape == (nq,) and q.dtype is _FLOAT64


def _result(problem: _Problem, asked: Target, q: Array, report: Array) -> IKResult:
    counts = report[..., STEPS : ATTEMPTS + 1].astype(int)
    return IKResult(
        model=problem.model,
        frame=problem.frame,
        target=asked,
        method=problem.method,
        ok=report[..., SOLVED].astype(bool)[()],
        q=q,
        position_error=report[..., POSITION_ERROR],
        angle_error=report[..., ROTATION_ERROR],
        iterations=counts[..., 0],
        attempts=counts[..., 1],
    )


@dataclass(frozen=True, eq=False)
class _Problem:
    """Everything about a call that does not change from target to target."""

    model: Model
    frame: str
    method: str
    constants: tuple[Any, ...]  # in the entry's order; the third last is replaced by whether q0 is given
    scratch: list[tuple[int, ...]]
    home: Array  # where searches start that are given no q0
    entry: Any = ik_batch
    closed: Any = None  # geometry of a closed form that gives the start, where one fits
    groups: Groups = UNGROUPED  # how the entry takes its scratch
    spare: list[tuple[Any, ...]] = field(default_factory=list)  # scratch of single calls, nobody's at the moment

    def with_start(self, given: bool) -> tuple[Any, ...]:
        """The constants, with whether the first search starts at q0."""
        return (*self.constants[:-3], int(given), *self.constants[-2:])

    def borrow(self) -> tuple[Any, ...]:
        """Scratch for one target; a thread that finds none left makes its own."""
        try:
            return self.spare.pop()
        except IndexError:
            return self.groups.arguments((), (), [np.empty((1, *shape)) for shape in self.scratch])


@functools.lru_cache(maxsize=64)
def _problem(model: Model, frame: str | None, kind: str, options: tuple[Any, ...]) -> _Problem:
    method, seed, attempts, steps, position_tolerance, angle_tolerance, damping, difference, limits = options
    if method not in METHODS:
        raise unknown_name("method", method, METHODS)
    row = model.frame_index(frame)
    name = str(model.tool if frame is None else frame)
    tables = model.tables
    chain = tables.chains[row]
    n = _freedoms(model, name, chain, method, kind)
    most_steps, most_attempts, gentle, longest = DEFAULTS[method]
    numbers = np.zeros(NUMBERS)
    bound = reach_bound(model, name)
    numbers[:3] = (
        _positive("position_tolerance", position_tolerance),
        _positive("angle_tolerance", angle_tolerance),
        rotation_weight(model, name),
    )
    numbers[3:6] = model.tool_axis
    numbers[6:9] = gentle if damping is None else _positive("damping", damping), longest, _difference(difference)
    numbers[12] = numbers[16] = np.inf
    if bound is not None:
        numbers[9:] = (
            *bound.center,
            bound.tool_length * (1 + 1e-9),
            *bound.wrist_in_tool,
            bound.wrist_length * (1 + 1e-9),
        )
    wide = max(n, 6)
    shapes = [(model.nq,), (model.nq,), (6, n), (n, n), (wide, wide), (wide,), (n,), (len(tables.joints), 12)]
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError(f"seed must be a whole number, zero or above; got {seed!r}.")
    samples, poses = _starts(model, name, int(seed))
    task = {"pose": 0, "point": 1, "point and direction": 2}[kind]
    constants = (
        tables.joints, tables.bodies, tables.frames, row, chain, model.q_min.copy(), model.q_max.copy(),
        METHODS.index(method), task, numbers, _count("steps", steps, most_steps),
        _count("attempts", attempts, most_attempts), int(bool(limits)), 0, samples, poses,
    )  # fmt: skip
    home = satisfied_home(model) if model.is_constrained else np.asarray(model.q_home)
    ties = tied_chain(model, name)
    if ties is not None:
        if method != "lm":
            raise InputError(
                f"method '{method}' does not hold couplings and loops, and they tie {', '.join(ties.names)} of the chain of "
                f"'{name}'; use 'lm'."
            )
        entry, constants, shapes = tied_problem(model, ties, constants)
        return _Problem(model, name, method, constants, shapes, home, entry, groups=Groups(scratch=tied_work))
    closed = None
    if method == "lm":  # the others are there to be compared, from the starts that they had
        from carpal.kinematics.inverse.closed_seed import seed_geometry

        closed = seed_geometry(model, frame, kind)
    return _Problem(model, name, method, constants, shapes, home, ik_batch, closed)


def _freedoms(model: Model, name: str, chain: np.ndarray, method: str, kind: str) -> int:
    kinds = model.tables.joints[chain, 0]
    n = int(sum((0, 1, 1, 3, 6)[int(k)] for k in kinds))
    if not n:
        moved = [frame for frame in model.frames if len(model.tables.chains[model.frame_index(frame)])]
        choices = f"; frames that move: {', '.join(moved[:20])}{' ...' if len(moved) > 20 else ''}" if moved else ""
        raise InputError(
            f"no joint of model '{model.name}' moves frame '{name}': there is nothing to solve for{choices}."
        )
    if method == "newton" and (n != 6 or kind != "pose"):
        raise InputError(
            f"method 'newton' solves full poses with exactly 6 joints; frame '{name}' of model '{model.name}' has {n} and "
            f"the target is a {kind}; use 'lm', 'dls' or 'ccd'."
        )
    if method == "ccd" and (kinds > 2).any():
        raise InputError(
            f"method 'ccd' moves revolute and prismatic joints only; '{name}' hangs on a ball or free joint."
        )
    return n


@functools.lru_cache(maxsize=64)
def _starts(model: Model, frame: str, seed: int) -> tuple[Array, Array]:
    """Sampled configurations (256, nq) and their tool poses (256, 12)."""
    samples = random_configurations(model, SAMPLES, seed=seed)
    X = fk(model, samples, frame, threads=1)
    return samples, np.concatenate([X[:, :3, :3].reshape(SAMPLES, 9), X[:, :3, 3]], axis=1)


def _positive(name: str, value: Any) -> float:
    if not isinstance(value, int | float | np.floating | np.integer) or not np.isfinite(value) or value <= 0:
        raise InputError(f"{name} must be a number above zero; got {value!r}.")
    return float(value)


def _difference(value: Any) -> float:
    return 0.0 if isinstance(value, int | float) and value == 0 else _positive("difference", value)


def _count(name: str, value: int | None, default: int) -> int:
    if value is None:
        return default
    if not isinstance(value, int | np.integer) or value < 1:
        raise InputError(f"{name} must be a whole number, 1 or above; got {value!r}.")
    return int(value)
