"""What a contact does: the states of Chan (1998), section 2.1, with E1's correction.

Sticking and rolling share their constraint and differ only by the turning about tangential axes.
"""

from carpal._core.compile import leaf

FREE, STICK, ROLL, SLIDE = 0, 1, 2, 3


@leaf
def contact_mode(impulse_n, slip, turning, slow_slip, slow_turning):
    """The mode's code: by the slip speed first, because at rest indeterminate forces may lie on the cone.

    Args:
        impulse_n: normal impulse or force.
        slip: tangential speed [m/s], `slow_slip` what counts as none.
        turning: speed of turning about tangential axes [rad/s], `slow_turning` what counts as none.
    """
    if not impulse_n > 0.0:
        return FREE
    if slip > slow_slip:
        return SLIDE
    return ROLL if turning > slow_turning else STICK
