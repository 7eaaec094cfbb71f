"""One step of a sliding collision: Routh's equations with a time that makes the end of slip regular (Chan 1998, 4.2; Routh).

With the accumulated impulse P = (Px, Py, p) and u = u0 + K P, Coulomb friction gives dP = (-mu ux / s, -mu uy / s, 1) dp with
the slip s = |(ux, uy)|, which turns infinitely fast as s goes to zero. With dp = s dtau the right side is

    dPx = -mu ux dtau,   dPy = -mu uy dtau,   dp = s dtau,   dw = s uz dtau        (w: work of the normal impulse)

polynomial but for s, without a division, and the slip decays exponentially instead of ending in a kink. p still grows
monotonically, so this is integration in the normal impulse, also where the normal speed falls at first (E18: 4.19, in the
normal speed, divides by zero there). Dormand and Prince's pair of orders 5 and 4.
"""

import math

from carpal._core.compile import kernel, leaf


@leaf
def speeds(K, u0, P):
    """U0 + K P (3)."""
    return (
        u0[0] + K[0] * P[0] + K[3] * P[1] + K[4] * P[2],
        u0[1] + K[3] * P[0] + K[1] * P[1] + K[5] * P[2],
        u0[2] + K[4] * P[0] + K[5] * P[1] + K[2] * P[2],
    )


@leaf
def _rates(K, u0, mu, y):
    ux, uy, uz = speeds(K, u0, y)
    s = math.sqrt(ux * ux + uy * uy)
    return -mu * ux, -mu * uy, s, s * uz


@leaf
def _moved(y, h, a, k1, b, k2, c, k3, d, k4, e, k5):
    return (
        y[0] + h * (a * k1[0] + b * k2[0] + c * k3[0] + d * k4[0] + e * k5[0]),
        y[1] + h * (a * k1[1] + b * k2[1] + c * k3[1] + d * k4[1] + e * k5[1]),
        y[2] + h * (a * k1[2] + b * k2[2] + c * k3[2] + d * k4[2] + e * k5[2]),
        y[3] + h * (a * k1[3] + b * k2[3] + c * k3[3] + d * k4[3] + e * k5[3]),
    )


@kernel
def slide_step(K, u0, mu, y, h):
    """(y after h, error of the impulse [N s], error of the work [J]) from y = (Px, Py, p, w)."""
    k1 = _rates(K, u0, mu, y)
    k2 = _rates(K, u0, mu, _moved(y, h, 0.2, k1, 0.0, k1, 0.0, k1, 0.0, k1, 0.0, k1))
    k3 = _rates(K, u0, mu, _moved(y, h, 3.0 / 40.0, k1, 9.0 / 40.0, k2, 0.0, k1, 0.0, k1, 0.0, k1))
    k4 = _rates(K, u0, mu, _moved(y, h, 44.0 / 45.0, k1, -56.0 / 15.0, k2, 32.0 / 9.0, k3, 0.0, k1, 0.0, k1))
    k5 = _rates(
        K, u0, mu,
        _moved(
            y, h, 19372.0 / 6561.0, k1, -25360.0 / 2187.0, k2, 64448.0 / 6561.0, k3, -212.0 / 729.0, k4, 0.0, k1
        ),
    )  # fmt: skip
    k6 = _rates(
        K, u0, mu,
        _moved(
            y, h, 9017.0 / 3168.0, k1, -355.0 / 33.0, k2, 46732.0 / 5247.0, k3, 49.0 / 176.0, k4, -5103.0 / 18656.0, k5
        ),
    )  # fmt: skip
    z = _moved(
        y, h, 35.0 / 384.0, k1, 500.0 / 1113.0, k3, 125.0 / 192.0, k4, -2187.0 / 6784.0, k5, 11.0 / 84.0, k6
    )  # fmt: skip
    k7 = _rates(K, u0, mu, z)
    zero = (0.0, 0.0, 0.0, 0.0)
    e = _moved(
        zero, h, 71.0 / 57600.0, k1, -71.0 / 16695.0, k3, 71.0 / 1920.0, k4, -17253.0 / 339200.0, k5, 22.0 / 525.0, k6
    )
    e = _moved(e, h, -1.0 / 40.0, k7, 0.0, k1, 0.0, k1, 0.0, k1, 0.0, k1)
    return z, max(max(abs(e[0]), abs(e[1])), abs(e[2])), abs(e[3])
