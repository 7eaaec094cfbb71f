"""Where the hand should be: knots of attitude angles and position, joined by cubics (Yesmunt 2014, section 5.2.3).

A knot is (time, (theta, phi, psi, x, y, z), their rates); between two of them each coordinate is the cubic that has both values
and both rates, which with zero rates is the thesis's q0 + (3 s^2 - 2 s^3)(qf - q0). R = Rz(psi) Rx(theta) Rz(phi), the
angles of the corrected errata E2 and E3. The digits follow knots (time, share closed) along straight lines.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.spatial.kernels.sincos import sincos
from carpal.spatial.kernels.vec3 import add, scale

COORDINATES = 6
KNOT_COLUMNS = 13
# columns of `target`, the hand's wanted coordinates (slots, TARGET_COLUMNS): six of them, then their rates
RATE = 6
TARGET_COLUMNS = 12


@kernel
def path_at(knots, world, time, target, slot):
    """Coordinates and their rates at a time; before the first knot and after the last it stands still.

    Args:
        knots: (worlds, KNOT_COLUMNS x knots); times must rise.
        world: whose.
        time: [s].
        target: gets them, (slots, TARGET_COLUMNS).
        slot: whose row of `target`.
    """
    count = knots.shape[1] // KNOT_COLUMNS
    row = 0
    while row + 1 < count and knots[world, (row + 1) * KNOT_COLUMNS] <= time:
        row += 1
    a = row * KNOT_COLUMNS
    t = time - knots[world, a]
    if t <= 0.0 or row + 1 == count:
        for i in range(COORDINATES):
            target[slot, i] = knots[world, a + 1 + i]
            target[slot, RATE + i] = knots[world, a + 7 + i] if t == 0.0 and row + 1 < count else 0.0
        return
    b = a + KNOT_COLUMNS
    length = knots[world, b] - knots[world, a]
    s = t / length
    for i in range(COORDINATES):
        x0, x1 = knots[world, a + 1 + i], knots[world, b + 1 + i]
        m0, m1 = length * knots[world, a + 7 + i], length * knots[world, b + 7 + i]
        c2, c3 = 3.0 * (x1 - x0) - 2.0 * m0 - m1, 2.0 * (x0 - x1) + m0 + m1
        target[slot, i] = x0 + s * (m0 + s * (c2 + s * c3))
        target[slot, RATE + i] = (m0 + s * (2.0 * c2 + 3.0 * s * c3)) / length


@leaf
def closed_share(knots, world, time):
    """Share closed of the digits at a time, 0 open and 1 closed, and its rate [1/s]."""
    count = knots.shape[1] // 2
    row = 0
    while row + 1 < count and knots[world, 2 * (row + 1)] <= time:
        row += 1
    if row + 1 == count or time < knots[world, 2 * row]:
        return knots[world, 2 * row + 1], 0.0
    rate = (knots[world, 2 * row + 3] - knots[world, 2 * row + 1]) / (knots[world, 2 * row + 2] - knots[world, 2 * row])
    return knots[world, 2 * row + 1] + rate * (time - knots[world, 2 * row]), rate


@leaf
def attitude(theta, phi, psi):
    """R (9) of the angles."""
    sb, cb = sincos(theta)
    sc, cc = sincos(phi)
    sa, ca = sincos(psi)
    return (
        ca * cc - sa * cb * sc, -ca * sc - sa * cb * cc, sa * sb,
        sa * cc + ca * cb * sc, -sa * sc + ca * cb * cc, -ca * sb,
        sb * sc, sb * cc, cb,
    )  # fmt: skip


@leaf
def angles_of(R):
    """(theta, phi, psi) of R; phi = 0 where theta is 0 or pi (erratum E3)."""
    s = math.sqrt(R[6] * R[6] + R[7] * R[7])
    if s > 1e-12:
        return math.atan2(s, R[8]), math.atan2(R[6], R[7]), math.atan2(R[2], -R[5])
    return math.atan2(s, R[8]), 0.0, math.atan2(R[3], R[0])


@leaf
def turning(R, psi, rates):
    """Angular velocity in W for the rates of (theta, phi, psi)."""
    s, c = sincos(psi)
    w = add(scale(rates[0], (c, s, 0.0)), scale(rates[1], (R[2], R[5], R[8])))
    return w[0], w[1], w[2] + rates[2]
