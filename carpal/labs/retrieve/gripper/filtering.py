"""Filters of the gripper's position signal: Kalman filter at a varying sample time, and a moving average for comparison."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.labs.retrieve.gripper.kernels import position_filter as kernels
from carpal.labs.retrieve.gripper.settings import GripperSettings
from carpal.model import real_array
from carpal.spatial import Array


def filter_positions(
    settings: GripperSettings,
    times: ArrayLike,
    readings: ArrayLike,
    volts: ArrayLike,
    currents: ArrayLike,
    *,
    limited: ArrayLike = False,
    k_v: float | None = None,
) -> tuple[Array, Array]:
    """Kalman filter of position readings (Leutenegger 2008, 4.2 to 4.6).

    Args:
        settings: motor, deviations of readings and model.
        times: (*batch, n) [s], rising; sample times may vary.
        readings: (*batch, n) [m].
        volts: (*batch, n) voltage between the sample before and this one [V].
        currents: (*batch, n) measured at the sample [A].
        limited: (*batch, n) whether the drive limited the current.
        k_v: as the filter believes it [V s/m]; by default the motor's.

    Returns:
        Positions [m] and their variances [m^2], (*batch, n).
    """
    from carpal._core import cpu_pool

    named = {"times": times, "readings": readings, "volts": volts, "currents": currents}
    arrays = [real_array(values, name) for name, values in named.items()]
    try:
        arrays = list(np.broadcast_arrays(*arrays, np.asarray(limited, float)))
    except ValueError:
        shapes = ", ".join(f"{name} {a.shape}" for name, a in zip(named, arrays, strict=True))
        raise InputError(f"these shapes do not fit together: {shapes}, limited {np.shape(limited)}.") from None
    shape = arrays[0].shape
    if not shape or shape[-1] < 1:
        raise InputError(f"the filter needs one sample at least on the last axis; got shape {shape}.")
    for name, array in zip(named, arrays, strict=False):
        if not np.isfinite(array).all():
            raise InputError(f"{name} must be finite; got {array[~np.isfinite(array)][0]}.")
    dt = np.diff(arrays[0], axis=-1, prepend=arrays[0][..., :1])
    if (dt[..., 1:] <= 0).any():
        raise InputError(f"times must rise from sample to sample; the smallest step is {dt[..., 1:].min():.3g} s.")
    numbers = settings.filter_table()
    if k_v is not None:
        if not np.isfinite(k_v) or k_v <= 0:
            raise InputError(f"k_v must be finite and above zero [V s/m]; got {k_v!r}.")
        numbers[kernels.K_V] = k_v
    samples = np.empty((*shape, kernels.SAMPLE_COLUMNS))
    for column, values in (
        (kernels.DT, dt), (kernels.READING, arrays[1]), (kernels.VOLTS, arrays[2]), (kernels.CURRENT, arrays[3]),
        (kernels.LIMITED, arrays[4]),
    ):  # fmt: skip
        samples[..., column] = values
    rows = samples.reshape(-1, *samples.shape[-2:])
    estimates = np.empty((*rows.shape[:2], 2))
    cpu_pool.run_on_cpu(kernels.filter_batch, (numbers, rows, estimates), len(rows), threads=1, world_seconds=1e-5)
    estimates = estimates.reshape(*shape, 2)
    return estimates[..., kernels.POSITION], estimates[..., kernels.VARIANCE]


def moving_average(readings: ArrayLike, samples: int) -> Array:
    """Mean of the last `samples` readings (*batch, n), fewer at the start; it lags (Leutenegger 2008, figure 16)."""
    array = real_array(readings, "readings")
    if not isinstance(samples, int) or samples < 1:
        raise InputError(f"samples must be a whole number, 1 or above; got {samples!r}.")
    total = np.cumsum(array, axis=-1)
    mean = total.copy()
    mean[..., samples:] = total[..., samples:] - total[..., :-samples]
    return mean / np.minimum(np.arange(1, array.shape[-1] + 1), samples)
