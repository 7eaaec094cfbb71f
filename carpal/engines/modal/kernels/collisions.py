"""Collisions: closed contacts that approach exchange impulses through the mass matrix, those at rest take part.

Couplings and loops hold. Repeated until no closed contact approaches faster than the threshold; then the free velocities are
assembled. A sliding contact that no finite force can hold (Painleve) is resolved as one more collision.
"""

import math

from carpal._core.compile import kernel
from carpal.engines.modal.kernels.assembly import assemble_velocities, contact_operator, factor_mass
from carpal.engines.modal.kernels.constraint_basis import hold_velocity
from carpal.engines.modal.kernels.contact_islands import coupling
from carpal.engines.modal.kernels.contact_rows import add_impulses, contact_rows, contact_velocities
from carpal.engines.modal.kernels.contact_table import (
    BEFORE,
    BLOW,
    BLOW_FLAGS,
    CLOSED,
    GAP,
    MU,
    PAIR,
    PRESSED,
    SET_LAW,
    SET_LEAD,
    SET_SEVERAL,
    SET_STEP,
    SET_THRESHOLD,
    SURFACE_E,
    SURFACE_E2,
    SURFACE_KIND,
    UNHELD,
)
from carpal.engines.modal.kernels.impact_certificate import certify_collision
from carpal.engines.modal.kernels.impact_painleve import painleve_margin
from carpal.engines.modal.kernels.impact_restitution import restitution_at
from carpal.engines.modal.kernels.impact_several import hit_contacts
from carpal.engines.modal.kernels.leading import forget_rates, lead_contacts
from carpal.engines.modal.kernels.ledger import (
    COMPLETED,
    HITS,
    JAMS,
    LIMIT_HITS,
    NOT_FINITE,
    SINGULAR,
    reach_limit,
    record_collision,
    report_collision,
)
from carpal.engines.modal.kernels.passive_forces import lift_weight
from carpal.engines.modal.kernels.resting import REST_STEP
from carpal.engines.modal.kernels.tree_dynamics import tree_dynamics

JOLTED = 1e-9
"""[m/s] change of the normal velocity of a closed contact by a collision elsewhere, beyond which it does not count as pressed."""
MOST_COLLISIONS = 20
"""Collisions in one part of a step; what still approaches then is left to the contact law."""


@kernel
def collision_due(con, settings, slot, count):
    """Whether a closed contact approaches faster than the threshold; BEFORE must be up to date."""
    fastest = 0.0
    for c in range(count):
        if con[slot, c, CLOSED] > 0.0:
            fastest = min(fastest, con[slot, c, BEFORE + 2])
    return fastest < -settings[SET_THRESHOLD]


@kernel
def jam_due(W, con, slot, count):
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
def exchange_impulses(plant, work, ledger, world, slot, count):
    """One collision of all closed contacts; changes `v`, writes `con[BLOW]`. Returns (flags, energy lost [J])."""
    trees, order, settings, surfaces = plant.trees, plant.order, plant.settings, plant.solids.surfaces
    tables, vectors, solving = work.tables, work.vectors, work.vectors.solving
    con, W, Y, A, L, hit_work = tables.con, tables.W, tables.Y, tables.A, tables.L, tables.hit_work
    u3, P3, mu, e = solving.x, solving.best, solving.mu, solving.e
    factor_mass(plant, work, 0.0, slot)
    contact_operator(plant, work, slot, count)
    if plant.ties.constraints.shape[0] > 0:
        hold_velocity(trees, order, L, work.held, vectors.v, vectors.spare, slot)
        contact_velocities(trees, order, con, tables.J, vectors.v, BEFORE, slot, count)
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
    law = int(settings[SET_LAW])
    flags = hit_contacts(
        A, u3, mu, e, P3, hit_work, slot, n, law, int(settings[SET_SEVERAL]), settings[SET_THRESHOLD]
    )  # fmt: skip
    certify_collision(u3, P3, mu, hit_work, law, ledger, world, slot, n)
    lost, m = 0.0, 0
    for c in range(count):
        if con[slot, c, CLOSED] == 0.0:
            continue
        for k in range(3):
            con[slot, c, BLOW + k] = P3[slot, 3 * m + k]
            lost -= 0.5 * P3[slot, 3 * m + k] * (u3[slot, 3 * m + k] + con[slot, c, BEFORE + k])
        con[slot, c, BLOW_FLAGS] = hit_work[slot, m, 1]
        if P3[slot, 3 * m + 2] > 0.0 or abs(u3[slot, 3 * m + 2] - con[slot, c, BEFORE + 2]) > JOLTED:
            forget_rates(con, slot, c)
            con[slot, c, PRESSED] = 0.0  # velocities before this step are not those before the contact law any more
        m += 1
    add_impulses(trees, order, L, con, Y, BLOW, vectors.spare, vectors.v, slot, count)
    return flags, lost


@kernel
def resolve_collisions(plant, work, u, ledger, touch, dt, report, most_hits, world, slot, count):
    """Stage: collisions, then velocities after `dt` without contact impulses; returns COMPLETED or the status of a failure.

    report: whether to add the collisions to `touch`. most_hits: entry of the ledger (HITS) from which on none is resolved.
    """
    tables, vectors = work.tables, work.vectors
    con, jammed = tables.con, False
    rebuild = vectors.rest[slot, REST_STEP] != dt
    if rebuild:
        if plant.settings[SET_LEAD] > 0.0:
            lead_contacts(plant.trees, con, dt, slot, count)
        contact_rows(
            plant.joints, plant.bodies, plant.trees, plant.order, plant.ties.tendons, tables.search.placed, con,
            tables.J, slot, count
        )  # fmt: skip
    contact_velocities(plant.trees, plant.order, con, tables.J, vectors.v, BEFORE, slot, count)
    for turn in range(MOST_COLLISIONS + 1):
        if plant.robots and not tree_dynamics(
            plant.robot_joints, plant.robot_bodies, plant.trees, plant.owner, tables.search.placed, vectors.v, tables.M,
            vectors.bias, vectors.weight, tables.search.tree_work, slot,
        ):  # fmt: skip
            return NOT_FINITE
        if plant.ties.lifted.shape[0] > 0:
            lift_weight(
                plant.joints, plant.bodies, plant.ties.lifted, tables.search.placed, vectors.bias, vectors.weight, slot
            )  # fmt: skip
        due = collision_due(con, plant.settings, slot, count)
        if due and (turn == MOST_COLLISIONS or ledger[world, HITS] >= most_hits):
            due = False
            reach_limit(ledger, world, LIMIT_HITS)
        if not due:
            if not assemble_velocities(plant, work, u, dt, rebuild, world, slot, count):
                return SINGULAR
            if (
                turn == MOST_COLLISIONS
                or jammed
                or ledger[world, HITS] >= most_hits
                or not jam_due(tables.W, con, slot, count)
            ):
                break
            jammed = True
            ledger[world, JAMS] += 1.0
        flags, lost = exchange_impulses(plant, work, ledger, world, slot, count)
        rebuild = True
        record_collision(ledger, world, flags, lost)
        if report:
            report_collision(con, touch, ledger, world, slot, count, plant.settings[SET_STEP])
        contact_velocities(plant.trees, plant.order, con, tables.J, vectors.v, BEFORE, slot, count)
    return COMPLETED
