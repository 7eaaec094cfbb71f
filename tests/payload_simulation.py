"""A payload that swings in its gripper while the arm moves, simulated on its own: NumPy only, no kernel of the package.

Full rigid motion of the gripper (its acceleration, angular velocity and angular acceleration act on the payload), Coulomb
friction whose coefficient is drawn again between the bounds several times a second, sticking and sliding decided at every step.
"""

from __future__ import annotations

import numpy as np

GRAVITY = 9.81
FRAME = 0.02  # [s] between two poses of the arm
SUB = 8  # payload steps per frame


def chain_poses(joints, q):
    """Rotation (..., 3, 3) and position (..., 3) of a chain's end; joints: (X_PJ, axis) each, turning about their axes."""
    batch = q.shape[:-1]
    R, p = np.broadcast_to(np.eye(3), (*batch, 3, 3)), np.zeros((*batch, 3))
    for i, (X, axis) in enumerate(joints):
        p = p + np.einsum("...ij,j->...i", R, X[:3, 3])
        R = R @ X[:3, :3]
        if axis is None:
            continue
        K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
        column = sum(a is not None for _, a in joints[:i])
        s, c = np.sin(q[..., column]), np.cos(q[..., column])
        R = R @ (np.eye(3) + s[..., None, None] * K + (1 - c)[..., None, None] * (K @ K))
    return R, p


def holding(geometry, along, across, alpha):
    """Largest pull across that unit friction holds, per unit mass: search over the sideways force, on arrays."""
    b, c, d, e = geometry
    half = 0.5 * ((d / e - 1) * along - c / e * np.cos(alpha) * across)
    twist = c / b * np.sin(alpha) * across
    r1, r2, r3 = np.abs(half + twist), np.abs(half - twist), np.abs(d / e * along - c / e * np.cos(alpha) * across)
    share = np.linspace(0, 1, 401).reshape(-1, *([1] * np.ndim(r1)))
    side = share * np.minimum(r1, r2)
    slack = d * (np.sqrt(np.maximum(r1**2 - side**2, 0)) + np.sqrt(np.maximum(r2**2 - side**2, 0)))
    most = np.minimum(r3, (side * b + slack) / (d - e))
    fits = most >= np.maximum(-r3, (side * b - slack) / (d - e))
    return np.where(fits, (side * b + most * e) / d, 0.0).max(axis=0)


def holding_table(geometry, n=181):
    """Of unit gravity, on a grid of tilt and alpha (n, n)."""
    tilt, alpha = np.meshgrid(np.linspace(0, np.pi, n), np.linspace(0, np.pi, n), indexing="ij")
    return np.stack([holding(geometry, np.cos(t), np.sin(t), a) for t, a in zip(tilt, alpha, strict=True)])


def looked_up(table, tilt, alpha):
    """Bilinear."""
    n = len(table) - 1
    x, y = np.clip(tilt / np.pi * n, 0, n - 1e-9), np.clip(np.abs(alpha) / np.pi * n, 0, n - 1e-9)
    i, j = x.astype(int), y.astype(int)
    x, y = x - i, y - j
    below = table[i, j] * (1 - y) + table[i, j + 1] * y
    return below * (1 - x) + (table[i + 1, j] * (1 - y) + table[i + 1, j + 1] * y) * x


def travel(lengths, speeds, accelerations):
    """Times (n, k) at which trapezoids from rest to rest begin, and what evaluates them: lengths (n, k) of the legs."""
    top = np.minimum(speeds, np.sqrt(lengths * accelerations))
    lasts = np.where(lengths > 0, lengths / top + top / accelerations, 0.0)
    return np.concatenate([np.zeros((len(lengths), 1)), np.cumsum(lasts, axis=1)], axis=1), top


def progress(t, begins, top, lengths, accelerations):
    """(leg, share of it, 0 to 1) of every world at time t."""
    leg = np.clip((t >= begins[:, 1:]).sum(axis=1), 0, lengths.shape[1] - 1)
    rows = np.arange(len(begins))
    v, a, L = top[rows, leg], accelerations[rows, leg], lengths[rows, leg]
    lasts = begins[rows, leg + 1] - begins[rows, leg]
    s = np.clip(t - begins[rows, leg], 0, lasts)
    up = v / a
    way = np.where(s < up, 0.5 * a * s**2, np.where(s < lasts - up, v * (s - 0.5 * up), L - 0.5 * a * (lasts - s) ** 2))
    return leg, np.clip(way / L, 0, 1)


def random_motions(low, high, count, legs, rng):
    """Random paths of straight legs, each a trapezoid from rest to rest at an acceleration of 0.2 rad/s^2.

    Returns (corners, speeds, times (k), q (k, n, nq), place on the path (k, n): legs done plus the share of the present one).
    """
    corners = rng.uniform(low, high, (count, legs + 1, len(low)))
    steps = np.diff(corners, axis=1) * rng.uniform(0.05, 0.5, (count, legs, 1))
    corners[:, 1:] = corners[:, :1] + np.cumsum(steps, axis=1)
    corners = np.clip(corners, low, high)
    speeds = rng.uniform(0.1, 0.3, (count, len(low)))
    far = np.abs(np.diff(corners, axis=1))
    v, a = 1 / (far / speeds[:, None]).max(axis=2), 1 / (far / 0.2).max(axis=2)
    ones = np.ones_like(v)
    begins, top = travel(ones, v, a)
    times = np.arange(0.0, begins[:, -1].max() + 2.0, FRAME)
    rows, q, place = np.arange(count), [], []
    for t in times:
        leg, share = progress(t, begins, top, ones, a)
        q.append(corners[rows, leg] + (corners[rows, leg + 1] - corners[rows, leg]) * share[:, None])
        place.append(leg + share)
    return corners, speeds, times, np.array(q), np.array(place)


def moving_frames(joints, q):
    """(gravity less acceleration, angular velocity, angular acceleration), each (k, n, 3) in gripper axes, by differences."""
    R, p = chain_poses(joints, q)
    acceleration, R_dot = np.zeros_like(p), np.zeros_like(R)
    acceleration[1:-1] = (p[2:] - 2 * p[1:-1] + p[:-2]) / FRAME**2
    R_dot[1:-1] = (R[2:] - R[:-2]) / (2 * FRAME)
    S = np.einsum("...ji,...jk->...ik", R, R_dot)
    w = 0.5 * np.stack([S[..., 2, 1] - S[..., 1, 2], S[..., 0, 2] - S[..., 2, 0], S[..., 1, 0] - S[..., 0, 1]], axis=-1)
    w_dot = np.zeros_like(w)
    w_dot[1:-1] = (w[2:] - w[:-2]) / (2 * FRAME)
    return np.einsum("...ji,...j->...i", R, np.array([0, 0, -GRAVITY]) - acceleration), w, w_dot


def swing(payload, frames, phi, friction, rng):
    """Angles (frames, n) of payloads whose gripper moves as `frames` say: effective gravity (k, n, 3), spin (k, n, 3).

    frames: (gravity less the gripper's acceleration; angular velocity; angular acceleration), in gripper axes.
    friction: (low, high); drawn again for each world every 0.1 to 0.4 s.
    """
    geometry, length, arm, drop = payload
    table = holding_table(geometry)
    g_eff, w, w_dot = frames
    n = len(phi)
    phi, rate = np.array(phi), np.zeros(n)
    mu, until = rng.uniform(*friction, n), rng.uniform(0.1, 0.4, n)
    dt, out = FRAME / SUB, np.empty((len(g_eff), n))
    out[0] = phi
    for k in range(1, len(g_eff)):
        for step in range(SUB):
            x = (step + 0.5) / SUB
            g = (1 - x) * g_eff[k - 1] + x * g_eff[k]
            spin, turn = (1 - x) * w[k - 1] + x * w[k], (1 - x) * w_dot[k - 1] + x * w_dot[k]
            u = np.stack([np.cos(phi), np.sin(phi), np.zeros(n)], axis=1)
            r = arm * u + np.array([0, 0, drop])
            # force per mass that the frame's turning adds at the centre of mass (centrifugal and Euler; Coriolis is radial)
            g = g - np.cross(spin, np.cross(spin, r)) - np.cross(turn, r) + turn[:, 2:] * np.cross([0, 0, 1], r)
            pull = u[:, 0] * g[:, 1] - u[:, 1] * g[:, 0] - length * turn[:, 2]
            across = np.hypot(g[:, 0], g[:, 1])
            alpha = (phi - np.arctan2(g[:, 1], g[:, 0]) + np.pi) % (2 * np.pi) - np.pi
            size = np.linalg.norm(g, axis=1)
            held = mu * size * looked_up(table, np.arctan2(across, g[:, 2]), alpha)
            drive = np.where(rate != 0, pull - held * np.sign(rate), np.sign(pull) * np.maximum(np.abs(pull) - held, 0))
            new = rate + dt * drive / length
            new = np.where((rate != 0) & (new * rate < 0), 0.0, new)  # it stops; the next step says whether it sticks
            phi, rate = phi + dt * 0.5 * (rate + new), new
            until -= dt
            again = until < 0
            mu, until = np.where(again, rng.uniform(*friction, n), mu), np.where(again, rng.uniform(0.1, 0.4, n), until)
        out[k] = phi
    return out
