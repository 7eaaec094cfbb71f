"""The coefficient of restitution of a contact: a constant, or Chan's exponential of the penetration (C.2), cut to 0..1.

Chan prints e = 0.8744 + 0.0756 * 2.7182^k without a unit; k in metres would be constant 0.95, so it is millimetres, and
above 0.508 mm e exceeds one (E19).
"""

import math

from carpal._core.compile import leaf

CONSTANT, EXPONENTIAL = 0, 1


@leaf
def restitution_at(kind, a, b, depth_mm):
    """E for a penetration [mm]; kind CONSTANT: a; EXPONENTIAL: a + b exp(depth)."""
    e = a
    if kind == EXPONENTIAL:
        e = a + b * math.exp(min(depth_mm, 100.0))
    return min(max(e, 0.0), 1.0)
