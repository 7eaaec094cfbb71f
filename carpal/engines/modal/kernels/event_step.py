"""The accurate scheme: between events the time stepper is extrapolated to fourth order, events are located by halving.

Within one set of modes a time step is a smooth map, so runs with 1, 2, 3 and 4 parts share one expansion in the step length, and
the Aitken-Neville table cancels its first three terms (Hairer, Norsett, Wanner, "Solving ODEs I", II.9; the expansion of an
implicit Euler step: Deuflhard 1985). It stays implicit, so slip directions, which are stiff at low speed, do not chatter as with
an explicit rule. A part in which a contact changes its law, collides or closes is halved until its length is EVENT; the
time stepper then takes it in one step. A part whose error is too large is halved as well. Gaps of the extrapolated state are
closed, and it is certified itself.
"""

from carpal._core.compile import kernel, leaf
from carpal.contact.kernels.placing import place_shapes
from carpal.engines.modal.kernels.certificate import certify_constraints, certify_state
from carpal.engines.modal.kernels.constraint_basis import close_constraints
from carpal.engines.modal.kernels.contact_rows import contact_rows, contact_velocities
from carpal.engines.modal.kernels.contact_table import BEFORE, CONTACT_COLUMNS
from carpal.engines.modal.kernels.gap_closing import ACCEPTED, close_gaps
from carpal.engines.modal.kernels.ledger import (
    CUTS,
    DISSIPATED,
    EVENTS,
    HITS,
    JAMS,
    LAW_CHANGES,
    LEDGER_COLUMNS,
    LIMIT_ERROR,
    LIMIT_EVENTS,
    NOT_FINITE,
    WORK_IN,
    reach_limit,
)
from carpal.engines.modal.kernels.matching import transfer_contacts
from carpal.engines.modal.kernels.resting import UNKNOWN, reset_rest
from carpal.engines.modal.kernels.time_step import modal_step
from carpal.kinematics.kernels.integrate import integrate

LEVELS = 4
EVENT = 1e-6
"""Share of a step to which an event is located."""
ERROR, SMALLEST, ROUGH = 1e-8, 0.03, 1e-6
"""[m, rad] largest change by the last extrapolation in a part, a bound of its error; share of a step below which a part is not
halved for it; a change beyond ROUGH is a limit."""
MOST_ATTEMPTS = 400
"""Parts and repetitions of a step; after that many the time stepper takes the rest in one step: a limit."""
START = LEVELS  # row of `levels` that holds the state and the ledger at the start


@leaf
def level_width(nq, nv):
    """Columns of `levels`: `q`, `v`, drive work and dissipated energy; then the whole ledger."""
    return nq + nv + 2 + LEDGER_COLUMNS


@kernel
def _keep(levels, row, q, v, ledger, world, slot):
    nq, nv = q.shape[1], v.shape[1]
    for i in range(nq):
        levels[slot, row, i] = q[slot, i]
    for i in range(nv):
        levels[slot, row, nq + i] = v[slot, i]
    levels[slot, row, nq + nv], levels[slot, row, nq + nv + 1] = ledger[world, WORK_IN], ledger[world, DISSIPATED]
    for i in range(LEDGER_COLUMNS):
        levels[slot, row, nq + nv + 2 + i] = ledger[world, i]


@kernel
def _restore(levels, row, q, v, ledger, world, slot):
    nq, nv = q.shape[1], v.shape[1]
    for i in range(nq):
        q[slot, i] = levels[slot, row, i]
    for i in range(nv):
        v[slot, i] = levels[slot, row, nq + i]
    for i in range(LEDGER_COLUMNS):
        ledger[world, i] = levels[slot, row, nq + nv + 2 + i]
    ledger[world, WORK_IN], ledger[world, DISSIPATED] = levels[slot, row, nq + nv], levels[slot, row, nq + nv + 1]


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
def _events(ledger, world):
    """A number that changes with every event."""
    return ledger[world, LAW_CHANGES] + ledger[world, HITS] + ledger[world, CUTS] + ledger[world, JAMS]


@kernel
def _restart(plant, work, accurate, ledger, world, slot, count):
    """Back to the start of this part of the step."""
    vectors, tables, solids = work.vectors, work.tables, plant.solids
    _restore(accurate.levels, START, vectors.q, vectors.v, ledger, world, slot)
    _copy(accurate.saved, tables.con, slot, count)
    place_shapes(
        plant.joints, plant.bodies, solids.shapes, solids.groups, vectors.q, tables.search.placed, slot, slot
    )  # fmt: skip
    reset_rest(vectors.rest, slot, UNKNOWN)


@kernel
def _accept(plant, work, levels, ledger, dt_total, may_repeat, world, slot, count):
    """Take the extrapolated state, close its gaps and certify it; returns (contacts or minus a status, whether to repeat it)."""
    tables, vectors, q, v = work.tables, work.vectors, work.vectors.q, work.vectors.v
    _extrapolate(levels, q.shape[1] + v.shape[1] + 2, slot)
    error = _error(levels, q.shape[1], v.shape[1], dt_total, slot)
    if error > ERROR and may_repeat:
        return count, True
    _restore(levels, LEVELS - 1, q, v, ledger, world, slot)
    if error > ROUGH:
        reach_limit(ledger, world, LIMIT_ERROR)
    for i in range(v.shape[1]):
        vectors.spare[slot, i] = 0.0
    integrate(plant.joints, q, vectors.spare, 0.0, q, slot)  # quaternions to length one
    if plant.ties.constraints.shape[0] > 0:
        certify_constraints(close_constraints(plant, work, slot), ledger, world)
    count, found, outcome = close_gaps(plant, work, dt_total, may_repeat, slot, count)
    if found < 0 or outcome != ACCEPTED:
        return (found if found < 0 else count), True
    reset_rest(vectors.rest, slot, UNKNOWN)
    fresh = tables.fresh
    contact_rows(
        plant.joints, plant.bodies, plant.trees, plant.order, plant.ties.tendons, tables.search.placed, fresh, tables.J,
        slot, found,
    )  # fmt: skip
    contact_velocities(plant.trees, plant.order, fresh, tables.J, v, BEFORE, slot, found)
    certify_state(tables.con, fresh, slot, found, dt_total, ledger, world)
    transfer_contacts(tables.con, fresh, slot, count, found)
    return found, False


@kernel
def _error(levels, nq, nv, dt, slot):
    """What the last extrapolation changed of the state [m, rad]: a bound of the error of what is taken."""
    worst = 0.0
    for i in range(nq + nv):
        change = abs(levels[slot, LEVELS - 1, i] - levels[slot, LEVELS - 2, i])
        if not change < 1e300:
            return 1e300
        worst = max(worst, change if i < nq else dt * change)
    return worst


@kernel
def event_step(plant, accurate, u, ledger, touch, dt_total, dt_last, report, world, slot, count):
    """Advance a world by `dt_total` by extrapolation between events; arguments and results as for `modal_step`.

    accurate: `AccurateWork`.
    """
    work, levels = accurate.step, accurate.levels
    q, v, con = work.vectors.q, work.vectors.v, work.tables.con
    dt_left, part, through, attempts, shortest = dt_total, dt_total, False, 0, EVENT * dt_total
    while dt_left > 1e-12 * dt_total:
        attempts += 1
        part = min(part, dt_left)
        if attempts > MOST_ATTEMPTS and not through:
            reach_limit(ledger, world, LIMIT_EVENTS)
            part, through = dt_left, True
        _keep(levels, START, q, v, ledger, world, slot)
        _copy(con, accurate.saved, slot, count)
        start_count, start_last, repeat = count, dt_last, False
        before = _events(ledger, world)
        for j in range(1 if through else LEVELS):
            if j > 0:
                count, dt_last = start_count, start_last
                _restart(plant, work, accurate, ledger, world, slot, count)
            finest = report and (through or j == LEVELS - 1)
            for _ in range(j + 1):
                count, dt_last = modal_step(
                    plant, work, u, ledger, touch, part / (j + 1), dt_last, finest, world, slot, count
                )
                if count < 0:
                    return count, dt_last
                repeat = repeat or _events(ledger, world) != before
                if repeat:
                    break
            if repeat:
                break
            _keep(levels, j, q, v, ledger, world, slot)
        if through:  # the time stepper has gone through the event, in one step
            ledger[world, EVENTS] += 1.0
            dt_left, through = dt_left - part, False
            part = dt_left
            continue
        if not repeat:
            count, repeat = _accept(
                plant, work, levels, ledger, dt_total, part > SMALLEST * dt_total, world, slot, count
            )  # fmt: skip
            if count < 0:
                return count, dt_last
        if repeat:
            count, dt_last = start_count, start_last
            _restart(plant, work, accurate, ledger, world, slot, count)
            if part > shortest:
                part *= 0.5
            else:
                through = True
            continue
        dt_left -= part
        part = min(dt_left, 2.0 * part)
    return (count if dt_left < dt_total else -NOT_FINITE), dt_last
