"""Contact by contact, for when Newton's method does not settle: projections on the cone with de Saxce's correction.

With u* = u + mu |u_t| n, Coulomb's law reads: r in its cone, u* in the dual cone, r . u* = 0 (de Saxce and Feng 1998). Each
contact in turn takes a step against u* and goes back to its cone (Gauss-Seidel; Jourdan, Alart, Jean 1998). Projecting on
the disc of the present normal force instead cycled where friction was high.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.contact_table import (
    AFTER,
    IMPULSE,
    INCLUDED,
    ISLAND_END,
    ISLAND_FIRST,
    LARGE,
    MU,
    SHIFT,
    TORSION,
    UNHELD,
    rows_of,
    share_tree,
    takes,
)
from carpal.engines.modal.kernels.friction_law import steps_of


@leaf
def _velocity_here(W, con, slot, c, rows, many):
    """AFTER of one contact under the present impulses."""
    for k in range(4):
        if not takes(rows, k):
            continue
        u = con[slot, c, UNHELD + k]
        for d in range(int(con[slot, c, ISLAND_FIRST]), int(con[slot, c, ISLAND_END])):
            if con[slot, d, INCLUDED] > 0.0 and (not many or share_tree(con, slot, c, d)):
                for l in range(4):
                    u += W[slot, 4 * c + k, 4 * d + l] * con[slot, d, IMPULSE + l]
        con[slot, c, AFTER + k] = u


@leaf
def onto_friction_cone(t, mu):
    """The point of the cone |r_t| <= mu r_n nearest to t."""
    across = math.sqrt(t[0] * t[0] + t[1] * t[1])
    if across <= mu * t[2]:
        return t
    if mu * across <= -t[2]:
        return 0.0, 0.0, 0.0
    n = (t[2] + mu * across) / (1.0 + mu * mu)
    return mu * n * t[0] / across, mu * n * t[1] / across, n


@leaf
def _largest(W, slot, i):
    """A bound of the largest eigenvalue of the 3 x 3 block at i."""
    most = 0.0
    for k in range(3):
        most = max(most, abs(W[slot, i + k, i]) + abs(W[slot, i + k, i + 1]) + abs(W[slot, i + k, i + 2]))
    return max(most, 1e-300)


@kernel
def sweep(W, con, slot, count):
    """One sweep over all contacts that take part."""
    for c in range(count):
        if con[slot, c, INCLUDED] == 0.0:
            continue
        rows = rows_of(con, slot, c)
        _velocity_here(W, con, slot, c, rows, count > LARGE)
        normal, _, twist = steps_of(W, slot, c)
        u_n = con[slot, c, AFTER + 2] + con[slot, c, SHIFT]
        if rows == 1:
            con[slot, c, IMPULSE + 2] = max(0.0, con[slot, c, IMPULSE + 2] - normal * u_n)
            continue
        mu, k = con[slot, c, MU], 1.0 / _largest(W, slot, 4 * c)
        u_1, u_2 = con[slot, c, AFTER], con[slot, c, AFTER + 1]
        r = onto_friction_cone(
            (
                con[slot, c, IMPULSE] - k * u_1,
                con[slot, c, IMPULSE + 1] - k * u_2,
                con[slot, c, IMPULSE + 2] - k * (u_n + mu * math.sqrt(u_1 * u_1 + u_2 * u_2)),
            ),
            mu,
        )
        con[slot, c, IMPULSE], con[slot, c, IMPULSE + 1], con[slot, c, IMPULSE + 2] = r
        if rows > 3:
            most = con[slot, c, TORSION] * r[2]
            t = con[slot, c, IMPULSE + 3] - twist * con[slot, c, AFTER + 3]
            con[slot, c, IMPULSE + 3] = min(most, max(-most, t))
