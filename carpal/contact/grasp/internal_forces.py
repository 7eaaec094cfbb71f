"""Internal forces: what squeezes an object without moving it, and what is left of contact forces when it is taken away."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import null_space

from carpal.contact.grasp.force_closures import RANK, scaled_matrix
from carpal.contact.grasp.grasp_contacts import Grasp, checked_forces, grasp_matrix
from carpal.spatial import Array


class ForceParts(NamedTuple):
    """Contact forces in two parts.

    Args:
        external: (width) the least contact forces that make the same wrench.
        internal: (width) the rest, whose wrench is zero.
        wrench: (6) [N, N m] on the object, about its centre.
    """

    external: Array
    internal: Array
    wrench: Array


def internal_basis(grasp: Grasp) -> Array:
    """Orthonormal contact forces (width, k) whose wrench is zero; k = 0 where nothing can be squeezed."""
    G = scaled_matrix(grasp)
    return np.asarray(null_space(G, rcond=RANK))


def split_forces(grasp: Grasp, forces: ArrayLike) -> ForceParts:
    """The part of contact forces (width) that carries the object, and the part that only squeezes it."""
    f = checked_forces(grasp, forces)
    N = internal_basis(grasp)
    internal = N @ (N.T @ f)
    return ForceParts(f - internal, internal, grasp_matrix(grasp) @ f)
