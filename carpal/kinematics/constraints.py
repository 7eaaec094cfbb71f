"""Configurations and velocities that satisfy a model's couplings and loops.

`q` always holds every joint of the tree. Of a model with couplings or loops `model.independent_joints` can be chosen; the
`dependent_joints` follow: followers exactly, by their polynomials, and the joints that close loops by Gauss-Newton steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import finite_array
from carpal._core.batch import configuration, run_batch
from carpal._core.result import Result, status_of_batch
from carpal.errors import InputError
from carpal.kinematics.jacobians import jacobian
from carpal.kinematics.kernels.closure import TOLERANCE, close_batch, constraint_batch
from carpal.kinematics.kernels.placement import COLUMNS
from carpal.model import NV, Model, need_model
from carpal.spatial import Array

STEPS = 100


@dataclass(frozen=True, eq=False)
class ClosureResult(Result):
    """Configurations with the dependent joints moved to where couplings and loops have them; arrays have the batch's shape.

    Args:
        model: the robot.
        ok: (*batch) whether the largest residual is at most 1e-12 [m, rad].
        q: (*batch, nq); independent joints as they were given.
        residual: (*batch) largest residual of the loops [m, rad]; followers are exact.
        iterations: (*batch) steps taken.
    """

    model: Model
    ok: Any
    q: Array
    residual: Array
    iterations: np.ndarray

    @property
    def status(self) -> str:
        """One sentence; of a batch, how many are closed and why the first other is not."""
        return status_of_batch(self.ok, "configurations satisfy couplings and loops", "the first other", self.explain)

    def explain(self, index: tuple[int, ...] = ()) -> str:
        """How well the configuration at a batch index satisfies couplings and loops."""
        left, steps = float(self.residual[index]), int(self.iterations[index])
        if self.ok[index]:
            return f"couplings and loops of '{self.model.name}' are satisfied within {left:.2g}, {steps} iterations."
        worst = worst_constraint(self.model, self.q[index])
        return f"{worst} after {steps} iterations: with these independent joints it does not close."


def satisfy_constraints(
    model: Model, q: ArrayLike, *, steps: int = STEPS, device: str = "cpu", threads: int | None = None
) -> ClosureResult:
    """Move the dependent joints to where couplings and loops have them.

    Args:
        model: the robot; without couplings and loops `q` comes back as it is.
        q: configurations (*batch, nq). Independent joints stay; the others are where the search for closed loops starts, so they
            choose among several ways to assemble a loop.
        steps: most Gauss-Newton steps.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Example:
        >>> hand = carpal.load("hand.urdf")
        >>> q = satisfy_constraints(hand, hand.q_home).q
    """
    need_model(model, "satisfy_constraints")
    if not isinstance(steps, int | np.integer) or steps < 1:
        raise InputError(f"steps must be a whole number, 1 or above; got {steps!r}.")
    tables = model.tables
    out, report = run_batch(
        model, close_batch, (tables.joints, tables.bodies, model.constraint_tables, int(steps)), [configuration(model, q)],
        [(model.nq,), (2,)], scratch=closure_scratch(model), device=device, threads=threads, world_seconds=1e-5,
    )  # fmt: skip
    residual = report[..., 0]
    return ClosureResult(model, (residual <= TOLERANCE)[()], out, residual, report[..., 1].astype(int))


def closure_scratch(model: Model) -> list[tuple[int, ...]]:
    """Shapes of one slot's scratch of `close_batch`: the configuration, then the fields of `Closure`."""
    need_model(model, "closure_scratch")
    rows = max(1, sum(loop.rows for loop in model.loops))
    kinds = [int(model.tables.joints[row, 0]) for row in model.constraint_tables.dependent]
    n = max(1, sum((0, 1, 1, 3, 6)[kind] for kind in kinds))
    return [
        (model.nq,), (model.nq,), (rows,), (rows,), (rows, model.nv), (n, n), (n,), (len(model.tables.joints), COLUMNS),
    ]  # fmt: skip


def constraint_residual(model: Model, q: ArrayLike, *, device: str = "cpu", threads: int | None = None) -> Array:
    """Residuals (*batch, rows) of couplings, then loops, at q (*batch, nq) [rad, m].

    A coupling's is its follower's distance from where the polynomial has it. A loop's is p_A - p_B in world axes (3 rows); where
    frames coincide, 3 more: 2 sin(angle / 2) along the axis that turns B's closing frame to A's.
    """
    need_model(model, "constraint_residual")
    return _rows(model, q, 0, device, threads)[0]


def constraint_jacobian(model: Model, q: ArrayLike, *, device: str = "cpu", threads: int | None = None) -> Array:
    """Derivative (*batch, rows, nv) of `constraint_residual`: its rate is J v."""
    need_model(model, "constraint_jacobian")
    return _rows(model, q, 1, device, threads)[1]


def _rows(model: Model, q: ArrayLike, with_jacobian: int, device: str, threads: int | None) -> list[Array]:
    rows = len(model.couplings) + sum(loop.rows for loop in model.loops)
    tables = model.tables
    shape = (rows, model.nv) if with_jacobian else (1, 1)
    return run_batch(
        model, constraint_batch, (tables.joints, tables.bodies, model.constraint_tables, with_jacobian),
        [configuration(model, q)], [(rows,), shape], scratch=COLUMNS, device=device, threads=threads,
        world_seconds=1e-6,
    )  # fmt: skip


def independent_velocities(model: Model) -> np.ndarray:
    """Indices in v (n) of the independent joints."""
    free = set(model.independent_joints)
    first = 0
    out: list[int] = []
    for body in model.bodies:
        if body.joint.kind != "fixed":
            if body.joint.name in free:
                out += range(first, first + NV[body.joint.kind])
            first += NV[body.joint.kind]
    return np.array(out, np.int64)


def velocity_map(model: Model, q: ArrayLike) -> Array:
    """Z (*batch, nv, n) with v = Z v_independent: rates that keep couplings and loops, at q (*batch, nq) that satisfies them.

    Where loops repeat equations or leave a dependent joint undetermined (the spin of a rod between two balls), its rate is
    the smallest.
    """
    need_model(model, "velocity_map")
    free = independent_velocities(model)
    if not model.is_constrained:
        return np.broadcast_to(np.eye(model.nv), (*finite_array("q", q, (model.nq,)).shape[:-1], model.nv, model.nv))
    J = constraint_jacobian(model, q)
    tied = np.setdiff1d(np.arange(model.nv), free)
    Z = np.zeros((*J.shape[:-2], model.nv, len(free)))
    Z[..., free, np.arange(len(free))] = 1.0
    Z[..., tied, :] = -np.linalg.pinv(J[..., tied], rcond=1e-9) @ J[..., free]
    return Z


def reduced_jacobian(model: Model, q: ArrayLike, frame: str | None = None, *, axes: str = "world") -> Array:
    """Jacobian (*batch, 6, n) of a frame with respect to the n velocities of the independent joints.

    Args:
        model: the robot.
        q: configurations (*batch, nq) that satisfy couplings and loops.
        frame, axes: as of `jacobian`, which is with respect to all joints of the tree.
    """
    need_model(model, "reduced_jacobian")
    J = jacobian(model, q, frame, axes=axes)
    return J @ velocity_map(model, q) if model.is_constrained else J


def worst_constraint(model: Model, q: Array) -> str:
    """Words for the largest residual at q (nq), such as "loop 'pin' is open by 0.1 m"."""
    need_model(model, "worst_constraint")
    r = np.abs(constraint_residual(model, q))
    if not len(r):
        return "there is no coupling and no loop"
    row = int(np.argmax(r))
    if row < len(model.couplings):
        coupling = model.couplings[row]
        return f"coupling '{coupling.name}' of joint '{coupling.follower}' is off by {r[row]:.3g} [rad, m]"
    left = row - len(model.couplings)
    for loop in model.loops:
        if left < loop.rows:
            return f"loop '{loop.name}' is open by {r[row]:.3g} {'m' if left < 3 else 'rad'}"
        left -= loop.rows
    raise IndexError(row)
