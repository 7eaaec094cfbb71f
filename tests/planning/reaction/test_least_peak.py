"""The search against closed forms: a mass on a slide, with and without a speed limit, and two that balance each other."""

import numpy as np
import pytest
from move_inputs import slides

from carpal.planning.reaction.least_peak import MoveProblem, least_peak
from carpal.planning.reaction.mount_reaction import MountReaction
from carpal.planning.reaction.move_families import free_family, free_numbers, timing_family
from carpal.planning.reaction.rest_to_rest import JointSpline, quintic_spline, quintic_weights

WAY, TIME, MASS, SPANS = 0.8, 1.25, 3.0, 24


def problem(model, kind="force", vdot_max=np.inf):
    start = np.zeros(model.nq)
    point = np.array([WAY, 0.0, 0.0])
    limit = np.full(model.nq, vdot_max)
    return MoveProblem(MountReaction(model, kind, start), point, TIME, model.q_min, model.q_max, model.v_max, limit)


def timed(model, **limits):
    asked = problem(model, **limits)
    family = timing_family(np.zeros(1), np.array([WAY]), SPANS)
    start = quintic_weights(SPANS)[3:-3]
    x, merit = least_peak(asked, family, start, scale=10.0, iterations=100, tolerance=1e-6, ease=0.0)
    sampled = JointSpline(family.control(x), TIME).sample(1e-3)
    return asked, sampled, merit


def test_a_mass_on_a_slide_needs_four_times_mass_distance_over_time_squared(figure):
    """Full push for half of the time, full brake for the other: 4 m d / T^2. A smooth motion comes close from above."""
    asked, sampled, _ = timed(slides(MASS))
    least = 4 * MASS * WAY / TIME**2
    peak = asked.reaction.peak(*sampled)
    quintic = asked.reaction.peak(*quintic_spline(np.zeros(1), np.array([WAY]), TIME).sample(1e-3))
    assert quintic == pytest.approx(10 / np.sqrt(3) * MASS * WAY / TIME**2, rel=1e-5)
    assert peak >= least
    figure("least peak of a mass on a slide: above the closed form, part of it", peak / least - 1, 0.06)


def test_a_speed_limit_changes_it_as_it_must(figure):
    """With v_max the push lasts T - d / v_max: the peak is m v_max / (T - d / v_max)."""
    v_max = 1.25 * WAY / TIME
    asked, sampled, _ = timed(slides(MASS, v_max=v_max))
    least = MASS * v_max / (TIME - WAY / v_max)
    assert np.abs(sampled[1]).max() <= v_max
    peak = asked.reaction.peak(*sampled)
    assert peak >= least
    figure("the same with a speed limit: above the closed form, part of it", peak / least - 1, 0.25)


def test_two_masses_balance():
    """A second slide may go anywhere: it runs the other way and the mount feels nothing."""
    asked = problem(slides(MASS, 2 * MASS), vdot_max=50.0)
    family = free_family(np.zeros(2), 6)
    x = free_numbers(quintic_spline(np.zeros(2), np.array([WAY, 0.0]), TIME, 6))
    x, _ = least_peak(asked, family, x, scale=10.0, iterations=60, tolerance=1e-9, ease=0.0)
    motion = JointSpline(family.control(x), TIME)
    assert asked.reaction.peak(*motion.sample(1e-3)) < 1e-6
    assert motion.control[-1] == pytest.approx([WAY, -WAY / 2], abs=1e-7)


def test_an_acceleration_limit_is_kept():
    """The least peak needs 4 d / T^2; just above that there is no freedom left, and the limit still holds."""
    limit = 4.6 * WAY / TIME**2
    asked, sampled, _ = timed(slides(MASS), vdot_max=limit)
    assert np.abs(sampled[2]).max() <= limit * (1 + 1e-6)
    assert float(asked.excess(*sampled)) <= 1e-6


def test_what_does_not_fit_keeps_its_price():
    """Half of the acceleration that any motion needs: the merit says so, and nothing pretends."""
    asked, sampled, merit = timed(slides(MASS), vdot_max=2.0 * WAY / TIME**2)
    assert float(asked.excess(*sampled)) > 0.9
    assert merit > 20


def test_excess_counts_every_limit():
    model = slides(MASS, v_max=1.0)
    asked = problem(model, vdot_max=4.0)
    zero = np.zeros((5, 1))
    assert asked.excess(zero, zero, zero) == -1.0
    assert asked.excess(zero + 2.2, zero, zero) == pytest.approx(0.1)
    assert asked.excess(zero, zero - 1.3, zero) == pytest.approx(0.3)
    assert asked.excess(zero, zero, zero + 6) == pytest.approx(0.5)


def test_one_sided_limits_count():
    model = slides(MASS)
    asked = MoveProblem(
        MountReaction(model, "force", np.zeros(1)), np.zeros(3), 1.0,
        np.array([-0.5]), np.array([np.inf]), np.array([np.inf]), np.array([np.inf]),
    )  # fmt: skip
    zero = np.zeros((2, 1))
    assert asked.excess(zero - 0.6, zero, zero) > 0 >= asked.excess(zero - 0.4, zero, zero)
    assert asked.excess(zero + 100.0, zero, zero) < 0


def test_progress_is_called():
    asked, heard = problem(slides(MASS)), []
    family = timing_family(np.zeros(1), np.array([WAY]), 6)
    least_peak(
        asked, family, quintic_weights(6)[3:-3], scale=10.0, iterations=3, trust=0.005, name="slide",
        progress=lambda *row: heard.append(row),
    )  # fmt: skip
    assert [row[:2] for row in heard] == [("slide", 0), ("slide", 1), ("slide", 2)]
    assert heard[-1][2] <= heard[0][2]
