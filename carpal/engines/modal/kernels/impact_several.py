"""Collisions at any number of contacts: islands apart, one contact by Routh's equations, several by a named law.

SIMULTANEOUS (the default; `impact_springs`) keeps symmetry; SEQUENTIAL (`impact_sequence`) is Newton's cradle. What
approach either leaves is taken off by hits without restitution. No collision gains energy: if rounding, steps of finite length or
Poisson's rule would, all impulses are shortened to the energy-neutral ones and the flag CLAMPED is set (E19).
"""

import math

from carpal._core.compile import entry, kernel
from carpal.engines.modal.kernels.contact_modes import FREE, SLIDE, STICK
from carpal.engines.modal.kernels.impact import CLAMPED, POISSON
from carpal.engines.modal.kernels.impact_islands import (
    FLAGS,
    FRICTION_WORK,
    ISLAND,
    MISSING,
    MODE,
    NEAR,
    NORMAL_WORK,
    U_BEFORE,
    mark_islands,
    neighbour,
)  # fmt: skip
from carpal.engines.modal.kernels.impact_sequence import hit_in_sequence
from carpal.engines.modal.kernels.impact_springs import hit_together

SIMULTANEOUS, SEQUENTIAL = 0, 1
MANY, ENOUGH = 12, 0.05  # contacts of an island beyond which approaches below that share of `slow` are left
LEFT = 1e-10  # approach that counts as none, of the fastest before
GAIN = 1e-6  # energy that steps of finite length may gain before they are cut, of what was exchanged


@kernel
def _refresh(W, u, P, work, slot, n, island):
    """Velocities of an island from its impulses, without the rounding of many increments."""
    for i in range(n):
        if work[slot, i, ISLAND] != island:
            continue
        near = int(work[slot, i, NEAR])
        for a in range(3):
            total = work[slot, i, U_BEFORE + a]
            for at in range(near if near >= 0 else n):
                j = neighbour(work, slot, i, near, at)
                if work[slot, j, ISLAND] == island:
                    for b in range(3):
                        total += W[slot, 3 * i + a, 3 * j + b] * P[slot, 3 * j + b]
            u[slot, 3 * i + a] = total


@kernel
def _clamp(u, P, work, slot, n, island, law):
    """Shorten impulses that would gain energy; True if they would by more than the steps' finite length explains."""
    linear, gained = 0.0, 0.0
    for i in range(n):
        if work[slot, i, ISLAND] == island:
            for a in range(3):
                before, p = work[slot, i, U_BEFORE + a], P[slot, 3 * i + a]
                linear += before * p
                gained += 0.5 * (before + u[slot, 3 * i + a]) * p
    if not gained > 0.0:
        return False
    factor = -linear / (gained - linear)  # the energy is linear f + (gained - linear) f^2
    for i in range(n):
        if work[slot, i, ISLAND] == island:
            for a in range(3):
                P[slot, 3 * i + a] *= factor
            cut = (
                (1.0 - factor) * P[slot, 3 * i + 2]
                if law == POISSON
                else (1.0 - factor * factor) * work[slot, i, NORMAL_WORK]
            )
            work[slot, i, MISSING] = abs(work[slot, i, MISSING]) + abs(cut)
            work[slot, i, NORMAL_WORK] *= factor * factor
            work[slot, i, FRICTION_WORK] *= factor * factor
    return gained > GAIN * abs(linear)


@kernel
def _hit_island(W, u, mu, e, P, work, slot, n, island, members, law, several, slow):
    """Collide one island; returns its flags."""
    speed, approaches, flags = 0.0, False, 0
    for i in range(n):
        if work[slot, i, ISLAND] == island:
            k = 3 * i
            speed = max(speed, max(max(abs(u[slot, k]), abs(u[slot, k + 1])), abs(u[slot, k + 2])))
            approaches = approaches or u[slot, k + 2] < 0.0
    least = LEFT * speed
    if approaches and members > 1 and several == SIMULTANEOUS:
        hit_together(W, u, mu, e, P, work, slot, n, island, members, law, slow, least)
        _refresh(W, u, P, work, slot, n, island)
        if _clamp(u, P, work, slot, n, island, law):
            flags |= CLAMPED
        _refresh(W, u, P, work, slot, n, island)
        if members > MANY:
            least = max(least, ENOUGH * slow)
        slow = math.inf  # what is left of approaches is taken off without restitution
    flags |= hit_in_sequence(W, u, mu, e, P, work, slot, n, island, law, slow, least)
    _refresh(W, u, P, work, slot, n, island)
    return flags


@kernel
def hit_contacts(W, u, mu, e, P, work, slot, n, law, several, slow):
    """Collide n touching contacts; returns the flags of all of them together.

    Args:
        W: [slot, 3 n, 3 n] velocities gained per impulse [1/kg], symmetric; each contact has (t1, t2, n).
        u: [slot, 3 n] velocities of B relative to A [m/s]: before, and then after.
        mu, e: [slot, n] friction and restitution.
        P: [slot, 3 n] impulses on B [N s], written.
        work: [slot, n, WORK_COLUMNS]; of each contact its mode after, its flags, the work of its normal impulse and
            of its friction [J] are in the first four columns.
        law: STRONGE or POISSON. several: SIMULTANEOUS or SEQUENTIAL.
        slow: approaches slower than this end without restitution [m/s].
    """
    for i in range(n):
        for a in range(3):
            P[slot, 3 * i + a] = 0.0
            work[slot, i, U_BEFORE + a] = u[slot, 3 * i + a]
        work[slot, i, FLAGS] = 0.0
        work[slot, i, MISSING] = 0.0
        work[slot, i, NORMAL_WORK] = 0.0
        work[slot, i, FRICTION_WORK] = 0.0
    mark_islands(W, work, slot, n)
    flags = 0
    for island in range(n):
        members = 0
        for i in range(n):
            if work[slot, i, ISLAND] == island:
                members += 1
        if members > 0:
            flags |= _hit_island(W, u, mu, e, P, work, slot, n, island, members, law, several, slow)
    for i in range(n):
        k = 3 * i
        slip = math.sqrt(u[slot, k] * u[slot, k] + u[slot, k + 1] * u[slot, k + 1])
        scale = abs(u[slot, k + 2])
        for a in range(3):
            scale = max(scale, abs(work[slot, i, U_BEFORE + a]))
        work[slot, i, MODE] = FREE if not P[slot, k + 2] > 0.0 else SLIDE if slip > 1e-9 * scale else STICK
    return flags


@entry
def impacts_batch(
    law, several, slow, W, u, mu, e, after, P, contacts, flags, W_slot, v, m, r, p, work, start, stop, stride, slot
):
    """W (worlds, 3 n, 3 n), u (worlds, 3 n), mu, e (worlds, n) -> after, P (worlds, 3 n), contacts (worlds, n, 4), flags."""
    n = mu.shape[1]
    for world in range(start, stop, stride):
        for i in range(3 * n):
            v[slot, i] = u[world, i]
            for j in range(3 * n):
                W_slot[slot, i, j] = W[world, i, j]
        for i in range(n):
            m[slot, i], r[slot, i] = mu[world, i], e[world, i]
        flags[world, 0] = hit_contacts(W_slot, v, m, r, p, work, slot, n, law, several, slow)
        for i in range(3 * n):
            after[world, i], P[world, i] = v[slot, i], p[slot, i]
        for i in range(n):
            for a in range(4):
                contacts[world, i, a] = work[slot, i, a]
    return 0
