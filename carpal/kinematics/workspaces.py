"""Workspaces: where a tool can be, by sampling for volumes and by inverse kinematics for exact slices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.kinematics.configuration import random_configurations
from carpal.kinematics.forward import fk
from carpal.kinematics.inverse.numeric import ik
from carpal.kinematics.singularities import manipulability
from carpal.model import Model, need_model
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class Workspace:
    """A cloud of reachable points, counted in cubic cells.

    Args:
        points: (count, 3) tool positions [m] of random configurations inside the limits.
        measure: (count) position manipulability there.
        cell: side of a cell [m].
        corner: (3) lowest corner of the cells.
        hits: (nx, ny, nz) points in each cell.
        best: (nx, ny, nz) largest manipulability in each cell.
    """

    points: Array
    measure: Array
    cell: float
    corner: Array
    hits: np.ndarray
    best: Array

    @property
    def volume(self) -> float:
        """Cells that were hit, in m^3: from below, it misses cells that no sample met."""
        return float((self.hits > 0).sum()) * self.cell**3

    @property
    def missed(self) -> float:
        """Good-Turing estimate of the share of the reachable measure that no sample met: cells hit exactly once / samples."""
        return float((self.hits == 1).sum()) / len(self.points)

    @property
    def ok(self) -> bool:
        """Whether the cells are well covered (less than 1 % missed)."""
        return self.missed < 0.01

    @property
    def status(self) -> str:
        """One sentence."""
        low, high = self.points.min(0), self.points.max(0)
        box = " x ".join(f"{a:.3f}..{b:.3f}" for a, b in zip(low, high, strict=True))
        cells = f"{len(self.points)} samples, {1000 * self.cell:.0f} mm cells"
        return f"at least {self.volume:.4f} m^3 is reachable ({cells}), inside {box} m."

    def __str__(self) -> str:
        return self.status

    def slice(self, axis: int, at: float) -> tuple[np.ndarray, Array]:
        """(hits, best manipulability) of the layer of cells that holds coordinate `at` of an axis (0 x, 1 y, 2 z)."""
        i = int(np.floor((at - self.corner[axis]) / self.cell))
        if not 0 <= i < self.hits.shape[axis]:
            low = float(self.corner[axis])
            high = low + self.cell * self.hits.shape[axis]
            raise InputError(f"no cell at {'xyz'[axis]} = {at}; the cells span {low:.3f} to {high:.3f} m.")
        return np.take(self.hits, i, axis), np.asarray(np.take(self.best, i, axis))


def workspace(
    model: Model,
    *,
    count: int = 200_000,
    cell: float | None = None,
    seed: int = 0,
    frame: str | None = None,
    device: str = "cpu",
    threads: int | None = None,
) -> Workspace:
    """Sample where a frame can be.

    Args:
        model: the robot.
        count: random configurations inside the limits.
        cell: side of the counting cells [m]; by default a 40th of the cloud's extent.
        seed: same seed, same cloud.
        frame: a name from `model.frames`; None is the tool.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.
    """
    need_model(model, "workspace")
    q = random_configurations(model, count, seed=seed)
    if not len(q):
        raise InputError("a workspace needs at least one sample; got count = 0.")
    points = fk(model, q, frame, device=device, threads=threads)[:, :3, 3]
    measure = manipulability(model, q, frame, part="position", device=device, threads=threads)
    extent = float((points.max(0) - points.min(0)).max())
    size = extent / 40 if cell is None else float(cell)
    if not size > 0:
        raise InputError(f"cell must be above zero; got {cell} (the cloud's extent is {extent:.3g} m).")
    corner = np.floor(points.min(0) / size) * size
    index = np.floor((points - corner) / size).astype(int)
    shape = tuple(int(n) for n in index.max(0) + 1)
    hits, best = np.zeros(shape, int), np.zeros(shape)
    np.add.at(hits, tuple(index.T), 1)
    np.maximum.at(best, tuple(index.T), measure)
    return Workspace(points, measure, size, corner, hits, best)


@dataclass(frozen=True, eq=False)
class SliceMap:
    """A plane grid of targets and which of them the robot reaches, inside its limits.

    Args:
        u, v: (nu), (nv) grid coordinates [m].
        points: (nv, nu, 3) in the world.
        reachable: (nv, nu).
        q: (nv, nu, nq) the first configuration found; NaN where none was.
        measure: (nv, nu) position manipulability; NaN where not reachable.
        share: (nv, nu) part of the asked directions that is reachable; 1 everywhere dexterous.
    """

    u: Array
    v: Array
    points: Array
    reachable: np.ndarray
    q: Array
    measure: Array
    share: Array

    @property
    def cell_area(self) -> float:
        """[m^2]."""
        return float((self.u[1] - self.u[0]) * (self.v[1] - self.v[0]))

    @property
    def area(self) -> float:
        """Reachable area [m^2], counted in cells."""
        return float(self.reachable.sum()) * self.cell_area

    @property
    def dexterous_area(self) -> float:
        """Area [m^2] where every asked direction is reachable."""
        return float((self.share == 1.0).sum()) * self.cell_area


def workspace_slice(
    model: Model,
    height: float,
    *,
    span: tuple[float, float, float, float] = (-1.0, 1.0, -1.0, 1.0),
    step: float = 0.02,
    normal: int = 2,
    direction: ArrayLike | None = None,
    directions: ArrayLike | None = None,
    frame: str | None = None,
    q0: ArrayLike | None = None,
    attempts: int = 24,
    device: str = "cpu",
    threads: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> SliceMap:
    """Ask inverse kinematics at every point of a plane grid.

    Args:
        model: the robot.
        height: coordinate of the plane along `normal` [m].
        span: (u_min, u_max, v_min, v_max) [m]; u and v are the other two axes in order.
        step: grid step [m].
        normal: 0, 1 or 2 for x, y, z.
        direction: (3) where the tool must point; None asks for the position alone.
        directions: (k, 3) several directions that are all asked: `share` says how many are reachable (the dexterous set has 1).
        frame: a name from `model.frames`; None is the tool.
        q0: where each search starts first (nq): neighbouring points then tend to stay on one branch.
        attempts: starts of each search; a point counts as unreachable when all fail.
        device: "cpu" or "cuda".
        threads: CPU threads.
        progress: called now and then with the share that is done.
    """
    need_model(model, "workspace_slice")
    if normal not in (0, 1, 2) or not step > 0 or not (span[1] > span[0] and span[3] > span[2]):
        raise InputError(f"a slice needs normal 0, 1 or 2, step > 0 and rising spans; got {normal}, {step}, {span}.")
    u, v = np.arange(span[0], span[1] + step / 2, step), np.arange(span[2], span[3] + step / 2, step)
    points = np.empty((len(v), len(u), 3))
    first, second = [i for i in range(3) if i != normal]
    points[..., normal], points[..., first], points[..., second] = height, u[None, :], v[:, None]
    chosen = direction if directions is None else directions
    asked = [None] if chosen is None else list(np.atleast_2d(np.asarray(chosen, float)))
    reached = np.zeros((len(asked), *points.shape[:2]), bool)
    q = np.full((*points.shape[:2], model.nq), np.nan)
    rows = max(1, 2000 // len(u))  # a few thousand targets between two calls of `progress`
    for k, one in enumerate(asked):
        for top in range(0, len(v), rows):
            part = slice(top, min(top + rows, len(v)))
            target = points[part] if one is None else (points[part], one)
            result = ik(model, target, q0, frame=frame, attempts=attempts, device=device, threads=threads)
            reached[k, part] = result.ok
            fresh = result.ok & np.isnan(q[part, :, 0])
            q[part][fresh] = result.q[fresh]
            if progress is not None:
                progress((k + part.stop / len(v)) / len(asked))
    reachable = np.asarray(reached.any(0))
    measure = np.full(reachable.shape, np.nan)
    if reachable.any():
        measure[reachable] = manipulability(model, q[reachable], frame, part="position")
    return SliceMap(u, v, points, reachable, q, measure, reached.mean(0))


def sphere_of_directions(count: int) -> Array:
    """Evenly spread unit vectors (count, 3) (Fibonacci's spiral)."""
    i = np.arange(count) + 0.5
    z = 1 - 2 * i / count
    turn = np.pi * (1 + 5**0.5) * i
    r = np.sqrt(1 - z**2)
    return np.stack([r * np.cos(turn), r * np.sin(turn), z], -1)
