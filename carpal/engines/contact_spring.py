"""A linear spring and damper that cannot pull, as a contact: restitution from damping ratio, and the other way round.

Schwager and Pöschel 2007, "Coefficient of restitution and linear-dashpot model revisited", Granular Matter 9, 465: the contact
ends where the force is zero, not where the gap is, so the result is above that of a spring and damper which may pull.
"""

from __future__ import annotations

import math

from carpal.engines.surface import Surface
from carpal.errors import InputError

LEAST_RESTITUTION = 0.01
"""The least that a spring and damper is asked for: zero would need infinite damping. Assumed."""


def restitution_of(damping_ratio: float) -> float:
    """Speed after over speed before an impact on a spring and damper with that damping ratio; the speed does not matter."""
    z = float(damping_ratio)
    if not 0 <= z < math.inf:
        raise InputError(f"a damping ratio must be finite and zero or above; got {damping_ratio!r:.40}.")
    if abs(z - 1.0) < 1e-9:
        return math.exp(-2.0)
    if z < 1.0:
        w = math.sqrt(1.0 - z * z)
        return math.exp(-z / w * (math.pi - math.atan2(2.0 * z * w, w * w - z * z)))
    w = math.sqrt(z * z - 1.0)
    return math.exp(-z / w * math.log((z + w) / (z - w)))


def damping_ratio_of(restitution: float) -> float:
    """The damping ratio that gives a restitution from `LEAST_RESTITUTION` to 1; below, that of the least."""
    e = max(float(restitution), LEAST_RESTITUTION)
    if not e <= 1.0:
        raise InputError(f"a coefficient of restitution must be from 0 to 1; got {restitution!r:.40}.")
    low, high = 0.0, 10.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if restitution_of(middle) > e else (low, middle)
    return low


def restitution_number(surface: Surface) -> float:
    """A surface's restitution as one number: of the exponential law that of an impact without penetration."""
    kind, a, b = surface.restitution.kind, surface.restitution.a, surface.restitution.b  # type: ignore[union-attr]
    return a if kind == "constant" else min(1.0, max(0.0, a + b))
