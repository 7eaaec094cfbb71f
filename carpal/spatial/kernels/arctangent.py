"""Arctangent of two arguments, the same bits on every device.

The smaller argument is divided by the larger, or their difference by their sum, so that the quotient is below tan(pi / 8); then
the minimax polynomial of fdlibm (Sun Microsystems, 1993). Error below 2 units in the last place. Ours because the library's
was a third of a closed-form inverse kinematics, and because the GPU's rounds differently.
"""

import math

from carpal._core.compile import leaf

_TAN_PI_8 = 0.41421356237309503
_QUARTER = 7.85398163397448278999e-01  # pi/4 and what it lacks
_QUARTER_LOW = 3.06161699786838301793e-17


@leaf
def arctan2(y, x):
    """Angle of the point (x, y) [rad] in [-pi, pi]; zero or pi for y = 0, as the library's."""
    a, b = abs(y), abs(x)
    steep = a > b
    low = b if steep else a
    high = a if steep else b
    half = low > _TAN_PI_8 * high
    top = low - high if half else low
    bottom = low + high if half else high
    t = top / bottom if high != 0.0 else 0.0 * low  # a NaN passes through
    z = t * t
    w = z * z
    even = z * (
        3.33333333333329318027e-01
        + w
        * (
            1.42857142725034663711e-01
            + w
            * (
                9.09088713343650656196e-02
                + w * (6.66107313738753120669e-02 + w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02))
            )
        )
    )
    odd = w * (
        -1.99999999998764832476e-01
        + w
        * (
            -1.11111104054623557880e-01
            + w * (-7.69187620504482999495e-02 + w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02))
        )
    )
    angle = t - t * (even + odd)
    if half:
        angle = _QUARTER + (angle + _QUARTER_LOW)
    if steep:
        angle = 2.0 * _QUARTER - (angle - 2.0 * _QUARTER_LOW)
    if x < 0.0:
        angle = 4.0 * _QUARTER - (angle - 4.0 * _QUARTER_LOW)
    return math.copysign(angle, y)


@leaf
def arcsine(x):
    """Angle in [-pi/2, pi/2] whose sine is x; beyond one, which is rounding, a quarter turn."""
    return arctan2(x, math.sqrt(max((1.0 - x) * (1.0 + x), 0.0)))
