"""Several collisions one after the other: always the fastest approach next, each by itself as `impact` does it.

The law of Newton's cradle. Order matters by its nature; the fastest approach goes first, of equal ones the lowest number.
Momentum is conserved and no hit gains energy. Approaches slower than `slow` are taken without restitution, and so is everything
after half of the hits, so that a sequence without end (a box that rattles on its corners) comes to rest.
"""

from carpal._core.compile import kernel
from carpal.engines.modal.kernels.impact import UNFINISHED, hit_contact
from carpal.engines.modal.kernels.impact_islands import ISLAND, block, push, record_hit
from carpal.engines.modal.kernels.impact_painleve import painleve_margin

MOST_HITS, MOST_OF_MANY = 800, 6000  # for each contact of an island; for all together
RESTING = 1e-6  # [m/s] of parting that counts as rest where friction jams


@kernel
def _fastest_approach(W, u, work, slot, n, island, least):
    """(contact, its speed) that approaches fastest, if faster than `least`; -1 if none does."""
    worst, speed = -1, least
    for i in range(n):
        if work[slot, i, ISLAND] == island and -u[slot, 3 * i + 2] > speed and W[slot, 3 * i + 2, 3 * i + 2] > 0.0:
            worst, speed = i, -u[slot, 3 * i + 2]
    return worst, speed


@kernel
def _jammed(W, u, mu, work, slot, n, island):
    """A sliding contact at rest in Painleve's paradox: an impact without approach; -1 if there is none."""
    for i in range(n):
        k = 3 * i
        if work[slot, i, ISLAND] == island and u[slot, k + 2] <= RESTING:
            v = (u[slot, k], u[slot, k + 1], 0.0)
            if painleve_margin(block(W, slot, i), v, mu[slot, i]) < 0.0:
                return i
    return -1


@kernel
def hit_in_sequence(W, u, mu, e, P, work, slot, n, island, law, slow, least):
    """Collide the contacts of an island one after the other until none approaches faster than `least` [m/s].

    If none does at the start, friction that jams is resolved. A `slow` that is infinite takes every hit without restitution.
    Returns the flags of all hits together.
    """
    members, flags = 0, 0
    for i in range(n):
        if work[slot, i, ISLAND] == island:
            members += 1
    most = min(MOST_HITS * members, MOST_OF_MANY)
    for hit in range(most):
        worst, speed = _fastest_approach(W, u, work, slot, n, island, least)
        if worst < 0 and hit == 0:
            worst, speed = _jammed(W, u, mu, work, slot, n, island), slow
        if worst < 0:
            return flags
        k = 3 * worst
        v = (u[slot, k], u[slot, k + 1], min(u[slot, k + 2], 0.0))
        back = e[slot, worst] if speed >= slow and hit < most // 2 else 0.0
        d, after, _, marks, normal, _, missing = hit_contact(
            block(W, slot, worst), v, mu[slot, worst], back, law, work, slot, 0
        )  # fmt: skip
        push(W, u, P, work, slot, n, worst, d)
        record_hit(work, slot, worst, v, after, d, normal, missing, marks)
        flags |= marks
        if not d[2] > 0.0:
            return flags | UNFINISHED  # nothing can be done here any more
    return flags | UNFINISHED
