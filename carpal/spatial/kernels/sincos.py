"""Sine and cosine together, the same bits on every device.

Cody-Waite reduction by pi/2 in three parts and the minimax polynomials of fdlibm (Sun Microsystems, 1993); error below
1.6 units in the last place within one turn and below 2.5 for |x| < 1e5, beyond that the library's functions. (Carrying
the reduced angle's own rounding along gives 0.8 units, and a forward-kinematics run that takes 17 % longer.) Ours
because libm's two calls were most of such a run, and because the GPU's own functions round differently.
"""

import math

from carpal._core.compile import leaf

_TWO_OVER_PI = 0.6366197723675814
_ROUND = 6755399441055744.0  # 1.5 * 2**52: adding and subtracting it rounds to the nearest integer
_PIO2_HIGH = 1.57079632673412561417e00  # first 33 bits of pi/2, so that k * _PIO2_HIGH is exact for |k| < 2**20
_PIO2_MIDDLE = 6.07710050630396597660e-11
_PIO2_LOW = 2.02226624879595063154e-21


@leaf
def sincos(x):
    """(sin x, cos x)."""
    if not abs(x) < 1e5:
        return math.sin(x), math.cos(x)
    k = (x * _TWO_OVER_PI + _ROUND) - _ROUND
    r = ((x - k * _PIO2_HIGH) - k * _PIO2_MIDDLE) - k * _PIO2_LOW
    z = r * r
    s = r + r * z * (
        -1.66666666666666324348e-01
        + z
        * (
            8.33333333332248946124e-03
            + z
            * (
                -1.98412698298579493134e-04
                + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))
            )
        )
    )
    c = (1.0 - 0.5 * z) + z * z * (
        4.16666666666666019037e-02
        + z
        * (
            -1.38888888888741095749e-03
            + z
            * (
                2.48015872894767294178e-05
                + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))
            )
        )
    )
    quadrant = int(k)
    odd = quadrant & 1
    sine = c if odd else s
    cosine = s if odd else c
    return (-sine if quadrant & 2 else sine), (-cosine if (quadrant + 1) & 2 else cosine)
