"""Unit quaternions, scalar first."""

import math

from carpal._core.compile import leaf


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


@leaf
def rotation_vector(R):
    """Rotation vector [rad] of a rotation matrix, length up to pi (Shepperd's choice of the largest component)."""
    t = R[0] + R[4] + R[8]
    if t >= R[0] and t >= R[4] and t >= R[8]:
        w, x, y, z = 1.0 + t, R[7] - R[5], R[2] - R[6], R[3] - R[1]
    elif R[0] >= R[4] and R[0] >= R[8]:
        w, x, y, z = R[7] - R[5], 1.0 + R[0] - R[4] - R[8], R[1] + R[3], R[2] + R[6]
    elif R[4] >= R[8]:
        w, x, y, z = R[2] - R[6], R[1] + R[3], 1.0 - R[0] + R[4] - R[8], R[5] + R[7]
    else:
        w, x, y, z = R[3] - R[1], R[2] + R[6], R[5] + R[7], 1.0 - R[0] - R[4] + R[8]
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    n = math.sqrt(x * x + y * y + z * z)
    # small turns: the vector part itself; its length relative to w gives the half angle
    k = 2.0 / w if n < 1e-8 * w else 2.0 * math.atan2(n, w) / n
    return k * x, k * y, k * z


@leaf
def rotation_vector_between(R_A, R_B):
    """Rotation vector, in world axes, that turns frame A to frame B."""
    return rotation_vector(
        (
            R_B[0] * R_A[0] + R_B[1] * R_A[1] + R_B[2] * R_A[2],
            R_B[0] * R_A[3] + R_B[1] * R_A[4] + R_B[2] * R_A[5],
            R_B[0] * R_A[6] + R_B[1] * R_A[7] + R_B[2] * R_A[8],
            R_B[3] * R_A[0] + R_B[4] * R_A[1] + R_B[5] * R_A[2],
            R_B[3] * R_A[3] + R_B[4] * R_A[4] + R_B[5] * R_A[5],
            R_B[3] * R_A[6] + R_B[4] * R_A[7] + R_B[5] * R_A[8],
            R_B[6] * R_A[0] + R_B[7] * R_A[1] + R_B[8] * R_A[2],
            R_B[6] * R_A[3] + R_B[7] * R_A[4] + R_B[8] * R_A[5],
            R_B[6] * R_A[6] + R_B[7] * R_A[7] + R_B[8] * R_A[8],
        )
    )


@leaf
def turn_between(a, b):
    """Shortest rotation vector that turns the unit vector a to b; for opposite ones about any axis across."""
    c = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    s = math.sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2])
    d = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    if s < 1e-12 and d < 0.0:
        x, y, z = abs(a[0]), abs(a[1]), abs(a[2])
        if x <= y and x <= z:
            c = (0.0, a[2], -a[1])
        elif y <= z:
            c = (-a[2], 0.0, a[0])
        else:
            c = (a[1], -a[0], 0.0)
        k = math.pi / math.sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2])
        return k * c[0], k * c[1], k * c[2]
    k = math.atan2(s, d) / s if s > 1e-150 else 1.0
    return k * c[0], k * c[1], k * c[2]
