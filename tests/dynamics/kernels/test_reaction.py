"""The reaction kernel writes one row, and only with finite numbers."""

import numpy as np
from kernel_inputs import BODIES, JOINTS, SLOT, WORLD, WORLDS, q, spoiled, v

from carpal.dynamics.kernels.reaction import EXACT, PRINTED, REACTION_COLUMNS, reaction, reaction_batch

WEIGHTS = np.ones((WORLDS, len(JOINTS)))
VDOT = 0.3 * v


def run(law: int, q: np.ndarray, weights: np.ndarray = WEIGHTS) -> tuple[int, np.ndarray]:
    out, scratch = np.full((WORLDS, 3), 7.0), np.full((2, len(JOINTS), REACTION_COLUMNS), np.nan)
    return reaction(JOINTS, BODIES, law, weights, q, v, VDOT, out, scratch, WORLD, WORLD, SLOT), out


def test_only_the_row_of_its_world_is_written() -> None:
    for law in (EXACT, PRINTED):
        bad, out = run(law, q)
        assert bad == 0 and (np.delete(out, WORLD, 0) == 7.0).all() and np.isfinite(out[WORLD]).all()
    assert run(EXACT, spoiled(q))[0] == 1


def test_the_entry_covers_every_world_and_names_the_bad_one() -> None:
    out, scratch = np.empty((WORLDS, 3)), np.empty((1, len(JOINTS), REACTION_COLUMNS))
    arguments = (JOINTS, BODIES, EXACT, WEIGHTS)
    assert reaction_batch(*arguments, q, v, VDOT, out, scratch, 0, WORLDS, 1, 0) == 0
    assert np.array_equal(out[WORLD], run(EXACT, q)[1][WORLD])
    assert reaction_batch(*arguments, spoiled(q), v, VDOT, out, scratch, 0, WORLDS, 1, 0) == WORLD + 1


def test_weights_scale_the_force_of_each_body() -> None:
    whole = run(EXACT, q)[1][WORLD]
    parts = np.zeros(3)
    for body in range(len(JOINTS)):
        only = np.zeros_like(WEIGHTS)
        only[:, body] = 1.0
        parts += run(EXACT, q, only)[1][WORLD]
    assert np.allclose(parts, whole, rtol=1e-12, atol=1e-9)
