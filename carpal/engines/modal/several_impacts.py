"""Several collisions at the public edge: bodies with a mass matrix, touching at any number of contacts."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import finite_array
from carpal._core.batch import KernelInput, run_batch
from carpal.engines.modal.impact_result import LAWS
from carpal.engines.modal.impacts import checked_friction, checked_restitution
from carpal.engines.modal.kernels import impact_islands, impact_several
from carpal.engines.modal.several_result import SeveralImpacts
from carpal.errors import InputError, unknown_name
from carpal.spatial import Array

ORDERS = ("simultaneous", "sequential")
SLOW = 0.01  # [m/s] Chan 1998, C.3


def collide_bodies(
    M: ArrayLike,
    J: ArrayLike,
    v: ArrayLike,
    mu: ArrayLike,
    e: ArrayLike,
    *,
    law: str = "stronge",
    several: str = "simultaneous",
    slow: float = SLOW,
    device: str = "cpu",
    threads: int | None = None,
) -> SeveralImpacts:
    """Let touching bodies collide at all of their contacts; those at rest are held as far as they can be.

    Args:
        M: (*batch, nv, nv) mass matrix of all bodies.
        J: (*batch, n, 3, nv) velocity of B relative to A at each contact per generalised velocity, in contact axes
            (t1, t2, n).
        v: (*batch, nv) generalised velocity before.
        mu, e: (*batch, n) friction and restitution of each contact, or one for all.
        law: "stronge" or "poisson", as in `single_impact`.
        several: "simultaneous" (equally stiff springs; keeps symmetry) or "sequential" (the fastest approach first, one by
            one: Newton's cradle). Contacts that do not know of each other are collided apart, one alone by Routh's equations.
        slow: approaches slower than this end without restitution [m/s].
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Example:
        >>> M, J = np.eye(3), np.array([[[0, 0, 0], [0, 0, 0], [-1, 1, 0]], [[0, 0, 0], [0, 0, 0], [0, -1, 1]]])
        >>> collide_bodies(M, J, [1, 0, 0], 0.0, 1.0, several="sequential").v_after
        array([0., 0., 1.])
    """
    if law not in LAWS:
        raise unknown_name("law of restitution", law, LAWS)
    if several not in ORDERS:
        raise unknown_name("order of several collisions", several, ORDERS)
    limit = finite_array("slow", slow, ())
    if not limit >= 0:
        raise InputError(f"slow must be zero or above [m/s]; got {slow!r}.")
    velocity = np.asarray(v)
    nv = velocity.shape[-1] if velocity.ndim else 0
    if nv == 0:
        raise InputError("v needs at least one generalised velocity.")
    velocity = finite_array("v", v, (nv,))
    mass = _positive(finite_array("M", M, (nv, nv)))
    shape = np.shape(J)
    n = shape[-3] if len(shape) >= 3 else 0
    rows = finite_array("J", J, (n, 3, nv))
    if n == 0:
        raise InputError(f"J needs shape (*batch, contacts, 3, {nv}) with at least one contact; got {shape}.")
    flat = rows.reshape(*rows.shape[:-3], 3 * n, nv)
    response = np.linalg.solve(mass, np.swapaxes(flat, -1, -2))  # M^-1 J^T
    W = flat @ response
    W = 0.5 * (W + np.swapaxes(W, -1, -2))
    u = (flat @ velocity[..., None])[..., 0]
    friction, back = _of_each("mu", checked_friction(mu), n), _of_each("e", checked_restitution(e), n)
    after, impulse, contacts, flags = run_batch(
        None, impact_several.impacts_batch, (LAWS.index(law), ORDERS.index(several), float(limit)),
        [KernelInput("W", W, (3 * n, 3 * n)), KernelInput("u", u, (3 * n,)), KernelInput("mu", friction, (n,)),
         KernelInput("e", back, (n,))],
        [(3 * n,), (3 * n,), (n, 4), (1,)],
        scratch=[(3 * n, 3 * n), (3 * n,), (n,), (n,), (3 * n,), (n, impact_islands.WORK_COLUMNS)],
        device=device, threads=threads, world_seconds=1e-4 * n,
    )  # fmt: skip
    batch = after.shape[:-1]
    before = np.broadcast_to(velocity, (*batch, nv))
    v_after = before + (response @ impulse[..., None])[..., 0]
    return SeveralImpacts(
        law=law,
        several=several,
        v_before=before,
        v_after=v_after,
        u_before=np.broadcast_to(u, (*batch, 3 * n)).reshape(*batch, n, 3),
        u_after=after.reshape(*batch, n, 3),
        impulse=impulse.reshape(*batch, n, 3),
        contacts=contacts,
        flags=flags[..., 0].astype(int),
        energy=0.5 * ((np.broadcast_to(u, after.shape) + after) * impulse).sum(axis=-1),
    )


def _of_each(name: str, values: Array, n: int) -> Array:
    """(*batch, n), or one sentence; a single number is meant for all contacts."""
    if values.ndim == 0 or values.shape[-1] == 1:
        return np.broadcast_to(values, (*values.shape[:-1], n))
    if values.shape[-1] != n:
        raise InputError(
            f"{name} needs shape (*batch, {n}), one number for each contact, or one for all; got {values.shape}."
        )
    return values


def _positive(M: Array) -> Array:
    """A mass matrix, or one sentence."""
    size = np.abs(M).max(axis=(-1, -2), initial=0.0)
    if (np.abs(M - np.swapaxes(M, -1, -2)).max(axis=(-1, -2)) > 1e-9 * size).any():
        raise InputError("M is not symmetric.")
    least = np.linalg.eigvalsh(M).min()
    if not least > 0:
        raise InputError(f"M is not positive definite: its least eigenvalue is {least:.4g}; every body needs a mass.")
    return M
