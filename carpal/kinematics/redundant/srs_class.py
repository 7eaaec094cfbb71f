"""Recognise spherical shoulder, revolute elbow and spherical wrist from the joint axes, and bring the arm to one form.

Only the joint axes at zero configuration count, never a name: axes 1 to 3 meet in the shoulder, 5 to 7 in the wrist,
each axis is at a right angle to the next, and shoulder and wrist lie in one plane across the elbow's axis. Mount,
tool, joint zeros, directions of turning and an elbow offset (Prabhu 2018, erratum E-M1) may be anything. What the form
is, is defined in `kernels/srs_pose.py`.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from carpal.errors import InputError
from carpal.kinematics.axes import ChainAxes, chain_axes
from carpal.kinematics.redundant.kernels import srs_pose as at
from carpal.kinematics.tied_chain import tied_chain
from carpal.model import Model, need_model
from carpal.spatial import Array, rotation_about

TOLERANCE = 1e-9  # [rad], and share of the arm's length: how far from the class's shape axes may be
_SLACK = 1e-11  # share of the reach beyond which a pose is too far: nearer ones are met to 1e-11 by the stretched arm


@dataclass(frozen=True, eq=False)
class SRSGeometry:
    """An SRS arm in its common form.

    Args: frame: the frame that the arm carries. columns: (7) int64, where the arm's joints are in q. joint_names: of
        the seven joints. shoulder: (3) [m] in the world. links: effective upper arm and forearm [m]: from the
        shoulder to the elbow's axis and on to the wrist, offsets included. elbow_offset: [m] distances of the elbow's
        axis from the upper arm's and the forearm's axes. numbers: packed for the kernels, with the model's limits.
    """

    frame: str
    columns: np.ndarray
    joint_names: tuple[str, ...]
    shoulder: Array
    links: tuple[float, float]
    elbow_offset: tuple[float, float]
    numbers: Array

    @property
    def reach(self) -> tuple[float, float]:
        """Least and greatest distance from shoulder to wrist [m], whatever the limits."""
        r1, r2 = self.links
        return abs(r1 - r2), r1 + r2

    @property
    def q_min(self) -> Array:
        """(7) [rad] of the arm's joints."""
        return self.numbers[at.LOW : at.LOW + 7]

    @property
    def q_max(self) -> Array:
        """(7) [rad] of the arm's joints."""
        return self.numbers[at.HIGH : at.HIGH + 7]

    def with_limits(self, q_min: Array, q_max: Array) -> Array:
        """The packed numbers with other limits (7) [rad]."""
        numbers = self.numbers.copy()
        numbers[at.LOW : at.LOW + 7], numbers[at.HIGH : at.HIGH + 7] = q_min, q_max
        wide = ~(q_max - q_min < 2 * np.pi)
        numbers[at.WIDE : at.WIDE + 7] = wide
        with np.errstate(invalid="ignore"):
            numbers[at.MIDDLE : at.MIDDLE + 7] = np.where(wide, 0.0, 0.5 * (q_min + q_max))
        return numbers


def srs_geometry(model: Model, frame: str | None = None) -> SRSGeometry | None:
    """The arm in its common form, or None where the frame (None: the tool) is not carried by such an arm.

    Angles may be off by 1e-9 rad and lines by 1e-9 of the arm's length.
    """
    need_model(model, "srs_geometry")
    return _srs_geometry(model, frame)


@functools.lru_cache(maxsize=64)
def _srs_geometry(model: Model, frame: str | None) -> SRSGeometry | None:
    found = _canonical(model, frame)
    return found if isinstance(found, SRSGeometry) else None


def require_srs(model: Model, frame: str | None = None) -> SRSGeometry:
    """The geometry, or one sentence saying what is missing."""
    found = srs_geometry(model, frame)
    if found is None:
        raise InputError(
            f"model '{model.name}' is not an arm with spherical shoulder, revolute elbow and spherical wrist: "
            f"{_canonical(model, frame)}; arm angles exist for seven revolute joints of that shape, such as 'srs7' and 'sia5'."
        )
    return found


def _canonical(model: Model, frame: str | None) -> SRSGeometry | str:
    """The geometry, or what is not of that shape."""
    axes = chain_axes(model, frame)
    a, points, count = axes.u, axes.c, len(axes.u)
    if count != 7:
        return f"'{axes.frame}' hangs on {count} moving joint{'' if count == 1 else 's'}, not 7"
    ties = tied_chain(model, frame)
    if ties is not None:
        return f"couplings or loops tie {', '.join(ties.names)}"
    if not axes.all_revolute:
        return "not all of its joints are revolute"
    for i in range(6):
        off = abs(np.pi / 2 - np.arccos(np.clip(a[i] @ a[i + 1], -1, 1)))
        if off > TOLERANCE:
            return f"axes {i + 1} and {i + 2} are {np.degrees(off):.3g} deg from a right angle"
    S, off_shoulder = _meeting_point(a[:3], points[:3])
    W, off_wrist = _meeting_point(a[4:], points[4:])
    size = float(np.linalg.norm(points[3] - S) + np.linalg.norm(W - points[3]))
    if off_shoulder > TOLERANCE * size:
        return f"axes 1, 2 and 3 miss a common point by {1000 * off_shoulder:.3g} mm"
    if off_wrist > TOLERANCE * size:
        return f"axes 5, 6 and 7 miss a common point by {1000 * off_wrist:.3g} mm"
    aside = abs(float((W - S) @ a[3]))
    if aside > TOLERANCE * size:
        return f"shoulder and wrist are {1000 * aside:.3g} mm apart along the elbow's axis"
    return _pack(model, axes, S, W)


def _pack(model: Model, axes: ChainAxes, S: Array, W: Array) -> SRSGeometry | str:
    a, on_elbow, X_WT, columns = axes.u, axes.c[3], axes.X_WF, axes.columns
    F0 = _frame(a[0], a[1])
    d2 = _angle_about(a[1], a[0], a[2])  # a3 = Rot(a2, d2) a1
    # frame of the upper arm at zero configuration: z along axis 3, y along or against axis 4, whichever is nearer to axis 2
    to_upper = rotation_about(np.array([0.0, 1.0, 0.0]), -d2) @ F0.T
    elbow = to_upper @ a[3]
    d3 = np.arctan2(-elbow[0], elbow[1])  # Rz(-d3) elbow = +y
    if d3 > np.pi / 2 + 1e-6:  # a half turn less: the elbow's axis then points along -y
        d3 -= np.pi
    elif d3 <= -np.pi / 2 + 1e-6:
        d3 += np.pi
    G = rotation_about(np.array([0.0, 0.0, 1.0]), -d3) @ to_upper
    hand = float(np.sign((G @ a[3])[1]))
    E = on_elbow + a[3] * ((S - on_elbow) @ a[3])
    e, w = G @ (E - S), G @ (W - E)
    r1, r2 = float(np.hypot(e[0], e[2])), float(np.hypot(w[0], w[2]))
    if min(r1, r2) < 1e-6 * (r1 + r2):
        return "the elbow's axis goes through the shoulder or the wrist"
    alpha, beta = np.arctan2(e[0], e[2]), np.arctan2(w[0], w[2])
    H0 = _frame(a[4], a[5])
    d6 = _angle_about(a[5], a[4], a[6])
    K = G @ H0  # Ry(omega) Rz(zeta)
    omega = np.arctan2(K[0, 2], K[2, 2])
    turned = rotation_about(np.array([0.0, 1.0, 0.0]), -omega) @ K
    zeta = np.arctan2(turned[1, 0], turned[0, 0])
    lam = beta - omega
    N = X_WT[:3, :3].T @ H0 @ rotation_about(np.array([0.0, 1.0, 0.0]), d6)
    numbers = np.zeros(at.NUMBERS)
    numbers[at.SHOULDER : at.SHOULDER + 3] = S
    numbers[at.R_FRAME : at.R_FRAME + 9] = F0.ravel()
    numbers[at.R_LAST : at.R_LAST + 9] = N.ravel()
    numbers[at.WRIST : at.WRIST + 3] = X_WT[:3, :3].T @ (W - X_WT[:3, 3])
    numbers[at.LINK1], numbers[at.LINK2] = r1, r2
    numbers[at.COS_ALPHA], numbers[at.SIN_ALPHA] = np.cos(alpha), np.sin(alpha)
    numbers[at.COS_LAMBDA], numbers[at.SIN_LAMBDA] = np.cos(lam), np.sin(lam)
    numbers[at.HAND] = hand
    numbers[at.REACH_SLACK] = _SLACK * (r1 + r2)
    numbers[at.OFFSET : at.OFFSET + 7] = 0.0, -d2, -d3, hand * (alpha - beta), -zeta, -d6, 0.0
    offsets = abs(float(e[0])), abs(float((G @ np.cross(W - E, a[4])) @ (G @ a[3])))
    geometry = SRSGeometry(axes.frame, columns, axes.names, S, (r1, r2), offsets, numbers)
    numbers[:] = geometry.with_limits(model.q_min[columns], model.q_max[columns])
    return geometry


def _frame(z: Array, y: Array) -> Array:
    """Rotation with these axes; y is turned by rounding until it is square to z."""
    x = np.cross(y, z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def _angle_about(axis: Array, start: Array, end: Array) -> float:
    return float(np.arctan2(axis @ np.cross(start, end), start @ end))


def _meeting_point(directions: Array, points: Array) -> tuple[Array, float]:
    """The point nearest to three lines, and its largest distance from one of them."""
    P = np.eye(3) - directions[:, :, None] * directions[:, None, :]
    A, b = P.sum(axis=0), np.einsum("nij,nj->i", P, points)
    center = np.linalg.solve(A, b)
    return center, float(np.linalg.norm(np.einsum("nij,nj->ni", P, center - points), axis=1).max())
