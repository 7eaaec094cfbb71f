"""What a contact does: the states of Chan (1998), section 2.1, with E1's correction.

Sticking, rolling and spinning share their constraint: the point does not slip. They differ by the turning, about tangential
axes or about the normal alone. TOUCH: a gap that closed slowly within the step, pressed without friction. IMPACT: a collision.
"""

from carpal._core.compile import leaf

FREE, STICK, ROLL, SLIDE, SPIN, TOUCH, IMPACT = 0, 1, 2, 3, 4, 5, 6


@leaf
def holds(mode):
    """Whether the point of contact does not slip: sticking, rolling, or spinning about the normal."""
    return mode == STICK or mode == ROLL or mode == SPIN


@leaf
def contact_mode(impulse_n, slip, turning, spin, slow_slip, slow_turning):
    """The mode's code: by the slip speed first, because at rest indeterminate forces may lie on the cone.

    Args:
        impulse_n: normal impulse or force.
        slip: tangential speed [m/s], `slow_slip` what counts as none.
        turning: speed of turning about tangential axes [rad/s], `slow_turning` what counts as none.
        spin: speed of turning about the normal [rad/s], where nothing holds it.
    """
    if not impulse_n > 0.0:
        return FREE
    if slip > slow_slip:
        return SLIDE
    if turning > slow_turning:
        return ROLL
    return SPIN if spin > slow_turning else STICK
