"""How far apart two shapes are, where they are nearest, along which normal: `shape_distance`, `shapes_nearer_than`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import finite_poses
from carpal._core.batch import KernelInput, run_batch
from carpal._core.result import Result
from carpal.contact.kernels import kinds
from carpal.contact.kernels.pair import DONE, PAIR_SCRATCH
from carpal.contact.kernels.pair_queries import (
    ANSWER,
    DISTANCE,
    NORMAL,
    POINT_A,
    POINT_B,
    STATUS,
    nearer_batch,
    nearest_batch,
)
from carpal.contact.mesh_distances import mesh_pair_distance
from carpal.contact.shape_numbers import packed_shape
from carpal.errors import InputError
from carpal.model import Shape
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class PairDistance(Result):
    """Distance of two shapes; arrays have the poses' batch shape.

    Args:
        shape_a, shape_b: the two shapes.
        ok: (*batch) bool: found to full precision; False where an iteration stopped early with what it had.
        distance: (*batch) [m]; negative where they overlap, by the least translation that separates them.
        p_WA, p_WB: (*batch, 3) [m] points of the two surfaces with p_WB - p_WA = distance n_AB_W.
        n_AB_W: (*batch, 3) unit normal from A into B.
    """

    shape_a: Shape
    shape_b: Shape
    ok: np.ndarray
    distance: Array
    p_WA: Array
    p_WB: Array
    n_AB_W: Array

    @property
    def depth(self) -> Array:
        """(*batch) [m], above zero where they overlap."""
        return -self.distance

    @property
    def status(self) -> str:
        """One sentence."""
        pair = f"{self.shape_a.kind} and {self.shape_b.kind}"
        if self.distance.ndim == 0:
            d = float(self.distance)
            rough = "" if self.ok else " (not to full precision)"
            return f"{pair} overlap by {-d:.6g} m{rough}." if d < 0 else f"{pair} are {d:.6g} m apart{rough}."
        if not self.distance.size:
            return f"no placements of {pair} were asked about."
        overlapping, unsure = int((self.distance < 0).sum()), int((~self.ok).sum())
        least = f"the least distance is {float(self.distance.min()):.6g} m"
        text = f"{self.distance.size} placements of {pair}: {overlapping} overlap, {least}"
        return f"{text}; {unsure} not to full precision." if unsure else f"{text}."


def checked_shape(name: str, shape: Any) -> Shape:
    """A shape, or one clear sentence."""
    if not isinstance(shape, Shape):
        raise InputError(f"{name} must be a shape (Sphere, Box, Capsule, ...); got {shape!r:.60}.")
    return shape


def checked_margin(margin: Any) -> float:
    """A length, or one clear sentence."""
    if isinstance(margin, bool) or not isinstance(margin, int | float | np.number) or not np.isfinite(margin):
        raise InputError(f"margin must be a finite length [m]; got {margin!r:.60}.")
    return float(margin)


def pair_constants(shape_a: Shape, shape_b: Shape) -> tuple[Any, ...]:
    """(kind_a, start_a, count_a, kind_b, start_b, count_b, points, size_a, size_b) of two convex shapes."""
    a, b = packed_shape(shape_a), packed_shape(shape_b)
    if a.kind == b.kind == kinds.PLANE:
        raise InputError("two planes have no distance: each is endless; give one of them another shape.")
    blocks = [np.empty((0, 3)) if one.mesh is None else one.mesh.points for one in (a, b)]
    first, second = map(len, blocks)
    points = np.concatenate([*blocks, np.zeros((0 if first + second else 1, 3))])  # kernels want at least one row
    return a.kind, 0, first, b.kind, first, second, points, np.array(a.size), np.array(b.size)


def run_pair(
    entry: Any,
    numbers: tuple[float, ...],
    shape_a: Shape,
    X_WA: Array,
    shape_b: Shape,
    X_WB: Array,
    outputs: Sequence[tuple[int, ...]],
    *,
    device: str,
    threads: int | None,
    world_seconds: float,
) -> list[Array]:
    """Run an entry of `pair_queries` over all poses; `numbers` follow the constants of the pair."""
    *constants, size_a, size_b = pair_constants(shape_a, shape_b)
    inputs = [
        KernelInput("the sizes of A", size_a, (3,)), KernelInput("X_WA", X_WA, (4, 4)),
        KernelInput("the sizes of B", size_b, (3,)), KernelInput("X_WB", X_WB, (4, 4)),
    ]  # fmt: skip
    return run_batch(
        None, entry, (*constants, *numbers), inputs, outputs,
        scratch=[PAIR_SCRATCH], device=device, threads=threads, world_seconds=world_seconds,
    )  # fmt: skip


def checked_pair(shape_a: Shape, X_WA: ArrayLike, shape_b: Shape, X_WB: ArrayLike) -> tuple[Array, Array]:
    """The poses of two shapes, or one clear sentence."""
    checked_shape("shape_a", shape_a)
    checked_shape("shape_b", shape_b)
    return finite_poses("X_WA", X_WA), finite_poses("X_WB", X_WB)


def shape_distance(
    shape_a: Shape,
    X_WA: ArrayLike,
    shape_b: Shape,
    X_WB: ArrayLike,
    *,
    device: str = "cpu",
    threads: int | None = None,
) -> PairDistance:
    """Signed distance, nearest points and normal of two shapes.

    Args:
        shape_a, shape_b: any two shapes but two planes. Of overlapping triangle meshes the depth is that of `mesh_pairs`.
        X_WA, X_WB: their poses (*batch, 4, 4).
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Example:
        >>> X = np.eye(4); X[0, 3] = 0.5
        >>> shape_distance(Sphere(0.1), np.eye(4), Box((0.2, 0.2, 0.2)), X).distance
        array(0.3)
    """
    X_WA, X_WB = checked_pair(shape_a, X_WA, shape_b, X_WB)
    if "triangles" in (shape_a.kind, shape_b.kind):
        mesh = mesh_pair_distance(shape_a, X_WA, shape_b, X_WB, device=device, threads=threads)
        return PairDistance(
            shape_a,
            shape_b,
            np.asarray(mesh.status == DONE),
            np.asarray(mesh.distance),
            mesh.p_WA,
            mesh.p_WB,
            mesh.n_AB_W,
        )
    (answer,) = run_pair(
        nearest_batch, (), shape_a, X_WA, shape_b, X_WB, [(ANSWER,)], device=device, threads=threads, world_seconds=5e-6
    )
    return PairDistance(
        shape_a=shape_a,
        shape_b=shape_b,
        ok=np.asarray(answer[..., STATUS] == DONE),
        distance=np.asarray(answer[..., DISTANCE]),
        p_WA=answer[..., POINT_A : POINT_A + 3],
        p_WB=answer[..., POINT_B : POINT_B + 3],
        n_AB_W=answer[..., NORMAL : NORMAL + 3],
    )


def shapes_nearer_than(
    shape_a: Shape,
    X_WA: ArrayLike,
    shape_b: Shape,
    X_WB: ArrayLike,
    margin: float = 0.0,
    *,
    device: str = "cpu",
    threads: int | None = None,
) -> np.ndarray:
    """Whether the signed distance of two shapes is at most a margin, as fast as it can be known.

    Args:
        shape_a, shape_b: any two shapes but two planes.
        X_WA, X_WB: their poses (*batch, 4, 4).
        margin: [m]; 0: whether they touch or overlap.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Returns:
        (*batch) bool.
    """
    X_WA, X_WB = checked_pair(shape_a, X_WA, shape_b, X_WB)
    limit = checked_margin(margin)
    if "triangles" in (shape_a.kind, shape_b.kind):
        found = mesh_pair_distance(shape_a, X_WA, shape_b, X_WB, device=device, threads=threads)
        return np.asarray(found.distance <= limit)
    (answer,) = run_pair(
        nearer_batch, (limit,), shape_a, X_WA, shape_b, X_WB, [(1,)], device=device, threads=threads, world_seconds=1e-6
    )
    return np.asarray(answer[..., 0] == 1.0)
