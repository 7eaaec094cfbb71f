"""The spring finger's entry: its motion, with state and energy ledger at given moments."""

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.kernels.state import all_finite, vector_of
from carpal.labs.finger.kernels.gauss import gauss_step
from carpal.labs.finger.kernels.terms import (
    absolute,
    between,
    gravity_energy,
    kinetic,
    load_row,
    mass_entries,
    relative,
    sines,
    solved,
    spring_energy,
    times,
)

# columns of the ledger: kinetic, gravity's, springs' energy, work of the loads so far, loss in the dampers so far [J]
KINETIC, WEIGHT, SPRINGS, WORK, LOSS = 0, 1, 2, 3, 4
LEDGER = 5


@leaf
def _write(rows, world, theta, w, q_out, v_out, ledger, i):
    """Angles, rates and energies of one moment."""
    s, c = sines(theta)
    q, v = relative(theta), relative(w)
    for a in range(3):
        q_out[world, i, a] = q[a]
        v_out[world, i, a] = v[a]
    ledger[world, i, KINETIC] = kinetic(mass_entries(rows, world, s, c), w)
    ledger[world, i, WEIGHT] = gravity_energy(rows, world, s, c)
    ledger[world, i, SPRINGS] = spring_energy(rows, world, q)


@kernel
def finger_motion(moments, table, substeps, rows, q, v, q_out, v_out, ledger, done, lu, order, x, stage, world, slot):
    """Follow one world through the moments; returns 1 when an input is not finite.

    `done[world]` is (moments reached, most iterations of a step): fewer moments than asked for means that a step did not close.
    """
    if not (all_finite(rows, world) and all_finite(q, world) and all_finite(v, world)):
        return 1
    theta, w = absolute(vector_of(q, world, 0)), absolute(vector_of(v, world, 0))
    s, c = sines(theta)
    p = times(mass_entries(rows, world, s, c), w)
    _write(rows, world, theta, w, q_out, v_out, ledger, 0)
    work, loss, most = 0.0, 0.0, 0
    ledger[world, 0, WORK] = ledger[world, 0, LOSS] = 0.0
    done[world, 0], done[world, 1] = 1.0, 0.0
    for i in range(1, moments.shape[0]):
        h = (moments[i] - moments[i - 1]) / substeps
        before, after = load_row(table, i - 1), load_row(table, i)
        for k in range(substeps):
            a, b = k / substeps, (k + 1) / substeps
            load0, load1 = between(before, after, a), between(before, after, b)
            theta, p, gained, lost, rounds = gauss_step(
                rows, world, theta, p, load0, load1, h, lu, order, x, stage, slot
            )
            if rounds < 0:
                return 0
            work, loss, most = work + gained, loss + lost, max(most, rounds)
        s, c = sines(theta)
        w = solved(mass_entries(rows, world, s, c), p)
        _write(rows, world, theta, w, q_out, v_out, ledger, i)
        ledger[world, i, WORK], ledger[world, i, LOSS] = work, loss
        done[world, 0], done[world, 1] = i + 1.0, float(most)
    return 0


@entry
def finger_motion_batch(
    moments, table, substeps, rows, q, v, q_out, v_out, ledger, done, lu, order, x, stage, start, stop, stride, slot
):
    """`finger_motion` over worlds."""
    bad = 0
    for world in range(start, stop, stride):
        if (
            finger_motion(
                moments, table, substeps, rows, q, v, q_out, v_out, ledger, done, lu, order, x, stage, world, slot
            )
            and bad == 0
        ):
            bad = world + 1
    return bad
