"""Where two shapes touch: up to four points with their depths (`contact_points`)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.contact.kernels.manifold import MANIFOLD
from carpal.contact.kernels.pair import DONE
from carpal.contact.kernels.pair_queries import SUMMARY, manifold_batch
from carpal.contact.pairs import checked_margin, checked_pair, run_pair
from carpal.errors import InputError
from carpal.model import Shape
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class ContactPoints(Result):
    """Contact points of two shapes; arrays have the poses' batch shape.

    Args:
        shape_a, shape_b: the two shapes.
        ok: (*batch) bool: the distance was found to full precision.
        count: (*batch) how many points there are, 0 to 4; 0 where the shapes are farther apart than the margin.
        p_W: (*batch, 4, 3) [m] points midway between the two surfaces; zeros beyond the last.
        depth: (*batch, 4) [m] at each point along the normal, the deepest first; below zero within the margin.
        n_AB_W: (*batch, 3) unit normal from A into B, one for all points: that of a face, where shapes rest on one.
        distance: (*batch) [m] along that normal; of a face it may be up to a tenth deeper than the least.
    """

    shape_a: Shape
    shape_b: Shape
    ok: np.ndarray
    count: np.ndarray
    p_W: Array
    depth: Array
    n_AB_W: Array
    distance: Array

    @property
    def status(self) -> str:
        """One sentence."""
        pair = f"{self.shape_a.kind} and {self.shape_b.kind}"
        if self.count.ndim == 0:
            many = int(self.count)
            if not many:
                return f"{pair} do not touch: they are {float(self.distance):.6g} m apart."
            points = "one point" if many == 1 else f"{many} points"
            return f"{pair} touch at {points}, {float(self.depth[0]):.6g} m deep at most."
        touching = int((self.count > 0).sum())
        return f"{touching} of {self.count.size} placements of {pair} touch, at {int(self.count.sum())} points in all."


def contact_points(
    shape_a: Shape,
    X_WA: ArrayLike,
    shape_b: Shape,
    X_WB: ArrayLike,
    margin: float = 0.0,
    *,
    device: str = "cpu",
    threads: int | None = None,
) -> ContactPoints:
    """Up to four points at which two convex shapes touch, each with its depth.

    Args:
        shape_a, shape_b: any two convex shapes but two planes.
        X_WA, X_WB: their poses (*batch, 4, 4).
        margin: [m]; points that are apart by at most that count, too.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Example:
        >>> X = np.eye(4); X[2, 3] = 0.0999
        >>> contact_points(Plane(), np.eye(4), Box((0.2, 0.2, 0.2)), X).count
        array(4)
    """
    X_WA, X_WB = checked_pair(shape_a, X_WA, shape_b, X_WB)
    limit = checked_margin(margin)
    for shape in (shape_a, shape_b):
        if shape.kind == "triangles":
            raise InputError(
                "contact points are found between convex shapes; split a triangle mesh into convex pieces."
            )
    contacts, summary = run_pair(
        manifold_batch, (limit,), shape_a, X_WA, shape_b, X_WB, [(MANIFOLD, 4), (SUMMARY,)],
        device=device, threads=threads, world_seconds=5e-6,
    )  # fmt: skip
    return ContactPoints(
        shape_a=shape_a,
        shape_b=shape_b,
        ok=np.asarray(summary[..., 5] == DONE),
        count=np.asarray(summary[..., 0].astype(np.int64)),
        p_W=contacts[..., :3],
        depth=contacts[..., 3],
        n_AB_W=summary[..., 2:5],
        distance=np.asarray(summary[..., 1]),
    )
