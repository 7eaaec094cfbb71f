"""What a recording keeps: plain data, without what differs from run to run."""

import json

import numpy as np
from retrieve_inputs import done_cycle

from carpal.labs.retrieve.cycle.recorded_facts import SERIES, TIMINGS, _hull, facts_of


def test_facts_are_plain_and_the_same_again():
    facts = facts_of(done_cycle())
    text = json.dumps(facts)
    assert len(text) < 200_000 and facts["ok"] and not set(TIMINGS) & set(facts["numbers"])
    assert set(facts["gripper"]) == set(SERIES) and facts["gripper_outcome"] == "gripped"
    assert facts["stages"][0][0] == "localise" and len(facts["limits"]) == 8
    shares = [float(row[2].split()[0]) for row in facts["limits"]]
    assert max(shares) <= 1.0 + 1e-9


def test_one_interval_holds_all_but_the_largest_gap():
    assert _hull([(0.1, 0.4)]) == (0.1, 0.4)
    low, high = _hull([(-3.0, -2.8), (2.9, 3.1)])
    assert np.isclose(low, 2.9) and np.isclose(high, -2.8 + 2 * np.pi)
    assert _hull([(0.0, 0.2), (0.5, 0.6)]) == (0.0, 0.6)
