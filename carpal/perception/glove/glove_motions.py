"""Synthetic glove motions: 22 smooth sensor curves that open and close a hand, for tests and demonstrations."""

from __future__ import annotations

import numpy as np

from carpal.errors import InputError
from carpal.perception.glove.glove_map import SENSORS
from carpal.spatial import Array


def synthetic_glove(
    duration: float, *, rate: float = 100.0, seed: int = 0, bend: float = 40.0, spread: float = 8.0
) -> tuple[Array, Array]:
    """Times (rows) [s] and sensors (rows, 22) [deg] of a hand that closes and opens, each finger in its own time.

    Args:
        duration: [s].
        rate: rows a second.
        seed: of phases and amplitudes; same seed, same bits.
        bend: largest bending [deg].
        spread: largest abduction [deg].
    """
    for name, value in (("duration", duration), ("rate", rate)):
        if not 0 < value < np.inf:
            raise InputError(f"{name} of a glove motion must be above zero; got {value!r:.40}.")
    rng = np.random.default_rng(seed)
    time = np.arange(int(np.floor(duration * rate)) + 1) / rate
    size = np.array(
        [
            spread if "abduction" in name else 0.2 * bend if name.startswith(("palm", "wrist")) else bend
            for name in SENSORS
        ]
    )
    size = size * rng.uniform(0.6, 1.0, len(SENSORS))
    period = rng.uniform(0.6, 1.4, len(SENSORS))
    phase = rng.uniform(0.0, 0.3, len(SENSORS))
    wave = 0.5 - 0.5 * np.cos(2 * np.pi * np.maximum(time[:, None] - phase, 0.0) / period)
    return time, size * wave
