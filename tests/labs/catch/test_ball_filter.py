"""The filter of sightings: a textbook Kalman filter in matrices, least squares, and errors as large as it says."""

import math

import numpy as np
from scipy.stats import chi2

from carpal.labs.catch import ball_filter
from carpal.labs.catch.air_flight import air_step, path_of
from carpal.labs.catch.ball_filter import filtered_flight
from carpal.labs.catch.catcher_numbers import CatcherNumbers
from carpal.labs.catch.flight import launch
from carpal.labs.catch.sightings import fitted_flight

H, COUNT, NOISE = 1.0 / 120.0, 72, 0.004
K = CatcherNumbers(drag=0.47).air_rate
P, V = launch(0.2, 0.14, 5.2, math.radians(45), 0.0, K)
TRUE = path_of(P, V, K, H, COUNT)
SPEEDS = np.gradient(path_of(P, V, K, H / 8, 8 * COUNT), H / 8, axis=0)[::8]
G = np.array([0.0, -9.81, 0.0])


def seen(balls, noise=NOISE, seed=11):
    return TRUE[:, None] + noise * np.random.default_rng(seed).normal(size=(COUNT, balls, 3))


def matrices(rows, noise):
    """Means (count, 6) and covariances (count, 6, 6) of the textbook filter, without drag."""
    F = np.eye(6)
    F[:3, 3:] = H * np.eye(3)
    B = np.vstack([0.5 * H * H * np.eye(3), H * np.eye(3)])
    Q = B @ B.T * ball_filter.UNSURE**2
    Hm = np.hstack([np.eye(3), np.zeros((3, 3))])
    x, C = np.r_[rows[0], np.zeros(3)], np.diag([noise**2] * 3 + [ball_filter.PRIOR_SPEED**2] * 3)
    means, spreads = [x], [C]
    for z in rows[1:]:
        x, C = F @ x + B @ G, F @ C @ F.T + Q
        S = Hm @ C @ Hm.T + noise**2 * np.eye(3)
        K_gain = C @ Hm.T @ np.linalg.inv(S)
        x, C = x + K_gain @ (z - Hm @ x), (np.eye(6) - K_gain @ Hm) @ C
        means.append(x)
        spreads.append(C)
    return np.array(means), np.array(spreads)


def test_it_is_the_textbook_filter(figure):
    rows = seen(1)[:, 0]
    p, v = filtered_flight(rows, NOISE, 0.0, H)
    means = matrices(rows, NOISE)[0]
    apart = np.abs(np.concatenate([p, v], 1) - means).max()
    figure("catch: filter of sightings against a Kalman filter in matrices [m, m/s]", apart, 1e-8)


def test_exact_sightings_give_the_flight_back(figure):
    p, v = filtered_flight(TRUE, 0.0, K, H)
    np.testing.assert_allclose(p, TRUE, atol=1e-6)
    figure("catch: filtered velocity of exact sightings, from the 12th on [m/s]",
           np.abs(v[12:-1] - SPEEDS[12:-1]).max(), 1e-3)  # fmt: skip


def test_its_errors_are_as_large_as_it_says(figure):
    """Flights with drag whose acceleration is as unsure as the filter takes it for: normalised squared errors follow
    chi-square, with the matrices' covariance, not its own."""
    rng, balls = np.random.default_rng(5), 400
    p_true, v_true = np.tile(P, (balls, 1)), np.tile(V, (balls, 1))
    places, speeds = [p_true], [v_true]
    for _ in range(COUNT - 1):
        p_true, v_true = air_step(p_true, v_true, K, H)
        push = ball_filter.UNSURE * rng.normal(size=(balls, 3))
        p_true, v_true = p_true + 0.5 * H * H * push, v_true + H * push
        places.append(p_true)
        speeds.append(v_true)
    rows = np.array(places) + NOISE * rng.normal(size=(COUNT, balls, 3))
    p, v = filtered_flight(rows, np.full(balls, NOISE), np.full(balls, K), H)
    C = matrices(rows[:, 0], NOISE)[1]
    low, high = chi2.ppf([0.0005, 0.9995], 6 * balls) / balls
    for n in (12, 30, 60):
        error = np.concatenate([p[n] - places[n], v[n] - speeds[n]], 1)
        nees = np.einsum("bi,ij,bj->b", error, np.linalg.inv(C[n]), error).mean()
        figure(f"catch: filter, mean normalised squared error of 400 flights, {n} sightings: most", nees, high)
        figure(f"catch: filter, mean normalised squared error of 400 flights, {n} sightings: least", nees, low,
               at_least=True)  # fmt: skip


def test_a_filter_that_does_not_know_the_drag_is_off():
    """Four times a sphere's drag, unknown to it: its velocity lags by more than its noise."""
    rows = path_of(P, V, 4 * K, H, COUNT)[:, None] + seen(200) - TRUE[:, None]
    told = [filtered_flight(rows, np.full(200, NOISE), np.full(200, k), H)[1][-2].mean(0) for k in (4 * K, 0.0)]
    truth = np.gradient(path_of(P, V, 4 * K, H / 8, 8 * COUNT), H / 8, axis=0)[::8][-2]
    knowing, blind = (np.linalg.norm(v - truth) for v in told)
    assert knowing < 0.01
    assert blind > 5 * knowing


def test_it_is_as_sharp_as_least_squares(figure):
    """Without drag a flight has six unknowns; the spread over that of a fit to all sightings so far."""
    times = H * np.arange(COUNT)
    free = P + times[:, None] * V + 0.5 * times[:, None] ** 2 * G
    rows = free[:, None] + seen(300) - TRUE[:, None]
    v = filtered_flight(rows, np.full(300, NOISE), np.zeros(300), H)[1]
    end = V + times[-1] * G
    fits = np.array([fitted_flight(times, rows[:, i])[1] + times[-1] * G for i in range(300)])
    ratio = np.std(v[-1] - end, axis=0) / np.std(fits - end, axis=0)
    figure("catch: filtered velocity, spread over that of least squares, 300 flights", ratio.max(), 1.05)


def test_one_ball_and_many_are_the_same_bits():
    rows, noise = seen(3), np.array([0.001, 0.004, 0.02])
    p, v = filtered_flight(rows, noise, np.full(3, K), H)
    for i in range(3):
        alone = filtered_flight(rows[:, i : i + 1], noise[i : i + 1], np.full(1, K), H)
        np.testing.assert_array_equal(alone[0][:, 0], p[:, i])
        np.testing.assert_array_equal(alone[1][:, 0], v[:, i])
