"""The inverse-dynamics kernel: clean scratch use, its share of worlds, refusals, and the world's row."""

import numpy as np
from kernel_inputs import BODIES, JOINTS, MODEL, SLOT, WORLD, WORLDS, q, scratch, spoiled, v, vdot

from carpal.dynamics import inverse_dynamics, mount_wrench
from carpal.dynamics.kernels.rnea import COLUMNS, FORCE, rnea, rnea_batch


def test_old_scratch_does_not_leak_into_the_answer() -> None:
    """Scratch starts as NaN here and is reused by many worlds in real runs."""
    tau = np.full((WORLDS, MODEL.nv), 7.0)
    work = scratch(COLUMNS)
    assert rnea(JOINTS, BODIES, q, v, vdot, tau, work, WORLD, SLOT) == 0
    assert np.array_equal(tau[WORLD], inverse_dynamics(MODEL, q[WORLD], v[WORLD], vdot[WORLD]))
    assert (tau[[0, 2]] == 7.0).all()
    assert np.isnan(work[0]).all()


def test_row_zero_holds_what_the_world_supplies() -> None:
    work, tau = scratch(COLUMNS), np.empty((WORLDS, MODEL.nv))
    rnea(JOINTS, BODIES, q, v, vdot, tau, work, WORLD, SLOT)
    fixed_weight = BODIES[0, 12] * MODEL.gravity
    force = mount_wrench(MODEL, q[WORLD], v[WORLD], vdot[WORLD])[:3]
    assert np.allclose(work[SLOT, 0, FORCE : FORCE + 3] - fixed_weight, force, rtol=0, atol=1e-11)


def test_bad_worlds_are_named() -> None:
    tau = np.empty((WORLDS, MODEL.nv))
    for given in ((spoiled(q), v, vdot), (q, spoiled(v), vdot), (q, v, spoiled(vdot))):
        assert rnea_batch(JOINTS, BODIES, *given, tau, scratch(COLUMNS), 0, WORLDS, 1, SLOT) == WORLD + 1
