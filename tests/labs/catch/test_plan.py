"""The sequence of a catch: knots, the drop pose, the digits."""

import dataclasses
import json
import math

import numpy as np
import pytest

from carpal.labs.catch.flight import launch, meeting
from carpal.labs.catch.plan import Plan, catch_plan, closing, drop_coordinates, start_coordinates
from carpal.spatial import rotation_from_zxz


def plan(**more):
    p, v = launch(0.2, 0.14, 5.2, math.radians(45))
    settings = {"close_early": 0.02, "approach": 1.0, "how": "ramp", "dt": 2e-5} | more
    return catch_plan(meeting(p, v, start_coordinates()[:3]), **settings)


def test_the_start_is_the_sheets():
    theta, phi, psi, *place = start_coordinates()
    np.testing.assert_allclose(
        [theta, phi, abs(psi)], [math.pi / 2, -math.pi / 2, math.pi], atol=1e-9
    )  # E2: gamma = pi - psi
    np.testing.assert_allclose(place, [0.16743, -0.333, -0.3535], atol=1e-5)


def test_the_palm_looks_down_over_the_bin():
    normal = rotation_from_zxz(drop_coordinates()[:3])[:, 2]
    np.testing.assert_allclose(normal, [-0.572, -0.765, -0.296], atol=1e-3)  # E23: +2.5 on the corrected angle


def test_times_of_the_sequence():
    made = plan()
    t = made.catch_time
    np.testing.assert_allclose(made.knots[:, 0], [0, t, t + 0.2, t + 1.2])
    assert made.open_time == pytest.approx(t + 1.2)
    np.testing.assert_allclose(made.grip[1:3, 0], [t - 0.02, t], atol=2e-5)
    assert made.target is None
    assert plan(approach=0.8).knots[1, 0] == pytest.approx(0.8 * t)


def test_the_kick_lasts_one_step():
    rows = closing(0.73, 1.95, "kick", 2e-5)
    assert rows[2, 0] - rows[1, 0] == pytest.approx(2e-5)  # E24: the rate of the whole way, for one step
    assert (np.diff(closing(0.73, 1.95, "step", 2e-5)[:, 0]) >= 0).all()


def test_a_plan_survives_json():
    made = dataclasses.replace(plan(), target=np.array([0.1, -0.6, -2.0]), matched=0.3)
    again = Plan.from_dict(json.loads(json.dumps(made.to_dict(), allow_nan=False)))
    for field in dataclasses.fields(Plan):
        np.testing.assert_array_equal(getattr(again, field.name), getattr(made, field.name))
