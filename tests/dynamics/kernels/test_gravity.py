"""The gravity kernel against inverse dynamics at rest, its clean use of scratch, and what it refuses."""

import numpy as np
import pytest
from kernel_inputs import BODIES, JOINTS, MODEL, SLOT, WORLD, WORLDS, q, scratch, spoiled
from random_models import random_q, random_tree

from carpal._core.batch import configuration, run_batch
from carpal.dynamics import gravity_forces
from carpal.dynamics.kernels.gravity import COLUMNS, gravity, gravity_batch


@pytest.mark.parametrize("seed", range(12))
def test_it_is_inverse_dynamics_at_rest(seed: int) -> None:
    model = random_tree(seed, free="anywhere")
    many = random_q(model, np.random.default_rng(seed), (20,))
    constants = (model.tables.joints, model.tables.bodies)
    ours = run_batch(model, gravity_batch, constants, [configuration(model, many)], [(model.nv,)], scratch=COLUMNS)[0]
    expected = gravity_forces(model, many)
    assert np.abs(ours - expected).max() <= 1e-13 * max(1.0, np.abs(expected).max())


def test_old_scratch_does_not_leak_into_the_answer() -> None:
    out, work = np.full((WORLDS, MODEL.nv), 7.0), scratch(COLUMNS)
    assert gravity(JOINTS, BODIES, q, out, work, WORLD, SLOT) == 0
    assert np.abs(out[WORLD] - gravity_forces(MODEL, q[WORLD])).max() < 1e-12
    assert (out[[0, 2]] == 7.0).all() and np.isnan(work[0]).all()


def test_bad_worlds_are_named() -> None:
    out = np.empty((WORLDS, MODEL.nv))
    assert gravity_batch(JOINTS, BODIES, spoiled(q), out, scratch(COLUMNS), 0, WORLDS, 1, SLOT) == WORLD + 1
