"""Asperity friction: a piecewise-linear Coulomb element beside a spring to an anchor that slips (Yesmunt 2014, section 2.3.2).

The thesis names the parts (fig. 2.8) and gives no numbers; here is everything that decides. With limit L = mu N:

- element: L v / max(|v|, v_s), two linear segments, v_s the slip speed [m/s];
- spring: k_t s, where s is how far the anchor lags behind the point; it grows with the sliding and is cut to L / k_t, which is
  the anchor slipping;
- their sum is cut to L too: beside each other they would reach 2 L.

The same law holds friction about a hinge, with angles for lengths.
"""

import math

from carpal._core.compile import kernel, leaf
from carpal.engines.penalty.kernels.springs import angle_about, turn_apart
from carpal.engines.penalty.kernels.state import HELD, POWER_LOST
from carpal.spatial.kernels.vec3 import add, dot, scale

# joint friction: after A, B, AXIS, LINE_A, LINE_B of a spring
TORQUE, SLIP_SPEED, HOLD = 11, 12, 13
FRICTION_COLUMNS = 14


@leaf
def cut(a, limit):
    """A vector of the same direction whose length is at most `limit`."""
    length2 = dot(a, a)
    return a if length2 <= limit * limit else scale(limit / math.sqrt(length2), a)  # no root for what sticks


@leaf
def lag(s, v_before, v, h, limit, stiffness):
    """How far the anchor lags after h seconds, over which the sliding speed went from v_before to v."""
    if stiffness <= 0.0:
        return 0.0, 0.0, 0.0
    s = add(s, scale(0.5 * h, add(v_before, v)))
    pull2 = stiffness * stiffness * dot(s, s)
    return s if pull2 <= limit * limit else scale(limit / math.sqrt(pull2), s)


@leaf
def asperity_force(s, v, limit, stiffness, slip_speed):
    """Friction force on the moving side, against its sliding v (3), for an anchor that lags by s (3)."""
    speed2 = dot(v, v)
    element = scale(limit / (slip_speed if speed2 <= slip_speed * slip_speed else math.sqrt(speed2)), v)
    return scale(-1.0, cut(add(scale(stiffness, s), element), limit))


@kernel
def joint_friction(friction, first, h, now, force, sums, memory, rates, anchors, world, slot):
    """Dry friction about axes.

    The power lost is booked in full; what the anchors' springs keep of it, `sums[HELD]`, is taken off after the step.
    `memory` (worlds, 3 rows) holds the anchors at the step's start, from row `first` on; `anchors` gets those h seconds
    later. A call with h = 0 opens the step and remembers the speeds in `rates`.
    """
    for i in range(friction.shape[0]):
        row = first + i
        axis, _, rate = angle_about(friction, i, now, slot)
        if h == 0.0:
            rates[slot, row, 0] = rate
        held = (memory[world, 3 * row], 0.0, 0.0)
        limit, stiffness = friction[i, TORQUE], friction[i, HOLD]
        v = (rate, 0.0, 0.0)
        s = lag(held, (rates[slot, row, 0], 0.0, 0.0), v, h, limit, stiffness)
        torque = asperity_force(s, v, limit, stiffness, friction[i, SLIP_SPEED])[0]
        turn_apart(friction, i, axis, torque, force, slot)
        anchors[slot, row, 0], anchors[slot, row, 1], anchors[slot, row, 2] = s[0], 0.0, 0.0
        sums[slot, HELD] += 0.5 * stiffness * s[0] * s[0]
        sums[slot, POWER_LOST] -= torque * rate
