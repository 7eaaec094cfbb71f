"""The largest stable step: known limits, and the engine is stable just below it and not just above."""

import numpy as np
import penalty_inputs as inputs
import pytest

from carpal.engines import PenaltyEngine, largest_stable_step
from carpal.errors import DivergedError, InputError
from carpal.model import Mechanism, SlotJoint


def test_the_limits_of_one_mode():
    assert largest_stable_step(1e6, 0.0) == pytest.approx(2e-3, rel=1e-3)
    assert largest_stable_step(0.0, 1e3) == pytest.approx(2e-3, rel=1e-3)
    assert largest_stable_step(0.0, 0.0) == np.inf
    with pytest.raises(InputError, match="zero or above"):
        largest_stable_step(-1.0, 0.0)


@pytest.mark.parametrize("damping", [5.0, 1e2, 1e3])
def test_a_held_body_is_stable_below_and_diverges_above(damping, figure):
    mechanism = inputs.held_by_points([0.1, 0, 0], [0, 0.1, 0], [0, 0, -0.1], stiffness=1e5, damping=damping)
    limit = PenaltyEngine(mechanism, dt=1e-7).stable_step
    below = PenaltyEngine(mechanism, dt=0.97 * limit)
    gap = below.worst_gap(below.run(below.start(), steps=20_000).state)[0]
    assert gap < 1e-3
    low, high = 1.0, 4.0  # the true limit by trial
    for _ in range(8):
        middle = 0.5 * (low + high)
        engine = PenaltyEngine(mechanism, dt=middle * limit, check_step=False)
        try:
            engine.run(engine.start(), steps=20_000)
            low = middle
        except DivergedError:
            high = middle
    figure(f"stable step, damping {damping:g}: true limit over the stated one", high, 1.1)


def test_the_length_of_a_slot_does_not_matter():
    """A slot acts where its guest is, however far its ends are."""
    limits = []
    for far in (0.2, 50.0):
        guide, block = inputs.body("guide"), inputs.body("block", X_WB=inputs.pose((0.1, 0, 0)))
        slot = SlotJoint("s", "block", np.zeros(3), "guide", np.array([[-far, 0, 0], [far, 0, 0]]), 1e5, 10.0)
        limits.append(PenaltyEngine(Mechanism("m", (guide, block), (slot,)), dt=1e-7).stable_step)
    assert limits[0] == pytest.approx(limits[1], rel=1e-9)
