"""Bounds that follow from an engine's scheme: energy that may be unaccounted for, and how deep bodies may overlap.

The ledger's residual is compared with the energy that moved: the largest kinetic energy and the ranges of potential energy,
work and losses. The share that a scheme may miss is in `ENERGY_SHARES` (docs/recording.md says where each comes from).
A contact may be as deep as half the thickness of the thinner body: beyond, the normal of a contact no longer tells from
which side the bodies came.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from carpal.engines.ledger import LEDGER
from carpal.engines.moments import Contact
from carpal.kinematics import constraint_residual
from carpal.model import Box, Capsule, Cylinder, Ellipsoid, Model, Plane, Shape, Sphere
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.engines.engine import Engine

ENERGY_SHARES = {
    ("rigid", "rk4"): 0.05,
    ("rigid", "symplectic"): 0.1,
    ("rigid", "implicit"): 0.2,
    ("modal", "event-driven extrapolation"): 0.05,
    ("modal", "time stepping"): 0.1,
    ("mujoco", "rk4"): 0.1,
    ("mujoco", "euler"): 0.2,
    ("mujoco", "implicitfast"): 0.2,
    ("mujoco", "implicit"): 0.2,
    ("penalty", "trapezoid"): 0.05,
}
"""Largest residual over the energy that moved, by engine and integrator; of the rigid engine from `FULL_STEP` on."""
FULL_STEP = 1e-3
"""[s]; with shorter steps the rigid engine's shares fall by first order, which unresolved friction leaves of any scheme."""
CLOSURE = {"rigid": 1e-6, "modal": 1e-6, "mujoco": 1e-2}
"""Largest opening of couplings and loops [rad, m]: rigid and modal hold them as constraints, MuJoCo by soft ones."""
ROUNDING = 1e-9
"""Residual over the largest energy that rounding alone may leave, however little moves."""


class Limit(NamedTuple):
    """A residual of each row, the largest that is allowed, and where that comes from."""

    values: Array
    bound: float
    basis: str


def energy_share(engine: str, integrator: str, dt: float) -> float | None:
    """Share of the energy that moved which a scheme may miss with steps of dt [s]; None where it has no bound.

    Where forces are smooth "rk4" misses far less (its residual falls with dt^4); a smoothed Coulomb friction that the step does
    not resolve makes it first order, as the two other schemes are always.
    """
    share = ENERGY_SHARES.get((engine, integrator))
    return share if share is None or engine != "rigid" else share * min(1.0, dt / FULL_STEP)


def energy_bound(share: float, kinetic: Array, potential: Array, work_in: Array, dissipated: Array) -> Array:
    """Largest residual (*batch) [J] of a run that is ok.

    Args:
        share: of the energy that moved: the largest kinetic energy and the ranges of the others.
        kinetic, potential: (*batch, rows) [J].
        work_in, dissipated: since the start (*batch, rows) [J].
    """
    moved = np.max(kinetic, axis=-1) + sum(np.ptp(rows, axis=-1) for rows in (potential, work_in, dissipated))
    stored = np.max(np.abs(kinetic), axis=-1) + np.max(np.abs(potential), axis=-1)
    return np.asarray(share * moved + ROUNDING * stored)


def energy_limit(metadata: Mapping[str, Any], energy: Mapping[str, Array]) -> Limit | None:
    """The ledger's residual and its bound [J]; None where the scheme has no bound or no rows are there."""
    engine, integrator = metadata.get("engine"), metadata.get("integrator")
    dt = float(metadata.get("dt") or FULL_STEP)
    share = energy_share(str(engine), str(integrator), dt)
    if share is None or not len(energy["residual"]) or metadata.get("ledger_incomplete"):
        return None
    bound = energy_bound(share, *(np.asarray(energy[name]) for name in LEDGER[:4]))
    fine = f" in steps of {dt:g} s" if share < ENERGY_SHARES[str(engine), str(integrator)] else ""
    basis = f"{100 * share:.3g} % of the energy that moved, for {engine} with {integrator}{fine}"
    return Limit(np.abs(energy["residual"]), float(bound), basis)


def energy_kept(engine: Engine, kinetic: Array, potential: Array, work: Array) -> Array:
    """Whether the energy residual of every world (*batch) keeps the bound of the engine's scheme.

    Args:
        engine: whose scheme.
        kinetic, potential: (*batch, rows) [J].
        work: (*batch, rows, 2) [J], put in and lost since the start.
    """
    work_in, dissipated = work[..., 0], work[..., 1]
    balance = kinetic + potential - work_in + dissipated
    known = energy_share(engine.name, engine.integrator, engine.dt)
    share = math.inf if known is None else known
    with np.errstate(invalid="ignore"):
        bound = energy_bound(share, kinetic, potential, work_in, dissipated)
        return np.asarray(np.abs(balance - balance[..., :1]).max(axis=-1) <= bound)


def closure_limit(model: Model, metadata: Mapping[str, Any], q: Array) -> Limit | None:
    """How far couplings and loops are from closed [rad, m], row by row, and the bound; None where there are none.

    A run may begin with joints that do not fit, which is then its bound: an engine must not open them further.
    """
    bound = CLOSURE.get(str(metadata.get("engine")))
    if bound is None or not len(q) or not (model.couplings or model.loops):
        return None
    rows = np.abs(constraint_residual(model, q)).max(axis=-1)
    return Limit(rows, max(bound, 1.01 * float(rows[0])), f"for couplings and loops in {metadata.get('engine')}")


def half_thickness(shape: Shape) -> float:
    """Half the least extent [m] of a shape; infinite for a plane."""
    if isinstance(shape, Plane):
        return math.inf
    if isinstance(shape, Sphere | Capsule):
        return shape.radius
    if isinstance(shape, Box):
        return 0.5 * min(shape.size)
    if isinstance(shape, Cylinder):
        return min(shape.radius, 0.5 * shape.length)
    if isinstance(shape, Ellipsoid):
        return min(shape.radii)
    return 0.5 * float(np.ptp(np.asarray(shape.points), axis=0).min())  # type: ignore[attr-defined] # the meshes


def contact_limit(model: Model, contacts: Sequence[Sequence[Contact]]) -> Limit | None:
    """Depth [m] of contacts, row by row, and the bound; None where nothing ever touches.

    Bodies differ in thickness: the bound is that of the contact which is deepest beside its own, and depths of other contacts
    are scaled by the ratio of the bounds.
    """
    thick: dict[str, float] = {}
    for placed in model.shapes:
        if placed.collides:
            name = placed.body or ""
            thick[name] = max(thick.get(name, 0.0), half_thickness(placed.shape))
    shares, worst = np.zeros(len(contacts)), (0.0, math.inf, "")
    for row, found in enumerate(contacts):
        for each in found:
            bound = min(thick.get(each.a, math.inf), thick.get(each.b, math.inf))
            share = each.depth / bound
            shares[row] = max(shares[row], share)
            if share > worst[0]:
                worst = share, bound, f"half the thickness of the thinner of '{each.a}' and '{each.b}'"
    return Limit(shares * worst[1], worst[1], worst[2]) if worst[2] else None
