"""No branch is missing: a dense numeric search for all configurations with a pose and an arm angle, by NumPy and `fk` alone.

The arm angle is taken by its meaning: it says in which direction the elbow's axis lies, turned about the line from
shoulder to wrist from the direction across the first axis. So a configuration is a solution where the tool is at its pose
and the elbow's axis points that way: 15 equations for 7 angles, solved by damped Gauss-Newton with difference quotients
from many random starts.
"""

import numpy as np
import pytest

from carpal.kinematics import arm_angle, fk, ik_all
from carpal.model import load

TURN = 2 * np.pi


class Arm:
    """Shoulder, wrist and axes of an arm, found from where `fk` puts its links."""

    def __init__(self, name):
        self.model = load(name)
        moving = [b for b in self.model.bodies if b.joint.kind != "fixed"]
        axes, points = [], []
        for body in moving:
            X = self.placed(body, np.zeros(7))
            axes.append(X[:3, :3] @ body.joint.axis)
            points.append(X[:3, 3])
        self.first, self.elbow = axes[0], moving[3]
        self.shoulder = meeting(axes[:3], points[:3])
        X = fk(self.model, np.zeros(7))
        self.wrist_T = X[:3, :3].T @ (meeting(axes[4:], points[4:]) - X[:3, 3])
        self.sign = np.sign(axes[3] @ axes[1])

    def placed(self, body, q):
        X = fk(self.model, q, body.parent) if body.parent else np.broadcast_to(np.eye(4), (*q.shape[:-1], 4, 4))
        return X @ body.joint.X_PJ

    def wanted_axis(self, X, psi):
        """Direction of the elbow's axis at an arm angle."""
        u = X[:3, 3] + X[:3, :3] @ self.wrist_T - self.shoulder
        u /= np.linalg.norm(u)
        level = np.cross(self.first, u)
        level /= np.linalg.norm(level)
        return self.sign * (np.cos(psi) * level + np.sin(psi) * np.cross(u, level))

    def residual(self, q, X, axis):
        """(batch, 15): position, attitude, elbow's axis."""
        Y = fk(self.model, q)
        elbow = self.placed(self.elbow, q)[..., :3, :3] @ self.elbow.joint.axis
        parts = [3 * (Y - X)[..., :3, 3], (Y - X)[..., :3, :3].reshape(*q.shape[:-1], 9), elbow - axis]
        return np.concatenate(parts, axis=-1)


def meeting(axes, points):
    P = [np.eye(3) - np.outer(a, a) for a in axes]
    return np.linalg.solve(sum(P), sum(p @ x for p, x in zip(P, points, strict=True)))


def search(arm, X, psi, starts, rng):
    """Every distinct solution found from random starts, and how often each."""
    axis = arm.wanted_axis(X, psi)
    q = rng.uniform(-np.pi, np.pi, (starts, 7))
    damping = np.full(starts, 0.1)
    r = arm.residual(q, X, axis)
    cost = (r**2).sum(-1)
    step = 1e-6 * np.eye(7)
    for _ in range(40):
        J = (arm.residual(q[:, None] + step, X, axis) - arm.residual(q[:, None] - step, X, axis)).swapaxes(1, 2) / 2e-6
        A = J.swapaxes(1, 2) @ J + (damping * np.minimum(cost, 1.0))[:, None, None] * np.eye(7) + 1e-13 * np.eye(7)
        move = -np.linalg.solve(A, (J.swapaxes(1, 2) @ r[..., None]))[..., 0]
        move *= np.minimum(1.0, 0.8 / np.abs(move).max(axis=1))[:, None]
        trial = q + move
        r_trial = arm.residual(trial, X, axis)
        cost_trial = (r_trial**2).sum(-1)
        better = cost_trial < cost
        q, r = np.where(better[:, None], trial, q), np.where(better[:, None], r_trial, r)
        cost = np.where(better, cost_trial, cost)
        damping = np.clip(np.where(better, 0.4 * damping, 6 * damping + 1e-6), 1e-6, 1e6)
        alive = (cost > 1e-24) & (damping < 1e5)
        if not alive.any():
            break
    q = q[cost < 1e-16]
    distinct = []
    for x in q:
        if not any(apart(x, y) < 1e-4 for y in distinct):
            distinct.append(x)
    return np.array(distinct).reshape(-1, 7)


def apart(a, b):
    return np.abs((a - b + np.pi) % TURN - np.pi).max(axis=-1)


def compare(name, poses, starts, seed, figure):
    arm = Arm(name)
    rng = np.random.default_rng(seed)
    missing = found = given = 0
    worst = 0.0
    for i in range(poses):
        q = rng.uniform(np.maximum(arm.model.q_min, -np.pi), np.minimum(arm.model.q_max, np.pi))
        X = fk(arm.model, q)
        psi = float(arm_angle(arm.model, q)) if i % 2 else rng.uniform(-np.pi, np.pi)
        ours = ik_all(arm.model, X, arm_angle=psi)
        ours = ours.q[: int(ours.count)]
        worst = max(worst, np.abs(arm.residual(ours, X, arm.wanted_axis(X, psi))).max())
        theirs = search(arm, X, psi, starts, rng)
        given += len(ours)
        for x in theirs:
            missing += bool(apart(ours, x).min() > 1e-4)
        found += sum(bool(len(theirs) and apart(theirs, x).min() < 1e-4) for x in ours)
    what = f"{name}, {poses} poses, dense search of {starts} starts each"
    figure(f"{what}: branches that ik_all misses", missing, 0, note=f"the search itself found {found} of {given}")
    figure(f"{what}: largest residual of ik_all's branches", worst, 1e-9)
    figure(f"{what}: share of branches that the search met [%]", 100 * found / given, 90.0, at_least=True)


@pytest.mark.parametrize("name", ["srs7", "sia5"])
def test_a_few_poses(name, figure):
    compare(name, 4, 200, 1, figure)


@pytest.mark.full
@pytest.mark.parametrize("name", ["srs7", "sia5"])
def test_two_hundred_poses(name, figure):
    compare(name, 200, 400, 2, figure)
