"""Limits given by rows beside the kernels: their rows for a step, how much of a step they leave, and searches that keep them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from carpal.errors import InputError
from carpal.kinematics.composed.kernels.active_set import SOLVED
from carpal.kinematics.composed.kernels.composed_step import STATUS
from carpal.kinematics.composed.limits import RowLimit
from carpal.kinematics.composed.packed import Packed
from carpal.kinematics.composed.results import SLACK, SolveResult, reached
from carpal.kinematics.configuration import integrate
from carpal.kinematics.constraints import satisfy_constraints
from carpal.model import Model
from carpal.spatial import Array

HALF_STEPS = 12  # of a step that would leave a limit
SETTLED = 1e-4  # step below which lower priorities have settled [rad, m]
_STILL = 1e-9  # [rad, m] a step that ends a search


class Further:
    """All further limits of a problem together.

    Args:
        model: the robot.
        limits: those given by rows.
    """

    def __init__(self, model: Model, limits: tuple[RowLimit, ...]) -> None:
        self.model = model
        self.limits = limits
        self._none = np.zeros((0, model.nv)), np.zeros(0)

    def rows(self, q: Any) -> tuple[Array, Array]:
        """G (*batch, k, nv) and h (*batch, k) of all of them at q (*batch, nq)."""
        if not self.limits:
            return self._none
        q = np.asarray(q, float)
        rows = []
        for limit in self.limits:
            G, h = (np.asarray(part, float) for part in limit.rows(q))
            if G.shape != (*h.shape, self.model.nv) or h.shape[:-1] != q.shape[:-1]:
                raise InputError(
                    f"rows of {limit.describe()} must be G (*batch, k, {self.model.nv}) and h (*batch, k); got {G.shape} and "
                    f"{h.shape} for q {q.shape}."
                )
            rows.append((G, h))
        return np.concatenate([G for G, _ in rows], axis=-2), np.concatenate([h for _, h in rows], axis=-1)

    def slack(self, q: Array) -> Array:
        """(*batch) the least distance from a border."""
        return np.asarray(np.min([limit.slack(q) for limit in self.limits], axis=0))

    def kept(self, q: Array, q_next: Array, v: Array, dt: float) -> tuple[Array, Array, Array]:
        """(q, v, share): the largest half, quarter ... of a step that breaks no limit, or none by more than it was."""
        least = np.minimum(self.slack(q), -SLACK)
        share = np.ones(q_next.shape[:-1])
        for half in range(HALF_STEPS + 1):
            worse = self.slack(q_next) < least
            if not worse.any():
                break
            share = np.where(worse, 0.5 * share if half < HALF_STEPS else 0.0, share)
            q_next = np.where(worse[..., None], self.moved(q, v * share[..., None], dt), q_next)
        return q_next, v * share[..., None], share

    def moved(self, q: Array, v: Array, dt: float) -> Array:
        """`q` after dt at v, couplings and loops satisfied."""
        out = integrate(self.model, q, v, dt)
        return satisfy_constraints(self.model, out).q if self.model.is_constrained else out


def search_by_steps(
    model: Model,
    packed: Packed,
    further: Further,
    step: Callable[..., list[Array]],
    start: Any,
    numbers: Array,
    posture: Array,
    samples: Array,
    steps: int,
) -> SolveResult:
    """Searches of all worlds side by side, with rows asked from outside at every configuration; each ends when it is reached.

    Args:
        model, packed, further: of the problem.
        step: one step of some worlds from (q, goals, posture, G, h).
        start, numbers, posture: where the first searches start, goals and postures; their batch shapes are broadcast.
        samples: (n, nq) further starts.
        steps: most steps of an attempt.
    """
    batch = np.broadcast_shapes(np.shape(start)[:-1], numbers.shape[:-2], posture.shape[:-1])
    worlds = int(np.prod(batch, dtype=int))

    def flat(array: Any, inner: int) -> Array:
        array = np.asarray(array, float)
        shape = array.shape[array.ndim - inner :]
        return np.array(np.broadcast_to(array, (*batch, *shape))).reshape(worlds, *shape)

    q, goals, home = flat(start, 1), flat(numbers, 2), flat(posture, 1)
    best_q, best = q.copy(), np.full(worlds, np.inf)
    errors, slack = np.zeros((worlds, len(packed.targets), 2)), np.full(worlds, np.inf)
    taken, starts, ok = np.zeros(worlds, int), np.ones(worlds, int), np.zeros(worlds, bool)
    alone = len(packed.constants[5]) == 2  # no lower priority that has to settle
    for attempt in range(1 + len(samples)):
        left = np.flatnonzero(~ok)
        starts[left] = attempt + 1
        if attempt and len(left):
            q[left] = further.moved(samples[attempt - 1], np.zeros(model.nv), 1.0)
        for _ in range(steps):
            if not len(left):
                break
            after, v, missed, report = step(q[left], goals[left], home[left], *further.rows(q[left]))
            after, v, _ = further.kept(q[left], after, v, 1.0)
            longest, free = np.abs(v).max(axis=-1, initial=0.0), further.slack(q[left])
            there = reached(packed, missed) & (free >= -SLACK)
            cost = np.where(there, 0.0, (missed**2).sum(axis=(-1, -2)) + 1e6 * np.maximum(-free - SLACK, 0.0))
            better = cost <= best[left]
            rows = left[better]
            best_q[rows], best[rows], slack[rows], errors[rows] = q[rows], cost[better], free[better], missed[better]
            taken[left] += 1
            q[left] = after
            end = (there & (alone | (longest < SETTLED))) | (longest < _STILL) | (report[:, STATUS] != SOLVED)
            left = left[~end]
        ok = best == 0.0
    shapes = [array.reshape((*batch, *array.shape[1:])) for array in (best_q, errors, taken, starts, slack)]
    return SolveResult.of(model, packed, *shapes)
