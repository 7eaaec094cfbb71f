"""Random targets of every kind, reachable or not: no crash, nothing wrong called ok, and every refusal's reason is true."""

import re

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial import cKDTree

import carpal
from carpal.kinematics import random_configurations, reach_bound

ROBOTS = ("sawyer", "sia5", "catcher_arm")
KINDS = ("pose", "point", "point and direction")
SHARES = (0.35, 0.15, 0.2, 0.2, 0.1)  # ordinary, at limits, near singular, anywhere, at the edge of the reach
TOLERANCE = 1e-6 + 1e-12  # the search's, and the rounding of another way to compute the same


def finite_limits(model):
    return np.maximum(model.q_min, -np.pi), np.minimum(model.q_max, np.pi)


def random_rotations(rng, count):
    w, x, y, z = (q := rng.normal(size=(4, count))) / np.linalg.norm(q, axis=0)
    R = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)]
    R += [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)]
    R += [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]
    return np.stack(R, -1).reshape(count, 3, 3)


def random_poses(model, reach, count, seed):
    """Poses (count, 4, 4) from all five sources."""
    rng = np.random.default_rng(seed)
    n = [int(share * count) for share in SHARES[1:]]
    low, high = finite_limits(model)
    ordinary = random_configurations(model, count - sum(n), seed=seed)
    limits = random_configurations(model, n[0], seed=seed + 1)
    side = rng.random(limits.shape)
    limits = np.where(side < 0.25, model.q_min, np.where(side > 0.75, model.q_max, limits))
    limits = np.clip(limits, low, high)
    # right angles make axes meet or align; the rest is noise of 0.1 down to 1e-12 rad
    right = np.pi / 2 * rng.integers(-2, 3, (n[1], model.nq)) + 10.0 ** rng.uniform(-12, -1, (n[1], 1)) * rng.normal(
        size=(n[1], model.nq)
    )
    X = carpal.fk(model, np.concatenate([ordinary, limits, np.clip(right, low, high)]))
    anywhere = np.tile(np.eye(4), (n[2] + n[3], 1, 1))
    anywhere[:, :3, :3] = random_rotations(rng, len(anywhere))
    direction = rng.normal(size=(len(anywhere), 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    distance = 1.5 * reach.length * rng.random(len(anywhere)) ** (1 / 3)
    distance[n[2] :] = reach.length * (1 + 1e-3 * rng.normal(size=n[3]))
    anywhere[:, :3, 3] = reach.center + distance[:, None] * direction
    return rng.permutation(np.concatenate([X, anywhere]))


def as_target(X, kind, axis):
    return {"pose": X, "point": X[:, :3, 3], "point and direction": (X[:, :3, 3], X[:, :3, :3] @ axis)}[kind]


def true_errors(model, q, X, kind):
    """Position and angle errors by numpy from the poses that q gives; chords keep their digits at small angles."""
    Y = carpal.fk(model, q)
    p = np.linalg.norm((Y - X)[..., :3, 3], axis=-1)
    if kind == "point":
        return p, np.zeros_like(p)
    if kind == "pose":
        chord = np.linalg.norm((Y - X)[..., :3, :3], axis=(-1, -2)) / np.sqrt(8)
    else:
        chord = np.linalg.norm((Y - X)[..., :3, :3] @ model.tool_axis, axis=-1) / 2
    return p, 2 * np.arcsin(np.minimum(chord, 1))


class Reach:
    """The longest that the chain can be, by SciPy: points slid along the joint axes until the polygon is shortest."""

    def __init__(self, model):
        frame = model.extra_frames[0] if model.extra_frames else None
        body = model.body(frame.body if frame else model.tool)
        self.X_WT = carpal.fk(model, np.zeros(model.nq))
        origins, axes = [], []
        while body is not None:
            joint, parent = body.joint, body.parent
            X = carpal.fk(model, np.zeros(model.nq), parent) if parent else np.eye(4)
            X = X @ joint.X_PJ
            if joint.kind == "revolute":
                origins.insert(0, X[:3, 3])
                axes.insert(0, X[:3, :3] @ joint.axis)
            body = model.body(parent) if parent else None
        self.origins, self.axes = np.array(origins), np.array(axes)
        self.slides = self._best(lambda s: self._lengths(s).sum(), np.zeros(len(axes)))
        self.center, self.length = self._points(self.slides)[0], self._lengths(self.slides).sum()
        X = carpal.fk(model, random_configurations(model, 200_000, seed=11))
        self.wrist_T = reach_bound(
            model, model.tool
        ).wrist_in_tool  # the point of the last axis that sentences are about
        self.tools, self.wrists = cKDTree(X[:, :3, 3]), cKDTree(X[:, :3, 3] + X[:, :3, :3] @ self.wrist_T)

    def _points(self, s):
        return np.array([*(self.origins + self.axes * s[:, None]), self.X_WT[:3, 3]])

    def _lengths(self, s):
        return np.linalg.norm(np.diff(self._points(s), axis=0), axis=1)

    def _wrist(self, s):
        return self.X_WT[:3, :3].T @ (self._points(s)[-2] - self.X_WT[:3, 3])

    @staticmethod
    def _best(cost, s):
        return minimize(cost, s, method="Powell", options={"xtol": 1e-10, "ftol": 1e-14}).x

    def certificate(self, s, X, kind):
        """By how much the chain is too short for certain: true for any points on the axes, so for any slides s."""
        points, lengths = self._points(s), self._lengths(s)
        short = np.linalg.norm(X[:3, 3] - points[0]) - lengths.sum()
        if kind == "pose":  # a pose fixes the points of the last axis too
            wrist = X[:3, 3] + X[:3, :3] @ self._wrist(s)
            short = max(short, np.linalg.norm(wrist - points[0]) - lengths[:-1].sum())
        return short

    def confirms(self, said, X, kind):
        """Whether the chain is too short by at least as much as was said."""
        if self.certificate(self.slides, X, kind) >= said:
            return True
        best = self._best(lambda s: -self.certificate(s, X, kind), self.slides)
        return self.certificate(best, X, kind) >= said

    def nearest(self, X, kind):
        """How near 200,000 random configurations come, with the tool or, for a pose, with the wrist."""
        near = self.tools.query(X[:3, 3])[0]
        if kind == "pose":
            near = max(near, self.wrists.query(X[:3, 3] + X[:3, :3] @ self.wrist_T)[0])
        return near


def check_reason(model, reach, result, i, X, kind):
    """Read a refusal's sentence and test what it says; returns its first word."""
    text, q = result.explain((i,)), result.q[i]
    number = re.search(r"(?:by|is) ([\d.e+-]+) (m|mm|um)\b", text)
    said = float(number[1]) * {"m": 1, "mm": 1e-3, "um": 1e-6}[number[2]]
    slack = 0.01 * said + 2e-6  # sentences have two or three digits
    if text.startswith("out of reach"):
        assert reach.confirms(said - slack, X, kind), text
        assert reach.nearest(X, kind) >= said - slack, text
        return "out"
    p, r = (float(e) for e in true_errors(model, q, X, kind))
    assert abs(p - said) <= slack, (text, p)
    assert p > 1e-6 or r > 1e-6, text
    if text.startswith("stopped at"):
        step = 1e-5
        weight = reach.length / 6
        for side, name in re.findall(r"(q_min|q_max) of (\w+)", text):
            j = model.q_index(name)
            assert q[j] == getattr(model, side)[j], text
            beyond = q.copy()
            beyond[j] += step if side == "q_max" else -step
            p1, r1 = (float(e) for e in true_errors(model, beyond, X, kind))
            before, after = p * p + (weight * r) ** 2, p1 * p1 + (weight * r1) ** 2
            assert after < before + 4 * step**2, (text, after - before)  # curvature may outweigh a push near zero
        return "stopped"
    if text.startswith("singular"):
        J = carpal.jacobian(model, q)
        if kind == "point":
            J = J[:3]
        elif kind == "point and direction":
            axis = carpal.fk(model, q)[:3, :3] @ model.tool_axis
            across = np.linalg.svd(axis[None])[2][1:]  # two directions across the axis
            J = np.concatenate([J[:3], across @ J[3:]])
        words = ("no", "one", "two", "three", "four", "five", "six")
        assert text.split()[1] == words[int((np.linalg.svd(J, compute_uv=False) < 1e-9).sum())], text
        return "singular"
    assert text.startswith("no solution found"), text
    return "no"


def solve_and_check(name, kind, count, reasons, figure, *, attempts, seed):
    """All targets of one robot and kind."""
    model = carpal.load(name)
    reach = Reach(model)
    wrong = lost = solved = 0
    told: dict[str, int] = {}
    chunk = 50_000
    for start in range(0, count, chunk):
        X = random_poses(model, reach, min(chunk, count - start), seed + start)
        result = carpal.ik(model, as_target(X, kind, model.tool_axis), attempts=attempts)
        assert result.q.shape == (len(X), model.nq)
        numbers = np.concatenate([result.q, result.position_error[:, None], result.angle_error[:, None]], axis=1)
        lost += (~np.isfinite(numbers)).any(axis=1).sum()
        p, r = true_errors(model, result.q, X, kind)
        inside = ((result.q >= model.q_min) & (result.q <= model.q_max)).all(axis=1)
        wrong += (result.ok & ~((p <= TOLERANCE) & (r <= TOLERANCE) & inside)).sum()
        assert inside.all()
        assert np.abs(result.position_error - p).max() < 1e-9
        assert np.abs(result.angle_error - r).max() < 2e-7  # an arc sine near a half turn has lost half its digits
        solved += result.ok.sum()
        refused = np.flatnonzero(~result.ok)
        for i in refused[: max(1, reasons * len(X) // count)]:
            word = check_reason(model, reach, result, int(i), X[i], kind)
            told[word] = told.get(word, 0) + 1
    note = f"{count:,} targets, {solved:,} solved; {sum(told.values())} reasons checked: {told}"
    starts = "all" if attempts is None else attempts
    what = f"ik, {count:,} targets anywhere, {starts} starts, {name}, {kind}"
    figure(f"{what}: called ok and wrong", wrong, 0, note=note)
    figure(f"{what}: not finite", lost, 0, note=note)
    assert solved > 0.4 * count
    assert sum(told.values()) > 0
    assert told.get("out", 0) > 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ROBOTS)
def test_three_thousand_targets(name, kind, figure):
    solve_and_check(name, kind, 334, 200, figure, attempts=8, seed=1 + KINDS.index(kind))


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ROBOTS)
def test_a_million_targets(name, kind, figure):
    solve_and_check(name, kind, 111_112, 230, figure, attempts=32, seed=10**6 * (1 + KINDS.index(kind)))


@pytest.mark.full
@pytest.mark.parametrize("name", ROBOTS)
def test_default_attempts(name, figure):
    solve_and_check(name, "pose", 2000, 300, figure, attempts=None, seed=7)
