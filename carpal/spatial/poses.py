"""Poses X (4x4), twists and wrenches (linear first), and moving them from frame to frame."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.spatial.rotations import Array, rotation_about, rotation_from_rpy, skew


def pose(R: ArrayLike | None = None, p: ArrayLike | None = None) -> Array:
    """X (*batch, 4, 4) from a rotation (*batch, 3, 3) and a position (*batch, 3) [m]; missing parts are neutral."""
    R = np.eye(3) if R is None else np.asarray(R, float)
    p = np.zeros(3) if p is None else np.asarray(p, float)
    X = np.zeros((*np.broadcast_shapes(R.shape[:-2], p.shape[:-1]), 4, 4))
    X[..., :3, :3] = R
    X[..., :3, 3] = p
    X[..., 3, 3] = 1.0
    return X


def pose_from_xyz_rpy(xyz: ArrayLike = (0, 0, 0), rpy: ArrayLike = (0, 0, 0)) -> Array:
    """X of a URDF origin; xyz [m], rpy [rad]."""
    return pose(rotation_from_rpy(rpy), xyz)


def inverse(X: ArrayLike) -> Array:
    """X_BA of X_AB."""
    X = np.asarray(X, float)
    R_T = np.swapaxes(X[..., :3, :3], -1, -2)
    return pose(R_T, -(R_T @ X[..., :3, 3:])[..., 0])


def exp_twist(V: ArrayLike, amount: ArrayLike = 1.0) -> Array:
    """X of moving along the constant twist V (6), linear first, by `amount` (Lynch and Park 2017, eq. 3.88)."""
    V = np.asarray(V, float)
    amount = np.asarray(amount, float)
    v, w = V[..., :3], V[..., 3:]
    n = np.linalg.norm(w, axis=-1)
    turning = n > 0
    safe = np.where(turning, n, 1.0)
    u = w / safe[..., None]
    angle = n * amount
    K = skew(u)
    s, versine = np.sin(angle)[..., None, None], 2 * np.sin(0.5 * angle)[..., None, None] ** 2  # 1 - cos loses digits
    G = angle[..., None, None] * np.eye(3) + versine * K + (angle[..., None, None] - s) * (K @ K)
    turned = (G @ (v / safe[..., None])[..., None])[..., 0]
    p = np.where(turning[..., None], turned, v * amount[..., None])
    R = np.where(turning[..., None, None], rotation_about(u, angle), np.eye(3))
    return pose(R, p)


def adjoint(X_AB: ArrayLike) -> Array:
    """Ad (*batch, 6, 6) with V_A = Ad V_B for twists, linear first (each twist at its own frame's origin)."""
    X = np.asarray(X_AB, float)
    R = X[..., :3, :3]
    out = np.zeros((*X.shape[:-2], 6, 6))
    out[..., :3, :3] = R
    out[..., 3:, 3:] = R
    out[..., :3, 3:] = skew(X[..., :3, 3]) @ R
    return out
