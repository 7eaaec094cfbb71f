"""Load distribution: the least contact forces within exact friction cones that resist a wrench."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.contact.grasp.cone_program import Cone, least_cost
from carpal.contact.grasp.force_closures import grasp_length, scaled_matrix
from carpal.contact.grasp.friction_cones import cones_of
from carpal.contact.grasp.grasp_contacts import Grasp, checked_forces, checked_wrench
from carpal.contact.grasp.internal_forces import internal_basis
from carpal.errors import InputError, unknown_name
from carpal.spatial import Array

GOALS = ("largest", "sum", "change")
MOST = 1e4
"""Contact forces are searched up to so many times the wrench."""


@dataclass(frozen=True, eq=False)
class LoadResult(Result):
    """Contact forces that resist a wrench.

    Args:
        ok: whether there are any within the cones.
        status: one sentence.
        forces: (width) [N, N m]; NaN where there are none.
        cost: [N] largest contact force, sum of the normal ones, or distance from the forces that were wanted.
        residual: of the balance [N]; torques in units of the grasp's length.
    """

    ok: bool
    status: str
    forces: Array
    cost: float
    residual: float


def distribute_load(
    grasp: Grasp, wrench: ArrayLike, *, least: str = "largest", keep: float = 0.0, wanted: ArrayLike | None = None
) -> LoadResult:
    """Contact forces whose wrench balances an outer one, the least that friction allows.

    Args:
        grasp: the contacts.
        wrench: (6) that pulls at the object, (force, torque about the centre) in W [N, N m], such as its weight.
        least: make the "largest" contact force least (its tangential part counts), the "sum" of the normal forces, or the
            "change" from `wanted`.
        keep: part of the friction to keep in reserve everywhere, 0 to below 1.
        wanted: (width) [N, N m] contact forces to stay near to.
    """
    w = checked_wrench(wrench)
    if least not in GOALS:
        raise unknown_name("goal of a load distribution", least, GOALS)
    if isinstance(keep, bool) or not 0 <= keep < 1:
        raise InputError(f"keep must be from 0 to below 1; got {keep!r:.40}.")
    if (least == "change") != (wanted is not None):
        raise InputError('wanted forces go with least="change", and vice versa.')
    G, wide = scaled_matrix(grasp), grasp.width
    balance = -np.r_[w[:3], w[3:] / grasp_length(grasp)]
    near = np.zeros(wide) if wanted is None else checked_forces(grasp, wanted)
    size = max(float(np.linalg.norm(balance)), float(np.abs(near).max()), 1e-300)
    nothing = np.full(wide, np.nan)
    f = np.linalg.lstsq(G, balance / size, rcond=1e-12)[0]
    residual = float(np.abs(G @ f - balance / size).max())
    if residual > 1e-7:
        return LoadResult(
            False, "the contacts cannot make this wrench, however hard they press.", nothing, np.nan, residual
        )
    cones = [Cone(c.a, 0.0, c.B / (1.0 - keep), c.d) for c in cones_of(grasp, extra=1)]
    f, slack = _pressed(grasp, G, f, cones)
    if not slack > 0:
        return LoadResult(
            False, "the friction cones hold no forces that resist this wrench.", nothing, np.nan, residual
        )
    x, cost = np.r_[f, 0.0], np.zeros(wide + 1)
    if least == "largest":
        cost[wide] = 1.0
        cones += [_bounded(grasp, k, wide) for k in range(len(grasp))]
        x[wide] = 2.0 * float(np.abs(f).max()) * np.sqrt(3.0) + 1.0
        A = np.hstack([G, np.zeros((6, 1))])
    elif least == "change":
        cost[wide] = 1.0
        last = np.r_[np.zeros(wide), 1.0]
        cones.append(Cone(last, 0.0, np.eye(wide, wide + 1), -near / size))
        x[wide] = float(np.linalg.norm(f - near / size)) + 1.0
        A = np.hstack([G, np.zeros((6, 1))])
    else:
        for where, kept in zip(grasp.slices(), grasp.components, strict=True):
            cost[where.start + kept.index(2)] = 1.0
        A = np.vstack([np.hstack([G, np.zeros((6, 1))]), np.r_[np.zeros(wide), 1.0]])
    best = least_cost(cost, A, cones, x)
    forces = size * best[:wide]
    residual = float(np.abs(G @ forces - balance).max())
    return LoadResult(
        True, f"the {least} is {size * float(cost @ best):.4g} N.", forces, size * float(cost @ best), residual
    )


def _pressed(grasp: Grasp, G: Array, f: Array, cones: list[Cone]) -> tuple[Array, float]:
    """Forces of the same wrench strictly inside the cones, by the largest common slack; stops once it is positive."""
    wide = grasp.width
    if internal_basis(grasp).shape[1] == 0:
        return f, min(cone.slack(np.r_[f, 0.0]) for cone in cones)
    pushed = []
    for cone in cones:
        a = cone.a.copy()
        a[wide] = -1.0
        pushed.append(Cone(a, cone.c, cone.B, cone.d))
    x = np.r_[f, 0.0]
    x[wide] = min(cone.slack(x) for cone in cones) - 1.0
    # without an end to the pressing, slack and forces of a force closed grasp would grow for ever
    end = Cone(np.zeros(wide + 1), MOST, np.eye(wide, wide + 1), np.zeros(wide))
    cost = np.zeros(wide + 1)
    cost[wide] = -1.0
    best = least_cost(cost, np.hstack([G, np.zeros((6, 1))]), [*pushed, end], x, enough=-1e-3)
    return best[:wide], min(cone.slack(np.r_[best[:wide], 0.0]) for cone in cones)


def _bounded(grasp: Grasp, k: int, wide: int) -> Cone:
    """|force of a contact| below the last unknown; a soft tip's torque does not count."""
    where, kept = grasp.slices()[k], grasp.components[k]
    B = np.zeros((sum(c != 5 for c in kept), wide + 1))
    for row, i in enumerate(i for i, c in enumerate(kept) if c != 5):
        B[row, where.start + i] = 1.0
    a = np.zeros(wide + 1)
    a[wide] = 1.0
    return Cone(a, 0.0, B, np.zeros(len(B)))
