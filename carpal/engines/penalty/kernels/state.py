"""Rigid bodies in full coordinates: where each is, how fast, and the forces on it.

A body moves by its centre of mass C (Yesmunt 2014, section 2.1): position and velocity of C in the world, quaternion, and angular
velocity in the body's own axes. The last row of every table is the world: at the origin, at rest, its forces unread, so
that no joint needs a special case. Tables are scratch, (slots, bodies + 1, columns).
"""

import math
from typing import Any, NamedTuple

from carpal._core.compile import kernel, leaf
from carpal.spatial.kernels.vec3 import add, cross, rotate, rotate_back

# columns of `now`: p_WC, wxyz, velocity of C in W, angular velocity in B, R_WB, angular velocity in W
P, Q, V, W, R, W_W = 0, 3, 7, 10, 13, 22
STATE_COLUMNS = 25
# columns of `old`: wxyz, angular velocity in B
OLD_W = 4
OLD_COLUMNS = 7
# columns of the table of bodies: mass, centre of mass in B, inertia about it and its inverse (xx, yy, zz, xy, xz, yz),
# first row and number of rows in `motions` (0: it moves freely)
MASS, COM, INERTIA, INVERSE, MOTION, MOTIONS = 0, 1, 4, 10, 16, 17
BODY_COLUMNS = 18
# columns of the sums of a force evaluation: power of the drives, power lost, energy stored in springs
POWER_IN, POWER_LOST, STORED = 0, 1, 2
# the worst squared joint gap seen by it [m^2], and the joint's number (points first, then slots)
GAP, GAP_JOINT = 3, 4
# energy in the springs of friction's anchors
HELD = 5
SUM_COLUMNS = 6


class Work(NamedTuple):
    """Scratch of one slot: states now, attitude and accelerations at the step's start, forces (F, T at C in W)."""

    now: Any
    old: Any
    accel: Any
    force: Any
    sums: Any
    rates: Any
    anchors: Any
    pair: Any


@leaf
def triple(table, slot, row, column):
    """Three numbers of a scratch table."""
    return table[slot, row, column], table[slot, row, column + 1], table[slot, row, column + 2]


@leaf
def rotation_of(now, slot, body):
    """R_WB, nine numbers."""
    return (
        now[slot, body, R], now[slot, body, R + 1], now[slot, body, R + 2],
        now[slot, body, R + 3], now[slot, body, R + 4], now[slot, body, R + 5],
        now[slot, body, R + 6], now[slot, body, R + 7], now[slot, body, R + 8],
    )  # fmt: skip


@leaf
def motion_of(now, slot, body):
    """R_WB, position and velocity of C, angular velocity in W."""
    place, speed = triple(now, slot, body, P), triple(now, slot, body, V)
    return rotation_of(now, slot, body), place, speed, triple(now, slot, body, W_W)


@leaf
def put(table, slot, row, column, a):
    """Write three numbers."""
    table[slot, row, column], table[slot, row, column + 1], table[slot, row, column + 2] = a[0], a[1], a[2]


@leaf
def unit_rotation(w, x, y, z):
    """Rotation matrix (9 numbers) of a unit quaternion, without the division by its length."""
    x2, y2, z2 = x + x, y + y, z + z
    return (
        1.0 - (y * y2 + z * z2), x * y2 - w * z2, x * z2 + w * y2,
        x * y2 + w * z2, 1.0 - (x * x2 + z * z2), y * z2 - w * x2,
        x * z2 - w * y2, y * z2 + w * x2, 1.0 - (x * x2 + y * y2),
    )  # fmt: skip


@kernel
def refresh(now, slot, body):
    """Rotation matrix and world angular velocity after the unit quaternion or the angular velocity changed."""
    w, x, y, z = now[slot, body, Q], now[slot, body, Q + 1], now[slot, body, Q + 2], now[slot, body, Q + 3]
    turn = unit_rotation(w, x, y, z)
    for i in range(9):
        now[slot, body, R + i] = turn[i]
    put(now, slot, body, W_W, rotate(turn, triple(now, slot, body, W)))


@leaf
def turned_in_body(w, x, y, z, a, b, c):
    """Wxyz exp((a, b, c)), normalised: a rotation vector [rad] of the body's own axes (Yesmunt 2014, eq. 2.52)."""
    half2 = 0.25 * (a * a + b * b + c * c)
    if half2 < 4e-4:  # a step turns by little: the series have all digits and cost a fifth
        half4 = half2 * half2  # sums of two short chains, without a division: a step waits for this number
        k = (0.5 - half2 * (1.0 / 12.0)) + half4 * (1.0 / 240.0 - half2 * (1.0 / 10080.0))
        u = (1.0 - 0.5 * half2) + half4 * (1.0 / 24.0 - half2 * (1.0 / 720.0) + half4 * (1.0 / 40320.0))
    else:
        half = math.sqrt(half2)
        k = 0.5 * math.sin(half) / half
        u = math.cos(half)
    a, b, c = k * a, k * b, k * c
    nw = w * u - x * a - y * b - z * c
    nx = w * a + x * u + y * c - z * b
    ny = w * b - x * c + y * u + z * a
    nz = w * c + x * b - y * a + z * u
    n2 = nw * nw + nx * nx + ny * ny + nz * nz
    s = 1.5 - 0.5 * n2 if abs(n2 - 1.0) < 1e-8 else 1.0 / math.sqrt(n2)  # the first is the second there, to all digits
    return nw * s, nx * s, ny * s, nz * s


@leaf
def point_motion(now, slot, body, r):
    """Arm from C, position and velocity in W of the point that stands r from C in the body's axes."""
    arm = rotate(rotation_of(now, slot, body), r)
    at = add(triple(now, slot, body, P), arm)
    return arm, at, add(triple(now, slot, body, V), cross(triple(now, slot, body, W_W), arm))


@leaf
def push_at_centre(force, slot, body, f, torque):
    """Add a force in W through C and a torque."""
    for i in range(3):
        force[slot, body, i] += f[i]
        force[slot, body, 3 + i] += torque[i]


@leaf
def push(force, slot, body, arm, f):
    """Add a force in W that acts `arm` from C."""
    push_at_centre(force, slot, body, f, cross(arm, f))


@leaf
def twist_by(force, slot, body, torque):
    """Add a torque in W."""
    for i in range(3):
        force[slot, body, 3 + i] += torque[i]


@kernel
def load_state(bodies, q, v, now, world, slot):
    """From (p_WB, wxyz) and (v_WB, w_WB) of all bodies to the state of their centres of mass; the world's row too."""
    count = bodies.shape[0]
    for body in range(count):
        n2 = 0.0
        for i in range(4):
            n2 += q[world, 7 * body + 3 + i] ** 2
        s = 1.0 if abs(n2 - 1.0) < 1e-12 else 1.0 / math.sqrt(n2)  # a state goes on bit for bit; others are normalised
        for i in range(4):
            now[slot, body, Q + i] = s * q[world, 7 * body + 3 + i]
        refresh(now, slot, body)
        turn = rotation_of(now, slot, body)
        arm = rotate(turn, (bodies[body, COM], bodies[body, COM + 1], bodies[body, COM + 2]))
        spin = (v[world, 6 * body + 3], v[world, 6 * body + 4], v[world, 6 * body + 5])
        put(now, slot, body, P, add((q[world, 7 * body], q[world, 7 * body + 1], q[world, 7 * body + 2]), arm))
        linear = (v[world, 6 * body], v[world, 6 * body + 1], v[world, 6 * body + 2])
        put(now, slot, body, V, add(linear, cross(spin, arm)))
        put(now, slot, body, W, rotate_back(turn, spin))
        put(now, slot, body, W_W, spin)
    for i in range(STATE_COLUMNS):
        now[slot, count, i] = 0.0
    now[slot, count, Q] = 1.0
    now[slot, count, R] = now[slot, count, R + 4] = now[slot, count, R + 8] = 1.0


@kernel
def store_state(bodies, now, q, v, world, slot):
    """The inverse of `load_state`."""
    for body in range(bodies.shape[0]):
        com = (-bodies[body, COM], -bodies[body, COM + 1], -bodies[body, COM + 2])
        _, origin, speed = point_motion(now, slot, body, com)
        for i in range(3):
            q[world, 7 * body + i] = origin[i]
            v[world, 6 * body + i] = speed[i]
            v[world, 6 * body + 3 + i] = now[slot, body, W_W + i]
        for i in range(4):
            q[world, 7 * body + 3 + i] = now[slot, body, Q + i]
