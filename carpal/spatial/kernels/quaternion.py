"""Unit quaternions, scalar first."""

import math

from carpal._jit import leaf


@leaf
def rotation_from_wxyz(w, x, y, z):
    """Rotation matrix (9 numbers) of a quaternion of any length but zero; zero length gives NaN."""
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return (
        1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),
        s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x),
        s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y),
    )  # fmt: skip


@leaf
def wxyz_turned(w, x, y, z, a, b, c):
    """exp((a, b, c)) * wxyz, normalised: a rotation vector [rad] of the fixed frame applied on the left."""
    angle = math.sqrt(a * a + b * b + c * c)
    half = 0.5 * angle
    # sin(h)/(2h) by its series where the quotient would lose digits
    k = 0.5 - angle * angle / 48.0 if angle < 1e-4 else math.sin(half) / angle
    u = math.cos(half)
    a, b, c = k * a, k * b, k * c
    nw = u * w - a * x - b * y - c * z
    nx = u * x + a * w + b * z - c * y
    ny = u * y + b * w + c * x - a * z
    nz = u * z + c * w + a * y - b * x
    s = 1.0 / math.sqrt(nw * nw + nx * nx + ny * ny + nz * nz)
    return nw * s, nx * s, ny * s, nz * s
