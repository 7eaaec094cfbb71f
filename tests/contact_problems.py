"""Random problems of contact with friction, and a check of their solutions that knows only NumPy."""

from __future__ import annotations

import numpy as np

from carpal.engines.modal.kernels.contact_table import (
    CLOSED,
    CONTACT_COLUMNS,
    INCLUDED,
    ISLAND_END,
    MU,
    TORSION,
    UNHELD,
)


def random_problem(rng: np.random.Generator, n: int, kind: str) -> tuple[np.ndarray, np.ndarray, float, float]:
    """(W (1, 4n, 4n), contacts, mu, torsion): n contacts of a small body with fingers ("grasp", "any") or a floor ("floor")."""
    W, rows = np.zeros((4 * n, 4 * n)), []
    for c in range(n):
        normal = rng.normal(size=3)
        p = rng.uniform(-0.03, 0.03, 3)
        if kind == "grasp":
            normal = np.eye(3)[rng.integers(3)] * rng.choice([-1, 1])
        if kind == "floor":
            normal, p[2] = np.array([0.0, 0.0, 1.0]), -0.03
        normal = normal / np.linalg.norm(normal)
        t1 = np.cross(normal, [0.3, 0.5, 0.8])
        t1 /= np.linalg.norm(t1)
        R = np.array([t1, np.cross(normal, t1), normal])
        G = np.zeros((4, 6))
        G[:3, :3], G[3, 3:] = R, normal
        G[:3, 3:] = -R @ np.array([[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]])
        rows.append(G)
        if kind != "floor":
            B = rng.normal(size=(3, 3))
            W[4 * c : 4 * c + 3, 4 * c : 4 * c + 3] += B @ B.T * rng.choice([1, 10, 30])
            W[4 * c + 3, 4 * c + 3] += 100.0
    G = np.vstack(rows)
    W += G @ np.diag([10.0] * 3 + [1 / 6e-5] * 3) @ G.T
    if kind == "floor":
        b = G @ [*rng.normal(size=2) * 0.1, -abs(rng.normal()) * 0.01, *rng.normal(size=3) * 0.3 * rng.integers(2)]
    else:
        b = G @ np.concatenate([rng.normal(size=3) * 0.1, rng.normal(size=3) * 3])
        b += np.tile([0, 0, -0.05, 0], n) * rng.uniform(0, 3) + rng.normal(size=4 * n) * np.tile([0.1, 0.1, 0.1, 0], n)
    mu, torsion = float(rng.uniform(0.1, 1.2)), float(rng.choice([0.0, 0.005]))
    con = np.zeros((1, n, CONTACT_COLUMNS))
    con[0, :, MU], con[0, :, TORSION], con[0, :, CLOSED], con[0, :, INCLUDED] = mu, torsion, 1.0, 1.0
    con[0, :, UNHELD : UNHELD + 4], con[0, :, ISLAND_END] = b.reshape(n, 4), n
    return W[None].copy(), con, mu, torsion


def complementarity_errors(W: np.ndarray, con: np.ndarray, r: np.ndarray, mu: float, torsion: float) -> list[float]:
    """Relative errors of Coulomb's law written out: signs, r_n u_n, cone, r_t against u_t, the same for torsion."""
    n = len(r)
    if not torsion:
        r = r * [1.0, 1.0, 1.0, 0.0]
    b = con[:, UNHELD : UNHELD + 4]
    u = (W @ r.ravel()).reshape(n, 4) + b
    force = max(np.abs(r[:, :3]).max(), 1e-300)
    speed = np.abs(b[:, :3]).max() + np.abs((np.abs(W) @ np.abs(r).ravel()).reshape(n, 4)[:, :3]).max()
    errors = [max(0.0, -r[:, 2].min()) / force, max(0.0, -u[:, 2].min()) / speed]
    errors.append(np.abs(r[:, 2] * u[:, 2]).max() / (force * speed))
    tangent, slip = np.linalg.norm(r[:, :2], axis=1), np.linalg.norm(u[:, :2], axis=1)
    errors.append(max(0.0, (tangent - mu * r[:, 2]).max()) / force)
    errors.append(np.abs(mu * r[:, 2, None] * u[:, :2] + slip[:, None] * r[:, :2]).max() / (force * speed))
    if torsion:
        spin = np.abs((np.abs(W) @ np.abs(r).ravel()).reshape(n, 4)[:, 3]).max() + np.abs(b[:, 3]).max()
        errors.append(max(0.0, (np.abs(r[:, 3]) - torsion * r[:, 2]).max()) / (torsion * force))
        errors.append(np.abs(torsion * r[:, 2] * u[:, 3] + np.abs(u[:, 3]) * r[:, 3]).max() / (torsion * force * spin))
    return errors


def solver_room(n):
    """Scratch of `solve_contacts` behind `con`, for a world of n contacts that is solved by its dense matrix."""
    from carpal.engines.modal.kernels.arrays import Bodies

    none = np.zeros((1, 1))
    bodies = Bodies(np.zeros((1, 1, 1)), np.zeros((1, 1, 1)), *[none.copy() for _ in range(5)])
    return np.full((1, 4 * n, 4 * n), np.nan), np.zeros((1, 1, 1)), *(np.zeros((1, 4 * n)) for _ in range(4)), bodies


NO_TREES = np.zeros((1, 6), np.int64)
