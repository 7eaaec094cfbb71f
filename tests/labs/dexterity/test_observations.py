"""Observations: bounds, ratios to a changed run, and the JSON."""

import math

import numpy as np
from dexterity_inputs import made_up, setting_of

from carpal.labs.dexterity import make_setting
from carpal.labs.dexterity.example_file import Observe, changed, read_example
from carpal.labs.dexterity.observations import Observation, observed


def test_bounds():
    wanted = Observe("a", "turned", at_least=1.0, at_most=2.0)
    assert [Observation(wanted, value).ok for value in (0.9, 1.0, 2.0, 2.1, math.nan)] == [
        False,
        True,
        True,
        False,
        False,
    ]


def test_the_json_has_no_infinity():
    summary = Observation(Observe("a", "turned", at_least=1.0, what="w", published="t"), math.nan).to_dict()
    assert summary == {
        "name": "a",
        "ok": False,
        "value": None,
        "at_least": 1.0,
        "at_most": None,
        "what": "w",
        "published": "t",
    }


def test_a_ratio_to_a_changed_run():
    example = changed(
        read_example(6),
        {
            "observe": [
                {"name": "r", "measure": "moved", "at_most": 0.6, "beside": {"object.mass": 0.01}} for _ in range(2)
            ]
        },
    )
    runs = []

    def outcome(ex, way):
        setting = make_setting(ex)
        q = np.tile(setting.start().q, (3, 1))
        q[-1, 15] += way
        return made_up(setting, q)

    def rerun(ex):
        runs.append(ex.mass)
        return outcome(ex, 0.02)

    found = observed(outcome(example, 0.01), rerun)
    assert [round(each.value, 9) for each in found] == [0.5, 0.5]
    assert all(each.ok for each in found)
    assert runs == [0.01]  # once for both


def test_own_scenes_may_have_none():
    setting = setting_of(6, observe=[])
    assert observed(made_up(setting, np.tile(setting.start().q, (2, 1))), lambda ex: None) == []
