"""Collisions within a step: all closed contacts meet at once through the plain mass matrix, those at rest are held."""

import math

from carpal._core.compile import kernel
from carpal.engines.modal.kernels.contact_islands import coupling
from carpal.engines.modal.kernels.contact_rows import add_impulses, behind_factor, contact_matrix
from carpal.engines.modal.kernels.contact_table import (
    BEFORE,
    BLOW,
    BLOW_FLAGS,
    CLOSED,
    GAP,
    MU,
    PAIR,
    SET_LAW,
    SET_SEVERAL,
    SET_THRESHOLD,
    SURFACE_E,
    SURFACE_E2,
    SURFACE_KIND,
    UNHELD,
)
from carpal.engines.modal.kernels.impact_painleve import painleve_margin
from carpal.engines.modal.kernels.impact_restitution import restitution_at
from carpal.engines.modal.kernels.impact_several import hit_contacts
from carpal.engines.modal.kernels.tree_blocks import factor_trees

IMPACT_WORK = 24
# rows of `blows`: relative velocities, impulses, friction, restitution
B_U, B_P, B_MU, B_E = 0, 1, 2, 3


@kernel
def hits_are_due(con, settings, slot, count):
    """Whether a closed contact approaches faster than the threshold; BEFORE must be up to date."""
    fastest = 0.0
    for c in range(count):
        if con[slot, c, CLOSED] > 0.0:
            fastest = min(fastest, con[slot, c, BEFORE + 2])
    return fastest < -settings[SET_THRESHOLD]


@kernel
def jams_are_due(W, con, slot, count):
    """Whether a sliding closed contact is pressed and cannot be held by any force (Painleve): an impact resolves it."""
    for c in range(count):
        if con[slot, c, CLOSED] == 0.0 or con[slot, c, MU] == 0.0 or con[slot, c, UNHELD + 2] >= 0.0:
            continue
        u = (con[slot, c, BEFORE], con[slot, c, BEFORE + 1], con[slot, c, BEFORE + 2])
        if math.sqrt(u[0] * u[0] + u[1] * u[1]) > 1e-3 and u[2] <= 1e-6:
            i = 4 * c
            K = (
                W[slot, i, i], W[slot, i + 1, i + 1], W[slot, i + 2, i + 2],
                W[slot, i, i + 1], W[slot, i, i + 2], W[slot, i + 1, i + 2],
            )  # fmt: skip
            if painleve_margin(K, u, con[slot, c, MU]) <= 0.0:
                return True
    return False


@kernel
def collide(
    bodies, trees, order, dofs, surfaces, settings, v, M, placed, L, con, J, Y, W, A, u3, P3, mu, e, spare, hit_work,
    slot, count,
):  # fmt: skip
    """One exchange of impulses; v changes, `con[BLOW]` holds them. Returns (flags, energy that was lost [J])."""
    factor_trees(bodies, trees, order, dofs, v, 0.0, M, placed, L, slot)
    behind_factor(trees, L, con, J, Y, slot, count)
    contact_matrix(trees, con, Y, W, slot, count)
    n = 0
    for c in range(count):
        for k in range(4):
            con[slot, c, BLOW + k] = 0.0
        con[slot, c, BLOW_FLAGS] = 0.0
        if con[slot, c, CLOSED] == 0.0:
            continue
        pair = int(con[slot, c, PAIR])
        mu[slot, n], e[slot, n] = con[slot, c, MU], 0.0
        if pair < surfaces.shape[0]:
            e[slot, n] = restitution_at(
                int(surfaces[pair, SURFACE_KIND]), surfaces[pair, SURFACE_E], surfaces[pair, SURFACE_E2],
                1e3 * max(0.0, -con[slot, c, GAP]),
            )  # fmt: skip
        m = 0
        for d in range(count):
            if con[slot, d, CLOSED] > 0.0:
                for k in range(3):
                    for l in range(3):
                        A[slot, 3 * n + k, 3 * m + l] = coupling(W, con, slot, 4 * c + k, 4 * d + l)
                m += 1
        for k in range(3):
            u3[slot, 3 * n + k], P3[slot, 3 * n + k] = con[slot, c, BEFORE + k], 0.0
        n += 1
    flags = hit_contacts(
        A, u3, mu, e, P3, hit_work, slot, n, int(settings[SET_LAW]), int(settings[SET_SEVERAL]), settings[SET_THRESHOLD]
    )
    lost, m = 0.0, 0
    for c in range(count):
        if con[slot, c, CLOSED] == 0.0:
            continue
        for k in range(3):
            con[slot, c, BLOW + k] = P3[slot, 3 * m + k]
            lost -= 0.5 * P3[slot, 3 * m + k] * (u3[slot, 3 * m + k] + con[slot, c, BEFORE + k])
        con[slot, c, BLOW_FLAGS] = hit_work[slot, m, 1]
        m += 1
    add_impulses(trees, order, L, con, Y, BLOW, spare, v, slot, count)
    return flags, lost
