"""Single collisions at the public edge: the impulse of one frictional hit from K, the approach and the friction."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import finite_array
from carpal._core.batch import KernelInput, run_batch
from carpal.engines.modal.impact_result import LAWS, ImpactResult
from carpal.engines.modal.kernels import impact
from carpal.errors import InputError, unknown_name
from carpal.spatial import Array

PATH_ROWS = 1024


def single_impact(
    K: ArrayLike,
    u: ArrayLike,
    mu: ArrayLike,
    e: ArrayLike,
    *,
    law: str = "stronge",
    path: bool = False,
    device: str = "cpu",
    threads: int | None = None,
) -> ImpactResult:
    """The impulse of one collision, by integration in the normal impulse.

    Args:
        K: (*batch, 3, 3) velocity gained per impulse at the contact [1/kg], in contact axes (t1, t2, n): the sum over both
            bodies. `free_body_gain` makes that of a free body, J M^-1 J^T is that of a mechanism.
        u: (*batch, 3) velocity of B relative to A before [m/s]; the third below zero approaches.
        mu: (*batch) coefficient of friction.
        e: (*batch) coefficient of restitution, 0 to 1.
        law: "stronge" (e^2 of the work comes back; never gains energy) or "poisson" (e of the impulse, as in Chan 1998).
        path: whether the way of the velocity is kept, for `ImpactResult.slip_path` and its picture.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Example:
        >>> K = 20 * np.eye(3) + free_body_gain(0.1, 6e-5 * np.eye(3), [0.01, 0.015, 0.03])
        >>> print(single_impact(K, [0.2, -0.1, -0.5], mu=0.6, e=0.95))
        the bodies part at 0.469 m/s: the slip of 0.224 m/s stops, then they stick; 0.0295 N s, 0.000856 J lost.
    """
    if law not in LAWS:
        raise unknown_name("law of restitution", law, LAWS)
    gains = checked_gains("K", K)
    speeds = finite_array("u", u, (3,))
    friction, back = checked_friction(mu), checked_restitution(e)
    rows = PATH_ROWS if path else 0
    result, way = run_batch(
        None, impact.impact_batch, (LAWS.index(law),),
        [KernelInput("K", gains, (6,)), KernelInput("u", speeds, (3,)), KernelInput("mu", friction[..., None], (1,)),
         KernelInput("e", back[..., None], (1,))],
        [(impact.RESULT,), (rows, impact.PATH)],
        device=device, threads=threads, world_seconds=2e-5,
    )  # fmt: skip
    batch = result.shape[:-1]
    return ImpactResult(
        law=law,
        before=np.broadcast_to(speeds, (*batch, 3)),
        mu=np.broadcast_to(friction, batch),
        e=np.broadcast_to(back, batch),
        numbers=result,
        way=way,
    )


def free_body_gain(mass: float, inertia: ArrayLike, r: ArrayLike, R: ArrayLike | None = None) -> Array:
    """K (3, 3) of a free body at a point [1/kg]: 1/m - r~ I^-1 r~ (Chan 1998, eq. 4.14).

    Args:
        mass: [kg].
        inertia: (3, 3) about the centre of mass [kg m^2], in the axes of r.
        r: (3) from the centre of mass to the contact [m].
        R: (3, 3) contact axes (t1, t2, n) as columns, in the axes of r; the same axes by default.
    """
    if not finite_array("mass", mass, ()) > 0:
        raise InputError(f"mass must be above zero [kg]; got {mass!r}.")
    I, p = finite_array("inertia", inertia, (3, 3)), finite_array("r", r, (3,))
    if not np.linalg.eigvalsh(0.5 * (I + I.T)).min() > 0:
        raise InputError("inertia must be positive definite [kg m^2].")
    cross = np.array([[0.0, -p[2], p[1]], [p[2], 0.0, -p[0]], [-p[1], p[0], 0.0]])
    K = np.eye(3) / float(mass) - cross @ np.linalg.solve(I, cross)
    axes = np.eye(3) if R is None else finite_array("R", R, (3, 3))
    return np.asarray(axes.T @ (0.5 * (K + K.T)) @ axes)


def checked_gains(name: str, K: ArrayLike) -> Array:
    """(*batch, 6) of symmetric matrices without a negative eigenvalue whose normal can be moved, or one sentence."""
    matrix = finite_array(name, K, (3, 3))
    size = np.abs(matrix).max(axis=(-1, -2), initial=0.0)
    off = np.abs(matrix - np.swapaxes(matrix, -1, -2)).max(axis=(-1, -2), initial=0.0)
    for wrong, why in (
        (off > 1e-9 * size, "is not symmetric"),
        (np.linalg.eigvalsh(matrix).min(axis=-1, initial=np.inf) < -1e-9 * size, "has a negative eigenvalue"),
        (matrix[..., 2, 2] <= 0.0, "lets no impulse change the normal speed (K[2, 2] must be above zero)"),
    ):
        if np.any(wrong):
            at = tuple(int(i) for i in np.argwhere(wrong)[0])
            raise InputError(f"{name}{f' at batch index {at}' if at else ''} {why}.")
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    return np.stack([0.5 * (matrix[..., i, j] + matrix[..., j, i]) for i, j in pairs], axis=-1)


def checked_friction(mu: ArrayLike) -> Array:
    """Mu (*batch), or one sentence."""
    friction = finite_array("mu", mu, ())
    if (friction < 0).any():
        raise InputError(f"mu, the coefficient of friction, must be zero or above; got {float(friction.min())!r}.")
    return friction


def checked_restitution(e: ArrayLike) -> Array:
    """E (*batch), or one sentence."""
    back = finite_array("e", e, ())
    wrong = (back < 0) | (back > 1)
    if wrong.any():
        raise InputError(f"e, the coefficient of restitution, must be from 0 to 1; got {float(back[wrong].flat[0])!r}.")
    return back
