"""The symplectic step: velocities first, then along the new ones; the ledger books what the step really moved."""

import numpy as np
from kernel_inputs import BODIES, JOINTS, MODEL, SLOT, WORLD, WORLDS, q, spoiled, v
from step_inputs import DOFS, DT, SMOOTH, TENDONS, U, stage

from carpal.dynamics import forward_dynamics
from carpal.engines.rigid.kernels.passive import passive_forces
from carpal.engines.rigid.kernels.rates import DISSIPATED, WORK_IN
from carpal.engines.rigid.kernels.symplectic import symplectic_step
from carpal.kinematics import integrate


def test_one_step_is_its_definition() -> None:
    a, b, books = q.copy(), v.copy(), np.zeros((WORLDS, 2))
    assert symplectic_step(JOINTS, BODIES, DOFS, TENDONS, SMOOTH, DT, a, b, U, books, stage(), WORLD, SLOT) == 0
    passive = np.empty((WORLDS, MODEL.nv))
    passive_forces(JOINTS, DOFS, SMOOTH, v, passive, WORLD)
    v1 = v[WORLD] + DT * forward_dynamics(MODEL, q[WORLD], v[WORLD], U[WORLD] + passive[WORLD])
    assert np.abs(b[WORLD] - v1).max() < 1e-14
    assert np.array_equal(a[WORLD], integrate(MODEL, q[WORLD], b[WORLD], DT))
    assert np.isclose(books[WORLD, WORK_IN], DT * U[WORLD] @ v1, rtol=1e-12)
    assert np.isclose(books[WORLD, DISSIPATED], -DT * passive[WORLD] @ v1, rtol=1e-12)
    assert np.array_equal(a[[0, 2]], q[[0, 2]]) and np.array_equal(b[[0, 2]], v[[0, 2]])


def test_divergence_is_reported() -> None:
    for start, speed in ((spoiled(q), v), (q, spoiled(v))):
        books = np.zeros((WORLDS, 2))
        assert symplectic_step(
            JOINTS, BODIES, DOFS, TENDONS, SMOOTH, DT, start.copy(), speed.copy(), U, books, stage(), WORLD, SLOT
        )
