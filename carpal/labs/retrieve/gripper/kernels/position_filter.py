"""Scalar Kalman filter of a rod's position at a varying sample time (Leutenegger 2008, 4.2 to 4.6).

The speed is the input: u = (V - I R) / k_v from the commanded voltage and the measured current. The reading's variance grows
with the current; the model's is raised where the drive limits the current, because its voltage is unknown then.
"""

from carpal._core.compile import entry, leaf

# entries of `numbers`: k_v [V s/m] and R [Ohm] as the filter believes them, deviation of the modelled speed [m/s], factor on
# the model's variance while the current is limited, deviation of a reading [m], current at which its variance doubles [A]
K_V, WINDING, SPEED_DEVIATION, LIMITED_FACTOR, READING_DEVIATION, NOISE_CURRENT = 0, 1, 2, 3, 4, 5
FILTER_NUMBERS = 6
# columns of `samples`: time since the last sample [s], reading [m], voltage since then [V], current [A], current limited
DT, READING, VOLTS, CURRENT, LIMITED = 0, 1, 2, 3, 4
SAMPLE_COLUMNS = 5
# columns of `estimates`: position [m], variance [m^2]
POSITION, VARIANCE = 0, 1


@leaf
def reading_variance(numbers, current):
    """[m^2]."""
    share = current / numbers[NOISE_CURRENT]
    return numbers[READING_DEVIATION] ** 2 * (1.0 + share * share)


@leaf
def filtered(numbers, k_v, x, variance, dt, reading, volts, current, limited):
    """(position, variance) one sample later; `k_v` as it is believed [V s/m]."""
    speed = (volts - current * numbers[WINDING]) / k_v
    q = (dt * numbers[SPEED_DEVIATION]) ** 2
    if limited > 0.0:
        q = q * numbers[LIMITED_FACTOR]
    x = x + dt * speed
    variance = variance + q
    gain = variance / (variance + reading_variance(numbers, current))
    return x + gain * (reading - x), (1.0 - gain) * variance


@entry
def filter_batch(numbers, samples, estimates, start, stop, stride, slot):
    """Every sample of every world; the first reading starts the filter."""
    bad = 0
    for world in range(start, stop, stride):
        x = samples[world, 0, READING]
        variance = reading_variance(numbers, samples[world, 0, CURRENT])
        estimates[world, 0, POSITION], estimates[world, 0, VARIANCE] = x, variance
        for i in range(1, samples.shape[1]):
            x, variance = filtered(
                numbers, numbers[K_V], x, variance, samples[world, i, DT], samples[world, i, READING],
                samples[world, i, VOLTS], samples[world, i, CURRENT], samples[world, i, LIMITED],
            )  # fmt: skip
            estimates[world, i, POSITION], estimates[world, i, VARIANCE] = x, variance
        if not abs(x) < 1e9 and bad == 0:
            bad = world + 1
    return bad
