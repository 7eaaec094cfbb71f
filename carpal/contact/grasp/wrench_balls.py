"""The largest ball of wrenches that a grasp resists (Ferrari, Canny 1992), with exact friction cones.

The set of wrenches is convex and its support function h(d) is known in closed form, so the radius is the least h over unit
directions. Two bounds enclose it: the hull of wrenches that can be made lies inside the set, so that its nearest facet is
nearer; h at that facet's normal is farther. The wrench that h finds there joins the hull until the bounds meet; a search
from the best directions along the sphere tightens the upper one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.spatial import ConvexHull, QhullError

from carpal.contact.grasp.force_closures import force_closure, grasp_length, scaled_matrix
from carpal.contact.grasp.friction_cones import support_of
from carpal.contact.grasp.grasp_contacts import Grasp
from carpal.errors import InputError, unknown_name
from carpal.spatial import Array

LIMITS = ("sum", "each")
MOST_POINTS = 260
ROUNDS = 40


@dataclass(frozen=True, eq=False)
class WrenchBall:
    """Radius of the ball.

    Args:
        radius: [N for each N of normal force]; torques are counted in units of `length`. Zero without force closure.
        lower: a radius that is certainly reached.
        direction: (6) the wrench of length one that is resisted worst; NaN without force closure.
        length: [m].
        limit: what is limited to one newton: the "sum" of all normal forces, or "each".
    """

    radius: float
    lower: float
    direction: Array
    length: float
    limit: str


def wrench_ball(
    grasp: Grasp, *, length: float | None = None, limit: str = "sum", tolerance: float = 1e-2
) -> WrenchBall:
    """The largest ball around zero inside the set of wrenches that the grasp resists.

    Args:
        grasp: the contacts.
        length: [m] by which torques are divided; by default the largest distance of a contact from the centre.
        limit: normal forces up to one in their "sum", or "each".
        tolerance: relative distance of the two bounds at which the search ends.
    """
    if limit not in LIMITS:
        raise unknown_name("limit of a wrench ball", limit, LIMITS)
    if length is not None and not 0 < length < np.inf:
        raise InputError(f"length must be above zero [m]; got {length!r:.40}.")
    if not 0 < tolerance < 1:
        raise InputError(f"tolerance must be between 0 and 1; got {tolerance!r:.40}.")
    scale = grasp_length(grasp) if length is None else float(length)
    if not force_closure(grasp):
        return WrenchBall(0.0, 0.0, np.full(6, np.nan), scale, limit)
    G = scaled_matrix(grasp, scale)
    points = [_support(grasp, G, d, limit)[1] for d in _first_directions(G)]
    upper, worst, lower = np.inf, np.zeros(6), 0.0
    for _ in range(ROUNDS):
        try:
            facets = ConvexHull(np.array(points), qhull_options="Q12 QJ").equations
        except QhullError:
            break
        order = np.argsort(-facets[:, 6])
        lower = max(lower, float(-facets[order[0], 6]))
        tried = _spread(facets[order[:400], :6], 6)
        for d in tried:
            h, direction = _descend(grasp, G, d, limit)
            if h < upper:
                upper, worst = h, direction
        if upper - lower <= tolerance * upper or len(points) > MOST_POINTS:
            break
        for d in (*_spread(facets[order[:400], :6], 14), worst):
            points.append(_support(grasp, G, d, limit)[1])
    return WrenchBall(float(upper), float(min(lower, upper)), worst, scale, limit)


def _support(grasp: Grasp, G: Array, d: Array, limit: str) -> tuple[float, Array]:
    """h(d) and the wrench that reaches it."""
    reach, wrenches = support_of(grasp, G, d)
    if limit == "sum":
        best = int(np.argmax(reach))
        return float(reach[best]), wrenches[best]
    return float(np.maximum(reach, 0.0).sum()), wrenches[reach > 0].sum(axis=0)


def _descend(grasp: Grasp, G: Array, d: Array, limit: str) -> tuple[float, Array]:
    """The least h near a direction: unit vectors e and bounds s on each contact's reach along e, least s (or sum of s)."""
    n = len(grasp)
    bounds = 1 if limit == "sum" else n
    share = np.ones((n, 1)) if limit == "sum" else np.eye(n)

    def room(x: Array) -> Array:
        return np.asarray(share @ x[6:] - support_of(grasp, G, x[:6])[0])

    def room_slope(x: Array) -> Array:
        return np.hstack([-support_of(grasp, G, x[:6])[1], share])

    cost = np.r_[np.zeros(6), np.ones(bounds)]
    first = support_of(grasp, G, d)[0]
    s = np.array([first.max()]) if limit == "sum" else np.maximum(first, 0.0)
    rules = [
        {"type": "ineq", "fun": room, "jac": room_slope},
        {"type": "eq", "fun": lambda x: x[:6] @ x[:6] - 1.0, "jac": lambda x: np.r_[2 * x[:6], np.zeros(bounds)]},
    ]
    limits = [(None, None)] * 6 + [(0.0, None)] * bounds
    found = minimize(
        lambda x: float(cost @ x), np.r_[d, s], jac=lambda _: cost, constraints=rules, bounds=limits, method="SLSQP",
        options={"maxiter": 80, "ftol": 1e-13},
    )  # fmt: skip
    e = found.x[:6] / max(float(np.linalg.norm(found.x[:6])), 1e-300)
    there, here = _support(grasp, G, e, limit)[0], _support(grasp, G, d, limit)[0]
    return (there, e) if there < here else (here, d)


def _first_directions(G: Array) -> Array:
    """Both directions of axes and principal axes of the grasp matrix, and some fixed ones between."""
    axes = np.vstack([np.eye(6), np.linalg.svd(G)[0].T])
    between = np.random.default_rng(0).normal(size=(24, 6))
    between /= np.linalg.norm(between, axis=1, keepdims=True)
    return np.vstack([axes, -axes, between])


def _spread(directions: Array, count: int) -> list[Array]:
    """The first of some directions that differ from each other."""
    kept: list[Array] = []
    for d in directions:
        if len(kept) == count:
            break
        if all(float(d @ other) < 0.995 for other in kept):
            kept.append(d)
    return kept
