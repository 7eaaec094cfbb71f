"""The certificate: residuals of the contact law at the accepted velocities, and the contact modes.

Velocities are J v of the new v, not the solver's own. Impulses are scaled by the largest of the world.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.engines.modal.kernels.constraint_rows import row_speed
from carpal.engines.modal.kernels.contact_modes import FREE, SLIDE, SPIN, TOUCH, contact_mode, holds
from carpal.engines.modal.kernels.contact_rows import relative_turn
from carpal.engines.modal.kernels.contact_table import (
    AFTER,
    BEFORE,
    CLOSED,
    GAP,
    IMPULSE,
    INCLUDED,
    MATCH,
    MODE,
    MODE_BEFORE,
    MU,
    NORMAL,
    PRESSED,
    ROLLING,
    ROW_A,
    TORSION,
    UNHELD,
    rows_of,
)
from carpal.engines.modal.kernels.friction_law import impulse_scale, projected, trial
from carpal.engines.modal.kernels.ledger import (
    C_CONE,
    C_CONSTRAINT_GAP,
    C_DIRECTION,
    C_DRIFT,
    C_ENERGY,
    C_GAP_FORCE,
    C_OVERLAP,
    CERTIFIED,
    CHANGES,
    DISSIPATED,
    LAW_CHANGES,
    mode_changes,
    record_drive_work,
)
from carpal.engines.modal.kernels.passive_forces import tendon_loss
from carpal.engines.modal.kernels.projection import APART
from carpal.spatial.kernels.scratch import get_vector
from carpal.spatial.kernels.vec3 import cross, dot

STILL = 1e-9
"""[m/s] slower than that is sticking or rolling."""
TURNING = 1e-6
"""[rad/s] faster than that across the normal is rolling."""


@leaf
def _contact_work(con, slot, c, r):
    """Work of a contact's impulse along the mean of the velocities before and after [J].

    A contact that pressed before has no normal velocity, and one that did not slip no slip: what J v shows of them at the
    start is how J has changed with q over the last step. That is the error of the scheme, and stays in the ledger's residual.
    """
    start = 0.0 if con[slot, c, PRESSED] > 0.0 else con[slot, c, BEFORE + 2]
    work = 0.5 * r[2] * (start + con[slot, c, AFTER + 2])
    held = con[slot, c, PRESSED] > 0.0 and holds(int(con[slot, c, MODE]))
    for k in range(2):
        work += 0.5 * r[k] * ((0.0 if held else con[slot, c, BEFORE + k]) + con[slot, c, AFTER + k])
    return work + 0.5 * r[3] * (con[slot, c, BEFORE + 3] + con[slot, c, AFTER + 3])


@kernel
def certify_velocities(W, con, slot, count, ledger, world):
    """Raise the certificate in the ledger to the residuals of this step; AFTER must be J v. Returns contact work [J]."""
    scale, _ = impulse_scale(W, con, slot, count)
    gap_force, cone, direction, gain, work = 0.0, 0.0, 0.0, 0.0, 0.0
    for c in range(count):
        if con[slot, c, INCLUDED] == 0.0:
            continue
        t = trial(W, con, slot, c)
        r = (con[slot, c, IMPULSE], con[slot, c, IMPULSE + 1], con[slot, c, IMPULSE + 2], con[slot, c, IMPULSE + 3])
        gap_force = max(gap_force, abs(r[2] - max(0.0, t[2])))
        rows = rows_of(con, slot, c)
        work += _contact_work(con, slot, c, r)
        for k in range(4):
            gain += 0.5 * r[k] * (con[slot, c, UNHELD + k] + con[slot, c, AFTER + k])
        if rows > 1:
            cone = max(cone, math.sqrt(r[0] * r[0] + r[1] * r[1]) - con[slot, c, MU] * r[2])
            cut = projected(con, slot, c, (t[0], t[1], r[2], t[3]))
            direction = max(direction, max(abs(r[0] - cut[0]), abs(r[1] - cut[1])))
            if rows > 3:
                cone = max(cone, abs(r[3]) / con[slot, c, TORSION] - r[2])
                direction = max(direction, abs(r[3] - cut[3]) / con[slot, c, TORSION])
    if scale > 0.0:
        ledger[world, CERTIFIED + C_GAP_FORCE] = max(ledger[world, CERTIFIED + C_GAP_FORCE], gap_force / scale)
        ledger[world, CERTIFIED + C_CONE] = max(ledger[world, CERTIFIED + C_CONE], cone / scale)
        ledger[world, CERTIFIED + C_DIRECTION] = max(ledger[world, CERTIFIED + C_DIRECTION], direction / scale)
    ledger[world, CERTIFIED + C_ENERGY] = max(ledger[world, CERTIFIED + C_ENERGY], gain)
    return work


@kernel
def certify_slip(con, slot, count, dt, ledger, world):
    """Drift of contacts that do not slip, across the normal within dt."""
    for i in range(count):
        if holds(int(con[slot, i, MODE])):
            slip = dt * math.sqrt(con[slot, i, AFTER] ** 2 + con[slot, i, AFTER + 1] ** 2)
            ledger[world, CERTIFIED + C_DRIFT] = max(ledger[world, CERTIFIED + C_DRIFT], slip)


@kernel
def certify_positions(con, fresh, slot, fresh_count, ledger, world):
    """Overlaps, and drift of pressing contacts along the normal, after a step."""
    for j in range(fresh_count):
        gap, i = fresh[slot, j, GAP], int(fresh[slot, j, MATCH])
        ledger[world, CERTIFIED + C_OVERLAP] = max(ledger[world, CERTIFIED + C_OVERLAP], -gap)
        presses = i >= 0 and con[slot, i, INCLUDED] > 0.0 and con[slot, i, IMPULSE + 2] > 0.0
        if presses and abs(gap) < APART:
            ledger[world, CERTIFIED + C_DRIFT] = max(ledger[world, CERTIFIED + C_DRIFT], abs(gap))


@kernel
def certify_state(con, fresh, slot, found, dt, ledger, world):
    """Overlap, gaps and velocities (fresh[BEFORE] = J v) of contacts that press at a state that no time step ended in."""
    certify_positions(con, fresh, slot, found, ledger, world)
    for j in range(found):
        i = int(fresh[slot, j, MATCH])
        if (
            i < 0
            or con[slot, i, INCLUDED] == 0.0
            or con[slot, i, IMPULSE + 2] <= 0.0
            or abs(fresh[slot, j, GAP]) >= APART
        ):
            continue
        off = abs(fresh[slot, j, BEFORE + 2])
        if holds(int(con[slot, i, MODE])):
            off = max(off, math.sqrt(fresh[slot, j, BEFORE] ** 2 + fresh[slot, j, BEFORE + 1] ** 2))
        ledger[world, CERTIFIED + C_DRIFT] = max(ledger[world, CERTIFIED + C_DRIFT], dt * off)


@leaf
def certify_constraints(residual, ledger, world):
    """Raise the residual of couplings and loops [m, rad]."""
    ledger[world, CERTIFIED + C_CONSTRAINT_GAP] = max(ledger[world, CERTIFIED + C_CONSTRAINT_GAP], residual)


@kernel
def label_modes(joints, bodies, trees, placed, con, v, slot, count):
    """The mode of each contact: by the slip speed first, so that indeterminate forces at rest are no sliding.

    A soft tip that turns about its normal spins, whether it rolls or not: its torsional friction is at the limit.
    """
    for c in range(count):
        con[slot, c, ROLLING] = 0.0
        con[slot, c, MODE_BEFORE] = con[slot, c, MODE]
        if con[slot, c, INCLUDED] == 0.0 or con[slot, c, IMPULSE + 2] <= 0.0:
            con[slot, c, MODE] = FREE
            continue
        if con[slot, c, CLOSED] == 0.0 and con[slot, c, MU] > 0.0:
            con[slot, c, MODE] = TOUCH
            continue
        if int(con[slot, c, ROW_A]) >= 0:
            w = relative_turn(joints, bodies, trees, placed, con, v, slot, c)
            across = cross(get_vector(con, slot, c, NORMAL), w)
            con[slot, c, ROLLING] = math.sqrt(dot(across, across))
        slip = math.sqrt(con[slot, c, AFTER] ** 2 + con[slot, c, AFTER + 1] ** 2)
        spin = abs(con[slot, c, AFTER + 3]) if int(con[slot, c, ROW_A]) >= 0 else 0.0
        mode = contact_mode(con[slot, c, IMPULSE + 2], slip, con[slot, c, ROLLING], spin, STILL, TURNING)
        if con[slot, c, TORSION] > 0.0 and spin > TURNING and holds(mode):
            mode = SPIN
        con[slot, c, MODE] = SLIDE if con[slot, c, MU] == 0.0 else mode


@kernel
def certify_step(plant, work, u, ledger, dt, world, slot, count):
    """Stage: residuals, energy, modes and slip of the velocities in `step`; call before the position update."""
    con, vectors = work.tables.con, work.vectors
    ledger[world, DISSIPATED] -= certify_velocities(work.tables.W, con, slot, count, ledger, world)
    record_drive_work(
        plant.dofs, plant.robots, dt, vectors.q, vectors.v, vectors.step, vectors.weight, u, work.target, ledger, world, slot
    )  # fmt: skip
    label_modes(plant.joints, plant.bodies, plant.trees, work.tables.search.placed, con, vectors.step, slot, count)
    certify_slip(con, slot, count, dt, ledger, world)
    if plant.ties.constraints.shape[0] > 0:
        certify_constraints(dt * row_speed(plant.trees, plant.order, work.held.G, vectors.step, slot), ledger, world)
    if plant.ties.tendons.shape[0] > 0:
        ledger[world, DISSIPATED] += tendon_loss(
            plant.ties.tendons, plant.trees, plant.order, vectors.v, vectors.step, dt, slot
        )
    changes, laws = mode_changes(con, slot, count)
    ledger[world, CHANGES] += changes
    ledger[world, LAW_CHANGES] += laws
