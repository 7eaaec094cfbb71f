"""Random scenes of mixed shapes: no step hangs, nothing is NaN, and nearly all steps are certified."""

import numpy as np
import pytest
from random_contact_scenes import random_scene

from carpal.engines import ModalEngine
from carpal.engines.checking import BOUNDS
from carpal.engines.modal.certificate import certificate_of
from carpal.engines.modal.kernels import ledger as columns
from carpal.engines.modal.kernels.cutting import MOST_SOLVES
from carpal.engines.modal.kernels.newton_solve import MOST_NEWTON
from carpal.engines.modal.kernels.time_step import MOST_ATTEMPTS

MOST_STEPS_OF_NEWTON = (MOST_NEWTON + 32) * MOST_SOLVES * MOST_ATTEMPTS
"""Of one step: what the caps of parts, solves and rounds allow."""


def certified_steps(seed, steps):
    """(steps that are certified, whether all numbers are finite, most Newton steps of one step)."""
    scene, surface = random_scene(seed)
    engine = ModalEngine(scene.build(), surface=surface, threads=1)
    state, good, most, finite = scene.start(), 0, 0.0, True
    for _ in range(steps):
        state, ledger, _ = engine.run_with_ledger(state, None, 1)
        proof = certificate_of(ledger)
        good += all(proof[name] <= BOUNDS[name] for name in proof)
        most = max(most, ledger[columns.NEWTON_STEPS])
        finite = finite and bool(np.isfinite(state.q).all() and np.isfinite(state.v).all())
    return good, finite, most


@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(10_000), marks=pytest.mark.full)], ids=["few", "all"])
def test_random_scenes_are_certified(seeds, figure):
    steps, good = 150, 0
    for seed in seeds:
        certified, finite, most = certified_steps(seed, steps)
        assert finite, f"scene {seed} is not finite"
        assert most <= MOST_STEPS_OF_NEWTON, f"scene {seed} went beyond its cap of work"
        good += certified
    figure(f"{len(seeds)} random scenes: share of steps certified", good / (steps * len(seeds)), 0.98, at_least=True)
