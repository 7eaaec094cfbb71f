"""A flight from noisy sightings: fitted without bias, and a plan that ends where the ball comes."""

import math

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.labs.catch.arm_tables import follow_plans
from carpal.labs.catch.flight import launch, meeting
from carpal.labs.catch.kernels.path import TARGET_COLUMNS, path_at
from carpal.labs.catch.plan import catch_plan, start_coordinates
from carpal.labs.catch.sightings import between, estimated_plan, fitted_flight, sightings

P, V = launch(0.2, 0.14, 5.2, math.radians(45))


def planned(meet):
    return catch_plan(meet, close_early=0.02, approach=1.0, how="ramp", dt=2e-5)


def test_exact_sightings_give_the_flight_back():
    times, seen = sightings(P, V, 0.0, 1, 0.7)
    p, v = fitted_flight(times, seen)
    np.testing.assert_allclose(np.r_[p, v], np.r_[P, V], atol=1e-12)
    with pytest.raises(InputError, match="two sightings"):
        fitted_flight(times[:1], seen[:1])


def test_the_fit_is_unbiased_and_as_sharp_as_it_can_be(figure):
    found = [fitted_flight(*sightings(P, V, 0.002, seed, 0.6))[1] for seed in range(400)]
    times = np.arange(0, 0.6, 0.01)
    best = 0.002 / math.sqrt(((times - times.mean()) ** 2).sum())
    spread = np.std(found, axis=0)
    figure("catch: velocity from sightings: spread over its Cramer-Rao bound, 400 flights", (spread / best).max(), 1.1)
    figure(
        "catch: the same: bias over spread of the mean", (np.abs(np.mean(found, axis=0) - V) / (best / 20)).max(), 3.0
    )


def test_the_mended_plan_is_smooth_causal_and_ends_near_the_ball(figure):
    plan = estimated_plan(P, V, 0.002, 3, planned)
    assert (np.diff(plan.knots[:, 0]) > 0).all()
    truth = meeting(P, V, start_coordinates()[:3])
    at_catch = plan.knots[np.argmin(np.abs(plan.knots[:, 0] - plan.catch_time))]
    figure(
        "catch: where a plan from 2 mm sightings expects the ball [m]",
        np.abs(at_catch[4:7] - truth.coordinates[3:]).max(),
        5e-3,
    )
    assert follow_plans([plan], plan.open_time, 1e-3)[2][0, 2] < 0
    later = estimated_plan(P, V, 0.002, 3, planned)
    np.testing.assert_array_equal(plan.knots, later.knots)  # same seed, same plan


def test_a_cubic_cut_short_is_the_same_cubic():
    rng = np.random.default_rng(2)
    a, b = np.r_[0.1, rng.normal(size=12)], np.r_[0.9, rng.normal(size=12)]
    middle = between(a, b, 0.4)
    whole, cut = np.zeros((1, TARGET_COLUMNS)), np.zeros((1, TARGET_COLUMNS))
    for t in (0.2, 0.39, 0.6, 0.85):
        path_at(np.r_[a, b][None], 0, t, whole, 0)
        path_at(np.r_[a, middle, b][None], 0, t, cut, 0)
        np.testing.assert_allclose(whole, cut, atol=1e-12)
