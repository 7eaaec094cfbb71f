"""Several collisions at the same time: equally stiff springs at all contacts, followed in the limit of infinite stiffness.

While bodies do not move noticeably, contact i has a normal force f with f' = -k u_n in compression and -(k / e^2) u_n in
restitution, which is Stronge's rule for each contact: it gives back e^2 of the work that it took. Only the ratio of stiffnesses
matters; it is one here. This is the law of Liu, Zhao and Brogliato (2008) with equal stiffness, with Coulomb friction
for every increment. Contacts at rest take part, so they are held as far as they can be, without pulling and within their
cones, and momentum is conserved (Chan 1998 propagates velocities instead, which loses momentum: E21). Poisson's
rule counts impulses instead of works. Leapfrog in time, friction in halves before and after: second order.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.impact import POISSON
from carpal.engines.modal.kernels.impact_islands import (
    BUDGET,
    FORCE,
    FRICTION_WORK,
    ISLAND,
    MARK,
    MISSING,
    NEAR,
    NORMAL_WORK,
    PEAK,
    PUSHED,
    STEP,
    U_STEP,
    block,
    neighbour,
    push,
)  # fmt: skip
from carpal.engines.modal.kernels.impact_stick import stick_ratio

STEP_ANGLE = 0.02  # [rad] of the fastest vibration in one step
MOST_STEPS = 20_000
FEW = 6  # contacts of an island that are followed with that angle; it grows with more of them, up to COARSEST times
COARSEST = 10.0
SOFTEST = 0.05  # restitution below this unloads as fast as this; the work that it gives back is still its own


@leaf
def _friction(K, x, z, limit):
    """Tangential impulse (2) of one increment on a slip (x, z): it stops the slip if `limit` suffices."""
    px, pz = stick_ratio((K[0], K[1], K[2], K[3], x, z))
    if px * px + pz * pz <= limit * limit:
        return px, pz
    s = math.sqrt(x * x + z * z)
    half = 0.5 * limit / s  # against the slip in the middle of the increment
    mx, mz = x - half * (K[0] * x + K[3] * z), z - half * (K[3] * x + K[1] * z)
    length = math.sqrt(mx * mx + mz * mz)
    if not length > 0.0:
        mx, mz, length = x, z, s
    return -limit * mx / length, -limit * mz / length


@kernel
def _rub(W, u, mu, P, work, slot, n, i):
    """Half of an increment's friction at contact i."""
    limit = 0.5 * mu[slot, i] * work[slot, i, STEP + 2]
    if limit > 0.0:
        x, z = _friction(block(W, slot, i), u[slot, 3 * i], u[slot, 3 * i + 1], limit)
        work[slot, i, STEP] += x
        work[slot, i, STEP + 1] += z
        push(W, u, P, work, slot, n, i, (x, z, 0.0))


@kernel
def _force(u, e, work, slot, i, since):
    """The spring's force at contact i in the middle of the next increment, `since` after the middle of the last one.

    Below zero it is the gap that has opened, which must close before there is a force again.
    """
    un, force = u[slot, 3 * i + 2], work[slot, i, FORCE]
    if un > 0.0 and force > 0.0:
        soft = max(e[slot, i], SOFTEST)
        return max(force - un * since / (soft * soft), 0.0)
    return force - un * since


@kernel
def _close_gaps(u, work, slot, n, island, least, half):
    """While no spring is loaded nothing changes but the gaps: let the time pass until the first one closes.

    The forces are those in the middle of the last increment, `half` an increment ago.
    """
    wait = math.inf
    for i in range(n):
        if work[slot, i, ISLAND] == island:
            un = u[slot, 3 * i + 2]
            force = work[slot, i, FORCE] - un * half
            if force > 0.0 or work[slot, i, BUDGET] > 0.0:
                return False
            if un < -least:
                wait = min(wait, force / un)
    if not 0.0 < wait < math.inf:
        return False
    for i in range(n):
        if work[slot, i, ISLAND] == island:
            force = work[slot, i, FORCE] - u[slot, 3 * i + 2] * (half + wait)
            work[slot, i, FORCE] = min(force, 0.0)
    return True


@kernel
def _fastest(W, work, slot, n, island):
    """A bound for the fastest vibration of an island's springs of unit stiffness [rad/s]."""
    bound = 0.0
    for i in range(n):
        if work[slot, i, ISLAND] == island:
            row, near = 0.0, int(work[slot, i, NEAR])
            for at in range(near if near >= 0 else n):
                j = neighbour(work, slot, i, near, at)
                if work[slot, j, ISLAND] == island:
                    row += abs(W[slot, 3 * i + 2, 3 * j + 2])
            bound = max(bound, row)
    return math.sqrt(bound)


@kernel
def _plan(W, u, e, work, slot, i, dt, since, law, slow, least):
    """Set work[slot, i, STEP + 2], the normal impulse of the coming increment, and turn compression into restitution."""
    un = u[slot, 3 * i + 2]
    if un < -least:
        if work[slot, i, PUSHED] == 0.0:
            work[slot, i, PUSHED] = 1.0
            work[slot, i, MARK] = 0.0
        work[slot, i, FORCE] = _force(u, e, work, slot, i, since)
        work[slot, i, STEP + 2] = max(work[slot, i, FORCE], 0.0) * dt
        return
    if work[slot, i, PUSHED] == 1.0:
        work[slot, i, PUSHED] = 0.0
        work[slot, i, PEAK] = work[slot, i, FORCE]
        taken = work[slot, i, MARK]
        back = e[slot, i]
        # a compression as weak as that of a slow approach gives nothing back
        weak = (
            2.0 * W[slot, 3 * i + 2, 3 * i + 2] * taken
            if law != POISSON
            else (W[slot, 3 * i + 2, 3 * i + 2] * taken) ** 2
        )
        if weak < slow * slow and not work[slot, i, BUDGET] > 0.0:
            back = 0.0
        owed = (back if law == POISSON else back * back) * taken
        work[slot, i, BUDGET] += owed
        work[slot, i, MISSING] += owed
    budget = work[slot, i, BUDGET]
    if not budget > 0.0:
        work[slot, i, FORCE] = min(work[slot, i, FORCE] - un * since, 0.0)
        work[slot, i, STEP + 2] = 0.0
        return
    left, soft = budget, max(e[slot, i], SOFTEST)
    if law == POISSON:
        force = _force(u, e, work, slot, i, since)
        if not force > 0.0:
            force = 0.02 * work[slot, i, PEAK]  # what is left when the spring is relaxed is given back too
    else:
        # from the energy that the spring still holds, so that both end together
        force = math.sqrt(2.0 * budget) / soft - 0.5 * un * dt / (soft * soft)
        left = budget / un if un > 0.0 else math.inf
    p = force * dt
    work[slot, i, FORCE] = force
    if p >= left or not force > 0.0:
        p = left
        work[slot, i, BUDGET] = 0.0
        # the spring is relaxed within this increment: from then on the gap opens
        work[slot, i, FORCE] = 0.0 if law == POISSON else math.sqrt(2.0 * budget) * soft - 0.5 * un * dt
    work[slot, i, STEP + 2] = p


@kernel
def _whole_part(W, u, work, slot, n, island, least):
    """The part of the coming increment after which the first compression ends in it; 1 if none does."""
    part = 1.0
    for i in range(n):
        if work[slot, i, ISLAND] == island and u[slot, 3 * i + 2] < -least:
            un, gain, near = u[slot, 3 * i + 2], 0.0, int(work[slot, i, NEAR])
            for at in range(near if near >= 0 else n):
                j = neighbour(work, slot, i, near, at)
                if work[slot, j, ISLAND] == island:
                    gain += W[slot, 3 * i + 2, 3 * j + 2] * work[slot, j, STEP + 2]
            if un + part * gain > 0.0:
                part = -un / gain
    return part


@kernel
def _record(u, work, slot, i, law):
    """Write down what the increment took or gave at contact i."""
    p = work[slot, i, STEP + 2]
    normal = 0.5 * (work[slot, i, U_STEP + 2] + u[slot, 3 * i + 2]) * p
    work[slot, i, NORMAL_WORK] += normal
    for a in range(2):
        work[slot, i, FRICTION_WORK] += 0.5 * (work[slot, i, U_STEP + a] + u[slot, 3 * i + a]) * work[slot, i, STEP + a]
    if work[slot, i, PUSHED] == 1.0:
        work[slot, i, MARK] += p if law == POISSON else -normal
        return
    given = p if law == POISSON else normal
    work[slot, i, MISSING] -= given
    if work[slot, i, BUDGET] > 0.0:
        work[slot, i, BUDGET] = max(work[slot, i, BUDGET] - given, 0.0)


@kernel
def hit_together(W, u, mu, e, P, work, slot, n, island, members, law, slow, least):
    """Collide the contacts of an island at the same time; True when none approaches faster than `least` [m/s] any more."""
    coarser = min(max(members / FEW, 1.0), COARSEST)
    total = coarser * STEP_ANGLE / _fastest(W, work, slot, n, island)
    for i in range(n):
        if work[slot, i, ISLAND] == island:
            work[slot, i, FORCE] = 0.0
            work[slot, i, MARK] = 0.0  # taken in this compression: work, or impulse
            work[slot, i, BUDGET] = 0.0  # still to be given back
            work[slot, i, PUSHED] = 0.0  # 1 in compression
    last = 0.0
    for _ in range(MOST_STEPS // int(coarser)):
        dt, busy = total, False
        for i in range(n):
            if work[slot, i, ISLAND] == island:
                un = u[slot, 3 * i + 2]
                busy = busy or un < -least or work[slot, i, BUDGET] > 0.0 or work[slot, i, FORCE] > 0.0
                if un > 0.0 and work[slot, i, FORCE] > 0.0 and e[slot, i] > 0.0:
                    dt = min(dt, total * max(e[slot, i], SOFTEST))
        if not busy:
            return True
        if _close_gaps(u, work, slot, n, island, least, 0.5 * last):
            last = 0.0
        for i in range(n):
            if work[slot, i, ISLAND] == island:
                work[slot, i, STEP + 2] = max(_force(u, e, work, slot, i, 0.5 * (last + dt)), 0.0) * dt
        # the end of a compression must not be passed: once for the length of the increment, once to be exact
        dt *= _whole_part(W, u, work, slot, n, island, least)
        for i in range(n):
            if work[slot, i, ISLAND] == island:
                for a in range(3):
                    work[slot, i, STEP + a] = 0.0
                    work[slot, i, U_STEP + a] = u[slot, 3 * i + a]
                _plan(W, u, e, work, slot, i, dt, 0.5 * (last + dt), law, slow, least)
        part = _whole_part(W, u, work, slot, n, island, least)
        last = dt
        for i in range(n):
            if work[slot, i, ISLAND] == island:
                work[slot, i, STEP + 2] *= part
        for i in range(n):
            if work[slot, i, ISLAND] == island:
                _rub(W, u, mu, P, work, slot, n, i)
        for i in range(n):
            if work[slot, i, ISLAND] == island and work[slot, i, STEP + 2] > 0.0:
                push(W, u, P, work, slot, n, i, (0.0, 0.0, work[slot, i, STEP + 2]))
        for i in range(n - 1, -1, -1):
            if work[slot, i, ISLAND] == island:
                _rub(W, u, mu, P, work, slot, n, i)
        for i in range(n):
            if work[slot, i, ISLAND] == island:
                _record(u, work, slot, i, law)
    return False
