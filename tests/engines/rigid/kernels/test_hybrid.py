"""The hybrid kernel: clean scratch use, aliasing, refusals; its truth is in tests/engines/rigid/test_engine.py."""

import numpy as np
from kernel_inputs import BODIES, JOINTS, MODEL, SLOT, WORLD, WORLDS, q, scratch, spoiled, v, vdot

from carpal.dynamics.kernels.aba import aba
from carpal.engines.rigid.kernels.hybrid import HYBRID_COLUMNS, hybrid, hybrid_batch
from carpal.engines.rigid.kernels.passive import DOF_COLUMNS, PRESCRIBED

GIVEN = vdot  # any numbers will do
FREE = np.zeros((MODEL.nv, DOF_COLUMNS))
HALF = FREE.copy()
HALF[MODEL.v_index(MODEL.joint_names[2]) :, PRESCRIBED] = 1.0


def outputs() -> tuple[np.ndarray, np.ndarray]:
    return np.full((WORLDS, MODEL.nv), 7.0), np.full((WORLDS, MODEL.nv), 7.0)


def test_old_scratch_does_not_leak_into_the_answer() -> None:
    for dofs in (FREE, HALF):
        (a, f), work = outputs(), scratch(HYBRID_COLUMNS)
        assert hybrid(JOINTS, BODIES, dofs, q, v, GIVEN, a, f, work, WORLD, SLOT) == 0
        (b, g), clean = outputs(), np.zeros((2, len(JOINTS), HYBRID_COLUMNS))
        assert hybrid(JOINTS, BODIES, dofs, q, v, GIVEN, b, g, clean, WORLD, SLOT) == 0
        assert np.array_equal(a, b) and np.array_equal(f, g)
        assert (a[[0, 2]] == 7.0).all() and (f[[0, 2]] == 7.0).all()
        assert np.isnan(work[0]).all()


def test_without_prescribed_joints_it_is_forward_dynamics() -> None:
    (a, f), expected = outputs(), np.empty((WORLDS, MODEL.nv))
    hybrid(JOINTS, BODIES, FREE, q, v, GIVEN, a, f, scratch(HYBRID_COLUMNS), WORLD, SLOT)
    aba(JOINTS, BODIES, q, v, GIVEN, expected, scratch(HYBRID_COLUMNS), WORLD, SLOT)
    # two kernels are optimised apart, so that products and sums may be joined elsewhere: not the same bits
    assert np.allclose(a[WORLD], expected[WORLD], rtol=1e-12, atol=1e-12) and np.array_equal(f[WORLD], GIVEN[WORLD])


def test_the_force_may_overwrite_what_was_given() -> None:
    (a, f), (b, same) = outputs(), (outputs()[0], GIVEN.copy())
    hybrid(JOINTS, BODIES, HALF, q, v, GIVEN, a, f, scratch(HYBRID_COLUMNS), WORLD, SLOT)
    hybrid(JOINTS, BODIES, HALF, q, v, same, b, same, scratch(HYBRID_COLUMNS), WORLD, SLOT)
    assert np.array_equal(a[WORLD], b[WORLD]) and np.array_equal(f[WORLD], same[WORLD])
    given = HALF[:, PRESCRIBED] > 0
    assert np.array_equal(a[WORLD, given], GIVEN[WORLD, given])
    assert np.abs(f[WORLD, given] - GIVEN[WORLD, given]).max() > 0.1


def test_bad_worlds_are_named() -> None:
    for dofs in (FREE, HALF):
        for given in ((spoiled(q), v, GIVEN), (q, spoiled(v), GIVEN), (q, v, spoiled(GIVEN))):
            run = hybrid_batch(JOINTS, BODIES, dofs, *given, *outputs(), scratch(HYBRID_COLUMNS), 0, WORLDS, 1, SLOT)
            assert run == WORLD + 1
        assert (
            hybrid_batch(JOINTS, BODIES, dofs, q, v, GIVEN, *outputs(), scratch(HYBRID_COLUMNS), 0, WORLDS, 1, SLOT)
            == 0
        )
