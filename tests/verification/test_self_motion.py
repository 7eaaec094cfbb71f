"""Self-motion of Sawyer and of random 7R arms, checked with numpy and `fk` alone: difference quotients and Gauss-Newton."""

import numpy as np
import pytest

import carpal
from carpal.kinematics import fk, random_configurations, trace_self_motion
from carpal.model import DHRow

TURN = 2 * np.pi


def wrap(a):
    return (a + np.pi) % TURN - np.pi


def error(X, target):
    """(*batch, 12): differences of all numbers of the poses; zero just where they are equal."""
    return (X - target)[..., :3, :].reshape(*X.shape[:-2], 12)


def slopes(model, q, h=1e-6):
    steps = h * np.eye(model.nq)
    up, down = fk(model, q[:, None] + steps), fk(model, q[:, None] - steps)
    return np.swapaxes((error(up, down)) / (2 * h), -1, -2)  # (n, 12, 7)


def newton(model, q, target, row=None, value=None, steps=12):
    """Least-norm Gauss-Newton on the pose, and on row . q = value where a row is given."""
    q = q.copy()
    for _ in range(steps):
        A, b = slopes(model, q), -error(fk(model, q), target)
        if row is not None:
            A = np.concatenate([A, row[:, None]], axis=1)
            b = np.concatenate([b, (value - (row * q).sum(1))[:, None]], axis=1)
        move = np.einsum("nij,nj->ni", np.linalg.pinv(A, rcond=1e-9), b)
        q += move * np.minimum(1.0, 0.6 / np.maximum(np.abs(move).max(1, keepdims=True), 1e-12))
    return q, np.abs(error(fk(model, q), target)).max(1)


def distance_from_curves(model, motion, q):
    """How far a configuration is from the nearest traced curve: the curve's point in the plane through q across the curve."""
    best = np.inf
    for curve in motion.curves:
        away = np.linalg.norm(wrap(curve.q - q), axis=1)
        i = int(np.argmin(away))
        if away[i] > 0.1:
            continue
        t = np.linalg.svd(slopes(model, curve.q[i : i + 1])[0])[2][-1]
        near = q - wrap(q - curve.q[i])  # the traced point, whole turns chosen next to q
        start = near + (t @ (q - near)) * t
        point, off = newton(model, start[None], motion.X_WT, t[None], np.array([t @ q]), steps=6)
        if off[0] < 1e-9:
            best = min(best, float(np.abs(point[0] - q).max()))
    return best


def check_poses(model, count, seed):
    """(farthest generating configuration from its curves, largest motion of the tool, longest gap, curves left open)."""
    far = moved = gap = 0.0
    opened = 0
    for q in random_configurations(model, count, seed=seed):
        motion = trace_self_motion(model, fk(model, q))
        far = max(far, distance_from_curves(model, motion, q))
        for curve in motion.curves:
            moved = max(moved, float(np.abs(fk(model, curve.q) - motion.X_WT).max()))
            gap = max(gap, float(np.linalg.norm(np.diff(curve.q, axis=0), axis=1).max()))
            opened += not curve.closed
            if curve.closed:
                gap = max(gap, float(np.linalg.norm(wrap(curve.q[0] - curve.q[-1]))))
    return far, moved, gap, opened


def record(figure, what, numbers):
    far, moved, gap, _ = numbers
    figure(f"{what}: generating configuration from its traced curve [rad]", far, 1e-6)
    figure(f"{what}: tool's motion along every curve [m or 1]", moved, 1e-10)
    figure(f"{what}: longest step between traced points, closing step too [rad]", gap, 0.061)


def test_sawyer(figure):
    record(figure, "sawyer, 20 poses", check_poses(carpal.load("sawyer"), 20, 61))


@pytest.mark.full
def test_sawyer_on_many_poses(figure):
    numbers = check_poses(carpal.load("sawyer"), 200, 62)
    record(figure, "sawyer, 200 poses", numbers)
    figure("sawyer, 200 poses: curves that did not close", numbers[3], 0)


def random_arm(seed):
    """Seven revolute joints with random offsets and twists: nothing meets, nothing is parallel."""
    rng = np.random.default_rng(seed)
    rows = [
        DHRow(
            alpha=float(rng.choice((-1, 1)) * rng.uniform(0.8, 2.2)), a=float(rng.uniform(-0.1, 0.1)),
            d=float(rng.uniform(0.05, 0.35)), name=f"q{i}", q_min=-2.8, q_max=2.8,
        )
        for i in range(7)
    ]  # fmt: skip
    return carpal.Model.from_dh(rows, name=f"random_{seed}")


@pytest.mark.parametrize("seed", range(3))
def test_random_arms(seed, figure):
    record(figure, f"random 7R arm {seed}, 5 poses", check_poses(random_arm(seed), 5, seed))


def missed_solutions(model, count, starts, seed):
    """Solutions of random searches (their own Gauss-Newton) that lie on no traced curve, and how many were compared."""
    rng = np.random.default_rng(seed)
    missed = compared = 0
    for q in random_configurations(model, count, seed=seed):
        X = fk(model, q)
        motion = trace_self_motion(model, X)
        found, off = newton(model, rng.uniform(-np.pi, np.pi, (starts, 7)), X, steps=40)
        for solution in found[off < 1e-10]:
            compared += 1
            missed += distance_from_curves(model, motion, solution) > 1e-6
    return missed, compared


def test_no_curve_is_missing(figure):
    missed, compared = missed_solutions(carpal.load("sawyer"), 4, 60, 63)
    figure("sawyer, 4 poses: solutions of random searches on no traced curve", missed, 0, note=f"{compared} compared")
    assert compared > 100


@pytest.mark.full
def test_no_curve_is_missing_on_many_poses(figure):
    missed, compared = missed_solutions(carpal.load("sawyer"), 40, 150, 64)
    figure(
        "sawyer, 40 poses: share of solutions of random searches on no traced curve", missed / compared, 1e-3,
        note=f"{missed} of {compared}",
    )  # fmt: skip
