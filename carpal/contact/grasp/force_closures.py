"""Force closure: whether contacts with friction can resist any wrench (Murray, Li, Sastry 1994, 5.4), cones exact.

A grasp is force closed when its grasp matrix has full rank and some internal force lies strictly inside all friction cones.
The second is a second-order cone program: the largest slack t that all cones can have at once, with the normal forces summing
up to one. No cone is replaced by a pyramid.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal._core.result import Result
from carpal.contact.grasp.cone_program import Cone, least_cost
from carpal.contact.grasp.friction_cones import cones_of
from carpal.contact.grasp.grasp_contacts import Grasp, grasp_matrix
from carpal.spatial import Array

CLOSED = 1e-8
"""Slack, of the sum of the normal forces, above which a grasp counts as closed."""
RANK = 1e-9


@dataclass(frozen=True, eq=False)
class ForceClosure(Result):
    """The answer.

    Args:
        ok: whether the grasp is force closed.
        status: one sentence.
        rank: of the grasp matrix, 6 where every wrench can be made at all.
        slack: the largest that every cone can have, of the sum of the normal forces; at most 1 / contacts; NaN where
            no balanced force presses at all.
        forces: (width) the balanced contact forces with that slack, normal forces summing up to one; NaN likewise.
    """

    ok: bool
    status: str
    rank: int
    slack: float
    forces: Array


def force_closure(grasp: Grasp) -> ForceClosure:
    """Whether the contacts can resist any wrench on the object by pressing harder."""
    G = scaled_matrix(grasp)
    rank = int(np.linalg.matrix_rank(G, tol=RANK * np.sqrt(len(grasp))))
    slack, forces = _balanced(grasp, G)
    if np.isnan(slack):
        return ForceClosure(False, "not force closed: no forces that press balance each other.", rank, slack, forces)
    if rank < 6:
        return ForceClosure(
            False,
            f"not force closed: the contacts make wrenches of {rank} dimensions only, not 6.",
            rank,
            slack,
            forces,
        )
    if slack <= CLOSED:
        return ForceClosure(
            False, f"not force closed: balanced forces leave the friction cones by {-slack:.3g} of the pressing.", rank, slack,
            forces,
        )  # fmt: skip
    return ForceClosure(True, f"force closed: every cone can have a slack of {slack:.3g}.", rank, slack, forces)


def scaled_matrix(grasp: Grasp, length: float | None = None) -> Array:
    """G with torques in units of `length` [m]; by default the largest distance of a contact from the centre."""
    G = grasp_matrix(grasp)
    G[3:] /= grasp_length(grasp) if length is None else length
    return G


def grasp_length(grasp: Grasp) -> float:
    """The largest distance of a contact from the centre [m]; one metre where all are at the centre."""
    far = float(np.linalg.norm(np.asarray(grasp.points) - np.asarray(grasp.centre), axis=1).max())
    return far if far > 1e-12 else 1.0


def _balanced(grasp: Grasp, G: Array) -> tuple[float, Array]:
    """The largest common slack of balanced forces, and those forces."""
    wide = grasp.width
    pressing = np.zeros(wide)
    pressing[[where.start + kept.index(2) for where, kept in zip(grasp.slices(), grasp.components, strict=True)]] = 1.0
    A = np.vstack([G, pressing])
    wanted = np.r_[np.zeros(6), 1.0]
    f = np.linalg.lstsq(A, wanted, rcond=RANK)[0]
    if np.abs(A @ f - wanted).max() > 1e-7:
        return np.nan, np.full(wide, np.nan)
    base = cones_of(grasp, extra=1)
    cones = []
    for cone in base:
        a = cone.a.copy()
        a[wide] = -1.0
        cones.append(Cone(a, cone.c, cone.B, cone.d))
    x = np.r_[f, 0.0]
    x[wide] = min(cone.slack(x) for cone in base) - 1.0
    cost = np.zeros(wide + 1)
    cost[wide] = -1.0
    best = least_cost(cost, np.hstack([A, np.zeros((7, 1))]), cones, x)
    return float(min(cone.slack(best) for cone in base)), best[:wide]
