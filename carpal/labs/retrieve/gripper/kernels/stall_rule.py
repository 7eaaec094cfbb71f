"""Control program of the gripper, one sample: voltage, force limit, and end of the motion (Leutenegger 2008, 4.6).

Proportional control of the position with the dead band of friction added; one force limit under way and one in the target
zone; a stall in the zone is a grip, a stall under way a jam. The blade bends under the force, so a stalled rod stands beyond
the place where it met something: zone and verdict go by the position less force / blade stiffness.
"""

import math

from carpal._core.compile import leaf

# entries of `rule`: target [m], tolerance [m], width of the zone before the target [m], gain [V/m], dead band [V], largest
# voltage [V], current limits under way and in the zone [A], stiffness of the blade [N/m], speed below which the rod stands
# [m/s], force that counts as one [N], time of the averages [s], time a verdict must hold [s], longest time [s]
(
    TARGET, TOLERANCE, ZONE, GAIN, DEAD_BAND, LARGEST_VOLTS, WAY_LIMIT, ZONE_LIMIT, BLADE, STILL, FELT, AVERAGE, HOLD, LONGEST,
) = range(14)  # fmt: skip
RULE_NUMBERS = 14
# outcomes
RUNNING, REACHED, GRIPPED, JAMMED, TIMED_OUT = 0, 1, 2, 3, 4


@leaf
def contact_place(rule, x, force):
    """Where the blade met what it presses, with that force [N], when the rod is at x."""
    return x - max(force, 0.0) / rule[BLADE]


@leaf
def in_zone(rule, place):
    """Whether a place is in the target zone; closing motions have the zone before their target."""
    return abs(rule[TARGET] - place) <= rule[ZONE]


@leaf
def command(rule, x):
    """Voltage for an estimated position; none within the tolerance."""
    error = rule[TARGET] - x
    if abs(error) <= rule[TOLERANCE]:
        return 0.0
    volts = rule[GAIN] * error + math.copysign(rule[DEAD_BAND], error)
    return min(max(volts, -rule[LARGEST_VOLTS]), rule[LARGEST_VOLTS])


@leaf
def averaged(rule, mean, value, dt):
    """Running mean with the rule's time constant, at a varying sample time."""
    return mean + (1.0 - math.exp(-dt / rule[AVERAGE])) * (value - mean)


@leaf
def verdict(rule, x, force, near, still):
    """Outcome from the averaged force and the times for which it has been near its target, and still under force.

    A rod that arrives while it presses holds something, too.
    """
    if near >= rule[HOLD]:
        return GRIPPED if force > rule[FELT] else REACHED
    if still >= rule[HOLD]:
        return GRIPPED if in_zone(rule, contact_place(rule, x, force)) else JAMMED
    return RUNNING
