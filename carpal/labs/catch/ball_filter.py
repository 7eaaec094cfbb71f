"""Position and velocity of flying balls from noisy sightings: a Kalman filter whose prediction knows gravity and drag.

The noise of a sighting is the same along each axis, so the three axes share one covariance (of position and velocity), and drag,
a hundredth of gravity, is left out of it (an extended filter would differentiate it). The first sighting starts the filter at
rest with a wide prior. Many balls at once: every number may differ from ball to ball.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.labs.catch.air_flight import air_step
from carpal.spatial import Array

PRIOR_SPEED = 20.0
"""[m/s] deviation of the velocity before anything is known of it."""
UNSURE = 0.05
"""[m/s^2] deviation of what the prediction does not know of the acceleration, drawn again at each sighting."""
SHARPEST = 1e-6
"""[m] of noise that the filter assumes at least: sightings without any would leave it nothing to weigh."""


def filtered_flight(seen: Array, noise: ArrayLike, k: ArrayLike, h: float) -> tuple[Array, Array]:
    """Estimates after each sighting.

    Args:
        seen: positions (count, *batch, 3) [m], h seconds apart.
        noise: their deviation along each axis (*batch) [m].
        k: drag rates (*batch) [1/m].
        h: [s].

    Returns:
        Positions and velocities (count, *batch, 3) [m, m/s] at the moment of each sighting.
    """
    variance = np.maximum(np.asarray(noise, float), SHARPEST) ** 2
    p, v = seen[0], np.zeros_like(seen[0])
    pp, pv, vv = variance, np.zeros_like(variance), np.full_like(variance, PRIOR_SPEED**2)
    unsure = UNSURE**2
    places, speeds = [p], [v]
    for row in seen[1:]:
        p, v = air_step(p, v, k, h)
        pp = pp + 2 * h * pv + h * h * vv + unsure * h**4 / 4
        pv = pv + h * vv + unsure * h**3 / 2
        vv = vv + unsure * h**2
        total = pp + variance
        to_place, to_speed = pp / total, pv / total
        off = row - p
        p, v = p + to_place[..., None] * off, v + to_speed[..., None] * off
        vv, pv, pp = vv - to_speed * pv, (1 - to_place) * pv, (1 - to_place) * pp
        places.append(p)
        speeds.append(v)
    return np.array(places), np.array(speeds)
