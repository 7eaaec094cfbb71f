"""Which closed form fits an arm with six revolute joints, recognised from its axes at q = 0 and never from its name.

Spherical wrist: the last three axes meet, or the first three (then the arm is solved from its tool). Three parallel axes: three
neighbours. Every other arm is of the general class. Directions and distances are compared as in `arm_class`.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from carpal.kinematics.axes import ChainAxes
from carpal.kinematics.inverse.arm_slack import ANGLE_TOL, EXACT, LENGTH_TOL, line_angle, loose
from carpal.kinematics.inverse.kernels import six_arm as at
from carpal.kinematics.inverse.kernels.branches import HELD, MARKS, SUMMARY
from carpal.kinematics.inverse.kernels.six_parallel import AXES_123, AXES_234, SEPARABLE
from carpal.kinematics.inverse.kernels.three_axes import GENERAL, MEET_12, MEET_23, PARALLEL_12, PARALLEL_23
from carpal.spatial import Array, rotation_about

SPHERICAL, PARALLEL, ANY = "spherical wrist", "three parallel axes", "general"
_BENT = 1e-3  # [rad] from which on two axes are not parallel
_TRIALS = 16  # poses at which an opening of the loop is judged


@dataclass(frozen=True, eq=False)
class SixArm:
    """A 6-joint arm and how it is solved.

    Args:
        shape: "spherical wrist", "three parallel axes" or "general".
        axes: the arm's axes.
        geo: the kernels' table.
        columns: (6) int64, where the joints are in q, in the order in which they are solved.
        names: of the joints in that order.
        bits: what each bit of a branch's code chooses.
        kind: in words, how the first three joints are solved, or which axes are parallel.
        slack: how far the axes are from the class's shape [rad, or of the arm's length].
    """

    shape: str
    axes: ChainAxes
    geo: Array
    columns: np.ndarray
    names: tuple[str, ...]
    bits: tuple[str, ...]
    kind: str
    slack: float = 0.0

    @property
    def exact(self) -> bool:
        """Whether the axes have the class's shape but for rounding."""
        return self.slack <= EXACT

    @property
    def reversed(self) -> bool:
        """Whether it is solved from its tool."""
        return bool(self.geo[at.REVERSED])


def six_class(axes: ChainAxes, general: bool = True) -> SixArm | None:
    """The class of six revolute joints; None where poses have no isolated solutions (two axes are one line, four parallel).

    Without `general` also None for arms that only the general class solves.
    """
    size = axes.size()
    for structure in (_spherical, _parallel):
        for reverse in (False, True):
            found = structure(axes, size, reverse)
            if found is not None:
                return found
    return general_class(axes) if general else None


def line_table(axes: ChainAxes, reverse: bool, size: float, slack: float = 0.0) -> Array:
    """The kernels' table without the class's own part."""
    geo = np.zeros(at.WIDTH)
    order = slice(None, None, -1 if reverse else 1)
    geo[: at.INVERSE] = np.hstack([axes.u[order], axes.c[order]]).ravel()
    R, p = axes.X_WF[:3, :3], axes.X_WF[:3, 3]
    geo[at.INVERSE : at.INVERSE + 9] = R.T.ravel()
    geo[at.INVERSE + 9 : at.INVERSE + 12] = -R.T @ p
    geo[at.REVERSED], geo[at.LOOSE], geo[at.LENGTH] = float(reverse), loose(slack, size), size
    geo[at.HOLD : at.HOLD + 3] = _beside(axes.u[order][5])
    return geo


def _made(
    shape: str, axes: ChainAxes, geo: Array, reverse: bool, bits: tuple[str, ...], kind: str, slack: float
) -> SixArm:
    step = -1 if reverse else 1
    columns = np.array(axes.columns[::step], np.int64)
    return SixArm(shape, axes, geo, columns, tuple(axes.names[::step]), bits, kind, slack)


def _beside(u: Array) -> Array:
    """A unit vector across u."""
    other = np.eye(3)[np.argmin(np.abs(u))]
    v = np.cross(u, other)
    return v / np.linalg.norm(v)


def _meeting(axes: ChainAxes, three: tuple[int, ...], size: float) -> tuple[Array, float] | None:
    """The point in which three axes meet and how far it is from them, of the arm's length; None where they do not."""
    i, j, k = three
    if min(line_angle(axes.u[i], axes.u[j]), line_angle(axes.u[j], axes.u[k])) < _BENT:
        return None
    A = sum(np.eye(3) - np.outer(axes.u[n], axes.u[n]) for n in three)
    b = sum((np.eye(3) - np.outer(axes.u[n], axes.u[n])) @ axes.c[n] for n in three)
    point = np.linalg.solve(A, b)
    off = max(float(np.linalg.norm(np.cross(axes.u[n], point - axes.c[n]))) for n in three) / size
    return (point, off) if off <= LENGTH_TOL else None


def _spherical(axes: ChainAxes, size: float, reverse: bool) -> SixArm | None:
    met = _meeting(axes, (2, 1, 0) if reverse else (3, 4, 5), size)
    if met is None:
        return None
    wrist, off = met
    u, c = (axes.u[::-1], axes.c[::-1]) if reverse else (axes.u, axes.c)
    made = _first_three(u, c, size)
    if made is None:
        return None
    kind, points, slack, bits, words = made
    slack = max(slack, off)
    geo = line_table(axes, reverse, size, slack)
    geo[at.KIND] = kind
    geo[at.POINT : at.POINT + 3] = wrist
    geo[at.POINT + 3 : at.POINT + 3 + len(points)] = points
    return _made(SPHERICAL, axes, geo, reverse, bits, words, slack)


def _first_three(u: Array, c: Array, size: float) -> tuple[int, Array, float, tuple[str, ...], str] | None:
    """How three joints that carry the wrist are solved: (kind, points, slack, bits, words)."""
    angle = [line_angle(u[0], u[1]), line_angle(u[1], u[2])]
    both = ("elbow", "shoulder", "wrist")
    if max(angle) < _BENT:
        return None  # three parallel axes do not bring a point everywhere
    for pair, kind in ((0, MEET_12), (1, MEET_23)):
        gap = _gap(u, c, pair) / size
        if angle[pair] > _BENT and gap <= LENGTH_TOL:
            return kind, _halfway(u, c, pair), gap, both, f"axes {pair + 1} and {pair + 2} meet"
    for pair, kind in ((1, PARALLEL_23), (0, PARALLEL_12)):
        if angle[pair] <= ANGLE_TOL:
            return kind, np.zeros(0), angle[pair], both, f"axes {pair + 1} and {pair + 2} are parallel"
    if min(angle) < _BENT:
        return None  # neither parallel nor clearly not: the general class is for that
    return GENERAL, np.concatenate(_feet(u, c, 0)), 0.0, ("wrist",), "no two of axes 1, 2, 3 meet or are parallel"


def _gap(u: Array, c: Array, i: int) -> float:
    normal = np.cross(u[i], u[i + 1])
    length = float(np.linalg.norm(normal))
    return abs(float((c[i + 1] - c[i]) @ normal)) / length if length > 1e-9 else np.inf


def _feet(u: Array, c: Array, i: int) -> tuple[Array, Array]:
    """The feet of the common normal of axes i and i + 1."""
    s, t = np.linalg.lstsq(np.stack([u[i], -u[i + 1]], 1), c[i + 1] - c[i], rcond=None)[0]
    return c[i] + s * u[i], c[i + 1] + t * u[i + 1]


def _halfway(u: Array, c: Array, i: int) -> Array:
    a, b = _feet(u, c, i)
    return 0.5 * (a + b)


def _parallel(axes: ChainAxes, size: float, reverse: bool) -> SixArm | None:
    u, c = (axes.u[::-1], axes.c[::-1]) if reverse else (axes.u, axes.c)
    for kind, first in ((AXES_234, 1), (AXES_123, 0)):
        off = max(line_angle(u[first], u[first + 1]), line_angle(u[first], u[first + 2]))
        rest = [k for k in range(6) if not first <= k <= first + 2]
        if off > ANGLE_TOL or min(line_angle(u[first], u[k]) for k in rest if abs(k - first - 1) == 2) < _BENT:
            continue
        h = u[first]
        apart = [np.linalg.norm(np.cross(h, c[first + k + 1] - c[first + k])) for k in (0, 1)]
        if min(apart) <= 1e-6 * size:
            continue
        five = 4 if kind == AXES_234 else 3  # the joint whose rows depend on the arm alone
        point, direction = (c[5] - c[4], u[5]) if kind == AXES_234 else (c[4] - c[3], u[4])
        across = lambda v: np.array([v @ h - (u[five] @ v) * (u[five] @ h), h @ np.cross(u[five], v)])  # noqa: B023, E731
        rows = np.stack([across(direction), across(point)])
        separable = abs(np.linalg.det(rows)) <= LENGTH_TOL * size
        slack = max(off, abs(float(np.linalg.det(rows))) / size if separable else 0.0)
        geo = line_table(axes, reverse, size, slack)
        geo[at.KIND] = kind
        geo[at.POINT : at.POINT + 3] = _beside(h)
        geo[SEPARABLE] = float(separable)
        bits = ("wrist", "shoulder", "elbow") if separable else ("", "", "elbow")
        named = [6 - k if reverse else k + 1 for k in range(first, first + 3)]
        words = "axes {}, {}, {} are parallel".format(*sorted(named))
        return _made(PARALLEL, axes, geo, reverse, bits, words, slack)
    return None


def general_class(axes: ChainAxes) -> SixArm | None:
    """Any six joints, by the opening of the loop whose equations are best conditioned, of six axes and two directions."""
    size, best, chosen = axes.size(), 0.0, None
    for reverse, first in itertools.product((False, True), range(6)):
        geo = line_table(axes, reverse, size)
        geo[at.KIND] = first
        quality = _quality(axes, geo)
        if quality > best:
            best, chosen = quality, (geo, reverse)
    if chosen is None or best < 1e-9:
        return None
    geo, reverse = chosen
    return _made(ANY, axes, geo, reverse, (), "no three neighbouring axes meet or are parallel", 0.0)


def _quality(axes: ChainAxes, geo: Array) -> float:
    """How far the equations of an opening are from singular: the least over random poses; zero where a solution is missed."""
    from carpal.kinematics.inverse.kernels import six_general as general

    rng = np.random.default_rng(0)
    q = rng.uniform(-3.0, 3.0, (_TRIALS, 6))
    target = np.array([_pose_numbers(axes, row) for row in q])
    rows = (_TRIALS, general.SOLUTIONS)
    out, marks, summary = np.empty((*rows, 6)), np.empty((*rows, MARKS)), np.empty((_TRIALS, SUMMARY))
    scratch = [np.empty((1, *shape)) for shape in general.SCRATCH]
    wide = np.full(6, np.inf)
    columns = np.arange(6)[:: -1 if geo[at.REVERSED] else 1].copy()
    general.general6_batch(
        geo, columns, -wide, wide, target, np.zeros((_TRIALS, 6)), out, marks, summary, *scratch, 0, _TRIALS, 1, 0
    )
    off = np.abs(np.remainder(out - q[:, None] + np.pi, 2 * np.pi) - np.pi).max(-1)
    found = (np.nanmin(np.where(np.isnan(off), np.inf, off), axis=1) < 1e-6).mean()
    return float(summary[:, HELD].min()) * (1.0 if found == 1.0 else 1e-3 * found)


def _pose_numbers(axes: ChainAxes, q: Array) -> Array:
    """The target's 12 numbers of six angles."""
    R, p = axes.X_WF[:3, :3], axes.X_WF[:3, 3]
    for k in range(5, -1, -1):
        turn = rotation_about(axes.u[k], q[k])
        R, p = turn @ R, axes.c[k] + turn @ (p - axes.c[k])
    return np.concatenate([R.ravel(), p])
