"""Velocity propagation after a collision as printed in Chan (1998), (5.7): it does not conserve momentum (E21).

When one finger hits an object that others hold, (5.7) gives each of these fingers the joint rates that follow the object's
new velocity at its contact, and leaves the object's velocity unchanged: momentum is not conserved. `collide_bodies` solves all
contacts together. The printed J^-1 is the pseudo-inverse here, so that singular poses have an answer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import finite_array
from carpal.errors import InputError
from carpal.spatial import Array


def propagate_velocities(J: ArrayLike, v_before: ArrayLike, v_hit: ArrayLike, fingers: ArrayLike) -> Array:
    """Generalised velocity (nv) after the printed propagation.

    Args:
        J: (n, 3, nv) of the held contacts, as in `collide_bodies`; not of the one that was hit.
        v_before: (nv) before the hit.
        v_hit: (nv) after the hit alone, as `collide_bodies` gives it for the one contact.
        fingers: (n, nv) which velocities belong to the finger of each contact.
    """
    before = np.asarray(v_before)
    nv = before.shape[-1] if before.ndim else 0
    before, after = finite_array("v_before", v_before, (nv,)), finite_array("v_hit", v_hit, (nv,)).copy()
    shape = np.shape(J)
    n = shape[0] if len(shape) == 3 else 0
    rows = finite_array("J", J, (n, 3, nv))
    mask = np.asarray(fingers)
    if mask.dtype != bool or mask.shape != (n, nv):
        raise InputError(f"fingers must be True or False with shape ({n}, {nv}); got {mask.dtype} {mask.shape}.")
    moved = after - before
    for j in range(n):
        own = mask[j]
        rest = rows[j][:, ~own] @ moved[~own]  # what the object's change does at this contact
        after[own] = before[own] - np.linalg.pinv(rows[j][:, own], rcond=1e-9) @ rest
    return after
