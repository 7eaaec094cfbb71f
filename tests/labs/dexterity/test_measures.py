"""Every measure on made-up rows whose numbers are known."""

import math

import numpy as np
import pytest
from dexterity_inputs import made_up, setting_of, touch

from carpal.errors import CarpalError
from carpal.labs.dexterity.example_file import Observe
from carpal.labs.dexterity.measures import MEASURES, measured
from carpal.spatial import rotation_about, wxyz_from_rotation

SETTING = setting_of(6)


def ask(outcome, measure, **more):
    return measured(outcome, Observe("x", measure, **more))


def still(rows=101, contacts=None, setting=SETTING):
    return made_up(setting, np.tile(setting.start().q, (rows, 1)), contacts=contacts)


def test_every_measure_says_what_it_is():
    assert all(function.__doc__ for function in MEASURES.values())
    with pytest.raises(CarpalError, match="speed"):
        ask(still(3), "speed")


def test_nothing_happens_is_nan_or_zero():
    outcome = still()
    assert math.isnan(ask(outcome, "first_hit"))
    assert math.isnan(ask(outcome, "second_hit"))
    assert ask(outcome, "hit_count") == 0
    assert math.isnan(ask(outcome, "leaves", finger="index"))
    assert math.isnan(ask(outcome, "touches_from", finger="index"))
    assert math.isnan(ask(outcome, "turning_from"))
    assert math.isnan(ask(outcome, "rate_change", finger="index"))
    assert math.isnan(ask(outcome, "speed_after_hit"))
    assert math.isnan(ask(outcome, "out_of_plane_force"))
    assert math.isnan(ask(outcome, "arc_ratio", finger="index"))
    assert math.isnan(ask(outcome, "sideways_on_object", finger="index"))
    assert math.isnan(ask(outcome, "rolling_share", finger="index"))
    assert math.isnan(ask(outcome, "closure_lost"))
    assert ask(outcome, "largest_rate", finger="middle") == 0.0


def test_who_touches_when():
    one, two = (touch("index"),), (touch("index"), touch("thumb", "sliding"))
    outcome = still(contacts=[()] * 20 + [one] * 30 + [two] * 30 + [one] * 21)
    assert ask(outcome, "touches_from", finger="index") == pytest.approx(0.020)
    assert ask(outcome, "touches_from", finger="thumb") == pytest.approx(0.050)
    assert ask(outcome, "leaves", finger="thumb") == pytest.approx(0.080)
    assert math.isnan(ask(outcome, "leaves", finger="index"))
    assert ask(outcome, "touching_count", at=0.06) == 2
    assert ask(outcome, "touching_count") == 1
    assert ask(outcome, "touching_share", finger="thumb", after=0.05) == pytest.approx(30 / 51)
    assert ask(outcome, "rolling_share", finger="thumb") == 0.0
    assert ask(outcome, "rolling_share", finger="index") == 1.0
    assert ask(outcome, "force_closed") == 0.0


def test_the_objects_motion():
    q = np.tile(SETTING.start().q, (101, 1))
    q[:, 15] += np.linspace(0, 0.03, 101)
    q[:, 17] -= np.linspace(0, 0.06, 101)
    for k in range(101):
        q[k, 18:22] = wxyz_from_rotation(rotation_about((0, 1, 0), math.radians(0.1 * k)))
    v = np.zeros((101, 21))
    v[:, 18], v[:, 19], v[:, 20] = 0.3, 10.0, 0.4
    outcome = made_up(SETTING, q, v)
    assert ask(outcome, "moved_across") == pytest.approx(30)
    assert ask(outcome, "moved") == pytest.approx(1e3 * math.hypot(0.03, 0.06))
    assert ask(outcome, "turned", at=0.05) == pytest.approx(5.0)
    assert ask(outcome, "turning_from") == pytest.approx(0.021)
    assert ask(outcome, "steepest_coordinate") == pytest.approx(2.0)
    assert ask(outcome, "out_of_plane_turn") == pytest.approx(0.05)


def test_forces_out_of_the_plane():
    outcome = still(3, contacts=[(touch("index", force=(3, 0.5, 4)),)] * 3)
    assert ask(outcome, "out_of_plane_force") == pytest.approx(0.1)


def test_ways_on_the_object():
    setting = setting_of(3)
    q = np.tile(setting.start().q, (21, 1))
    q[:, 16] += np.linspace(0, 0.01, 21)
    outcome = made_up(setting, q, contacts=[(touch("middle", "sliding"),)] * 21)
    assert ask(outcome, "way_on_object", finger="middle") == pytest.approx(10.0)
    assert ask(outcome, "way_on_object", finger="middle", after=0.01) == pytest.approx(5.0)
    assert ask(outcome, "sideways_on_object", finger="middle") == pytest.approx(10.0)
    assert ask(outcome, "arc_ratio", finger="middle") == pytest.approx(0.0, abs=1e-9)


def test_hits_and_what_they_change():
    q = np.tile(SETTING.start().q, (60, 1))
    angle = np.r_[np.linspace(-0.05, 0.0012, 30), np.linspace(0.0, -0.05, 30)]  # to the box and back
    q[:, 7], v = angle, np.zeros((60, 21))
    v[:, 7] = np.r_[np.full(30, 1.766), np.full(30, -1.7)]
    v[32:, 15] = 0.4
    outcome = made_up(SETTING, q, v)
    when = ask(outcome, "first_hit", finger="middle")
    assert 0.025 <= when <= 0.030
    assert ask(outcome, "hit_count") == 1
    assert ask(outcome, "first_hit", finger="index", after=0.0) != when
    assert ask(outcome, "rate_change", finger="middle") == pytest.approx(3.466)
    assert ask(outcome, "largest_rate", finger="middle") == pytest.approx(1.766)
