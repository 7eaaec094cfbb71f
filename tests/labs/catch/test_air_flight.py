"""Flight with drag: the parabola without it, closed forms, scipy's integration, and where a ball crosses a plane."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from carpal.errors import InputError
from carpal.labs.catch.air_flight import acceleration, air_step, crossing, flown_in_air, path_of
from carpal.labs.catch.catcher_numbers import CatcherNumbers
from carpal.labs.catch.flight import launch

SPHERE = CatcherNumbers(drag=0.47).air_rate
G = np.array([0.0, -9.81, 0.0])


def integrated(p, v, k, time):
    """The same flight by scipy: position and velocity (6)."""
    answer = solve_ivp(
        lambda _t, y: np.r_[y[3:], G - k * np.linalg.norm(y[3:]) * y[3:]], (0.0, time), np.r_[p, v], method="DOP853",
        rtol=1e-12, atol=1e-13,
    )  # fmt: skip
    return answer.y[:, -1]


def thrown(count, seed=4):
    """Balls of 3 to 8 m/s, 35 to 55 deg up, aside too, with up to twice a sphere's drag."""
    rng = np.random.default_rng(seed)
    speed, up, side = rng.uniform(3, 8, count), np.radians(rng.uniform(35, 55, count)), rng.uniform(-0.3, 0.3, count)
    flat = speed * np.cos(up)
    v = np.stack([flat * np.sin(side), speed * np.sin(up), flat * np.cos(side)], -1)
    return rng.normal(size=(count, 3)), v, rng.uniform(0, 2 * SPHERE, count)


def test_the_rate_of_a_sphere():
    """rho Cd pi r^2 / (2 m) of 25 mm and 0.12 kg."""
    np.testing.assert_allclose(SPHERE, 1.2 * 0.47 * math.pi * 0.025**2 / (2 * 0.12), rtol=1e-12)
    np.testing.assert_allclose(acceleration(np.array([3.0, 0.0, 4.0]), 0.1), [-1.5, -9.81, -2.0])


def test_without_drag_it_is_the_parabola():
    p, v, _ = thrown(20)
    there, speed = flown_in_air(p, v, 0.0, 0.9)
    np.testing.assert_allclose(there, p + 0.9 * v + 0.5 * 0.81 * G, atol=1e-13)
    np.testing.assert_allclose(speed, v + 0.9 * G, atol=1e-13)


def test_against_scipy(figure):
    p, v, k = thrown(30)
    there, speed = flown_in_air(p, v, k, 1.0)
    truth = np.array([integrated(*each, 1.0) for each in zip(p, v, k, strict=True)])
    figure("catch: flight of 1 s with drag against scipy, 30 balls [m]", np.abs(there - truth[:, :3]).max(), 2e-6)
    np.testing.assert_allclose(speed, truth[:, 3:], atol=1e-5)
    p, v = launch(0.2, 0.14, 5.2, math.radians(45), 0.0, SPHERE)
    with_air = integrated(p, v, SPHERE, 0.7)[:3]
    figure("catch: the same, the thesis's throw [m]", np.abs(flown_in_air(p, v, SPHERE, 0.7)[0] - with_air).max(), 2e-7)


def test_a_fall_from_rest(figure):
    """v = -v_t tanh(g t / v_t), y = -v_t^2 / g ln cosh(g t / v_t), in steps as small as the sightings'."""
    k, h = 0.05, 1 / 120
    end = math.sqrt(9.81 / k)
    rows = path_of(np.zeros(3), np.zeros(3), k, h, 121)
    times = h * np.arange(121)
    fallen = -(end**2) / 9.81 * np.log(np.cosh(9.81 * times / end))
    figure("catch: fall from rest with drag against its closed form, 1 s [m]", np.abs(rows[:, 1] - fallen).max(), 1e-9)
    _, v = air_step(np.zeros(3), np.array([0.0, -end, 0.0]), k, h)
    np.testing.assert_allclose(v, [0.0, -end, 0.0], atol=1e-12)  # the terminal speed stays


def test_one_and_many_are_the_same_bits_and_time_runs_back():
    p, v, k = thrown(12)
    time = np.linspace(0.3, 1.0, 12)
    there, speed = flown_in_air(p, v, k, time)
    for i in range(12):
        np.testing.assert_array_equal(flown_in_air(p[i], v[i], k[i], time[i])[0], there[i])
    np.testing.assert_allclose(flown_in_air(there, speed, k, -time)[0], p, atol=1e-5)


def test_a_crossing_is_where_scipy_says(figure):
    p, v, k = thrown(10)
    place = p[:, 2] + 2.0
    time, there, speed = crossing(p, v, k, 2, place, 2.0 / v[:, 2])
    off = []
    for i in range(10):
        truth = integrated(p[i], v[i], k[i], time[i])
        off.append(max(abs(truth[2] - place[i]), np.abs(truth[:3] - there[i]).max()))
        np.testing.assert_allclose(truth[3:], speed[i], atol=1e-5)
    figure("catch: crossing of a plane with drag against scipy, 10 balls [m]", max(off), 2e-6)


def test_a_ball_that_never_crosses_has_no_crossing():
    v = np.array([[0.0, 1.0, 0.0], [0.0, 6.0, 6.0], [0.0, 6.0, 6.0]])
    with np.errstate(divide="ignore"):
        guess = 3.0 / v[:, 2]
    k = np.array([0.0, 0.5, 30.0])  # the second all but stops before, the third is in treacle
    time, there, _ = crossing(np.zeros((3, 3)), v, k, 2, 3.0, guess)
    assert np.isnan(time).all()
    assert np.isnan(there).all()
    with pytest.raises(InputError, match="never reaches the catch plane"):
        launch(0.2, 0.14, 8.0, math.radians(45), 0.0, 30.0)


def test_a_throw_with_drag_is_aimed_through_it(figure):
    """It still crosses the catch plane in the point of the grid; without drag it would come higher (E17)."""
    p, v = launch(0.2, 0.14, 5.2, math.radians(45), 0.0, SPHERE)
    plain, _ = launch(0.2, 0.14, 5.2, math.radians(45))
    time = crossing(p, v, SPHERE, 2, -0.35, (-0.35 - p[2]) / v[2])[0]
    there = integrated(p, v, SPHERE, float(time))[:3]
    figure("catch: a throw with drag from its point on the grid [m]", np.abs(there - [0.1, -0.04, -0.35]).max(), 1e-6)
    assert p[2] > plain[2] + 0.02  # it is thrown from nearer, because it comes less far
    late, low, _ = crossing(plain, v, SPHERE, 2, -0.35, (-0.35 - plain[2]) / v[2])
    figure("catch: how much lower drag brings the thesis's throw, against 27.7 mm (E17) [m]",
           abs(low[1] + 0.04 + 0.0277), 1e-4)  # fmt: skip
    figure("catch: when it crosses the plane then, against 0.7551 s [s]", abs(late - 0.7551), 1e-4)
