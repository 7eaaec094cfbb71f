"""The position filter: the textbook's, its lag and its noise for a k_v that is right, 10 % and 30 % off."""

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.labs.retrieve import GripperSettings, filter_positions, moving_average

SETTINGS = GripperSettings()


def steady_run(seed: int, worlds: int, n: int) -> tuple[np.ndarray, ...]:
    """A rod at its free speed: uneven and late samples, noisy readings, sensed currents in counts."""
    s, motor, rng = SETTINGS, SETTINGS.motor, np.random.default_rng(seed)
    dt = rng.uniform(s.shortest_sample, s.longest_sample, (worlds, n))
    dt += (rng.random(dt.shape) < s.late_share) * rng.uniform(0, s.late_by, dt.shape)
    times = np.cumsum(dt, axis=-1)
    x = motor.free_speed * times
    count = s.full_scale / 256
    currents = count * np.round((motor.free_current + s.current_noise * rng.standard_normal(x.shape)) / count)
    spread = s.reading_deviation * np.sqrt(1 + (motor.free_current / s.noise_current) ** 2)
    return times, x, x + spread * rng.standard_normal(x.shape), currents, dt


def lag_and_noise(share: float) -> tuple[float, float]:
    times, x, readings, currents, dt = steady_run(5, 100, 400)
    estimate, _ = filter_positions(SETTINGS, times, readings, 12.0, currents, k_v=share * SETTINGS.motor.k_v)
    error = (estimate - x)[:, 100:]
    return -error.mean() / (SETTINGS.motor.free_speed * dt.mean()), (readings - x)[:, 100:].std() / error.std()


def test_lag_and_noise(figure):
    for share in (0.9, 1.0, 1.1):
        lag, reduced = lag_and_noise(share)
        figure(f"gripper filter, k_v {100 * share - 100:+.0f} %: lag or lead [samples]", abs(lag), 1.0)
        figure(f"gripper filter, k_v {100 * share - 100:+.0f} %: noise reduced by", reduced, 3.0, at_least=True)
    for share in (0.7, 1.3):  # what happens at 30 %
        lag, reduced = lag_and_noise(share)
        figure(f"gripper filter, k_v {100 * share - 100:+.0f} %: lag or lead [samples], shown", abs(lag), 3.0)
        figure(
            f"gripper filter, k_v {100 * share - 100:+.0f} %: it is more than one sample", abs(lag), 1.0, at_least=True
        )
        assert reduced > 3


def test_the_average_that_is_as_quiet_lags(figure):
    _, x, readings, _, dt = steady_run(6, 50, 400)
    mean = moving_average(readings, 12)
    lag = (x - mean)[:, 100:].mean() / (SETTINGS.motor.free_speed * dt.mean())
    figure("moving average of 12 readings, as quiet as the filter: lag [samples]", lag, 5.0, at_least=True)
    assert np.allclose(moving_average([1.0, 2.0, 3.0, 4.0], 2), [1.0, 1.5, 2.5, 3.5])


def test_it_is_the_textbook_filter():
    rng = np.random.default_rng(2)
    times = np.cumsum(rng.uniform(0.01, 0.04, 60))
    readings, volts, currents = rng.normal(0.01, 1e-4, 60), rng.uniform(-12, 12, 60), rng.uniform(-0.2, 0.2, 60)
    limited = rng.random(60) < 0.3
    estimate, variance = filter_positions(SETTINGS, times, readings, volts, currents, limited=limited)
    s = SETTINGS
    r = s.reading_deviation**2 * (1 + (currents / s.noise_current) ** 2)
    x, p = readings[0], r[0]
    for i in range(1, 60):
        dt = times[i] - times[i - 1]
        x += dt * (volts[i] - currents[i] * 60.0) / 2250.0
        p += (dt * s.speed_deviation) ** 2 * (100.0 if limited[i] else 1.0)
        k = p / (p + r[i])
        x, p = x + k * (readings[i] - x), (1 - k) * p
        assert estimate[i] == pytest.approx(x, rel=1e-12) and variance[i] == pytest.approx(p, rel=1e-12)


def test_batches_are_the_single_ones():
    times, _, readings, currents, _ = steady_run(1, 3, 50)
    many, _ = filter_positions(SETTINGS, times, readings, 12.0, currents)
    one, _ = filter_positions(SETTINGS, times[1], readings[1], 12.0, currents[1])
    assert (many[1] == one).all()


def test_bad_input():
    with pytest.raises(InputError, match="times must rise"):
        filter_positions(SETTINGS, [0.0, 0.0], [0.0, 0.0], 0.0, 0.0)
    with pytest.raises(InputError, match="readings must be finite"):
        filter_positions(SETTINGS, [0.0, 0.1], [0.0, np.nan], 0.0, 0.0)
    with pytest.raises(InputError, match="do not fit together"):
        filter_positions(SETTINGS, [0.0, 0.1], [0.0, 0.1, 0.2], 0.0, 0.0)
    with pytest.raises(InputError, match="one sample at least"):
        filter_positions(SETTINGS, [], [], [], [])
    with pytest.raises(InputError, match="k_v must be finite and above zero"):
        filter_positions(SETTINGS, [0.0, 0.1], [0.0, 0.0], 0.0, 0.0, k_v=0.0)
    with pytest.raises(InputError, match="samples must be a whole number"):
        moving_average([0.0], 0)
