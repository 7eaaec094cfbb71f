"""What a pick-up came to: the numbers, and a sentence for each end."""

import dataclasses

import numpy as np
from retrieve_inputs import done_cycle, moved_by, new_cycle

from carpal.labs.retrieve.score import NAMES, PLACE_TOLERANCE, at_home, delivered

ASKED = {
    "localisation_error_mm", "localisation_error_deg", "reachable", "plan_to_relay_ms", "plan_carry_ms", "path_rad", "duration_s",
    "collisions", "final_angle_set_deg", "grip_force_N", "delivered",
}  # fmt: skip


def test_the_numbers_are_there():
    result = done_cycle().result()
    assert set(NAMES) == ASKED <= set(result.numbers)
    n = result.numbers
    assert n["delivered"] == n["reachable"] == 1 and n["collisions"] == 0 and 19.4 < n["grip_force_N"] <= 40.96
    assert n["localisation_error_mm"] < 3 and n["duration_s"] > 200 and n["swing_deg"] > 30 and n["tries"] == 1


def test_delivered_means_there_standing_open_and_home():
    cycle = done_cycle()
    assert delivered(cycle) and at_home(cycle)
    true = cycle.X_WO
    try:
        cycle.X_WO = moved_by(true, 2 * PLACE_TOLERANCE, 0.0)
        assert not delivered(cycle) and "does not stand at" in cycle.result().status
        cycle.X_WO = true
        cycle.opening = 0.01
        assert not delivered(cycle)
    finally:
        cycle.X_WO, cycle.opening = true, 0.035
    assert delivered(cycle)


def test_an_angle_that_left_its_set_is_a_failure():
    cycle = new_cycle()
    assert "unfinished; next stage: 'localise'" in cycle.status and np.isnan(cycle.result().numbers["path_rad"])
    cycle._queue = []
    cycle.reports = [dataclasses.replace(r, outside=True) for r in done_cycle().reports]
    result = cycle.result()
    assert not result.ok and result.cause == "angle left its set" and str(result) == result.status
