"""What to pull on a finger's tendon so that its springs and dampers show: a tension that swings through many frequencies."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.labs.finger.load import FingerLoad
from carpal.labs.finger.motion import checked_times, positive


def tendon_sweep(time: ArrayLike, tension: float, low_hz: float = 0.5, high_hz: float = 20.0) -> FingerLoad:
    """A tension between zero and `tension` [N] whose frequency rises evenly, from `low_hz` to `high_hz`, over `time` (n) [s]."""
    moments = checked_times(time)
    pull, low, high = positive("tension", tension), positive("low_hz", low_hz), positive("high_hz", high_hz)
    if high < low:
        raise InputError(f"high_hz must not be below low_hz; got {high:g} and {low:g} Hz.")
    t, span = moments - moments[0], moments[-1] - moments[0]
    phase = 2 * np.pi * (low * t + 0.5 * (high - low) * t**2 / span)
    return FingerLoad(tension=0.5 * pull * (1.0 - np.cos(phase)))
