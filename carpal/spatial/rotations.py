"""Rotations as matrices, quaternions (scalar first), roll-pitch-yaw angles and rotation vectors; batches welcome."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import Array
from carpal.errors import InputError

_ROUNDING = 2.5e-16  # what cos(pi/2) leaves in double precision, and a little more


def exact_sincos(angle: ArrayLike) -> tuple[Array, Array]:
    """Sine and cosine [rad], with the rounding left at multiples of a right angle removed."""
    angle = np.asarray(angle, float)
    s, c = np.sin(angle), np.cos(angle)
    return np.where(np.abs(s) < _ROUNDING, 0.0, s), np.where(np.abs(c) < _ROUNDING, 0.0, c)


def rotation_about(axis: ArrayLike, angle: ArrayLike) -> Array:
    """R (*batch, 3, 3) that turns by `angle` [rad] about the unit vector `axis` (*batch, 3) (Rodrigues' formula)."""
    u = np.asarray(axis, float)
    s, c = exact_sincos(angle)
    K = skew(u)
    return (
        c[..., None, None] * np.eye(3)
        + s[..., None, None] * K
        + (1.0 - c)[..., None, None] * (u[..., :, None] * u[..., None, :])
    )


def rotation_from_rpy(rpy: ArrayLike) -> Array:
    """R = Rz(yaw) Ry(pitch) Rx(roll), the URDF's convention; rpy (*batch, 3) [rad]."""
    rpy = np.asarray(rpy, float)
    (sr, sp, sy), (cr, cp, cy) = (np.moveaxis(x, -1, 0) for x in exact_sincos(rpy))
    rows = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
    return np.stack([np.stack(row, -1) for row in rows], -2)


def rotation_from_wxyz(wxyz: ArrayLike) -> Array:
    """R (*batch, 3, 3) of a quaternion of any length but zero."""
    q = np.asarray(wxyz, float)
    length = np.linalg.norm(q, axis=-1, keepdims=True)
    if not (length > 0).all():
        raise InputError(f"a quaternion must be finite and not zero; got {q.tolist()!r:.80}.")
    q = q / length
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, -1) for row in rows], -2)


def wxyz_from_rotation(R: ArrayLike) -> Array:
    """Unit quaternion (*batch, 4), w >= 0, of a rotation matrix (Shepperd's method: the largest root is taken)."""
    R = np.asarray(R, float)
    d = np.moveaxis(np.diagonal(R, axis1=-2, axis2=-1), -1, 0)
    t = d[0] + d[1] + d[2]
    squares = np.stack([1 + t, 1 + 2 * d[0] - t, 1 + 2 * d[1] - t, 1 + 2 * d[2] - t], -1)  # 4 (w, x, y, z)^2
    a = R[..., 2, 1], R[..., 0, 2], R[..., 1, 0]
    b = R[..., 1, 2], R[..., 2, 0], R[..., 0, 1]
    # row k holds 4 (w, x, y, z) * component k: any row is right, the one with the largest component is accurate
    products = np.stack(
        [
            np.stack([squares[..., 0], a[0] - b[0], a[1] - b[1], a[2] - b[2]], -1),
            np.stack([a[0] - b[0], squares[..., 1], a[2] + b[2], a[1] + b[1]], -1),
            np.stack([a[1] - b[1], a[2] + b[2], squares[..., 2], a[0] + b[0]], -1),
            np.stack([a[2] - b[2], a[1] + b[1], a[0] + b[0], squares[..., 3]], -1),
        ],
        -2,
    )
    best = np.argmax(squares, -1)[..., None, None]
    q = np.take_along_axis(products, best, -2)[..., 0, :]
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(q[..., :1] < 0, -q, q)


def rotation_vector(R: ArrayLike) -> Array:
    """Rotation vector (*batch, 3) [rad], the logarithm of R; its length is in [0, pi]."""
    q = wxyz_from_rotation(R)
    n = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(n, q[..., :1])
    # angle / n -> 2 as n -> 0; the next term of the series is below rounding there
    return q[..., 1:] * np.where(n > 1e-9, angle / np.where(n > 1e-9, n, 1.0), 2.0)


def rotation_from_zxz(angles: ArrayLike) -> Array:
    """R = Rz(psi) Rx(theta) Rz(phi) of (theta, phi, psi) (*batch, 3) [rad], the order of Yesmunt's residuals."""
    theta, phi, psi = np.moveaxis(np.asarray(angles, float), -1, 0)
    z, x = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])
    return rotation_about(z, psi) @ rotation_about(x, theta) @ rotation_about(z, phi)


def zxz_from_rotation(R: ArrayLike) -> Array:
    """(theta, phi, psi) (*batch, 3) of R = Rz(psi) Rx(theta) Rz(phi); phi = 0 where theta is 0 or pi.

    Yesmunt (2014) prints psi = -atan2(A13, A23), off by pi, and guards the wrong attitude (errata E2, E3).
    """
    R = np.asarray(R, float)
    s = np.hypot(R[..., 2, 0], R[..., 2, 1])
    regular = s > 1e-12
    phi = np.where(regular, np.arctan2(R[..., 2, 0], R[..., 2, 1]), 0.0)
    psi = np.where(regular, np.arctan2(R[..., 0, 2], -R[..., 1, 2]), np.arctan2(R[..., 1, 0], R[..., 0, 0]))
    return np.stack([np.arctan2(s, R[..., 2, 2]), phi, psi], -1)


def skew(a: ArrayLike) -> Array:
    """Matrix (*batch, 3, 3) with skew(a) b = a x b."""
    a = np.asarray(a, float)
    out = np.zeros((*a.shape, 3))
    out[..., 0, 1], out[..., 0, 2], out[..., 1, 2] = -a[..., 2], a[..., 1], -a[..., 0]
    out[..., 1, 0], out[..., 2, 0], out[..., 2, 1] = a[..., 2], -a[..., 1], a[..., 0]
    return out


def align_z(axis: ArrayLike) -> Array:
    """A rotation (3, 3) whose third column is the unit vector `axis`; exact where the axis is a coordinate axis."""
    z = np.asarray(axis, float)
    nearest = int(np.argmax(np.abs(z)))
    if abs(z[nearest]) == 1.0:  # a cyclic permutation, with two signs where the axis is negative
        R = np.roll(np.eye(3), nearest - 2, axis=0)
        return R if z[nearest] > 0 else R @ np.diag([1.0, -1.0, -1.0])
    x = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = x - z * (x @ z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def rotation_from_vector(w: Array) -> Array:
    """Rotations (*batch, 3, 3) of rotation vectors (*batch, 3): the axis times the angle [rad]."""
    angle = np.linalg.norm(w, axis=-1)
    safe = np.where(angle > 0, angle, 1.0)
    return rotation_about(w / safe[..., None], angle)
