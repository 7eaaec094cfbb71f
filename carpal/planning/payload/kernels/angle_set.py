"""The angles that a turning payload may have, carried from one configuration to the next (Leutenegger 2008, section 7.5.2).

The circle is cut into cells (erratum E9); a cell holds an interval in which the payload may rest (1), or it may only be passed
(2), or it is empty (0). From one sample to the next, for gravity g0 and g1 seen in the gripper's frame:

1. what was passing may have come to rest wherever friction up to the upper bound can hold it;
2. what rests and cannot surely be held by the lower friction may start; what not even the upper friction holds surely has;
3. what starts passes everything between its place and the gravity direction, and beyond it as far as its energy allows
   after the least friction's work; what has crossed keeps its energy, less friction's work in every half swing, plus what
   the turning of gravity adds.

The published method stops the swing at gravity and forgets it after one sample: then a real payload leaves the set. PUBLISHED = 1
does that.
Erratum E19: where nothing could rest, all that was passing may, so that the payload is never lost.

Energies are per (mass x arm of the centre of mass) [m/s^2]: V(phi) = - g . u(phi). A half swing takes a bounded time, because
outside of where friction could hold it the weight wins by SLACK at least, and it crosses the zone around gravity. Time is what
the joints need at their speed limits: a slower arm only makes the truth narrower. Acceleration of the arm counts as an
uncertainty of gravity; it is not taken to push in step with the swing.
"""

import math

from carpal._core.compile import kernel, leaf

CELLS = 180
HALF = math.pi / CELLS  # half of a cell [rad]
# numbers of a payload: friction bounds, length inertia / (mass x arm) [m], largest acceleration of the arm [m/s^2], by how much
# the weight must beat the upper friction to count as sure [m/s^2], the published mode, widest set that counts as known [rad], the
# largest holding per unit gravity, size of gravity
MU_LOW, MU_HIGH, LENGTH, SHAKE, SLACK, PUBLISHED, KNOWN, STRONGEST, GRAVITY = range(9)
# further on, for planners: gravity (3) in the world, row of the payload's body, gripper axes (9) in the frame of the body that
# carries it; then the reach of every shape from the axis [m] (0: not the payload's), 1 / speed of every joint [s/rad, s/m], the
# largest reach, and the reach of every shape of the payload, at any angle, from the origin of the body that carries it [m]
PULL_DOWN, BODY, AXES = 9, 12, 13
PAYLOAD = AXES + 9
# the table of holding [low or high, tilt, alpha]: bounds over squares of equal steps in cos(tilt) and cos(alpha)
TILTS, ALPHAS = 180, 60
# rows of the scratch `angles` [slot, row, cell]: whether it may rest in a cell and in which part of it (from, to the middle);
# the state; the cell's direction; what moves; friction at least and at most by column of the table; all states while waiting;
# copies
REST, FROM, TO, STATE, UX, UY, MOTION, LOW, HIGH, WAITING, SAVED = range(11)
ROWS = SAVED + 5
# columns of the row MOTION: energies of what crossed gravity, on either side, and of those the ones new in the present half
# swing; its share that is over; the arc that is passed; places from which it started, in this half swing and in the last
ABOVE, BELOW, NEW_ABOVE, NEW_BELOW, ELAPSED, PASS_LOW, PASS_HIGH, STARTED = range(8)
MOTIONS = STARTED + 4
NONE = -1e300
STANDING = 1e9  # [s] the arm waits and does not shake what it holds


@leaf
def cell_angle(r):
    """Middle of a cell [rad] (E9)."""
    return (r / CELLS - 0.5) * 2.0 * math.pi


@leaf
def wrapped(angle):
    """The same angle in [-pi, pi)."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)


@kernel
def clear_set(angles, slot):
    """No angle at all; the directions of the cells are put down."""
    for r in range(CELLS):
        phi = cell_angle(r)
        angles[slot, UX, r], angles[slot, UY, r] = math.cos(phi), math.sin(phi)
        angles[slot, REST, r], angles[slot, FROM, r], angles[slot, TO, r], angles[slot, STATE, r] = 0.0, 0.0, 0.0, 0.0
    for k in range(MOTIONS):
        angles[slot, MOTION, k] = NONE
    angles[slot, MOTION, ELAPSED] = 0.0


@leaf
def _may_rest(angles, slot, r, low, high):
    """It may rest between two places of a cell, measured from its middle."""
    if angles[slot, REST, r] > 0.0:
        low, high = min(low, angles[slot, FROM, r]), max(high, angles[slot, TO, r])
    angles[slot, REST, r], angles[slot, FROM, r], angles[slot, TO, r] = 1.0, max(low, -HALF), min(high, HALF)


@kernel
def rest_between(angles, low, high, slot):
    """It may rest between two angles, low <= high [rad]; cells that an interval only touches stay empty."""
    touch = 1e-9 if high - low > 1e-6 else -1e-9
    for r in range(CELLS):
        middle = 0.5 * (low + high) + wrapped(cell_angle(r) - 0.5 * (low + high))
        if middle + HALF >= low + touch and middle - HALF <= high - touch:
            _may_rest(angles, slot, r, low - middle, high - middle)
            angles[slot, STATE, r] = 1.0


@kernel
def bound_holding(payload, holding, angles, shake, z0, z1, slot):
    """Rows LOW and HIGH by column of cos(alpha): friction at least and at most between z0 and z1, cosines of the tilt.

    One column to either side is included: alpha differs inside a cell and between the samples.
    """
    i0 = min(max(int((z0 + 1.0) * 0.5 * TILTS), 0), TILTS - 1)
    i1 = min(max(int((z1 + 1.0) * 0.5 * TILTS), 0), TILTS - 1)
    for k in range(ALPHAS):
        low, high = 1e300, 0.0
        for i in range(min(i0, i1), max(i0, i1) + 1):
            for j in range(max(k - 1, 0), min(k + 2, ALPHAS)):
                low, high = min(low, holding[0, i, j]), max(high, holding[1, i, j])
        shaken = shake * payload[STRONGEST]
        angles[slot, LOW, k] = payload[MU_LOW] * (low * payload[GRAVITY] - shaken)
        angles[slot, HIGH, k] = payload[MU_HIGH] * (min(high, 1e30) * payload[GRAVITY] + shaken)


@leaf
def _column(cos_alpha):
    return min(max(int((cos_alpha + 1.0) * 0.5 * ALPHAS), 0), ALPHAS - 1)


@leaf
def _least_friction(angles, widest, slot):
    """Least friction that acts within an angle of gravity."""
    least = 1e300
    for k in range(_column(math.cos(widest)), ALPHAS):
        least = min(least, angles[slot, LOW, k])
    return max(least, 0.0)


@leaf
def _reach(energy, across):
    """How far from gravity an energy reaches [rad]."""
    return math.acos(min(1.0, max(-1.0, -energy / across))) if across > 0.0 else math.pi


@kernel
def _far_side(energy, friction, across):
    """Energy at the turning point beyond gravity of a swing that starts with an energy; NONE where it does not get past."""
    if energy == NONE or across <= 0.0:
        return NONE
    near = _reach(energy, across)
    if energy - friction * near <= -across:
        return NONE
    low, high = 0.0, math.pi
    for _ in range(24):
        middle = 0.5 * (low + high)
        if -across * math.cos(middle) < energy - friction * (near + middle):
            low = middle
        else:
            high = middle
    return -across * math.cos(high)


@kernel
def _come_to_rest(angles, g1, across, blur, margin, slot):
    """What was passing may rest where friction can hold it; returns by how little the weight wins where it cannot."""
    weakest, resting = 1e300, False
    low, high = angles[slot, MOTION, PASS_LOW], angles[slot, MOTION, PASS_HIGH]
    for r in range(CELLS):
        if low > NONE:
            middle = 0.5 * (low + high) + wrapped(cell_angle(r) - 0.5 * (low + high))
            if middle + HALF > low and middle - HALF < high:
                ux, uy = angles[slot, UX, r], angles[slot, UY, r]
                column = _column((g1[0] * ux + g1[1] * uy) / across) if across > 0.0 else ALPHAS - 1
                spare = abs(g1[0] * uy - g1[1] * ux) - blur - angles[slot, HIGH, column]
                if spare <= margin:
                    _may_rest(angles, slot, r, low - middle, high - middle)
                else:
                    weakest = min(weakest, spare)
        resting = resting or angles[slot, REST, r] > 0.0
    if not resting and low > NONE:
        rest_between(angles, low, high, slot)
    return weakest


@kernel
def _start(angles, g0, g1, theta, across, blur, margin, slot):
    """(how far above, how far below gravity something may start, -1: nothing); what surely started rests no more."""
    above, below = -1.0, -1.0
    for r in range(CELLS):
        if angles[slot, REST, r] == 0.0:
            continue
        ux, uy = angles[slot, UX, r], angles[slot, UY, r]
        pull0, pull1 = abs(g0[0] * uy - g0[1] * ux), abs(g1[0] * uy - g1[1] * ux)
        column = _column((g1[0] * ux + g1[1] * uy) / across) if across > 0.0 else ALPHAS - 1
        if max(pull0, pull1) + blur <= angles[slot, LOW, column]:
            continue
        alpha = wrapped(cell_angle(r) - theta)
        low, high = alpha + angles[slot, FROM, r], alpha + angles[slot, TO, r]
        if high >= 0.0 or low < -math.pi:
            above = max(above, min(high if low >= -math.pi else math.pi, math.pi))
        if low <= 0.0 or high > math.pi:
            below = max(below, min(-low if high <= math.pi else math.pi, math.pi))
        if pull1 - blur > angles[slot, HIGH, column] + margin:
            angles[slot, REST, r] = 0.0
    return above, below


@leaf
def _added(g0, g1, low, high):
    """The most that the turning of gravity adds to the energy of what is between two angles."""
    dx, dy = g0[0] - g1[0], g0[1] - g1[1]
    best = max(dx * math.cos(low) + dy * math.sin(low), dx * math.cos(high) + dy * math.sin(high))
    middle = 0.5 * (low + high)
    if abs(wrapped(math.atan2(dy, dx) - middle)) <= 0.5 * (high - low):
        best = math.hypot(dx, dy)
    return best


@kernel
def _swing(payload, angles, g0, g1, across, friction, shake, reach_above, reach_below, weakest, seconds, slot):
    """Energies of what crossed gravity: it comes over from the other side, and loses friction's work in every half swing."""
    added = 0.0
    if angles[slot, MOTION, PASS_LOW] > NONE:
        added = _added(g0, g1, angles[slot, MOTION, PASS_LOW], angles[slot, MOTION, PASS_HIGH])
    for k in range(4):
        if angles[slot, MOTION, k] > NONE:
            angles[slot, MOTION, k] += added
    from_above = -across * math.cos(reach_above) if reach_above >= 0.0 else NONE
    from_below = -across * math.cos(reach_below) if reach_below >= 0.0 else NONE
    new_above, new_below = _far_side(from_below, friction, across), _far_side(from_above, friction, across)
    angles[slot, MOTION, NEW_ABOVE] = max(angles[slot, MOTION, NEW_ABOVE], new_above)
    angles[slot, MOTION, NEW_BELOW] = max(angles[slot, MOTION, NEW_BELOW], new_below)
    old = angles[slot, MOTION, ABOVE]
    back = _far_side(angles[slot, MOTION, BELOW], friction, across)
    angles[slot, MOTION, ABOVE] = max(max(old, new_above), back)
    back = _far_side(max(old, new_above), friction, across)
    angles[slot, MOTION, BELOW] = max(max(angles[slot, MOTION, BELOW], new_below), back)

    most = max(max(from_above, from_below), max(angles[slot, MOTION, ABOVE], angles[slot, MOTION, BELOW]))
    half_swing = 1.2 * math.pi * math.sqrt(payload[LENGTH] / max(across, 0.05 * payload[GRAVITY]))
    if weakest < 1e299:
        half_swing += 2.0 * math.sqrt(2.0 * payload[LENGTH] * _reach(most, across) / weakest)
    angles[slot, MOTION, ELAPSED] += seconds / half_swing
    if angles[slot, MOTION, ELAPSED] < 1.0:
        return
    angles[slot, MOTION, ELAPSED] = 0.0
    # the zone around gravity in which the upper friction could hold it
    zone = 1.0 if across <= 0.0 else min(1.0, angles[slot, HIGH, ALPHAS - 1] / across)
    half = min(math.asin(zone), math.pi / 3.0)
    floor = -across * math.cos(half)
    loss = max(0.0, 2.0 * half * (_least_friction(angles, half, slot) - shake))
    for k in range(2):
        left, new = angles[slot, MOTION, k] - loss, angles[slot, MOTION, k + 2]
        # below the zone's own height it stops in the zone, where it may rest by now
        angles[slot, MOTION, k] = max(left, new) if left > floor else new
        angles[slot, MOTION, k + 2] = NONE
        angles[slot, MOTION, STARTED + 2 + k] = angles[slot, MOTION, STARTED + k]
        angles[slot, MOTION, STARTED + k] = NONE


@kernel
def step_set(payload, holding, angles, g0, g1, seconds, slot):
    """Carry the set over from gravity g0 to g1 (3, gripper frame, z along its axis), which takes at least some seconds."""
    published = payload[PUBLISHED] > 0.0
    size = payload[GRAVITY]
    across0, across, theta = math.hypot(g0[0], g0[1]), math.hypot(g1[0], g1[1]), math.atan2(g1[1], g1[0])
    turned = (g1[0] - g0[0]) ** 2 + (g1[1] - g0[1]) ** 2 + (g1[2] - g0[2]) ** 2
    shake = 0.0 if seconds >= STANDING or published else payload[SHAKE]
    bound_holding(payload, holding, angles, shake, g0[2] / size, g1[2] / size, slot)
    # what one number per cell and sample leaves open: the cell's width, the curve of gravity's path, the arm's acceleration
    blur = 0.0 if published else max(across0, across) * HALF + turned / (8.0 * size) + shake
    margin = 0.0 if published else payload[SLACK]
    weakest = _come_to_rest(angles, g1, across, blur, margin, slot)
    above, below = _start(angles, g0, g1, theta, across, blur, margin, slot)
    if published:
        for k in range(MOTIONS):
            angles[slot, MOTION, k] = NONE
    # places from which something started stay until a whole half swing is over
    for k in range(4):
        if k == 2:
            angles[slot, MOTION, STARTED] = theta + above if above >= 0.0 else NONE
            angles[slot, MOTION, STARTED + 1] = theta - below if below >= 0.0 else NONE
        place = angles[slot, MOTION, STARTED + k]
        if place > NONE:
            alpha = wrapped(place - theta)
            above, below = max(above, alpha), max(below, -alpha)
    if not published and (
        above >= 0.0 or below >= 0.0 or max(angles[slot, MOTION, ABOVE], angles[slot, MOTION, BELOW]) > NONE
    ):
        most = max(angles[slot, MOTION, ABOVE], angles[slot, MOTION, BELOW])
        widest = max(max(above, below), _reach(most, across) if most > NONE else 0.0)
        # the arm's acceleration is not taken to push in step with the swing: it takes off friction, and adds no energy
        friction = max(_least_friction(angles, widest, slot) - shake, 0.0)
        _swing(payload, angles, g0, g1, across, friction, shake, above, below, weakest, seconds, slot)
        if angles[slot, MOTION, ABOVE] > NONE:
            above = max(above, _reach(angles[slot, MOTION, ABOVE], across))
        if angles[slot, MOTION, BELOW] > NONE:
            below = max(below, _reach(angles[slot, MOTION, BELOW], across))
    _mark_cells(angles, theta, above, below, slot)


@kernel
def _mark_cells(angles, theta, above, below, slot):
    """The arc that is passed, so far above and below gravity's direction (-1: not), and the row STATE."""
    low, high = NONE, NONE
    if above >= 0.0 or below >= 0.0:
        low, high = theta - max(below, 0.0), theta + max(above, 0.0)
        high = min(high, low + 2.0 * math.pi)
    angles[slot, MOTION, PASS_LOW], angles[slot, MOTION, PASS_HIGH] = low, high
    for r in range(CELLS):
        state = 1.0 if angles[slot, REST, r] > 0.0 else 0.0
        if state == 0.0 and low > NONE:
            middle = 0.5 * (low + high) + wrapped(cell_angle(r) - 0.5 * (low + high))
            if middle + HALF > low and middle - HALF < high:
                state = 2.0
        angles[slot, STATE, r] = state


@kernel
def save_set(angles, slot):
    """Keep the set for `restore_set`."""
    for r in range(CELLS):
        for k in range(4):
            angles[slot, SAVED + k, r] = angles[slot, REST + k, r]
    for k in range(MOTIONS):
        angles[slot, SAVED + 4, k] = angles[slot, MOTION, k]


@kernel
def restore_set(angles, slot):
    """Back to what `save_set` kept."""
    for r in range(CELLS):
        for k in range(4):
            angles[slot, REST + k, r] = angles[slot, SAVED + k, r]
    for k in range(MOTIONS):
        angles[slot, MOTION, k] = angles[slot, SAVED + 4, k]


@leaf
def _sum_of_set(angles, slot):
    """A number that changes with the set."""
    total = max(angles[slot, MOTION, PASS_LOW], -10.0) + 3.0 * max(angles[slot, MOTION, PASS_HIGH], -10.0)
    for r in range(CELLS):
        total += (r + 1.0) * (angles[slot, STATE, r] + angles[slot, FROM, r] + 2.0 * angles[slot, TO, r])
    return total


@kernel
def settle_set(payload, holding, angles, g, slot):
    """Wait where gravity is g until the set changes no more; returns the width of the set [rad], 2 pi where it is in parts.

    The row WAITING holds where it may have been meanwhile.
    """
    for r in range(CELLS):
        angles[slot, WAITING, r] = 0.0
    for _ in range(600):
        before = _sum_of_set(angles, slot)
        step_set(payload, holding, angles, g, g, STANDING, slot)
        for r in range(CELLS):
            angles[slot, WAITING, r] = max(angles[slot, WAITING, r], angles[slot, STATE, r])
        if abs(_sum_of_set(angles, slot) - before) < 1e-9:
            break
    runs, count = 0, 0
    for r in range(CELLS):
        if angles[slot, STATE, r] > 0.0:
            count += 1
            if angles[slot, STATE, (r + CELLS - 1) % CELLS] == 0.0:
                runs += 1
    return 2.0 * HALF * count if runs == 1 else 2.0 * math.pi
