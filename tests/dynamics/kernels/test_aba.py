"""The articulated-body kernel: clean scratch use, refusals, and rounding is not an inertia."""

import numpy as np
from kernel_inputs import BODIES, JOINTS, MODEL, SLOT, WORLD, WORLDS, q, scratch, spoiled, v, vdot

from carpal.dynamics import forward_dynamics
from carpal.dynamics.kernels.aba import COLUMNS, aba, aba_batch
from carpal.model import Body, Joint, Model
from carpal.spatial import Inertia

TAU = vdot  # any numbers will do


def test_old_scratch_does_not_leak_into_the_answer() -> None:
    out, work = np.full((WORLDS, MODEL.nv), 7.0), scratch(COLUMNS)
    assert aba(JOINTS, BODIES, q, v, TAU, out, work, WORLD, SLOT) == 0
    fresh = np.zeros_like(out)
    assert aba(JOINTS, BODIES, q, v, TAU, fresh, np.zeros_like(work), WORLD, SLOT) == 0
    assert np.array_equal(out[WORLD], fresh[WORLD])
    # an entry is optimised as a whole, so that products and sums may be joined elsewhere: not the same bits
    assert np.allclose(out[WORLD], forward_dynamics(MODEL, q[WORLD], v[WORLD], TAU[WORLD]), rtol=1e-12, atol=1e-12)
    assert (out[[0, 2]] == 7.0).all()
    assert np.isnan(work[0]).all()


def test_bad_worlds_are_named() -> None:
    out = np.empty((WORLDS, MODEL.nv))
    for given in ((spoiled(q), v, TAU), (q, spoiled(v), TAU), (q, v, spoiled(TAU))):
        assert aba_batch(JOINTS, BODIES, *given, out, scratch(COLUMNS), 0, WORLDS, 1, SLOT) == WORLD + 1
    lost = q.copy()
    lost[WORLD, 0] = np.nan  # the position of a floating root, which the algorithm does not use
    assert aba_batch(JOINTS, BODIES, lost, v, TAU, out, scratch(COLUMNS), 0, WORLDS, 1, SLOT) == WORLD + 1


def two_in_line(axis: list[float], small: float) -> tuple[np.ndarray, np.ndarray]:
    """A massless body between two joints along one axis: what one gains the other can lose."""
    light = Inertia(small, np.zeros(3), np.zeros((3, 3)))
    heavy = Inertia(1.0, np.array([0, 0, 0.1]), 0.01 * np.eye(3))
    first = Body("a", None, Joint("a", "prismatic", axis=axis), light)
    tables = Model(name="m", bodies=(first, Body("b", "a", Joint("b", "prismatic", axis=axis), heavy))).tables
    return tables.joints, tables.bodies


def test_an_inertia_that_is_only_rounding_is_refused() -> None:
    """Without the threshold the slanted axis gives a plausible, wrong number instead of a division by zero."""
    one, out, work = np.ones((1, 2)), np.empty((1, 2)), np.empty((1, 3, COLUMNS))
    for axis in ([0, 0, 1], [1, 0.3, 0.2]):
        assert aba(*two_in_line(axis, 0.0), one, one, one, out, work, 0, 0) == 1
        assert aba(*two_in_line(axis, 1e-6), one, one, one, out, work, 0, 0) == 0  # light, not massless
