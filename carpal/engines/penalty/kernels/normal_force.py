"""Penalty normal force of a contact: A (k d + c d'), damping scaled by s_p while separating (Yesmunt 2014, eq. 2.33).

The printed form can pull two bodies together as they separate; it is cut off at zero (erratum E21).
"""

from carpal._core.compile import leaf


@leaf
def normal_force(depth, rate, area, stiffness, damping, separation):
    """Force [N], energy stored [J] and power lost [W] of a contact.

    Args:
        depth: penetration d [m]; no force at or below zero.
        rate: d' [m/s], positive while closing.
        area: that the point stands for [m^2].
        stiffness, damping: per area [N/m^3, N s/m^3].
        separation: s_p in [0, 1], the share of the damping that acts while separating.
    """
    if depth <= 0.0:
        return 0.0, 0.0, 0.0
    spring = area * stiffness * depth
    damper = area * damping * rate
    if rate < 0.0:
        damper *= separation
    force = max(spring + damper, 0.0)
    return force, 0.5 * spring * depth, (force - spring) * rate
