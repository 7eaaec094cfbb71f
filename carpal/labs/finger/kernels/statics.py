"""Where a spring finger comes to rest: the nearest minimum of its potential between its stops (docs/finger.md).

Projected Newton (Bertsekas, "Projected Newton methods for optimization problems with simple constraints", 1982) on the three
joint angles: joints that a stop holds are left out, the Hessian is shifted until it is positive, the step ends where the first
joint meets a stop and is halved until the potential falls. A force across the last phalanx turns with it and has no potential:
it is held still while a minimum is sought, and turned until it stands across the phalanx that it bent (secant steps).
"""

import math

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.kernels.state import all_finite, vector_of
from carpal.labs.finger.kernels.terms import (
    ACROSS,
    ARM,
    LENGTH,
    TENSION,
    TIP,
    TURN,
    absolute,
    gravity_energy,
    load_row,
    sines,
    solved,
    spring_energy,
    static_moments,
    stiffness_entries,
)
from carpal.spatial.kernels.sincos import sincos

# columns of the report: whether it settled, Newton steps, largest torque that nothing holds [N m]
SETTLED, STEPS, TORQUE_LEFT = 0, 1, 2
REPORT = 3
MOST_STEPS, MOST_TURNS = 200, 200
LONGEST = 0.5  # [rad] of one step, so that the nearest minimum is found and not one beyond a hill


@leaf
def _still(load, direction):
    """The load with its turning force as one that stands still, across a phalanx at an angle."""
    s, c = sincos(direction)
    n = load[ACROSS]
    return load[0], load[1], load[2], load[3], load[TIP] + n * c, load[TIP + 1] - n * s, 0.0, load[TURN]


@leaf
def potential(rows, world, q, s, c, load):
    """Springs, gravity, and what the loads have yet to give [J]."""
    U = spring_energy(rows, world, q) + gravity_energy(rows, world, s, c)
    for i in range(3):
        U -= (load[i] + rows[world, ARM + i] * load[TENSION]) * q[i]
        U -= rows[world, LENGTH + i] * (load[TIP] * s[i] + load[TIP + 1] * c[i])
    return U - load[TURN] * (q[0] + q[1] + q[2])


@leaf
def joint_torques(g):
    """Torques at the joints, of moments on absolute angles."""
    return g[0] + g[1] + g[2], g[1] + g[2], g[2]


@leaf
def joint_stiffness(H):
    """The Hessian in joint angles, of that in absolute angles; entries 11, 12, 13, 22, 23, 33."""
    k22 = H[3] + 2.0 * H[4] + H[5]
    k12 = H[1] + H[2] + k22
    return H[0] + H[1] + H[2] + k12, k12, H[2] + H[4] + H[5], k22, H[4] + H[5], H[5]


@leaf
def _clipped(q, low, high):
    return (
        min(max(q[0], low[0]), high[0]),
        min(max(q[1], low[1]), high[1]),
        min(max(q[2], low[2]), high[2]),
    )


@leaf
def _free(q, push, low, high):
    """1 for a joint that may follow its torque, 0 for one that a stop holds."""
    a = 0.0 if (q[0] <= low[0] and push[0] <= 0.0) or (q[0] >= high[0] and push[0] >= 0.0) else 1.0
    b = 0.0 if (q[1] <= low[1] and push[1] <= 0.0) or (q[1] >= high[1] and push[1] >= 0.0) else 1.0
    c = 0.0 if (q[2] <= low[2] and push[2] <= 0.0) or (q[2] >= high[2] and push[2] >= 0.0) else 1.0
    return a, b, c


@leaf
def _newton(H, push, free):
    """The step of the free joints, and the shift that made the Hessian positive."""
    a, b, c = free
    size = abs(H[0]) + abs(H[3]) + abs(H[5]) + 1e-300
    shift = 0.0
    for _ in range(60):
        M = (
            (H[0] + shift) * a + (1.0 - a) * size, H[1] * a * b, H[2] * a * c,
            (H[3] + shift) * b + (1.0 - b) * size, H[4] * b * c, (H[5] + shift) * c + (1.0 - c) * size,
        )  # fmt: skip
        d2 = M[3] - M[1] * M[1] / M[0]
        e = M[4] - M[1] * M[2] / M[0]
        d3 = M[5] - M[2] * M[2] / M[0] - e * e / d2
        if M[0] > 1e-9 * size and d2 > 1e-9 * size and d3 > 1e-9 * size:
            return solved(M, (push[0] * a, push[1] * b, push[2] * c)), shift
        shift = max(2.0 * shift, 1e-3 * size)
    return (0.0, 0.0, 0.0), math.inf


@leaf
def _inward(q, step, free, low, high):
    """The free joints without those that stand at a stop and that the others' steps would press against it."""
    a = 0.0 if (q[0] >= high[0] and step[0] > 0.0) or (q[0] <= low[0] and step[0] < 0.0) else free[0]
    b = 0.0 if (q[1] >= high[1] and step[1] > 0.0) or (q[1] <= low[1] and step[1] < 0.0) else free[1]
    c = 0.0 if (q[2] >= high[2] and step[2] > 0.0) or (q[2] <= low[2] and step[2] < 0.0) else free[2]
    return a, b, c


@leaf
def _shortened(step):
    largest = max(abs(step[0]), abs(step[1]), abs(step[2]))
    f = LONGEST / largest if largest > LONGEST else 1.0
    return f * step[0], f * step[1], f * step[2]


@leaf
def _room(q, step, low, high):
    """The share of a step, at most one, until the first joint meets a stop."""
    t = 1.0
    for i in range(3):
        if step[i] > 0.0 and q[i] + t * step[i] > high[i]:
            t = (high[i] - q[i]) / step[i]
        elif step[i] < 0.0 and q[i] + t * step[i] < low[i]:
            t = (low[i] - q[i]) / step[i]
    return t


@leaf
def _ended(q, step, t, low, high):
    """One joint after a share of its step; one that comes within rounding of a stop stands at it exactly."""
    new, near = q + t * step, 1e-15 * abs(t * step) + 4e-16 * abs(q)
    if step > 0.0 and new >= high - near:
        return high
    return low if step < 0.0 and new <= low + near else new


@kernel
def _descend(rows, world, q, load, low, high, U, push, step, sure):
    """The next angles: as far as the stops allow, and halved until the potential falls unless Newton's method is sure."""
    t = _room(q, step, low, high)
    length = max(abs(step[0]), abs(step[1]), abs(step[2]))
    for _ in range(50):
        new = (
            _ended(q[0], step[0], t, low[0], high[0]),
            _ended(q[1], step[1], t, low[1], high[1]),
            _ended(q[2], step[2], t, low[2], high[2]),
        )
        if sure or t * length < 1e-7:  # so short a step changes the potential by less than its rounding
            return new
        s, c = sines(absolute(new))
        won = push[0] * (new[0] - q[0]) + push[1] * (new[1] - q[1]) + push[2] * (new[2] - q[2])
        if potential(rows, world, new, s, c, load) <= U - 1e-4 * won:
            return new
        t *= 0.5
    return q


@kernel
def nearest_minimum(rows, world, q, load, low, high):
    """Minimum of the potential from q, under a load that stands still: (q, settled, steps, torque left)."""
    last, left = math.inf, math.inf
    q = _clipped(q, low, high)
    for k in range(MOST_STEPS):
        theta = absolute(q)
        s, c = sines(theta)
        push = joint_torques(static_moments(rows, world, theta, s, c, load))
        free = _free(q, push, low, high)
        left = max(abs(push[0]) * free[0], abs(push[1]) * free[1], abs(push[2]) * free[2])
        H = joint_stiffness(stiffness_entries(rows, world, s, c, load))
        step, shift = _newton(H, push, free)
        for _ in range(2):
            free = _inward(q, step, free, low, high)
            step, shift = _newton(H, push, free)
        step = _shortened(step)
        length = max(abs(step[0]), abs(step[1]), abs(step[2]))
        if not length < math.inf:
            return q, 0.0, k, left
        U = potential(rows, world, q, s, c, load)
        new = _descend(rows, world, q, load, low, high, U, push, step, shift == 0.0 and length < 1e-5)
        moved = max(abs(new[0] - q[0]), abs(new[1] - q[1]), abs(new[2] - q[2]))
        full = moved >= 0.5 * length  # a step that a stop cut short is not the last one
        if length < 1e-14 or (full and shift == 0.0 and length < 1e-9 and length >= 0.5 * last) or moved == 0.0:
            return new, 1.0 if length < 1e-7 else 0.0, k + 1, left
        last, q = length, new
    return q, 0.0, MOST_STEPS, left


@kernel
def finger_rest(rows, q, loads, low, high, q_out, report, world):
    """Rest of one world; returns 1 when an input is not finite (stops may be infinite)."""
    load, at = load_row(loads, world), vector_of(q, world, 0)
    lowest, highest = vector_of(low, world, 0), vector_of(high, world, 0)
    if not (all_finite(rows, world) and all_finite(q, world) and all_finite(loads, world)):
        return 1
    direction = at[0] + at[1] + at[2]
    at, settled, steps, left = nearest_minimum(rows, world, at, _still(load, direction), lowest, highest)
    if load[ACROSS] != 0.0:
        # secant steps on the one unknown, the direction that the force keeps while it stands still
        before, miss_before = direction, at[0] + at[1] + at[2] - direction
        direction += 0.1 * miss_before
        miss = miss_before
        for _ in range(MOST_TURNS):
            at, settled, more, left = nearest_minimum(rows, world, at, _still(load, direction), lowest, highest)
            steps += more
            miss = at[0] + at[1] + at[2] - direction
            if abs(miss) < 1e-13 or miss == miss_before or settled == 0.0:
                break
            turn = -miss * (direction - before) / (miss - miss_before)
            before, miss_before = direction, miss
            direction += min(max(turn, -0.3), 0.3)
        if abs(miss) > 1e-10:
            settled = 0.0
    q_out[world, 0], q_out[world, 1], q_out[world, 2] = at
    report[world, SETTLED], report[world, STEPS], report[world, TORQUE_LEFT] = settled, float(steps), left
    return 0


@entry
def finger_rest_batch(rows, q, loads, low, high, q_out, report, start, stop, stride, slot):
    """`finger_rest` over worlds."""
    bad = 0
    for world in range(start, stop, stride):
        if finger_rest(rows, q, loads, low, high, q_out, report, world) and bad == 0:
            bad = world + 1
    return bad
