"""Contacts that know of each other: the coupling blocks of W split them into islands, each a collision of its own."""

import math

from carpal._core.compile import kernel, leaf

# columns of a contact's row in `work`; the first four are results
MODE, FLAGS, NORMAL_WORK, FRICTION_WORK = 0, 1, 2, 3
U_BEFORE = 4  # three columns
ISLAND, FORCE, PEAK, MARK, BUDGET, PUSHED = 7, 8, 9, 10, 11, 12
STEP, U_STEP = 13, 16  # three columns each: impulse of an increment, velocity before it
MISSING = 20  # what restitution still owes: work [J], or impulse [N s] with Poisson's rule
NEAR, NEIGHBOURS, MOST_NEIGHBOURS = 19, 21, 44  # how many contacts it is coupled with, itself too (-1: more), and which
WORK_COLUMNS = NEIGHBOURS + MOST_NEIGHBOURS
APART = 1e-14  # coupling that is only rounding, of the contacts' own gains


@leaf
def block(W, slot, i):
    """W_ii as a symmetric matrix (6)."""
    k = 3 * i
    return (
        W[slot, k, k], W[slot, k + 1, k + 1], W[slot, k + 2, k + 2],
        W[slot, k, k + 1], W[slot, k, k + 2], W[slot, k + 1, k + 2],
    )  # fmt: skip


@kernel
def _coupled(W, slot, i, j):
    own = (W[slot, 3 * i, 3 * i] + W[slot, 3 * i + 1, 3 * i + 1] + W[slot, 3 * i + 2, 3 * i + 2]) * (
        W[slot, 3 * j, 3 * j] + W[slot, 3 * j + 1, 3 * j + 1] + W[slot, 3 * j + 2, 3 * j + 2]
    )
    limit = APART * math.sqrt(own)
    for a in range(3):
        for b in range(3):
            if abs(W[slot, 3 * i + a, 3 * j + b]) > limit:
                return True
    return False


@kernel
def mark_islands(W, work, slot, n):
    """Write into work[slot, i, ISLAND] the lowest contact that i is coupled with, over any number of others.

    The contacts that i is coupled with directly are listed from NEIGHBOURS on, as far as there is room.
    """
    for i in range(n):
        work[slot, i, ISLAND] = i
        near = 0
        for j in range(n):
            if j != i and not _coupled(W, slot, max(i, j), min(i, j)):
                continue
            if near >= 0 and near < MOST_NEIGHBOURS:
                work[slot, i, NEIGHBOURS + near] = j
                near += 1
            else:
                near = -1
        work[slot, i, NEAR] = near
    changed = True
    while changed:
        changed = False
        for i in range(n):
            near = int(work[slot, i, NEAR])
            for at in range(near if near >= 0 else n):
                j = neighbour(work, slot, i, near, at)
                a, b = work[slot, i, ISLAND], work[slot, j, ISLAND]
                if a != b and (near >= 0 or j == i or _coupled(W, slot, max(i, j), min(i, j))):
                    work[slot, i, ISLAND] = min(a, b)
                    work[slot, j, ISLAND] = min(a, b)
                    changed = True


@leaf
def neighbour(work, slot, i, near, at):
    """The contact at place `at` of those coupled with i; near: how many are listed, -1: all are gone through."""
    return int(work[slot, i, NEIGHBOURS + at]) if near >= 0 else at


@kernel
def push(W, u, P, work, slot, n, i, d):
    """Apply an impulse d (3) at contact i: its own sum, and the velocities of its whole island."""
    for a in range(3):
        P[slot, 3 * i + a] += d[a]
    near = int(work[slot, i, NEAR])
    for at in range(near if near >= 0 else n):
        j = neighbour(work, slot, i, near, at)
        if work[slot, j, ISLAND] == work[slot, i, ISLAND]:
            for a in range(3):
                k = 3 * j + a
                u[slot, k] += W[slot, k, 3 * i] * d[0] + W[slot, k, 3 * i + 1] * d[1] + W[slot, k, 3 * i + 2] * d[2]


@leaf
def record_hit(work, slot, i, before, after, d, normal, missing, flags):
    """Write down a hit of contact i alone: work of its normal impulse and of its friction, what restitution owes, its flags."""
    gained = 0.0
    for a in range(3):
        gained += 0.5 * (before[a] + after[a]) * d[a]
    work[slot, i, NORMAL_WORK] += normal
    work[slot, i, FRICTION_WORK] += gained - normal
    work[slot, i, MISSING] += abs(missing)
    work[slot, i, FLAGS] = int(work[slot, i, FLAGS]) | flags
