"""Sets in a few numbers: nothing is lost when they are stored and loaded, over the seam too; too many gaps are closed."""

import itertools

import numpy as np
import pytest

from carpal.planning import relay_payload
from carpal.planning.payload.carried_angles import payload_numbers
from carpal.planning.payload.kernels import angle_set as kernel
from carpal.planning.payload.kernels.stored_set import RUNS, STORED, WIDTH, load_set, store_set


def scratch():
    angles = np.zeros((1, kernel.ROWS, kernel.CELLS))
    kernel.clear_set(angles, 0)
    return angles, np.zeros((1, 3, STORED))


def rows(angles):
    return angles[0, [kernel.REST, kernel.FROM, kernel.TO]] * angles[0, kernel.REST]


@pytest.mark.parametrize(
    "ends", [[(0.1, 0.5)], [(3.0, 3.5)], [(-3.1, -3.0), (1.0, 1.0), (2.0, 2.6)], [(-3.141, 3.14)], [(0.3, 0.3)]]
)
def test_intervals_come_back(ends):
    angles, sets = scratch()
    for low, high in ends:
        kernel.rest_between(angles, low, high, 0)
    before, angles[0, kernel.MOTION, : kernel.MOTIONS] = rows(angles), np.arange(kernel.MOTIONS)
    store_set(angles, sets, 1, 0)
    angles[:] = 7.0
    load_set(angles, sets, 1, 0)
    whole = before[0].all()  # the seam's cell is then filled
    assert (angles[0, kernel.REST] == before[0]).all() and (whole or np.allclose(rows(angles), before, atol=1e-12))
    assert (angles[0, kernel.MOTION, : kernel.MOTIONS] == np.arange(kernel.MOTIONS)).all()
    assert sets[0, 1, WIDTH] == (before[0] > 0).mean()


def test_more_gaps_than_are_kept_are_closed():
    angles, sets = scratch()
    places = np.linspace(-3, 3, 2 * RUNS)
    for place in places:
        kernel.rest_between(angles, place, place, 0)
    before = angles[0, kernel.REST].copy()
    store_set(angles, sets, 0, 0)
    load_set(angles, sets, 0, 0)
    assert (angles[0, kernel.REST] >= before).all() and angles[0, kernel.REST].sum() > before.sum()


def test_a_stored_set_goes_on_as_the_set_itself():
    relay = relay_payload()
    numbers, holding = payload_numbers(relay, 9.81), relay.holding
    angles, sets = scratch()
    kernel.rest_between(angles, 1.7, 1.9, 0)
    other = angles.copy()
    tilts = np.radians(np.arange(20, 75, 1.0))
    for a, b in itertools.pairwise(tilts):
        g0, g1 = ((9.81 * np.sin(t), 0.0, 9.81 * np.cos(t)) for t in (a, b))
        kernel.step_set(numbers, holding, angles, g0, g1, 2.0, 0)
        store_set(other, sets, 2, 0)
        load_set(other, sets, 2, 0)
        kernel.step_set(numbers, holding, other, g0, g1, 2.0, 0)
        # intervals inside a run of cells may be joined, never lost
        assert (other[0, kernel.STATE] >= (angles[0, kernel.STATE] > 0)).all()
        assert ((other[0, kernel.STATE] > 0).sum() - (angles[0, kernel.STATE] > 0).sum()) <= 2
