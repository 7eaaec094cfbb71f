"""All contacts of a world at once: semismooth Newton on the law of `friction_law.py` (Alart and Curnier 1991).

Rows of contacts that press: stick and normal rows ask for their velocity, sliding rows for r_t = mu r_n t / |t|. Contacts
that are apart have no rows. W may be singular (a block on four corners, a finger at full stretch): only the Newton matrix gets
1e-9 of W's diagonal, the residual is taken with W itself, so redundant contacts carry their load without any
compliance. The first guess is the step before, and the null-space part of indeterminate forces stays as it was.
"""

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.body_solve import order_trees
from carpal.engines.modal.kernels.contact_table import (
    IMPULSE,
    INCLUDED,
    LARGE,
    STRETCH,
    WORKED,
)
from carpal.engines.modal.kernels.friction_law import (
    impulse_scale,
    law_residual,
    projected,
    trial,
    velocities_under,
)
from carpal.engines.modal.kernels.newton_matrix import factor_newton, mark_branches, right_side, solve_newton
from carpal.engines.modal.kernels.sweep_solve import sweep

GOOD = 1e-13
"""Residual with which a first guess is kept, unless the step before had to iterate.

Impulses of such a step also take away velocities that had come up; as a guess they are off by as much, and accepted
would bring the velocities back: every other step would have to iterate. Solved once more, contacts at rest stay at rest.
"""
TOLERANCE = 1e-14
"""Residual, relative to the largest impulse, at which iterating stops."""
ACCEPTED = 1e-11
"""Residual with which a step is still accepted without another round."""
STEADY = 0.03
"""Share of the residual that a Newton step may leave and be followed by one with the same factors."""
ITERATIONS = 16
ROUNDS = 27
STEERED, SEARCHED, SHORTEST = 20, 10, 1e-2
"""Newton steps of a round whose softening follows the residual; of one that also shortens them; the shortest share of a step."""
STRETCHES = (1.0, 10.0, 0.1)
"""Steps of the projections that these rounds take in turns: another step has other branches, and other cycles."""
MOST_NEWTON, MOST_OF_MANY = 400, 150
"""Newton steps of one solve, and of one of more than LARGE contacts; one that does not settle ends with its best impulses, whose
residual the certificate shows."""
_SOFT = 1e-9  # share of W's diagonal that the Newton matrix gets; a hundred times more after each sweep, up to 1e-3


@leaf
def _part_apart(W, con, slot, count):
    """Contacts that come apart lose their impulses; whether there was one."""
    changed = False
    for c in range(count):
        presses = con[slot, c, INCLUDED] > 0.0 and con[slot, c, IMPULSE + 2] != 0.0
        if presses and trial(W, con, slot, c)[2] <= 0.0:
            for k in range(4):
                con[slot, c, IMPULSE + k] = 0.0
            changed = True
    return changed


@leaf
def _step_by(con, x, index, share, slot, m):
    """Add a share of the Newton step x to the impulses."""
    for i in range(m):
        row = int(index[slot, i])
        con[slot, row // 4, IMPULSE + row % 4] += share * x[slot, i]


@kernel
def _newton(
    trees, W, con, A, Y, x, index, best, pivots, bodies, unknowns, good, soft, steer, stretch, search, most, least,
    slot, count,
):  # fmt: skip
    """Iterate from the present impulses; ends with the best ones, which are in `best`. Returns (residual / scale, iterations).

    While it converges well and no contact changes its branch, the factors of the step before serve again.

    steer: softening as a share of the residual, where that is above `soft` (Levenberg-Marquardt): Newton's method converges so
        even where solutions are not isolated or lie on the border of two branches, and goes round there without it.
    stretch: steps of the projections beside the usual ones.
    search: whether steps are halved until the residual falls.
    least: residual / scale of what is in `best`.
    """
    velocities_under(W, con, slot, count)
    spent, poor, m, well, softer = 0, 0, 0, False, soft
    _stretch(con, 1.0, slot, count)
    true, scale = law_residual(W, con, slot, count)
    if true < least * scale or scale == 0.0:
        least = true / scale if scale > 0.0 else 0.0
        _store(con, best, slot, count)
    if true <= good * scale:
        return least, 0
    _stretch(con, stretch, slot, count)
    worst, scale = law_residual(W, con, slot, count)
    lowest = worst
    while spent < most and worst > TOLERANCE * scale:
        if _part_apart(W, con, slot, count):
            velocities_under(W, con, slot, count)
        same = mark_branches(W, con, slot, count)
        if not (same and well):
            softer = max(soft, steer * worst / scale)
            m = factor_newton(trees, W, con, A, Y, index, pivots, bodies, unknowns, softer, slot, count)
            if m < 0:
                break
        right_side(W, con, x, index, slot, m)
        if not solve_newton(trees, W, con, A, Y, x, index, pivots, bodies, unknowns, softer, slot, m, count):
            break
        before, share = worst, 1.0
        _step_by(con, x, index, 1.0, slot, m)
        velocities_under(W, con, slot, count)
        worst, scale = law_residual(W, con, slot, count)
        while search and share > SHORTEST and not worst < (1.0 - 0.1 * share) * before:
            share *= 0.5
            _step_by(con, x, index, -share, slot, m)
            velocities_under(W, con, slot, count)
            worst, scale = law_residual(W, con, slot, count)
        well = worst < STEADY * before
        spent += 1
        if worst < lowest:
            poor = 0 if worst < 0.5 * lowest else poor + 1
            lowest = worst
        else:
            poor += 1
        true = worst
        if stretch != 1.0:
            _stretch(con, 1.0, slot, count)
            true, scale = law_residual(W, con, slot, count)
            _stretch(con, stretch, slot, count)
        if true < least * scale:
            least = true / scale
            _store(con, best, slot, count)
        if poor >= (2 if least <= ACCEPTED else most // 2 if steer == 0.0 else most):
            break
    _stretch(con, 1.0, slot, count)
    _recall(con, best, slot, count)
    return least, spent


@leaf
def _stretch(con, stretch, slot, count):
    """Projections of the contact law take steps that are so much longer."""
    for c in range(count):
        con[slot, c, STRETCH] = stretch - 1.0


@leaf
def _store(con, best, slot, count):
    for c in range(count):
        for k in range(4):
            best[slot, 4 * c + k] = con[slot, c, IMPULSE + k]


@leaf
def _recall(con, best, slot, count):
    for c in range(count):
        for k in range(4):
            con[slot, c, IMPULSE + k] = best[slot, 4 * c + k]


@leaf
def onto_cone(con, slot, c):
    """Cut an impulse to its cone: rounding must not leave it outside."""
    t = (con[slot, c, IMPULSE], con[slot, c, IMPULSE + 1], con[slot, c, IMPULSE + 2], con[slot, c, IMPULSE + 3])
    r = projected(con, slot, c, t)
    for k in range(4):
        con[slot, c, IMPULSE + k] = r[k]


@kernel
def solve_contacts(trees, W, con, A, Y, x, index, best, pivots, bodies, slot, count):
    """Impulses of all contacts that take part, from their present ones; returns (relative residual, Newton steps).

    AFTER is not kept: J v of the new velocity is the truth.

    Where Newton's method does not settle it goes on with a softening that follows the residual, then also with shorter steps, and
    at last from sweeps contact by contact; in turns.
    """
    soft, sweeps, good, most = _SOFT, 20, GOOD, MOST_NEWTON
    for c in range(count):
        if con[slot, c, WORKED] > 0.0:
            good = TOLERANCE
    unknowns = order_trees(trees, con, bodies, slot, count) if count > LARGE else 0
    if unknowns > 0:
        most = MOST_OF_MANY
    least, spent = _newton(
        trees, W, con, A, Y, x, index, best, pivots, bodies, unknowns, good, soft, 0.0, 1.0, False, ITERATIONS,
        1e300, slot, count,
    )  # fmt: skip
    for turn in range(ROUNDS):
        if least <= ACCEPTED or spent >= most:
            break
        if turn % 3 < 2:
            search = turn % 3 == 1
            least, more = _newton(
                trees, W, con, A, Y, x, index, best, pivots, bodies, unknowns, good, _SOFT, 1.0, STRETCHES[turn // 3 % 3],
                search, SEARCHED if search else STEERED, least, slot, count,
            )  # fmt: skip
        else:
            scale, largest = impulse_scale(W, con, slot, count)
            if largest > scale:  # ran away along directions that move nothing: from rest, then
                for c in range(count):
                    for k in range(4):
                        con[slot, c, IMPULSE + k] = 0.0
            for _ in range(sweeps):
                sweep(W, con, slot, count)
            sweeps, soft = 2 * sweeps, min(100.0 * soft, 1e-3)
            least, more = _newton(
                trees, W, con, A, Y, x, index, best, pivots, bodies, unknowns, good, soft, 0.0, 1.0, False,
                2 * ITERATIONS, least if unknowns > 0 else 1e300, slot, count,
            )  # fmt: skip
        spent += more
    for c in range(count):
        con[slot, c, WORKED] = 1.0 if spent > 0 else 0.0
        if con[slot, c, INCLUDED] > 0.0:
            onto_cone(con, slot, c)
    return least, spent
