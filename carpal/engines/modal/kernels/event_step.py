"""The accurate scheme: between events the time stepper is extrapolated to fourth order, events are located by halving.

Within one set of modes a time step is a smooth map, so runs with 1, 2, 3 and 4 parts have one expansion in the step and
Aitken and Neville's table takes its first three terms away (Hairer, Norsett, Wanner, "Solving ODEs I", II.9; the expansion of an
implicit Euler step: Deuflhard 1985). It stays implicit, so slip directions, which are stiff at low speed, do not chatter as they
do under an explicit rule. A part in which any contact changes its mode, hits or closes is halved until it is EVENT long; the
time stepper goes through the event itself.
"""

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.placing import place_shapes
from carpal.engines.modal.kernels.books import (
    BOOK_COLUMNS,
    CHANGES,
    CUTS,
    DISSIPATED,
    EVENTS,
    HITS,
    JAMS,
    NOT_FINITE,
    WORK_IN,
)
from carpal.engines.modal.kernels.contact_table import CONTACT_COLUMNS, LOCAL, PAIR
from carpal.engines.modal.kernels.detection import find_contacts
from carpal.engines.modal.kernels.matching import hand_over, match_contacts
from carpal.engines.modal.kernels.resting import UNKNOWN, forget_rest
from carpal.engines.modal.kernels.time_step import modal_step
from carpal.kinematics.kernels.integrate import integrate

LEVELS = 4
EVENT = 1e-6
"""Share of a step to which an event is located."""
START = LEVELS  # row of `levels` that holds the state and the books at the beginning


@leaf
def level_width(nq, nv):
    """Columns of `levels`: q, v, two entries of the ledger; then all books."""
    return nq + nv + 2 + BOOK_COLUMNS


@kernel
def _keep(levels, row, q, v, books, world, slot):
    nq, nv = q.shape[1], v.shape[1]
    for i in range(nq):
        levels[slot, row, i] = q[slot, i]
    for i in range(nv):
        levels[slot, row, nq + i] = v[slot, i]
    levels[slot, row, nq + nv], levels[slot, row, nq + nv + 1] = books[world, WORK_IN], books[world, DISSIPATED]
    for i in range(BOOK_COLUMNS):
        levels[slot, row, nq + nv + 2 + i] = books[world, i]


@kernel
def _back(levels, row, q, v, books, world, slot):
    nq, nv = q.shape[1], v.shape[1]
    for i in range(nq):
        q[slot, i] = levels[slot, row, i]
    for i in range(nv):
        v[slot, i] = levels[slot, row, nq + i]
    for i in range(BOOK_COLUMNS):
        books[world, i] = levels[slot, row, nq + nv + 2 + i]
    books[world, WORK_IN], books[world, DISSIPATED] = levels[slot, row, nq + nv], levels[slot, row, nq + nv + 1]


@kernel
def _copy(source, target, slot, count):
    for c in range(count):
        for k in range(CONTACT_COLUMNS):
            target[slot, c, k] = source[slot, c, k]


@kernel
def _extrapolate(levels, width, slot):
    """Aitken-Neville in place; the last row ends up with the highest order."""
    for k in range(1, LEVELS):
        for j in range(LEVELS - 1, k - 1, -1):
            share = 1.0 / ((j + 1.0) / (j + 1.0 - k) - 1.0)
            for i in range(width):
                levels[slot, j, i] += share * (levels[slot, j, i] - levels[slot, j - 1, i])


@leaf
def _events(books, world):
    """A number that changes with every event."""
    return books[world, CHANGES] + books[world, HITS] + books[world, CUTS] + books[world, JAMS]


@kernel
def _begin_again(plant, tables, q, v, rest, levels, saved, books, world, slot, count):
    """Back to where this part of the step began."""
    _back(levels, START, q, v, books, world, slot)
    _copy(saved, tables.con, slot, count)
    solids = plant.solids
    place_shapes(plant.joints, plant.bodies, solids.shapes, solids.groups, q, tables.search.placed, slot, slot)
    forget_rest(rest, slot, UNKNOWN)


@kernel
def event_step(
    plant, tables, vectors, saved, levels, robots, whole, u, target, last, report, touch, books, world, slot, count
):
    """One step of length `whole` by extrapolation between events; arguments and answer as of `modal_step`."""
    q, v, con, solids, search = vectors.q, vectors.v, tables.con, plant.solids, tables.search
    left, part, through = whole, whole, False
    while left > 1e-12 * whole:
        part = min(part, left)
        _keep(levels, START, q, v, books, world, slot)
        _copy(con, saved, slot, count)
        start_count, start_last, eventful = count, last, False
        before = _events(books, world)
        for j in range(1 if through else LEVELS):
            if j > 0:
                count, last = start_count, start_last
                _begin_again(plant, tables, q, v, vectors.rest, levels, saved, books, world, slot, count)
            for k in range(j + 1):
                first = report and left == whole and k == 0
                count, last = modal_step(
                    plant,
                    tables,
                    vectors,
                    robots,
                    part / (j + 1),
                    u,
                    target,
                    last,
                    first,
                    touch,
                    books,
                    world,
                    slot,
                    count,
                )
                if count < 0:
                    return count, last
                eventful = eventful or _events(books, world) != before
                if eventful:
                    break
            if eventful:
                break
            _keep(levels, j, q, v, books, world, slot)
        if through:  # the time stepper has gone through the event, in one step
            books[world, EVENTS] += 1.0
            left, through = left - part, False
            part = left
            continue
        if eventful:
            count, last = start_count, start_last
            _begin_again(plant, tables, q, v, vectors.rest, levels, saved, books, world, slot, count)
            if part > EVENT * whole:
                part *= 0.5
            else:
                through = True
            continue
        _extrapolate(levels, q.shape[1] + v.shape[1] + 2, slot)
        _back(levels, LEVELS - 1, q, v, books, world, slot)
        for i in range(v.shape[1]):
            vectors.spare[slot, i] = 0.0
        integrate(plant.joints, q, vectors.spare, 0.0, q, slot)  # quaternions to length one
        found = find_contacts(
            plant.joints, plant.bodies, solids.shapes, solids.groups, solids.blocks, solids.pairs, solids.points,
            solids.surfaces, plant.owner, plant.trees, plant.order, plant.dofs, q, v, whole, vectors.by_tree.speeds,
            search.placed, search.pair_work, search.spots, tables.fresh, slot,
        )  # fmt: skip
        if found < 0:
            return found, last
        forget_rest(vectors.rest, slot, UNKNOWN)
        match_contacts(con, PAIR, LOCAL, count, tables.fresh, slot, found)
        hand_over(con, tables.fresh, slot, count, found)
        count = found
        left -= part
        part = left
    return (count if left < whole else -NOT_FINITE), last
