"""Painlevé's paradox at one contact: sliding friction that presses the bodies together faster than they can be parted.

While a contact slides along r, a normal force of one newton changes the normal acceleration by k3 . xi = k33 - mu k_t . r
(Chan 1998, 4.17; it only says that sliding may jam, E18). At or below zero no finite force need exist: the slip ends in
an impact without approach, which `hit_contact` resolves.
"""

import math

from carpal._core.compile import leaf


@leaf
def painleve_margin(K, u, mu):
    """k3 . xi over k33 for the present direction of sliding; 1 without friction or slip, at or below 0 the paradox."""
    s = math.sqrt(u[0] * u[0] + u[1] * u[1])
    if not s > 0.0 or not K[2] > 0.0:
        return 1.0
    return 1.0 - mu * (K[4] * u[0] + K[5] * u[1]) / (s * K[2])


@leaf
def worst_painleve_margin(K, mu):
    """The least margin over all directions of sliding."""
    if not K[2] > 0.0:
        return 1.0
    return 1.0 - mu * math.sqrt(K[4] * K[4] + K[5] * K[5]) / K[2]
