"""What a seven-joint arm may do at one pose of a path: sampled configurations of its whole self-motion, and the band's edges.

Arms with a closed form are sampled over a grid of arm angles in every branch and have exact edges; other arms give the
points of their traced self-motion. Either way a sample knows the ends of the feasible stretch of arm angles that it lies
in.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.kinematics.axes import chain_axes
from carpal.kinematics.inverse.solutions import IKSolutions
from carpal.kinematics.redundant.arm_angle7 import BITS, arm_angle, solve_arm_angle
from carpal.kinematics.redundant.elbow_points import elbow_position
from carpal.kinematics.redundant.intervals import arm_angle_intervals
from carpal.kinematics.redundant.self_motion import into_limits, traced_arcs
from carpal.kinematics.redundant.self_motion_arcs import joint_margins
from carpal.kinematics.redundant.self_motion_curves import wrap
from carpal.kinematics.redundant.srs_class import SRSGeometry, require_srs, srs_geometry
from carpal.model import Model, need_model
from carpal.spatial import Array

GRID = 180  # arm angles that a closed form is sampled at
COARSEST, MOST_PARTS = 0.08, 40  # [rad] that a joint may move between them, and how far the grid is divided for that
SPACING = 0.03  # [rad] between kept points of a traced curve
_TURN = 2 * np.pi


@dataclass(frozen=True, eq=False)
class Stretch:
    """A feasible stretch of arm angles: low < high [rad], what ends it, and the branch that it belongs to."""

    low: float
    high: float
    at_low: str
    at_high: str
    branch: str


@dataclass(frozen=True, eq=False)
class ArmSlice:
    """All that one pose allows.

    Args:
        X_WT: (4, 4).
        q: (n, nq) configurations, limits aside; whole turns are chosen inside the limits where that is possible.
        psi: (n) [rad].
        margin: (n, 7) [rad] of the arm's joints; negative outside.
        stretch: (n) which stretch a sample lies in, -1 for none.
        code: (n) branch of the closed form; zero for traced arms, whose arcs have no names that last.
        stretches: the band's cut at this pose.
        height: (n) [m] of the elbow, against gravity.
    """

    X_WT: Array
    q: Array
    psi: Array
    margin: Array
    stretch: np.ndarray
    code: np.ndarray
    stretches: tuple[Stretch, ...]
    height: Array

    def nodes(self, columns: np.ndarray, sample: np.ndarray) -> Array:
        """(n, 8) what the search compares: the arm's joints, and the branch."""
        return np.column_stack([self.q[sample][:, columns], self.code[sample]])

    def ends(self, sample: np.ndarray) -> tuple[Array, Array]:
        """(low, high) of the samples' stretches, whole turns chosen so that the samples lie between; a full turn is infinite."""
        low = np.array([self.stretches[i].low for i in self.stretch[sample]])
        high = np.array([self.stretches[i].high for i in self.stretch[sample]])
        full = high - low > _TURN - 1e-9
        turn = _TURN * np.rint((self.psi[sample] - 0.5 * (low + high)) / _TURN)
        return np.where(full, -np.inf, low + turn), np.where(full, np.inf, high + turn)


_Samples = tuple[Array, Array, np.ndarray, np.ndarray, tuple[Stretch, ...]]


def arm_slice(model: Model, X_WT: Array, frame: str | None = None) -> ArmSlice:
    """Sample one pose."""
    need_model(model, "arm_slice")
    closed = srs_geometry(model, frame) is not None
    q, psi, stretch, code, stretches = (_closed if closed else _traced)(model, X_WT, frame)
    margin = joint_margins(model, q)[:, chain_axes(model, frame).columns]
    height = elbow_position(model, q, frame) @ upwards(model) if len(q) else np.empty(0)
    return ArmSlice(X_WT, q, psi, margin, stretch, code, stretches, height)


def upwards(model: Model) -> Array:
    """(3) against gravity; z where there is none."""
    size = float(np.linalg.norm(model.gravity))
    return -model.gravity / size if size else np.array([0.0, 0.0, 1.0])


def _closed(model: Model, X: Array, frame: str | None) -> _Samples:
    geometry = require_srs(model, frame)
    stretches, codes = [], []
    for interval in arm_angle_intervals(model, X, frame=frame):
        code = sum(1 << bit for bit, sign in enumerate(interval.branch) if sign < 0)
        ends = solve_arm_angle(model, geometry, X, np.array([interval.low, interval.high]))
        full = interval.high - interval.low > _TURN - 1e-9
        low, high = ("" if full else _limit_words(model, geometry, ends[k], code) for k in (0, 1))
        label = ", ".join(f"{n} {'+' if s > 0 else '-'}" for n, s in zip(BITS, interval.branch, strict=True))
        stretches.append(Stretch(interval.low, interval.high, low, high, label))
        codes.append(code)
    inner = [s.low + share * (s.high - s.low) for s in stretches for share in (0.02, 0.25, 0.5, 0.75, 0.98)]
    psi = _fine_enough(
        model, geometry, X, np.concatenate([np.linspace(-np.pi, np.pi, GRID + 1), wrap(np.array(inner))])
    )
    solved = solve_arm_angle(model, geometry, X, psi)
    rows, columns = np.nonzero(solved.branch >= 0)
    q, angle, code_at = solved.q[rows, columns], psi[rows], solved.branch[rows, columns]
    stretch = np.full(len(q), -1)
    for i, (s, code) in enumerate(zip(stretches, codes, strict=True)):
        stretch[(np.remainder(angle - s.low, _TURN) <= s.high - s.low) & (code_at == code)] = i
    return q, angle, stretch, code_at, tuple(stretches)


def _fine_enough(model: Model, geometry: SRSGeometry, X: Array, psi: Array) -> Array:
    """Arm angles with more between, where a branch moves far from one to the next: near a singular wrist or shoulder."""
    psi = np.unique(psi)
    solved = solve_arm_angle(model, geometry, X, psi)
    if not solved.count.any():
        return psi
    q = np.full((len(psi), 8, model.nq), np.nan)
    rows, columns = np.nonzero(solved.branch >= 0)
    q[rows, solved.branch[rows, columns]] = solved.q[rows, columns]
    move = np.nan_to_num(np.abs(wrap(np.diff(q, axis=0))).max(-1)).max(-1)
    parts = np.clip(np.ceil(move / COARSEST), 1, MOST_PARTS).astype(int)
    between = [np.linspace(a, b, n, endpoint=False) for a, b, n in zip(psi[:-1], psi[1:], parts, strict=True)]
    return np.append(np.concatenate(between), psi[-1])


def _limit_words(model: Model, geometry: SRSGeometry, solved: IKSolutions, code: int) -> str:
    """Which limit a branch stands on."""
    row = np.flatnonzero(solved.branch == code)
    if not len(row):
        return ""
    q = solved.q[row[0]]
    j = int(np.argmin(joint_margins(model, q)[geometry.columns]))
    return limit_name(model, q, int(geometry.columns[j]), geometry.joint_names[j])


def limit_name(model: Model, q: Array, column: int, name: str) -> str:
    """The nearer limit of a joint, in words."""
    middle = 0.5 * (model.q_min[column] + model.q_max[column])
    return f"{'q_max' if wrap(q[column] - middle) > 0 else 'q_min'} of {name}"


def _traced(model: Model, X: Array, frame: str | None) -> _Samples:
    _, arcs = traced_arcs(model, X, frame)
    q, stretch = [np.empty((0, model.nq))], [np.empty(0, int)]
    stretches: list[Stretch] = []
    for number, arc in enumerate(arcs):
        which = np.full(len(arc.q), -1)
        for piece in arc.pieces:
            if not piece.violated:
                which[(arc.psi >= piece.low) & (arc.psi <= piece.high)] = len(stretches)
                q.append(piece.q_middle[None])
                stretch.append(np.array([len(stretches)]))
                label = f"curve {arc.curve}, arc {number}"
                stretches.append(Stretch(piece.low, piece.high, piece.at_low, piece.at_high, label))
        kept = _thinned(arc.q, which)
        q.append(arc.q[kept])
        stretch.append(which[kept])
    every = into_limits(model, np.concatenate(q), np.asarray(model.q_home))
    angle = arm_angle(model, every, frame=frame) if len(every) else np.empty(0)
    return every, angle, np.concatenate(stretch), np.zeros(len(every), int), tuple(stretches)


def _thinned(q: Array, which: np.ndarray) -> np.ndarray:
    """Points at least SPACING apart, and every change of stretch."""
    kept: list[int] = []
    for i in range(len(q)):
        if not kept or which[i] != which[kept[-1]] or np.linalg.norm(q[i] - q[kept[-1]]) >= SPACING:
            kept.append(i)
    return np.array(kept, int)
