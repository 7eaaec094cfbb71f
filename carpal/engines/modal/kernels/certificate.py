"""What proves a step: residuals of the contact law at the velocities that were really taken on, and the modes they mean.

Velocities are J v of the new v, not those that the solver believed in. Impulses are compared with the largest of the world.
"""

import math

from carpal._core.compile import kernel
from carpal.engines.modal.kernels.contact_modes import FREE, ROLL, SLIDE, STICK, contact_mode
from carpal.engines.modal.kernels.contact_rows import relative_turn
from carpal.engines.modal.kernels.contact_table import (
    AFTER,
    BEFORE,
    GAP,
    IMPULSE,
    INCLUDED,
    MATCH,
    MODE,
    MODE_BEFORE,
    MU,
    NORMAL,
    ROLLING,
    ROW_A,
    TORSION,
    UNHELD,
    rows_of,
)
from carpal.engines.modal.kernels.friction_law import impulse_scale, projected, trial
from carpal.engines.modal.kernels.projection import APART
from carpal.spatial.kernels.scratch import get_vector
from carpal.spatial.kernels.vec3 import cross, dot

# columns of a certificate: largest residual of gap against force, cone, sliding direction (relative); deepest overlap and
# drift [m]; energy that contacts gained in a step [J]
C_GAP_FORCE, C_CONE, C_DIRECTION, C_OVERLAP, C_DRIFT, C_ENERGY = 0, 1, 2, 3, 4, 5
CERTIFICATE = 6
STILL = 1e-9
"""[m/s] slower than that is sticking or rolling."""
TURNING = 1e-6
"""[rad/s] faster than that across the normal is rolling."""


@kernel
def certify_velocities(W, con, slot, count, books, world, first):
    """Raise columns of books[world, first ...] to the residuals of this step; AFTER must be J v. Returns contact work [J]."""
    scale, _ = impulse_scale(W, con, slot, count)
    gap_force, cone, direction, gain, work = 0.0, 0.0, 0.0, 0.0, 0.0
    for c in range(count):
        if con[slot, c, INCLUDED] == 0.0:
            continue
        t = trial(W, con, slot, c)
        r = (con[slot, c, IMPULSE], con[slot, c, IMPULSE + 1], con[slot, c, IMPULSE + 2], con[slot, c, IMPULSE + 3])
        gap_force = max(gap_force, abs(r[2] - max(0.0, t[2])))
        rows = rows_of(con, slot, c)
        for k in range(4):
            gain += 0.5 * r[k] * (con[slot, c, UNHELD + k] + con[slot, c, AFTER + k])
            work += 0.5 * r[k] * (con[slot, c, BEFORE + k] + con[slot, c, AFTER + k])
        if rows > 1:
            cone = max(cone, math.sqrt(r[0] * r[0] + r[1] * r[1]) - con[slot, c, MU] * r[2])
            cut = projected(con, slot, c, (t[0], t[1], r[2], t[3]))
            direction = max(direction, max(abs(r[0] - cut[0]), abs(r[1] - cut[1])))
            if rows > 3:
                cone = max(cone, abs(r[3]) / con[slot, c, TORSION] - r[2])
                direction = max(direction, abs(r[3] - cut[3]) / con[slot, c, TORSION])
    if scale > 0.0:
        books[world, first + C_GAP_FORCE] = max(books[world, first + C_GAP_FORCE], gap_force / scale)
        books[world, first + C_CONE] = max(books[world, first + C_CONE], cone / scale)
        books[world, first + C_DIRECTION] = max(books[world, first + C_DIRECTION], direction / scale)
    books[world, first + C_ENERGY] = max(books[world, first + C_ENERGY], gain)
    return work


@kernel
def certify_slip(con, slot, count, dt, books, world, first):
    """Drift of sticking and rolling contacts across the normal within dt."""
    for i in range(count):
        mode = int(con[slot, i, MODE])
        if mode == STICK or mode == ROLL:
            slip = dt * math.sqrt(con[slot, i, AFTER] ** 2 + con[slot, i, AFTER + 1] ** 2)
            books[world, first + C_DRIFT] = max(books[world, first + C_DRIFT], slip)


@kernel
def certify_places(con, fresh, slot, fresh_count, books, world, first):
    """Overlaps, and drift of pressing contacts along the normal, after a step."""
    for j in range(fresh_count):
        gap, i = fresh[slot, j, GAP], int(fresh[slot, j, MATCH])
        books[world, first + C_OVERLAP] = max(books[world, first + C_OVERLAP], -gap)
        presses = i >= 0 and con[slot, i, INCLUDED] > 0.0 and con[slot, i, IMPULSE + 2] > 0.0
        if presses and abs(gap) < APART:
            books[world, first + C_DRIFT] = max(books[world, first + C_DRIFT], abs(gap))


@kernel
def label_modes(joints, bodies, trees, placed, con, v, slot, count):
    """The mode of each contact: by the slip speed first, so that indeterminate forces at rest are no sliding."""
    for c in range(count):
        con[slot, c, ROLLING] = 0.0
        con[slot, c, MODE_BEFORE] = con[slot, c, MODE]
        if con[slot, c, INCLUDED] == 0.0 or con[slot, c, IMPULSE + 2] <= 0.0:
            con[slot, c, MODE] = FREE
            continue
        if int(con[slot, c, ROW_A]) >= 0:
            w = relative_turn(joints, bodies, trees, placed, con, v, slot, c)
            across = cross(get_vector(con, slot, c, NORMAL), w)
            con[slot, c, ROLLING] = math.sqrt(dot(across, across))
        slip = math.sqrt(con[slot, c, AFTER] ** 2 + con[slot, c, AFTER + 1] ** 2)
        mode = contact_mode(con[slot, c, IMPULSE + 2], slip, con[slot, c, ROLLING], STILL, TURNING)
        con[slot, c, MODE] = SLIDE if con[slot, c, MU] == 0.0 else mode
