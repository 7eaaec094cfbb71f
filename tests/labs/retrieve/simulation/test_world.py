"""What a seed draws: images, offsets, friction; the same again, others for others."""

import numpy as np
import pytest
from retrieve_inputs import RELAY_AT

from carpal.errors import InputError
from carpal.labs.retrieve import RELAY, RetrieveWorld
from carpal.labs.retrieve.simulation.world import FRICTION, RESOLUTION


def test_draws_are_the_same_again_and_others_for_others():
    a, b, c = RetrieveWorld(RELAY_AT, 3, 1), RetrieveWorld(RELAY_AT, 3, 1), RetrieveWorld(RELAY_AT, 3, 2)
    assert np.array_equal(a.offsets, b.offsets) and not np.array_equal(a.offsets, c.offsets)
    assert a.grip_seed == b.grip_seed != c.grip_seed
    assert np.array_equal(a.images(1)[0], b.images(1)[0]) and not np.array_equal(a.images(1)[0], a.images(2)[0])
    assert np.allclose(RetrieveWorld(RELAY_AT, misplaced=(0.01, 0.0)).X_WO[:2, 3] - a.X_WO[:2, 3], [0.01, 0.0])


def test_offsets_are_within_half_a_resolution_and_spread_evenly():
    all_of = np.array([RetrieveWorld(RELAY_AT, s).offsets for s in range(400)])
    assert np.abs(all_of).max() <= RESOLUTION / 2
    assert np.std(all_of) == pytest.approx(RESOLUTION / np.sqrt(12), rel=0.05)


def test_friction_is_constant_for_even_draws_and_changes_for_odd_ones():
    times = np.arange(0.0, 30.0, 0.02)
    even, odd = RetrieveWorld(RELAY_AT, 0, 2).friction(times, 1), RetrieveWorld(RELAY_AT, 0, 3).friction(times, 1)
    assert np.ptp(even) == 0 and np.array_equal(even, RetrieveWorld(RELAY_AT, 0, 2).friction(times, 2))
    for mu in (even, odd):
        assert mu.min() >= FRICTION[0] and mu.max() <= FRICTION[1]
    changes = np.count_nonzero(np.diff(odd))
    assert 30 / 0.4 * 0.8 < changes < 30 / 0.1


def test_the_antenna_leans_within_its_cone_and_nonsense_is_refused():
    lean = [np.hypot(*RetrieveWorld(RELAY_AT, s).antenna_tilt) for s in range(50)]
    assert max(lean) <= RELAY.antenna_angle and max(lean) > 0.7 * RELAY.antenna_angle
    with pytest.raises(InputError, match="three finite numbers"):
        RetrieveWorld((0.1, float("inf"), 0.0))
