"""The spring finger's entries: its motion through given moments, and its accelerations and energies at one."""

from carpal._core.compile import entry, kernel, leaf
from carpal.kinematics.kernels.state import all_finite, vector_of
from carpal.labs.finger.kernels.finger_gauss import gauss_step
from carpal.labs.finger.kernels.finger_terms import (
    absolute,
    between,
    centrifugal_moments,
    damping_moments,
    gravity_energy,
    kinetic,
    load_row,
    mass_entries,
    relative,
    sines,
    solved,
    spring_energy,
    static_moments,
    times,
)
from carpal.spatial.kernels.vec3 import add

# columns of the books: kinetic, gravity's, springs' energy, work of the loads so far, loss in the dampers so far [J]
KINETIC, WEIGHT, SPRINGS, WORK, LOSS = 0, 1, 2, 3, 4
BOOKS = 5


@leaf
def _write(rows, world, theta, w, q_out, v_out, books, i):
    """Angles, rates and energies of one moment."""
    s, c = sines(theta)
    q, v = relative(theta), relative(w)
    for a in range(3):
        q_out[world, i, a] = q[a]
        v_out[world, i, a] = v[a]
    books[world, i, KINETIC] = kinetic(mass_entries(rows, world, s, c), w)
    books[world, i, WEIGHT] = gravity_energy(rows, world, s, c)
    books[world, i, SPRINGS] = spring_energy(rows, world, q)


@kernel
def finger_motion(moments, table, substeps, rows, q, v, q_out, v_out, books, done, lu, order, x, stage, world, slot):
    """Follow one world through the moments; returns 1 when an input is not finite.

    `done[world]` is (moments reached, most iterations of a step): fewer moments than asked for means that a step did not close.
    """
    if not (all_finite(rows, world) and all_finite(q, world) and all_finite(v, world)):
        return 1
    theta, w = absolute(vector_of(q, world, 0)), absolute(vector_of(v, world, 0))
    s, c = sines(theta)
    p = times(mass_entries(rows, world, s, c), w)
    _write(rows, world, theta, w, q_out, v_out, books, 0)
    work, loss, most = 0.0, 0.0, 0
    books[world, 0, WORK] = books[world, 0, LOSS] = 0.0
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
        _write(rows, world, theta, w, q_out, v_out, books, i)
        books[world, i, WORK], books[world, i, LOSS] = work, loss
        done[world, 0], done[world, 1] = i + 1.0, float(most)
    return 0


@kernel
def finger_rates(rows, q, v, loads, vdot, books, world):
    """Joint accelerations and energies of one world; returns 1 when one is not finite."""
    theta, w = absolute(vector_of(q, world, 0)), absolute(vector_of(v, world, 0))
    s, c = sines(theta)
    M = mass_entries(rows, world, s, c)
    push = add(static_moments(rows, world, theta, s, c, load_row(loads, world)), damping_moments(rows, world, w))
    a = relative(solved(M, add(push, centrifugal_moments(rows, world, s, c, w))))
    vdot[world, 0], vdot[world, 1], vdot[world, 2] = a
    books[world, KINETIC] = kinetic(M, w)
    books[world, WEIGHT] = gravity_energy(rows, world, s, c)
    books[world, SPRINGS] = spring_energy(rows, world, vector_of(q, world, 0))
    return 0 if all_finite(vdot, world) and all_finite(books, world) else 1


@entry
def finger_motion_batch(
    moments, table, substeps, rows, q, v, q_out, v_out, books, done, lu, order, x, stage, start, stop, stride, slot
):
    """`finger_motion` over worlds."""
    bad = 0
    for world in range(start, stop, stride):
        if (
            finger_motion(
                moments, table, substeps, rows, q, v, q_out, v_out, books, done, lu, order, x, stage, world, slot
            )
            and bad == 0
        ):
            bad = world + 1
    return bad


@entry
def finger_rates_batch(rows, q, v, loads, vdot, books, start, stop, stride, slot):
    """`finger_rates` over worlds."""
    bad = 0
    for world in range(start, stop, stride):
        if finger_rates(rows, q, v, loads, vdot, books, world) and bad == 0:
            bad = world + 1
    return bad
