"""Self-motion curves cut where they matter: at turning points of the arm angle, and where a joint crosses a limit.

Between two turning points the arm angle is monotone, so an *arc* is a branch: at most one configuration for each
(unwrapped) arm angle. Cuts are roots along the curve, found by the Illinois variant of the false position on points pinned
to the pose, so they are as exact as the pose itself; which cuts exist is read off the traced points, whose spacing is the
resolution.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from carpal.kinematics.redundant.kernels.pinned_pose import ALONG, ERROR, PSI, PSI_RATE, TANGENT
from carpal.kinematics.redundant.self_motion_curves import EXACT, SelfMotion, SelfMotionCurve, pin, wrap
from carpal.model import Model
from carpal.spatial import Array

INSIDE = 1e-11  # [rad] a joint this far beyond its limit still counts as standing on it
_TURN = 2 * np.pi
_FOLD, _PLAIN = -1, -2  # marks of vertices; 2 j and 2 j + 1 are the lower and upper limit of the arm's j-th joint


@dataclass(frozen=True, eq=False)
class ArcPiece:
    """A part of an arc on which no joint crosses a limit.

    Args:
        low, high: arm angles at its ends, unwrapped, low < high [rad].
        at_low, at_high: what ends it: "q_max of j5", "turning point", or "" for a full turn or a singular end.
        q_low, q_high: (nq) configurations there.
        q_middle: (nq) a configuration between.
        violated: joints that are outside their limits all along; empty where the piece is feasible.
        excess: [rad] by how much the worst of them is outside at q_middle.
        whole: whether the piece is a closed curve of its own.
    """

    low: float
    high: float
    at_low: str
    at_high: str
    q_low: Array
    q_high: Array
    q_middle: Array
    violated: tuple[str, ...]
    excess: float
    whole: bool


@dataclass(frozen=True, eq=False)
class SelfMotionArc:
    """A branch: part of one curve along which the arm angle rises.

    Args:
        curve: index of the curve.
        q: (points, nq) unwrapped; psi (points) rising.
        pieces: in the order of rising arm angle.
    """

    curve: int
    q: Array
    psi: Array
    pieces: tuple[ArcPiece, ...]


def joint_margins(model: Model, q: Array) -> Array:
    """(*batch, nq) [rad, m] distance inside the limits, whole turns of revolute joints aside; negative outside."""
    middle, half = 0.5 * (model.q_min + model.q_max), 0.5 * (model.q_max - model.q_min)
    limited = np.isfinite(half)
    middle = np.where(limited, middle, 0.0)
    off = q - middle
    revolute = np.zeros(model.nq, bool)
    revolute[[first for kind, first in model.joint_slices() if kind == "revolute"]] = True
    off = np.where(revolute, wrap(off), off)
    return np.where(limited, half - np.abs(off), np.inf)


def cut_arcs(motion: SelfMotion) -> tuple[SelfMotionArc, ...]:
    """All arcs of a pose's self-motion; their order is that of the curves."""
    return tuple(arc for k, curve in enumerate(motion.curves) for arc in _cut(motion, k, curve))


def points_at(motion: SelfMotion, arcs: tuple[SelfMotionArc, ...], psi: float) -> tuple[Array, np.ndarray]:
    """Configurations (n, nq) with an arm angle, on the pose, and the arc of each (n); limits set aside."""
    goals = [
        (number, psi + turn * _TURN)
        for number, arc in enumerate(arcs)
        for turn in range(int(np.ceil((arc.psi[0] - psi) / _TURN)), int(np.floor((arc.psi[-1] - psi) / _TURN)) + 1)
    ]
    if not goals:
        return np.empty((0, motion.model.nq)), np.empty(0, int)
    q, good = _on_arcs(motion, [(arcs[number], goal) for number, goal in goals])
    numbers = np.array([number for number, _ in goals])
    keep = [i for i in np.flatnonzero(good) if not _repeated(q, numbers, int(i))]
    return q[keep], numbers[keep]


def point_on(motion: SelfMotion, arc: SelfMotionArc, psi: float) -> Array:
    """(nq) the configuration of one arc at an unwrapped arm angle between its ends."""
    return _on_arcs(motion, [(arc, psi)])[0][0]


def _on_arcs(motion: SelfMotion, goals: list[tuple[SelfMotionArc, float]]) -> tuple[Array, np.ndarray]:
    at = [min(max(int(np.searchsorted(arc.psi, goal)) - 1, 0), len(arc.psi) - 2) for arc, goal in goals]
    q_a, q_b = (np.array([arc.q[i + k] for (arc, _), i in zip(goals, at, strict=True)]) for k in (0, 1))
    g_a, g_b = (np.array([arc.psi[i + k] - goal for (arc, goal), i in zip(goals, at, strict=True)]) for k in (0, 1))
    wanted = np.array([goal for _, goal in goals])
    q, report = _roots(motion, q_a, q_b, g_a, g_b, lambda _, r: wrap(r[:, PSI] - wanted))
    return q, (report[:, ERROR] < EXACT) & (np.abs(wrap(report[:, PSI] - wanted)) < 1e-9)


def _repeated(q: Array, numbers: np.ndarray, i: int) -> bool:
    """Whether an earlier root is the same point: a closed arc's ends are one."""
    same = (numbers[:i] == numbers[i]) & (np.abs(wrap(q[:i] - q[i])).max(1) < 1e-9)
    return bool(same.any())


def _cut(motion: SelfMotion, number: int, curve: SelfMotionCurve) -> list[SelfMotionArc]:
    v = _with_extremes(motion, _vertices(curve), curve)
    v = _with_crossings(motion, v)
    v = _rotated(v, curve)
    mark = v["mark"]
    cuts = [0, *(int(i) for i in np.flatnonzero(mark[1:-1] != _PLAIN) + 1), len(mark) - 1]
    pairs = [(a, b) for a, b in itertools.pairwise(cuts) if v["s"][b] > v["s"][a]]
    middles = np.array([(a + b) // 2 if b - a > 1 else a for a, b in pairs])
    q_a, q_b = v["q"][middles], v["q"][middles + 1]
    q_mid, _ = _between(motion, q_a, q_b, np.full(len(pairs), 0.5))
    margins = joint_margins(motion.model, q_mid)[:, motion.columns]
    names = motion.joint_names
    whole = curve.closed and len(pairs) == 1 and mark[0] == _PLAIN
    arcs: list[SelfMotionArc] = []
    pieces: list[ArcPiece] = []
    begin = 0
    for (a, b), middle, margin in zip(pairs, q_mid, margins, strict=True):
        rising = v["psi"][b] >= v["psi"][a]
        lo, hi = (a, b) if rising else (b, a)
        pieces.append(
            ArcPiece(
                low=float(v["psi"][lo]), high=float(v["psi"][hi]),
                at_low=_words(names, int(mark[lo])), at_high=_words(names, int(mark[hi])),
                q_low=v["q"][lo], q_high=v["q"][hi], q_middle=middle,
                violated=tuple(names[j] for j in np.flatnonzero(margin < -INSIDE)),
                excess=float(max(0.0, -margin.min())), whole=whole,
            )
        )  # fmt: skip
        if mark[b] == _FOLD or b == pairs[-1][1]:
            part = slice(begin, b + 1)
            q, psi = v["q"][part], v["psi"][part]
            order = slice(None) if rising else slice(None, None, -1)
            # near a turning point rounding may break the order by an ulp, which the search must not see
            arcs.append(SelfMotionArc(number, q[order], np.maximum.accumulate(psi[order]), tuple(pieces[order])))
            pieces, begin = [], b
    return arcs


def _words(names: tuple[str, ...], mark: int) -> str:
    if mark >= 0:
        return f"{'q_max' if mark % 2 else 'q_min'} of {names[mark // 2]}"
    return "turning point" if mark == _FOLD else ""


def _vertices(curve: SelfMotionCurve) -> dict[str, Array]:
    """Traced points, with the first one again at the end of a closed curve."""
    v = {"q": curve.q, "psi": curve.psi, "rate": curve.psi_rate, "tangent": curve.tangent, "s": curve.s}
    if curve.closed:
        again = {
            "q": curve.q[0] + _TURN * curve.winding,
            "psi": curve.psi[-1] + wrap(curve.psi[0] - curve.psi[-1]),
            "rate": curve.psi_rate[0], "tangent": curve.tangent[0], "s": np.float64(curve.length),
        }  # fmt: skip
        v = {name: np.concatenate([value, again[name][None]]) for name, value in v.items()}
    return {**v, "mark": np.full(len(v["s"]), _PLAIN)}


def _with_extremes(motion: SelfMotion, v: dict[str, Array], curve: SelfMotionCurve) -> dict[str, Array]:
    """Add the turning points of psi, and of every joint that turns round near one of its limits."""
    at = motion.columns
    limited = np.isfinite(motion.model.q_max - motion.model.q_min)[at]
    near = np.minimum(
        *(np.abs(joint_margins(motion.model, v["q"][k])[:, at]) for k in (slice(None, -1), slice(1, None)))
    )
    t = v["tangent"][:, at]
    segments, kinds = np.nonzero(
        np.column_stack([
            v["rate"][:-1] * v["rate"][1:] < 0,
            (t[:-1] * t[1:] < 0) & limited & (near < motion.step),
        ])
    )  # fmt: skip
    if not len(segments):
        return v
    j = np.maximum(kinds - 1, 0)

    def read(_: Array, report: Array) -> Array:
        return np.where(kinds == 0, report[:, PSI_RATE], report[np.arange(len(j)), TANGENT + j])

    g = [np.where(kinds == 0, v["rate"][segments + k], t[segments + k, j]) for k in (0, 1)]
    q, report = _roots(motion, v["q"][segments], v["q"][segments + 1], g[0], g[1], read)
    return _inserted(motion, v, segments, q, report, np.where(kinds == 0, _FOLD, _PLAIN))


def _with_crossings(motion: SelfMotion, v: dict[str, Array]) -> dict[str, Array]:
    """Add the points where a joint stands on a limit; joints that can turn fully have none."""
    at, model = motion.columns, motion.model
    q = v["q"][:, at]
    found = []
    for j, column in enumerate(at):
        if not model.q_max[column] - model.q_min[column] < _TURN - 1e-12:
            continue
        for side, limit in enumerate((model.q_min[column], model.q_max[column])):
            turns = np.floor((q[:, j] - limit) / _TURN)
            for i in np.flatnonzero(turns[:-1] != turns[1:]):
                found.append((i, 2 * j + side, limit + _TURN * max(turns[i], turns[i + 1])))
    if not found:
        return v
    segments, marks = np.array([f[0] for f in found]), np.array([f[1] for f in found])
    values, columns = np.array([f[2] for f in found]), at[np.array([f[1] for f in found]) // 2]
    many = np.arange(len(found))

    def read(points: Array, _: Array) -> Array:
        return points[many, columns] - values

    g = [v["q"][segments + k, columns] - values for k in (0, 1)]
    points, report = _roots(motion, v["q"][segments], v["q"][segments + 1], g[0], g[1], read)
    return _inserted(motion, v, segments, points, report, marks)


def _inserted(
    motion: SelfMotion, v: dict[str, Array], segments: np.ndarray, q: Array, report: Array, marks: np.ndarray
) -> dict[str, Array]:
    """New vertices between those that they were found between."""
    tangent = np.zeros(q.shape)
    tangent[:, motion.columns] = report[:, TANGENT:]
    new = {
        "q": q, "psi": v["psi"][segments] + wrap(report[:, PSI] - v["psi"][segments]), "rate": report[:, PSI_RATE],
        "tangent": tangent, "mark": marks,
        "s": np.minimum(v["s"][segments] + np.linalg.norm(q - v["q"][segments], axis=1), v["s"][segments + 1]),
    }  # fmt: skip
    where = np.concatenate([np.arange(len(v["s"]), dtype=float), segments + 0.5])
    order = np.lexsort((np.concatenate([v["s"], new["s"]]), where))
    return {name: np.concatenate([value, new[name]])[order] for name, value in v.items()}


def _rotated(v: dict[str, Array], curve: SelfMotionCurve) -> dict[str, Array]:
    """A closed curve that begins at a turning point, or else at a limit, so that no piece is cut by its start."""
    marks = v["mark"][:-1]
    events = np.flatnonzero(marks == _FOLD) if (marks == _FOLD).any() else np.flatnonzero(marks >= 0)
    if not curve.closed or not len(events) or events[0] == 0:
        return v
    first = int(events[0])
    turned = {
        "q": _TURN * curve.winding.astype(float), "psi": v["psi"][-1] - v["psi"][0], "s": np.float64(curve.length),
        "rate": 0.0, "tangent": 0.0, "mark": 0,
    }  # fmt: skip
    return {
        name: np.concatenate([value[first:-1], value[: first + 1] + np.asarray(turned[name]).astype(value.dtype)])
        for name, value in v.items()
    }


def _between(motion: SelfMotion, q_a: Array, q_b: Array, share: Array) -> tuple[Array, Array]:
    """Points of the curve in the planes that divide chords at a fraction of their length, across them."""
    chord = q_b - q_a
    row = chord / np.maximum(np.linalg.norm(chord, axis=1, keepdims=True), 1e-300)
    guess = q_a + share[:, None] * chord
    return pin(motion.model, motion.frame, motion.X_WT, guess, ALONG, (row * guess).sum(1), row)


def _roots(
    motion: SelfMotion, q_a: Array, q_b: Array, g_a: Array, g_b: Array, read: Callable[[Array, Array], Array]
) -> tuple[Array, Array]:
    """Where a function that changes sign along each chord is zero on the curve."""
    a, b = np.zeros(len(q_a)), np.ones(len(q_a))
    g_a, g_b = np.array(g_a, float), np.array(g_b, float)
    last = np.zeros(len(q_a))  # +1 where the lower end moved last, -1 where the upper
    while True:
        flat = g_a == g_b
        share = np.where(flat, 0.5 * (a + b), (a * g_b - b * g_a) / np.where(flat, 1.0, g_b - g_a))
        q, report = _between(motion, q_a, q_b, np.clip(share, a, b))
        g = read(q, report)
        if ((np.abs(g) < 1e-13) | (b - a < 1e-13)).all():
            return q, report
        rises = g * g_a > 0  # the root lies above
        # an end that stays twice has its value halved, or the other would creep
        g_a = np.where(rises, g, np.where(last == -1, 0.5 * g_a, g_a))
        g_b = np.where(rises, np.where(last == 1, 0.5 * g_b, g_b), g)
        a, b = np.where(rises, share, a), np.where(rises, b, share)
        last = np.where(rises, 1.0, -1.0)
