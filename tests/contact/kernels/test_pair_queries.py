"""The loops over worlds: strides and slots change nothing, refusals name the world."""

import numpy as np
from pair_oracles import BOX, CYLINDER, ELLIPSOID, PLANE, POINTS, query, random_pairs

from carpal.contact.kernels.pair import PAIR_SCRATCH
from carpal.contact.kernels.pair_queries import ANSWER, nearest_batch


def test_strides_and_slots_change_no_bit() -> None:
    for kind_a, kind_b in ((BOX, BOX), (CYLINDER, ELLIPSOID)):
        pairs = random_pairs(kind_a, kind_b, 60, 18)
        whole = query(pairs)
        answer, scratch = np.full((60, ANSWER), np.nan), np.full((3, *PAIR_SCRATCH), np.nan)
        for lane in range(3):
            nearest_batch(
                kind_a, 0, 0, kind_b, 0, 0, POINTS, pairs.size_a, pairs.X_WA, pairs.size_b, pairs.X_WB, answer, scratch,
                lane, 60, 3, lane,
            )  # fmt: skip
        assert (answer == whole).all()


def test_a_refusal_names_the_world() -> None:
    pairs = random_pairs(BOX, BOX, 6, 19)
    pairs.X_WB[4, 0, 3] = np.nan
    answer, scratch = np.empty((6, ANSWER)), np.empty((1, *PAIR_SCRATCH))
    arrays = (pairs.size_a, pairs.X_WA, pairs.size_b, pairs.X_WB, answer, scratch)
    assert nearest_batch(BOX, 0, 0, BOX, 0, 0, POINTS, *arrays, 0, 6, 1, 0) == 5
    assert nearest_batch(PLANE, 0, 0, PLANE, 0, 0, POINTS, *arrays, 2, 6, 1, 0) == 3
