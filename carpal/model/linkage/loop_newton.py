"""Newton's method on the loop-closure equations, for the bars that no closed form gives."""

from __future__ import annotations

import numpy as np
from scipy.optimize import least_squares

from carpal.model.linkage.closure import Closure
from carpal.spatial import Array

TOLERANCE = 1e-14  # of the scaled equations; quadratic convergence passes it at once
STARTS = 24  # random starts where the described angles do not lead to a closed linkage


def newton(closure: Closure, poses: Array, drive: float) -> tuple[Array, float]:
    """Refine all moving bars of one pose (bars, 3) at a drive value; returns the pose and its largest scaled residual."""
    best, size = poses.copy(), closure.linkage.scale
    columns = np.tile([size, size, 1.0], poses.shape[0] - 1)
    left = np.inf
    for _ in range(30):
        residual = closure.residual(best, np.array(drive)) * closure.row_scale
        now = float(np.abs(residual).max())
        if now < TOLERANCE or (now < 1e-12 and now >= left):
            return best, now
        left = now
        step = np.linalg.lstsq(closure.scaled(best), residual, rcond=1e-13)[0]
        step *= min(1.0, 0.5 / max(float(np.abs(step).max()), 1e-300))  # half a radian or half a bar at most
        best[1:] -= (step * columns).reshape(-1, 3)
    return best, float(np.abs(closure.residual(best, np.array(drive)) * closure.row_scale).max())


def assemble_loop(closure: Closure, poses: Array, drive: float, bars: tuple[int, ...]) -> tuple[Array, float, int]:
    """Close a linkage from the described pose (bars, 3), then from seeded random ones; the nearest closed pose wins.

    Args:
        closure: the equations.
        poses: the described start; bars outside `bars` are already right.
        drive: value of the drive.
        bars: those that may move.

    Returns:
        The pose, its largest pin gap or angle [m or rad], and how many starts were tried. Where nothing closes, it is the
        pose with the least gap that was found.
    """
    rng = np.random.default_rng(0)
    size, count = closure.linkage.scale, 0
    columns = np.tile([size, size, 1.0], len(bars))

    def at(y: Array) -> Array:
        out = poses.copy()
        out[list(bars)] = (y * columns).reshape(-1, 3)
        return out

    def scaled(y: Array) -> Array:
        return closure.residual(at(y), np.array(drive)) * closure.row_scale

    freed = np.concatenate([np.arange(3 * bar - 3, 3 * bar) for bar in bars])

    def slope(y: Array) -> Array:
        return closure.scaled(at(y))[:, freed]

    first = poses[list(bars)].ravel() / columns
    found: list[tuple[float, float, Array]] = []
    for count in range(1, STARTS + 1):
        y0 = first.copy()
        if count > 1:
            y0[2::3] += rng.uniform(-np.pi, np.pi, len(bars))
            y0[0::3] += rng.uniform(-1, 1, len(bars))
            y0[1::3] += rng.uniform(-1, 1, len(bars))
        solved = least_squares(scaled, y0, slope, method="lm", xtol=1e-15, ftol=1e-15, gtol=1e-15, max_nfev=200)
        worst = float(np.abs(closure.residual(at(solved.x), np.array(drive))).max())
        turn = float(np.abs(np.angle(np.exp(1j * (solved.x - first)[2::3]))).sum())
        found.append((worst, turn, at(solved.x)))
        if count == 1 and worst < 1e-10 * size:
            break
    closed = [entry for entry in found if entry[0] < 1e-10 * size]
    worst, _, best = min(closed, key=lambda entry: entry[1]) if closed else min(found, key=lambda entry: entry[0])
    return best, worst, count
