"""One stage: total forces, and powers booked to the right side of the ledger."""

import numpy as np
from kernel_inputs import BODIES, JOINTS, MODEL, SLOT, WORLD, WORLDS, q, v
from step_inputs import DOFS, SMOOTH, TENDONS, U, stage

from carpal.dynamics import forward_dynamics, inverse_dynamics
from carpal.engines.rigid.kernels.passive import PRESCRIBED, passive_forces
from carpal.engines.rigid.kernels.rates import DISSIPATED, WORK_IN, add_work, stage_rates


def prepared(dofs: np.ndarray):
    work = stage()
    work.q[SLOT], work.v[SLOT] = q[WORLD], v[WORLD]
    assert stage_rates(JOINTS, BODIES, dofs, TENDONS, SMOOTH, U, 0, work, WORLD, SLOT) == 0
    return work


def test_accelerations_follow_from_drives_and_passive_forces() -> None:
    work, expected = prepared(DOFS), np.empty((WORLDS, MODEL.nv))
    passive_forces(JOINTS, DOFS, SMOOTH, v, expected, WORLD)
    assert np.array_equal(work.passive[SLOT], expected[WORLD])
    tau = U[WORLD] + expected[WORLD]
    assert np.array_equal(work.vdot[SLOT], forward_dynamics(MODEL, q[WORLD], v[WORLD], tau))
    assert np.isnan(work.vdot[0]).all() and np.isnan(work.force[0]).all()


def test_powers_are_booked() -> None:
    """A prescribed joint's drive supplies what its motion takes and what its own friction eats."""
    dofs = DOFS.copy()
    dofs[: MODEL.nv // 2, PRESCRIBED] = 1.0
    work, books = prepared(dofs), np.ones((WORLDS, 2))
    add_work(dofs, U, 0, work, v, books, 0.5, WORLD, WORLD, SLOT)
    drive = inverse_dynamics(MODEL, q[WORLD], v[WORLD], work.vdot[SLOT]) - work.passive[SLOT]
    assert np.allclose(drive[MODEL.nv // 2 :], U[WORLD, MODEL.nv // 2 :], atol=1e-9)
    assert np.isclose(books[WORLD, WORK_IN], 1.0 + 0.5 * drive @ v[WORLD], rtol=1e-10)
    assert np.isclose(books[WORLD, DISSIPATED], 1.0 - 0.5 * work.passive[SLOT] @ v[WORLD], rtol=1e-12)
    assert (books[[0, 2]] == 1.0).all()
