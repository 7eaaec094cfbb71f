"""Throwing back: ballistics, the palm square to what the ball feels, a rehearsal that learns; the throw itself."""

import math

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.labs.catch.arm_tables import follow_plans
from carpal.labs.catch.flight import launch, meeting
from carpal.labs.catch.plan import start_coordinates
from carpal.labs.catch.score import landing
from carpal.labs.catch.task import Catch
from carpal.labs.catch.throw_back import PUSH, mended, release_velocity, throw_plan
from carpal.spatial import rotation_from_zxz

TARGET = np.array([0.1, -0.6, -2.0])
MEET = meeting(*launch(0.2, 0.14, 5.2, math.radians(45)), start_coordinates()[:3])


def plan(correction=(0.0, 0.0, 0.0)):
    return throw_plan(
        MEET, TARGET, correction=np.array(correction), close_early=0.02, approach=1.0, how="ramp", dt=1e-5, radius=0.025
    )


def test_the_slowest_throw_hits():
    rng = np.random.default_rng(1)
    for _ in range(20):
        p, target = rng.normal(size=3), rng.normal(size=3) + np.array([0, -1.0, -4.0])
        v = release_velocity(p, target)
        np.testing.assert_allclose(landing(p, v, target[1]), target, atol=1e-9)
        for change in rng.normal(size=(20, 3)):  # no slower velocity in another direction hits
            d = v / np.linalg.norm(v) + 0.3 * change
            reached = landing(p, d / np.linalg.norm(d) * 0.999 * np.linalg.norm(v), target[1])
            assert reached is None or np.linalg.norm(reached - target) > 1e-6
    with pytest.raises(InputError, match="too near"):
        release_velocity(np.zeros(3), np.array([0.05, -1.0, 0.0]))


def test_the_palm_is_square_to_what_the_ball_feels():
    knots = plan().knots
    v = knots[-2, 10:13]
    felt = v / PUSH + [0, 9.81, 0]
    normal = rotation_from_zxz(knots[-2, 1:4])[:, 2]
    np.testing.assert_allclose(normal, felt / np.linalg.norm(felt), atol=1e-9)
    half = knots[-3, 4:7] + 0.5 * PUSH * v  # from rest with one acceleration
    np.testing.assert_allclose(knots[-2, 4:7], half, atol=1e-12)
    assert follow_plans([plan()], float(knots[-1, 0]), 2e-3)[2][0, 2] < 0


def test_a_short_throw_is_mended_forwards():
    made = plan()
    better = mended(np.zeros(3), made, TARGET + np.array([0.01, 0.0, 0.2]))  # landed 0.2 m short
    assert better[2] < 0
    assert better[0] < 0
    assert better[1] == 0.0


def test_the_ball_lands_on_the_disc(figure):
    task = Catch(throw=True, vary=1.0)
    scores = task.score_seeds([4])
    assert scores[0].ok, scores[0].status
    figure("catch: thrown back, seed 4: from the disc's centre [m]", scores[0].numbers["landing_error_m"], 0.1)


@pytest.mark.full
def test_twenty_of_twenty(figure):
    scores = Catch(throw=True, vary=1.0).score_seeds(range(20))
    assert sum(score.ok for score in scores) == 20
    figure(
        "catch: thrown back, 20 seeds: farthest from the disc's centre [m]",
        max(s.numbers["landing_error_m"] for s in scores),
        0.1,
    )
