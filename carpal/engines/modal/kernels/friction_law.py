"""Unilateral contact with dry friction as one equation (Alart and Curnier 1991), contact by contact.

With t = r - rho u (u_n shifted by gap / dt while a gap is open):

    r_n = max(0, t_n),   r_t = the point of the disc of radius mu max(0, t_n) nearest to t_t,
    r_4 = t_4 cut to +- torsion * max(0, t_n)    (soft tip; own limit, independent of the tangential force)

The branch is the mode: t_n <= 0 free, t_t inside the disc stick or roll, outside slide. r solves the law exactly where
the right side gives r back; what is left is the natural residual, in the unit of an impulse.
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
    SPEED,
    STRETCH,
    TORSION,
    UNHELD,
    rows_of,
    share_tree,
)

RUNAWAY = 1e3
# branches of the law; SPINS comes on top where the torsional limit is reached
APART, HELD, SLIDES, SPINS = 0, 1, 2, 4
ROUNDED = 1e-3
"""Share of the bodies' speed whose loss counts as an impulse in the scale: J v is known to 1e-16 of that speed, however short
the step is and however small its impulses are."""


@leaf
def steps_of(W, slot, c):
    """Rho of the normal, tangent and torsional equation: the inverse of what an impulse does there."""
    i = 4 * c
    normal, tangent, twist = W[slot, i + 2, i + 2], W[slot, i, i] + W[slot, i + 1, i + 1], W[slot, i + 3, i + 3]
    least = 1e-12 * (normal + tangent) + 1e-300
    return 1.0 / max(normal, least), 2.0 / max(tangent, least), 1.0 / max(twist, 1e-300)


@kernel
def velocities_under(W, con, slot, count):
    """AFTER = UNHELD + W IMPULSE of the contacts that take part."""
    for c in range(count):
        if con[slot, c, INCLUDED] == 0.0:
            continue
        rows, i, many = rows_of(con, slot, c), 4 * c, count > LARGE
        u0, u1, u2 = con[slot, c, UNHELD], con[slot, c, UNHELD + 1], con[slot, c, UNHELD + 2]
        u3 = con[slot, c, UNHELD + 3]
        for d in range(int(con[slot, c, ISLAND_FIRST]), int(con[slot, c, ISLAND_END])):
            if con[slot, d, INCLUDED] == 0.0 or con[slot, d, IMPULSE + 2] == 0.0:
                continue
            if many and not share_tree(con, slot, c, d):
                continue
            r0, r1, r2 = con[slot, d, IMPULSE], con[slot, d, IMPULSE + 1], con[slot, d, IMPULSE + 2]
            r3, j = con[slot, d, IMPULSE + 3], 4 * d
            u2 += W[slot, i + 2, j] * r0 + W[slot, i + 2, j + 1] * r1 + W[slot, i + 2, j + 2] * r2
            u2 += W[slot, i + 2, j + 3] * r3
            if rows > 1:
                u0 += W[slot, i, j] * r0 + W[slot, i, j + 1] * r1 + W[slot, i, j + 2] * r2
                u0 += W[slot, i, j + 3] * r3
                u1 += W[slot, i + 1, j] * r0 + W[slot, i + 1, j + 1] * r1 + W[slot, i + 1, j + 2] * r2
                u1 += W[slot, i + 1, j + 3] * r3
            if rows > 3:
                u3 += W[slot, i + 3, j] * r0 + W[slot, i + 3, j + 1] * r1 + W[slot, i + 3, j + 2] * r2
                u3 += W[slot, i + 3, j + 3] * r3
        con[slot, c, AFTER + 2] = u2
        if rows > 1:
            con[slot, c, AFTER], con[slot, c, AFTER + 1] = u0, u1
        if rows > 3:
            con[slot, c, AFTER + 3] = u3


@leaf
def trial(W, con, slot, c):
    """T of one contact: (t1, t2, tn, t4)."""
    normal, tangent, twist = steps_of(W, slot, c)
    stretch = 1.0 + con[slot, c, STRETCH]
    normal, tangent, twist = stretch * normal, stretch * tangent, stretch * twist
    t_n = con[slot, c, IMPULSE + 2] - normal * (con[slot, c, AFTER + 2] + con[slot, c, SHIFT])
    t_1 = con[slot, c, IMPULSE] - tangent * con[slot, c, AFTER]
    t_2 = con[slot, c, IMPULSE + 1] - tangent * con[slot, c, AFTER + 1]
    t_4 = con[slot, c, IMPULSE + 3] - twist * con[slot, c, AFTER + 3]
    return t_1, t_2, t_n, t_4


@leaf
def projected(con, slot, c, t):
    """The right side of the law: (r1, r2, rn, r4)."""
    rows = rows_of(con, slot, c)
    r_n = max(0.0, t[2])
    r_1, r_2, r_4 = 0.0, 0.0, 0.0
    if rows > 1:
        radius, length = con[slot, c, MU] * r_n, math.sqrt(t[0] * t[0] + t[1] * t[1])
        cut = 1.0 if length <= radius else radius / length
        r_1, r_2 = cut * t[0], cut * t[1]
    if rows > 3:
        most = con[slot, c, TORSION] * r_n
        r_4 = min(most, max(-most, t[3]))
    return r_1, r_2, r_n, r_4


@kernel
def impulse_scale(W, con, slot, count):
    """(what residuals are compared with, largest normal impulse) [N s].

    The first is the largest impulse, but not more than RUNAWAY times what stops any contact alone: where contacts are
    redundant, impulses may run away along directions that move nothing, and would excuse everything. Nor less than what takes
    ROUNDED of the bodies' speed: below, residuals would be compared with rounding.
    """
    alone, largest = 0.0, 0.0
    for c in range(count):
        if con[slot, c, INCLUDED] > 0.0:
            normal, tangent, _ = steps_of(W, slot, c)
            alone = max(
                alone,
                normal * max(abs(con[slot, c, UNHELD + 2]) + abs(con[slot, c, SHIFT]), ROUNDED * con[slot, c, SPEED]),
            )
            if rows_of(con, slot, c) > 1:
                alone = max(alone, tangent * max(abs(con[slot, c, UNHELD]), abs(con[slot, c, UNHELD + 1])))
            largest = max(largest, abs(con[slot, c, IMPULSE + 2]))
    return max(alone, min(largest, RUNAWAY * alone)), largest


@kernel
def law_residual(W, con, slot, count):
    """(largest residual, scale): both impulses [N s]; torsional ones count with their radius. AFTER must be up to date."""
    worst = 0.0
    scale, _ = impulse_scale(W, con, slot, count)
    for c in range(count):
        if con[slot, c, INCLUDED] == 0.0:
            continue
        r = projected(con, slot, c, trial(W, con, slot, c))
        for k in range(3):
            worst = max(worst, abs(con[slot, c, IMPULSE + k] - r[k]))
        if con[slot, c, TORSION] > 0.0:
            worst = max(worst, abs(con[slot, c, IMPULSE + 3] - r[3]) / con[slot, c, TORSION])
        if not worst < 1e300:
            return 1e300, 1.0
    return worst, scale
