"""Mass-weighted projection: corrections of `q` that close the gaps of pressing contacts and hold the tangents of sticking ones.

They never enter `v`, so they add no kinetic energy; and because the tangential rows of sticking contacts are zero, contacts
cannot creep. Separated contacts are corrected only if they overlap.
"""

from carpal._core.compile import kernel
from carpal.engines.modal.kernels.body_solve import factor_bodies, order_trees, solve_bodies
from carpal.engines.modal.kernels.contact_modes import holds
from carpal.engines.modal.kernels.contact_rows import add_impulses
from carpal.engines.modal.kernels.contact_table import (
    ACTIVE,
    BEFORE,
    BLOW,
    BRANCH,
    DUE,
    GAP,
    IMPULSE,
    INCLUDED,
    ISLAND_END,
    ISLAND_FIRST,
    LARGE,
    MATCH,
    MODE,
    MU,
    share_tree,
)
from carpal.engines.modal.kernels.friction_law import HELD
from carpal.spatial.kernels.lu import factor_general, solve_factored

MISSED = 1e-6
"""[m] an unexpected overlap deeper than that makes the step be repeated, shorter."""
FINE = 1e-12
"""[m] gaps that are not corrected: a thousandth of the drift that is allowed. A tenth of it would cost every other step of a
moving hand a third search for contacts."""
CLOSABLE = 1e-4
"""[m] how far a pressing contact may open in a step and be closed again; beyond, it has come apart."""
NEAR = 1e-5
"""[m] how far a gap may be open and still be closed for a hit that is due."""
APART = 1e-7
"""[m] a pressing contact that opens farther within a step has come apart, and is no drift."""
TORN = 5e-10
"""[m] pressing contacts left open farther than that make the step be repeated, shorter."""
_SOFT = 1e-9  # share of the diagonal that is added: redundant gaps agree
_SWEEPS = 300


@kernel
def gaps_to_close(con, fresh, closable, slot, fresh_count):
    """The largest gap or overlap [m] that the projection has to remove; gaps of pressing contacts up to `closable` [m]."""
    worst = 0.0
    for j in range(fresh_count):
        gap, i = fresh[slot, j, GAP], int(fresh[slot, j, MATCH])
        presses = i >= 0 and con[slot, i, INCLUDED] > 0.0 and con[slot, i, IMPULSE + 2] > 0.0
        due = i >= 0 and con[slot, i, DUE] > 0.0 and gap < min(NEAR, closable)
        if (presses and gap <= closable) or due or gap < 0.0:
            worst = max(worst, abs(gap))
    return worst


@kernel
def missed_overlap(con, fresh, slot, fresh_count):
    """Deepest overlap [m] of contacts that were not in the solve."""
    deepest = 0.0
    for j in range(fresh_count):
        i = int(fresh[slot, j, MATCH])
        if i < 0 or (con[slot, i, INCLUDED] == 0.0 and con[slot, i, DUE] == 0.0):
            deepest = max(deepest, -fresh[slot, j, GAP])
    return deepest


@kernel
def left_open(con, fresh, slot, fresh_count):
    """Largest remaining gap [m] of pressing contacts that have not separated."""
    widest = 0.0
    for j in range(fresh_count):
        gap, i = abs(fresh[slot, j, GAP]), int(fresh[slot, j, MATCH])
        if i >= 0 and gap < APART and con[slot, i, INCLUDED] > 0.0 and con[slot, i, IMPULSE + 2] > 0.0:
            widest = max(widest, gap)
    return widest


@kernel
def overlaps_are_new(fresh, slot, fresh_count):
    """Whether a contact overlaps that did not exist at the step's start."""
    deepest = 0.0
    for j in range(fresh_count):
        if fresh[slot, j, MATCH] < 0.0:
            deepest = min(deepest, fresh[slot, j, GAP])
    return deepest < -FINE


@kernel
def _part_islands(con, A, index, slot, m):
    """Zeros where W holds nothing: between rows of contacts of different islands."""
    for i in range(m):
        island = con[slot, int(index[slot, i]) // 4, ISLAND_FIRST]
        for j in range(m):
            if con[slot, int(index[slot, j]) // 4, ISLAND_FIRST] != island:
                A[slot, i, j] = 0.0


@kernel
def project_positions(
    trees, order, W, L, Y, con, fresh, A, x, index, pivots, bodies, step, spare, holding, factored, moved, slot, count,
    fresh_count
):  # fmt: skip
    """Write to `step` (nv) the move of q that closes what `gaps_to_close` saw; returns how many rows that took.

    holding: whether the tangents of sticking contacts are held. factored: rows for which A and `pivots` hold the
    factors; they serve again where the rows are the same ones (W must be, too). 0: none. moved: whether con[BEFORE] holds how
    far contacts move with the correction of couplings and loops, which these rows then make up for.
    """
    for c in range(count):
        for k in range(4):
            con[slot, c, BLOW + k] = 0.0
    m, same = 0, factored > 0
    for j in range(fresh_count):
        i = int(fresh[slot, j, MATCH])
        if i < 0:
            continue
        gap = fresh[slot, j, GAP]
        presses = con[slot, i, INCLUDED] > 0.0 and con[slot, i, IMPULSE + 2] > 0.0
        due = con[slot, i, DUE] > 0.0 and gap < NEAR
        if not ((presses and gap <= CLOSABLE) or gap < 0.0 or due):
            continue
        mode = int(con[slot, i, MODE])
        held = holding and presses and con[slot, i, MU] > 0.0 and holds(mode)
        for k in range(3 if held else 1):
            row = 4 * i + (k + 2) % 3  # the normal first
            same = same and m < factored and index[slot, m] == row
            index[slot, m], x[slot, m] = row, -gap if k == 0 else 0.0
            if moved:
                x[slot, m] -= con[slot, i, BEFORE + row % 4]
            m += 1
    if m == 0:
        return 0
    if count > LARGE:
        return _project_bodies(trees, order, W, L, Y, con, x, index, bodies, step, spare, m, slot, count)
    if not (same and m == factored):
        for i in range(m):
            for j in range(m):
                A[slot, i, j] = W[slot, int(index[slot, i]), int(index[slot, j])]
            A[slot, i, i] *= 1.0 + _SOFT
            if moved:  # a row that the closed mechanism cannot move has no size of its own
                c = 4 * (int(index[slot, i]) // 4)
                A[slot, i, i] += _SOFT * max(W[slot, c, c], max(W[slot, c + 1, c + 1], W[slot, c + 2, c + 2]))
        if int(con[slot, 0, ISLAND_END]) < count:
            _part_islands(con, A, index, slot, m)
        if not factor_general(A, pivots, slot, m):
            return 0
    if not solve_factored(A, pivots, x, slot, m):
        return 0
    for i in range(m):
        row = int(index[slot, i])
        con[slot, row // 4, BLOW + row % 4] = x[slot, i]
    for dof in range(step.shape[1]):
        step[slot, dof] = 0.0
    add_impulses(trees, order, L, con, Y, BLOW, spare, step, slot, count)
    return m


@kernel
def _project_bodies(trees, order, W, L, Y, con, x, index, bodies, step, spare, m, slot, count):
    """The same move in the space of the bodies, for many contacts; returns how many rows that took, 0 if it is singular."""
    for c in range(count):
        con[slot, c, ACTIVE], con[slot, c, BRANCH] = 0.0, HELD
    for i in range(m):
        row = int(index[slot, i])
        con[slot, row // 4, ACTIVE] += 1.0
        con[slot, row // 4, BLOW + row % 4] = x[slot, i]
    at = 0
    for c in range(count):
        if con[slot, c, ACTIVE] > 1.0:
            x[slot, at], x[slot, at + 1] = con[slot, c, BLOW], con[slot, c, BLOW + 1]
            at += 2
        if con[slot, c, ACTIVE] > 0.0:
            x[slot, at] = con[slot, c, BLOW + 2]
            at += 1
    unknowns = order_trees(trees, con, bodies, slot, count)
    if not factor_bodies(trees, W, con, Y, bodies, _SOFT, slot, count, unknowns):
        return 0
    if not solve_bodies(trees, W, con, Y, bodies, x, _SOFT, slot, count, unknowns):
        return 0
    at = 0
    for c in range(count):
        if con[slot, c, ACTIVE] > 1.0:
            con[slot, c, BLOW], con[slot, c, BLOW + 1] = x[slot, at], x[slot, at + 1]
            at += 2
        if con[slot, c, ACTIVE] > 0.0:
            con[slot, c, BLOW + 2] = x[slot, at]
            at += 1
    for dof in range(step.shape[1]):
        step[slot, dof] = 0.0
    add_impulses(trees, order, L, con, Y, BLOW, spare, step, slot, count)
    return m


@kernel
def push_apart(trees, order, W, L, Y, con, fresh, step, spare, slot, count, fresh_count):
    """Write to `step` (nv) a move of q that takes overlaps away and makes no others, to first order; for gaps that contradict.

    Gaps stay or open: 0 <= multiplier, 0 <= gap + W multiplier, one of them zero (projected Gauss-Seidel). Rows of `con` and
    `fresh` are the same contacts here.
    """
    for c in range(count):
        for k in range(4):
            con[slot, c, BLOW + k] = 0.0
    for _ in range(_SWEEPS):
        change = 0.0
        for c in range(fresh_count):
            gap = fresh[slot, c, GAP]
            for d in range(int(con[slot, c, ISLAND_FIRST]), int(con[slot, c, ISLAND_END])):
                if con[slot, d, BLOW + 2] != 0.0 and share_tree(con, slot, c, d):
                    gap += W[slot, 4 * c + 2, 4 * d + 2] * con[slot, d, BLOW + 2]
            new = max(0.0, con[slot, c, BLOW + 2] - gap / max(W[slot, 4 * c + 2, 4 * c + 2], 1e-300))
            change = max(change, abs(new - con[slot, c, BLOW + 2]) * W[slot, 4 * c + 2, 4 * c + 2])
            con[slot, c, BLOW + 2] = new
        if change < 0.1 * FINE:
            break
    for dof in range(step.shape[1]):
        step[slot, dof] = 0.0
    add_impulses(trees, order, L, con, Y, BLOW, spare, step, slot, count)
