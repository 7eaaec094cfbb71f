"""The motion of a family whose largest reaction is least: sequential linear programming in a trust region.

The largest of many norms has a kink at its minimum, so it is not smoothed: each step solves a linear programme for the
linearised reaction at all samples (a norm is the largest of its components along a few directions: eight in a plane, the
axes in more dimensions, and always the present one, so the model is exact to first order), with the limits as linear
rows. Limits and the tool's miss carry a slack with a price (an exact penalty), so a start outside them is allowed; the
tool is brought back to its point after every step, because the curvature of that constraint would otherwise forbid long
steps. Fletcher, Practical Methods of Optimization (1987), section 14.4. Linear programmes by HiGHS (scipy).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.kinematics import fk, jacobian
from carpal.planning.reaction.mount_reaction import MountReaction
from carpal.planning.reaction.rest_to_rest import DEGREE, spline_basis
from carpal.spatial import Array

FACETS = 8
PRICE_LIMITS = 30.0  # of a limit exceeded by its own size, in units of the reaction's scale
PRICE_MISS = 300.0  # of a metre by which the tool misses
FREE = 1e6  # half width given to a joint without limits: nothing reaches it
Progress = Callable[[str, int, float], None]


@dataclass(frozen=True, eq=False)
class Family:
    """Motions whose control points depend linearly on a few numbers x: control = base + shape x.

    Args:
        base: control points (nc, nq) for x = 0.
        shape: (nc, nq, nx).
        lead: (nx, nq): what x must gain for the whole motion to lean towards an end posture that is moved; None where
            the end is fixed.
    """

    base: Array
    shape: Array
    lead: Array | None = None

    def control(self, x: Array) -> Array:
        """Control points (nc, nq)."""
        return self.base + self.shape @ x


@dataclass(frozen=True, eq=False)
class MoveProblem:
    """What every motion of a comparison shares.

    Args:
        reaction: what is to be small.
        point: where the tool must be at the end (3) [m].
        duration: [s].
        q_min, q_max, v_max, vdot_max: limits (nq), infinite where there is none.
    """

    reaction: MountReaction
    point: Array
    duration: float
    q_min: Array
    q_max: Array
    v_max: Array
    vdot_max: Array

    def ranges(self) -> list[tuple[Array, Array]]:
        """Middle and half width (nq) of what q, v and vdot may be."""
        limits = (self.q_min, self.q_max), (-self.v_max, self.v_max), (-self.vdot_max, self.vdot_max)
        return [_range(low, high) for low, high in limits]

    def excess(self, q: Array, v: Array, vdot: Array) -> Array:
        """By how much the worst limit is exceeded along motions (*batch, K, nq), as a part of that limit: (*batch)."""
        parts = [
            np.abs((x - middle) / half).max((-1, -2))
            for x, (middle, half) in zip((q, v, vdot), self.ranges(), strict=True)
        ]
        return np.maximum.reduce(parts) - 1.0


def _range(low: Array, high: Array) -> tuple[Array, Array]:
    """Middle and half width; where one side is open the other is kept, in an interval that is wide."""
    low, high = np.maximum(low, np.where(np.isfinite(high), high, 0.0) - FREE), np.minimum(high, low + FREE)
    high = np.where(np.isfinite(high), high, FREE)
    return 0.5 * (low + high), 0.5 * (high - low)


@dataclass(frozen=True, eq=False)
class _Search:
    """One family at its samples: how q, v and vdot depend on the control points and on x."""

    problem: MoveProblem
    family: Family
    scale: float
    shrink: float
    ease: float
    basis: list[Array]  # (K, nc)
    by_x: list[Array]  # (K, nq, nx)

    def motion(self, x: Array) -> list[Array]:
        control = self.family.control(x)
        return [b @ control for b in self.basis]

    def merit(self, x: Array) -> float:
        """Peak plus priced excess and miss and ease, in units of the scale."""
        problem = self.problem
        motion = self.motion(x)
        over = max(float(problem.excess(*motion)) + self.shrink, 0.0)
        miss = np.abs(fk(problem.reaction.model, motion[0][-1])[:3, 3] - problem.point).max()
        effort = (np.abs(motion[2]) / problem.ranges()[2][1]).max(0).sum()
        peak = problem.reaction.peak(*motion) / self.scale
        return float(peak + PRICE_LIMITS * over + PRICE_MISS * miss + self.ease * effort)

    def on_point(self, x: Array) -> Array:
        """X with the tool brought to the point by Newton steps of least length."""
        lead, model = self.family.lead, self.problem.reaction.model
        if lead is None:
            return x
        for _ in range(6):
            q = self.family.control(x)[-1]
            miss = fk(model, q)[:3, 3] - self.problem.point
            if np.abs(miss).max() < 1e-14:
                break
            x = x - lead @ (np.linalg.pinv(jacobian(model, q)[:3], rcond=1e-4) @ miss)
        return x

    def step(self, x: Array, trust: float) -> tuple[Array, float]:
        """The step (nx) that the linearised problem wants, and the merit that it promises."""
        from scipy.optimize import linprog
        from scipy.sparse import csr_array

        problem, nx = self.problem, len(x)
        model = problem.reaction.model
        nq = model.nq
        motion = self.motion(x)
        blocks, rights = self._reaction_rows(motion)
        # unknowns: step (nx), peak, excess of limits, miss of the tool, each joint's largest acceleration (nq)
        for order, (value, (middle, half)) in enumerate(zip(motion, problem.ranges(), strict=True)):
            part, slope = (value - middle) / half, self.by_x[order] / half[:, None]
            room = 1.0 - self.shrink
            near = np.abs(part) + trust * np.abs(slope).sum(-1) > room  # others cannot be met within the trust region
            for sign in (1.0, -1.0):
                if order < 2:
                    blocks.append(_row(sign * slope[near], 1, nq))
                    rights.append(room - sign * part[near])
                else:
                    for j in range(nq):
                        blocks.append(_row(sign * slope[:, j], 3 + j, nq))
                        rights.append(-sign * part[:, j])
        largest = np.zeros((nq, nx + 3 + nq))
        largest[:, nx + 3 :], largest[:, nx + 1] = np.eye(nq), -1.0
        blocks.append(largest)
        rights.append(np.full(nq, 1.0 - self.shrink))
        miss = fk(model, motion[0][-1])[:3, 3] - problem.point
        slope = jacobian(model, motion[0][-1])[:3] @ self.by_x[0][-1]
        for sign in (1.0, -1.0):
            blocks.append(_row(sign * slope, 2, nq))
            rights.append(-sign * miss)
        cost = np.concatenate([np.zeros(nx), [1.0, PRICE_LIMITS, PRICE_MISS], np.full(nq, self.ease)])
        bounds = [(-trust, trust)] * nx + [(0.0, None)] * (3 + nq)
        table = csr_array(np.concatenate(blocks))
        done: Any = linprog(cost, table, np.concatenate(rights), bounds=bounds, method="highs")
        if done.x is None:  # numerical trouble: promise nothing, so that the search ends with what it has
            return np.zeros(nx), np.inf
        return done.x[:nx], float(done.fun)

    def _reaction_rows(self, motion: list[Array]) -> tuple[list[Array], list[Array]]:
        reaction, nq = self.problem.reaction, self.problem.reaction.model.nq
        y = reaction.values(*motion) / self.scale
        change = sum(
            np.einsum("kaj,kjx->kax", d, r) for d, r in zip(reaction.derivatives(*motion), self.by_x, strict=True)
        )
        facets = _directions(y)
        slope = (facets @ (change / self.scale)).reshape(-1, self.by_x[0].shape[-1])
        return [_row(slope, 0, nq)], [-(facets @ y[:, :, None]).reshape(-1)]


def _directions(y: Array) -> Array:
    """Unit vectors (K, facets, n) of which the norms (K) of y (K, n) are at least the components, y's own first."""
    if y.shape[1] == 2:
        angle = np.arctan2(y[:, 1], y[:, 0])[:, None] + 2 * np.pi * np.arange(FACETS) / FACETS
        return np.stack([np.cos(angle), np.sin(angle)], -1)
    size = np.linalg.norm(y, axis=1)
    own = np.where(size[:, None] > 0, y / np.where(size, size, 1.0)[:, None], np.eye(y.shape[1])[0])
    axes = np.concatenate([np.eye(y.shape[1]), -np.eye(y.shape[1])])
    return np.concatenate([own[:, None], np.broadcast_to(axes, (len(y), *axes.shape))], 1)


def _row(slope: Array, slack: int, nq: int) -> Array:
    """Rows slope @ step - slack <= right."""
    extra = np.zeros((len(slope), 3 + nq))
    extra[:, slack] = -1.0
    return np.concatenate([slope, extra], 1)


def least_peak(
    problem: MoveProblem,
    family: Family,
    x: Array,
    *,
    scale: float,
    shrink: float = 1e-3,
    ease: float = 1e-4,
    iterations: int = 40,
    trust: float = 0.1,
    tolerance: float = 1e-4,
    progress: Progress | None = None,
    name: str = "",
) -> tuple[Array, float]:
    """Numbers x (nx) of the motion with the least largest reaction that was found from a start, and its merit.

    The merit is the peak in units of the scale, plus what the search charges for limits exceeded and for accelerations.

    Args:
        problem: limits, goal, duration, and what is to be small.
        family: motions to choose from.
        x: where to start (nx).
        scale: a reaction that counts as one, for the prices.
        shrink: part of every limit that is kept as a margin.
        ease: price of a joint's largest acceleration, as a part of its limit: joints that hardly matter to the mount would
            otherwise be thrown from limit to limit, because a linear programme's answers are corners.
        iterations: linear programmes at most.
        trust: longest first step of any number of x.
        tolerance: end when a step promises less than this part of the scale.
        progress: called as progress(name, iteration, merit * scale).
        name: of this search, for the progress line.
    """
    spans = len(family.base) - DEGREE
    s = np.linspace(0.0, 1.0, 6 * spans + 25)
    basis = [spline_basis(s, spans, k) / problem.duration**k for k in range(3)]
    search = _Search(problem, family, scale, shrink, ease, basis, [np.tensordot(b, family.shape, 1) for b in basis])
    x = search.on_point(x)
    held = search.merit(x)
    for iteration in range(iterations):
        step, promise = search.step(x, trust)
        gain = held - promise
        if not gain > tolerance:
            break
        there = search.on_point(x + step)
        tried = search.merit(there)
        ratio = (held - tried) / gain
        if ratio > 0.05:
            x, held = there, tried
        trust = min(trust * (2.0 if ratio > 0.75 else 1.0 if ratio > 0.25 else 0.4), 1.0)
        if progress is not None:
            progress(name, iteration, held * scale)
        if trust < 1e-6:
            break
    return x, held
