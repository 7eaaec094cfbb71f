"""Four painted marks on a flap, and the frame that they span.

Leutenegger 2008, (6.1) to (6.4). In (6.3) the second bracket must be (P3 - P2) + (P4 - P1): the printed one,
(P3 - P2) + (P1 - P4), is zero for a rectangle (erratum E10).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.model import real_array
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class MarkLayout:
    """Four round marks on a flat flap: `points` (4, 3) [m] in the object's frame, counter-clockwise from outside; `radius` [m].

    Start with the mark next to the antenna. Unequal sides make the order unmistakable.
    """

    points: Array
    radius: float = 0.005

    def __post_init__(self) -> None:
        points = real_array(self.points, "points of a mark layout")
        if points.shape != (4, 3) or not np.isfinite(points).all():
            raise InputError(f"a mark layout needs 4 finite points of 3 coordinates; got shape {points.shape}.")
        size = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
        if size[1] < 1e-3 or size[2] > 1e-6:
            raise InputError(
                f"the four marks must lie in one plane and not on one line; their spreads are {size.tolist()} m."
            )
        points.setflags(write=False)
        object.__setattr__(self, "points", points)

    @property
    def frame(self) -> Array:
        """X_OF (4, 4): the flap's frame by (6.1) to (6.4), its z the outer normal."""
        return frame_from_marks(self.points)


def frame_from_marks(points: ArrayLike) -> Array:
    """The flap's frame (*batch, 4, 4) from its marks (*batch, 4, 3) by Leutenegger 2008, (6.1) to (6.4), corrected (E10)."""
    P = real_array(points, "marks")
    if P.ndim < 2 or P.shape[-2:] != (4, 3) or not np.isfinite(P).all():
        raise InputError(f"marks must be finite, (*batch, 4, 3); got shape {P.shape}.")
    P1, P2, P3, P4 = (P[..., i, :] for i in range(4))
    x = _unit((P2 - P1) + (P3 - P4))
    z = _unit(np.cross(x, (P3 - P2) + (P4 - P1)))
    X = np.zeros((*P.shape[:-2], 4, 4))
    X[..., :3, 0], X[..., :3, 1], X[..., :3, 2] = x, np.cross(z, x), z
    X[..., :3, 3], X[..., 3, 3] = P.mean(axis=-2), 1.0
    return X


def _unit(v: Array) -> Array:
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    if (length < 1e-12).any():
        raise InputError("the four marks lie on one line or on one another; they give no frame.")
    return v / length
