"""Vectors (3 numbers), matrices (9, row by row) and symmetric matrices (xx, yy, zz, xy, xz, yz) as tuples.

Tuples live in registers: no allocation, no aliasing, and the compiler sees every operation.
"""

from carpal._core.compile import leaf


@leaf
def add(a, b):
    """A + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@leaf
def sub(a, b):
    """A - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@leaf
def scale(s, a):
    """S a, s a number."""
    return s * a[0], s * a[1], s * a[2]


@leaf
def dot(a, b):
    """A . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@leaf
def cross(a, b):
    """A x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@leaf
def rotate(R, a):
    """R a."""
    return (
        R[0] * a[0] + R[1] * a[1] + R[2] * a[2],
        R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
        R[6] * a[0] + R[7] * a[1] + R[8] * a[2],
    )


@leaf
def rotate_back(R, a):
    """R^T a."""
    return (
        R[0] * a[0] + R[3] * a[1] + R[6] * a[2],
        R[1] * a[0] + R[4] * a[1] + R[7] * a[2],
        R[2] * a[0] + R[5] * a[1] + R[8] * a[2],
    )


@leaf
def product(A, B):
    """A B of two 3x3 matrices."""
    return (
        A[0] * B[0] + A[1] * B[3] + A[2] * B[6],
        A[0] * B[1] + A[1] * B[4] + A[2] * B[7],
        A[0] * B[2] + A[1] * B[5] + A[2] * B[8],
        A[3] * B[0] + A[4] * B[3] + A[5] * B[6],
        A[3] * B[1] + A[4] * B[4] + A[5] * B[7],
        A[3] * B[2] + A[4] * B[5] + A[5] * B[8],
        A[6] * B[0] + A[7] * B[3] + A[8] * B[6],
        A[6] * B[1] + A[7] * B[4] + A[8] * B[7],
        A[6] * B[2] + A[7] * B[5] + A[8] * B[8],
    )


@leaf
def turn_z(R, s, c):
    """R Rz, with s and c the sine and cosine of the angle."""
    return (
        R[0] * c + R[1] * s, R[1] * c - R[0] * s, R[2],
        R[3] * c + R[4] * s, R[4] * c - R[3] * s, R[5],
        R[6] * c + R[7] * s, R[7] * c - R[6] * s, R[8],
    )  # fmt: skip


@leaf
def turn_z_left(R, s, c):
    """Rz R."""
    return (
        c * R[0] - s * R[3], c * R[1] - s * R[4], c * R[2] - s * R[5],
        s * R[0] + c * R[3], s * R[1] + c * R[4], s * R[2] + c * R[5],
        R[6], R[7], R[8],
    )  # fmt: skip


@leaf
def symmetric_times(S, a):
    """S a of a symmetric matrix."""
    return (
        S[0] * a[0] + S[3] * a[1] + S[4] * a[2],
        S[3] * a[0] + S[1] * a[1] + S[5] * a[2],
        S[4] * a[0] + S[5] * a[1] + S[2] * a[2],
    )


@leaf
def rotate_symmetric(R, S):
    """R S R^T of a symmetric matrix."""
    a = symmetric_times(S, (R[0], R[1], R[2]))
    b = symmetric_times(S, (R[3], R[4], R[5]))
    c = symmetric_times(S, (R[6], R[7], R[8]))
    return (
        R[0] * a[0] + R[1] * a[1] + R[2] * a[2],
        R[3] * b[0] + R[4] * b[1] + R[5] * b[2],
        R[6] * c[0] + R[7] * c[1] + R[8] * c[2],
        R[3] * a[0] + R[4] * a[1] + R[5] * a[2],
        R[6] * a[0] + R[7] * a[1] + R[8] * a[2],
        R[6] * b[0] + R[7] * b[1] + R[8] * b[2],
    )
