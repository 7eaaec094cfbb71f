"""Random poses, reachable or not, of SRS arms: nothing wrong is called ok and every refusal's reason is true.

Reasons are checked without the closed form: distances from shoulder to wrist by the arm's printed lengths, limits by how far
the returned configurations, each of which is checked against fk, are beyond them.
"""

import re

import numpy as np
import pytest

import carpal
from carpal.kinematics import random_configurations

LENGTHS = {"srs7": (0.31, 0.27, 0.0, 0.27, 0.0, 0.145), "sia5": (0.31, 0.27, 0.085, 0.27, 0.06, 0.145)}


def rotations(rng, count):
    w, x, y, z = (q := rng.normal(size=(4, count))) / np.linalg.norm(q, axis=0)
    R = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)]
    R += [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)]
    R += [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]
    return np.stack(R, -1).reshape(count, 3, 3)


def random_poses(model, name, count, rng):
    """Half anywhere up to 1.4 times the reach, a quarter from configurations, a quarter at right angles and at the ends."""
    base, l1, a1, l2, a2, tool = LENGTHS[name]
    reach = np.hypot(l1, a1) + np.hypot(l2, a2)
    half, quarter = count // 2, count // 4
    X = np.tile(np.eye(4), (count, 1, 1))
    X[:half, :3, :3] = rotations(rng, half)
    away = rng.normal(size=(half, 3))
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    distance = 1.4 * reach * rng.random(half) ** (1 / 3)
    edge = rng.random(half) < 0.1
    distance[edge] = np.where(rng.random(edge.sum()) < 0.5, reach, abs(np.hypot(l1, a1) - np.hypot(l2, a2)))
    distance[edge] += 10.0 ** rng.uniform(-16, -2, edge.sum()) * rng.choice([-1, 1], edge.sum())
    wrist = (0, 0, base) + distance[:, None] * away
    X[:half, :3, 3] = wrist + tool * X[:half, :3, 2]
    X[half : half + quarter] = carpal.fk(model, random_configurations(model, quarter, seed=int(rng.integers(1 << 30))))
    rest = count - half - quarter
    q = np.pi / 2 * rng.integers(-2, 3, (rest, 7)) + 10.0 ** rng.uniform(-14, -1, (rest, 1)) * rng.normal(
        size=(rest, 7)
    )
    X[half + quarter :] = carpal.fk(model, q)
    return X


def wrist_distance(name, X):
    base, *_, tool = LENGTHS[name]
    return np.linalg.norm(X[..., :3, 3] - tool * X[..., :3, 2] - (0, 0, base), axis=-1)


def run(name, count, reasons, figure):
    model = carpal.load(name)
    _, l1, a1, l2, a2, _ = LENGTHS[name]
    longest, shortest = np.hypot(l1, a1) + np.hypot(l2, a2), abs(np.hypot(l1, a1) - np.hypot(l2, a2))
    rng = np.random.default_rng(7)
    wrong = lost = untrue = solved = checked = 0
    worst = 0.0
    for _ in range(0, count, 50_000):
        n = min(count, 50_000)
        X = random_poses(model, name, n, rng)
        psi = rng.uniform(-np.pi, np.pi, n)
        result = carpal.ik_all(model, X, arm_angle=psi)
        there = np.arange(8) < result.count[:, None]
        lost += int((~np.isfinite(result.q[there])).any())
        q = np.where(there[..., None], result.q, 0.0)
        error = np.abs(carpal.fk(model, q) - X[:, None]).max(axis=(-1, -2))
        worst = max(worst, error[there].max())
        inside = ((q >= model.q_min) & (q <= model.q_max)).all(-1)
        wrong += int((there & (error > 1e-9)).sum() + (result.in_limits & ~(inside & there)).sum())
        ok = np.asarray(result.ok)
        solved += int(ok.sum())
        # no pose is refused for its distance that the arm's length allows, and none is solved that it does not
        far = wrist_distance(name, X)
        wrong += int(((result.count == 0) != ((far > longest + 1e-12) | (far < shortest - 1e-12)))[
            (np.abs(far - longest) > 1e-11) & (np.abs(far - shortest) > 1e-11)
        ].sum())  # fmt: skip
        for i in np.flatnonzero(~ok)[:: max(1, int((~ok).sum() * count / n) // reasons)]:
            text = result.explain((int(i),))
            checked += 1
            if text.startswith(("out of reach", "too near")):
                said = float(re.search(r"by ([\d.e+-]+) m", text)[1])
                true = far[i] - longest if text.startswith("out") else shortest - far[i]
                untrue += not (true > 0 and abs(said - true) <= 1e-3 * true + 1e-12)
            else:
                joint, by = re.search(r"nearest has (\w+) ([\d.e+-]+) deg beyond", text).groups()
                rows = result.q[i, : int(result.count[i])]
                beyond = np.maximum(np.maximum(model.q_min - rows, rows - model.q_max), 0)
                row = beyond.max(axis=1).argmin()
                untrue += not (
                    beyond.max(axis=1).min() > 0
                    and model.joint_names[beyond[row].argmax()] == joint
                    and abs(np.radians(float(by)) - beyond[row].max()) <= 1e-3 * beyond[row].max()
                )
    note = f"{solved:,} solved inside the limits, {checked} reasons checked"
    figure(f"{name}, {count:,} poses anywhere: wrong", wrong, 0, note=note)
    figure(f"{name}, {count:,} poses anywhere: not finite", lost, 0)
    figure(f"{name}, {count:,} poses anywhere: reasons that are not true", untrue, 0, note=note)
    figure(f"{name}, {count:,} poses anywhere: largest pose error of a solution", worst, 1e-9)
    assert checked >= min(100, reasons // 4)
    assert 0.05 * count < solved < 0.9 * count


@pytest.mark.parametrize("name", ["srs7", "sia5"])
def test_ten_thousand_poses(name, figure):
    run(name, 10_000, 200, figure)


@pytest.mark.full
@pytest.mark.parametrize("name", ["srs7", "sia5"])
def test_a_million_poses(name, figure):
    run(name, 1_000_000, 2000, figure)
