"""The mass-matrix kernel: clean scratch use, zeros between branches, refusals."""

import numpy as np
from kernel_inputs import BODIES, JOINTS, MODEL, SLOT, WORLD, WORLDS, q, scratch, spoiled

from carpal.dynamics import mass_matrix
from carpal.dynamics.kernels.crba import COLUMNS, crba, crba_batch


def test_old_numbers_do_not_leak_into_the_answer() -> None:
    M, work = np.full((WORLDS, MODEL.nv, MODEL.nv), 7.0), scratch(COLUMNS)
    assert crba(JOINTS, BODIES, q, M, work, WORLD, SLOT) == 0
    assert np.array_equal(M[WORLD], mass_matrix(MODEL, q[WORLD]))
    assert (M[[0, 2]] == 7.0).all()
    assert np.isnan(work[0]).all()


def test_joints_that_share_no_path_have_zeros() -> None:
    M = np.empty((WORLDS, MODEL.nv, MODEL.nv))
    crba(JOINTS, BODIES, q, M, scratch(COLUMNS), WORLD, SLOT)

    def path(row: int) -> set[int]:
        return {row} | (path(int(JOINTS[row, 1])) if JOINTS[row, 1] > 0 else set())

    zeros = 0
    for a in range(1, len(JOINTS)):
        for b in range(1, len(JOINTS)):
            if a not in path(b) and b not in path(a):
                assert M[WORLD, JOINTS[a, 3], JOINTS[b, 3]] == 0.0
                zeros += 1
    assert zeros > 10


def test_bad_worlds_are_named() -> None:
    M = np.empty((WORLDS, MODEL.nv, MODEL.nv))
    assert crba_batch(JOINTS, BODIES, spoiled(q), M, scratch(COLUMNS), 0, WORLDS, 1, SLOT) == WORLD + 1
