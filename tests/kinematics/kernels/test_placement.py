"""Absolute and relative placement differ by one shift per tree."""

import numpy as np
from kernel_inputs import BODIES, JOINTS, ROWS, SLOT, WORLD, q, scratch

from carpal.kinematics.kernels.placement import COLUMNS, P_WB, R_WB, place_body, place_world


def placed(absolute: bool) -> np.ndarray:
    work = scratch(COLUMNS)
    place_world(work, SLOT)
    for body in ROWS:
        place_body(JOINTS, BODIES, q, work, WORLD, SLOT, body, absolute)
    assert np.isnan(work[0]).all()  # the other slot belongs to another thread
    return work[SLOT]


def root_of(body: int) -> int:
    while JOINTS[body, 1] > 0:
        body = JOINTS[body, 1]
    return body


def test_relative_positions_are_seen_from_the_first_moving_body() -> None:
    far, near = placed(True), placed(False)
    assert np.array_equal(far[:, R_WB : R_WB + 9], near[:, R_WB : R_WB + 9])
    assert len({root_of(body) for body in ROWS}) > 1
    for body in ROWS:
        shift = far[root_of(body), P_WB : P_WB + 3]
        assert np.allclose(far[body, P_WB : P_WB + 3] - shift, near[body, P_WB : P_WB + 3], rtol=0, atol=1e-14)
        if JOINTS[body, 1] == 0:
            assert np.array_equal(near[body, P_WB : P_WB + 3], np.zeros(3))


def test_what_is_returned_is_what_is_kept() -> None:
    work = scratch(COLUMNS)
    place_world(work, SLOT)
    R, p = place_body(JOINTS, BODIES, q, work, WORLD, SLOT, 1, True)
    assert np.array_equal(work[SLOT, 1], [*R, *p])
    assert np.array_equal(work[SLOT, 0], [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0])
