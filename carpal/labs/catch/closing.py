"""How fast the digits close: from the signal until nine tenths of the way that they go in the end (erratum E24)."""

from __future__ import annotations

import numpy as np

from carpal.errors import InputError
from carpal.spatial import Array

SHARE = 0.9
DIGITS = ("index", "middle", "ring", "little", "thumb")
"""In the order of `digit_values`."""


def closing_times(time: Array, values: Array, signal: float, end: float) -> Array:
    """Seconds (digits) from the signal to nine tenths of each digit's travel; infinite where a digit does not move.

    Args:
        time: (rows) [s].
        values: (rows, digits), lengths or angles.
        signal: when they are commanded to close [s].
        end: when their travel is complete [s], such as just before the hand opens.
    """
    time, values = np.asarray(time, float), np.asarray(values, float)
    if not time[0] <= signal < end <= time[-1]:
        raise InputError(
            f"signal and end must lie in order within {time[0]:g} to {time[-1]:g} s; got {signal:g}, {end:g}."
        )
    first, last = np.searchsorted(time, signal, side="right") - 1, np.searchsorted(time, end)
    travel = values[last] - values[first]
    moving = np.abs(travel) > 1e-9
    share = (values[first : last + 1] - values[first]) / np.where(moving, travel, np.inf)
    arrived = share >= SHARE
    rows = np.where(arrived.any(0), arrived.argmax(0), 0)
    # between two rows the way is taken as straight
    before = np.maximum(rows - 1, 0)
    digits = np.arange(values.shape[1])
    low, high = share[before, digits], share[rows, digits]
    part = np.where(high > low, (SHARE - low) / np.where(high > low, high - low, 1.0), 0.0)
    when = time[first + before] + part * (time[first + rows] - time[first + before])
    return np.where(moving & arrived.any(0), when - signal, np.inf)
