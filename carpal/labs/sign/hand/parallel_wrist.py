"""Spherical parallel wrist with three legs (3-RRR): inverse and complete forward kinematics.

Prabhu's hand has one (2018, section 2.4), without published dimensions. All axes meet in the wrist's centre. Leg i: a motor about
u_i, fixed below; a first arc of angle `first` to the middle axis w_i; a second arc of angle `second` to the axis v_i of the
palm. So w_i(m_i) . R v_i = cos(second). One such equation gives each motor two angles in closed form. Forward, the first
leg leaves R = turn(w_1, a) Q turn(v_1, b); the other two equations are bilinear in (cos a, sin a) and (cos b, sin b), and
elimination of b leaves a trigonometric polynomial of degree four in a, so at most eight attitudes (the count that Gosselin,
Sefrioui and Richard 1994 found), all of which are returned.

Differentiating, A w = B m' with rows v_i x w_i and entries (u_i x w_i) . v_i: an entry of B that vanishes is a leg stretched
or folded (a motor loses its grip on the palm), A singular means that the palm is loose although the motors stand.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.errors import InputError
from carpal.spatial import Array, rotation_about

HARMONICS = 4
NEAR_CIRCLE = 1e-2  # roots of the polynomial this near to the unit circle are tried as angles; Newton's steps decide
SAME = 1e-7  # [rad] attitudes nearer than this are one
POLISH = 8


@dataclass(frozen=True, eq=False)
class WristInverse(Result):
    """Motor angles for attitudes.

    Args:
        ok: (*batch) whether all three legs reach.
        status: one true sentence.
        motors: (*batch, 3) [rad] of the asked working mode; NaN where a leg does not reach.
        leg_margin: (*batch) sine-like distance from a stretched or folded leg, 0 at it.
        palm_margin: (*batch) |det A| over the lengths of its rows: 0 where the palm is loose.
    """

    ok: np.ndarray
    status: str
    motors: Array
    leg_margin: Array
    palm_margin: Array


@dataclass(frozen=True, eq=False)
class WristForward(Result):
    """Every attitude that three motor angles allow.

    Args:
        ok: whether there is one.
        status: one true sentence.
        R: (n, 3, 3) of the palm.
        modes: (n, 3) sign of each leg, +1 or -1: the working mode whose inverse gives these motor angles.
        palm_margin: (n) 0 where the palm is loose.
    """

    ok: bool
    status: str
    R: Array
    modes: np.ndarray
    palm_margin: Array


def _axes(tilt: float, around: float, up: float) -> Array:
    """Three axes (3, 3) as rows, 120 degrees apart around z, tilted from it."""
    turns = around + np.arange(3) * 2.0 * np.pi / 3.0
    return np.column_stack([np.sin(tilt) * np.cos(turns), np.sin(tilt) * np.sin(turns), np.full(3, up * np.cos(tilt))])


@dataclass(frozen=True, eq=False)
class ParallelWrist:
    """The wrist's geometry; angles in radians.

    Args:
        first, second: arcs of a leg.
        motor_tilt, palm_tilt: of the motors' axes from -z, and of the palm's axes from +z.
        mode: (3) signs, the working mode in which the legs are assembled.
    """

    first: float = np.radians(80.0)
    second: float = np.radians(80.0)
    motor_tilt: float = np.radians(70.0)
    palm_tilt: float = np.radians(70.0)
    mode: tuple[int, int, int] = (1, 1, 1)
    u: Array = field(init=False)
    v: Array = field(init=False)
    across: Array = field(init=False)
    over: Array = field(init=False)

    def __post_init__(self) -> None:
        for what in ("first", "second", "motor_tilt", "palm_tilt"):
            value = getattr(self, what)
            if not isinstance(value, int | float | np.floating) or not 0.0 < value < np.pi:
                raise InputError(f"{what} of a wrist must be an angle between 0 and pi rad; got {value!r}.")
        if tuple(abs(int(sign)) for sign in self.mode) != (1, 1, 1):
            raise InputError(f"the mode of a wrist is three signs, +1 or -1; got {self.mode!r}.")
        u = _axes(self.motor_tilt, 0.0, -1.0)
        # the palm's axes stand a right angle further round, so that the legs lie sideways when the hand is straight
        v = _axes(self.palm_tilt, np.pi / 2, 1.0)
        across = np.cross(np.array([0.0, 0.0, 1.0]), u)
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        for name, value in (("u", u), ("v", v), ("across", across), ("over", np.cross(u, across))):
            object.__setattr__(self, name, value)

    def middle_axes(self, motors: ArrayLike) -> Array:
        """The middle axis w (*batch, 3, 3) of every leg."""
        m = _numbers(motors, "motors", (3,))[..., None]
        return np.cos(self.first) * self.u + np.sin(self.first) * (np.cos(m) * self.across + np.sin(m) * self.over)

    def inverse(self, R: ArrayLike, mode: ArrayLike | None = None) -> WristInverse:
        """Motor angles that give the palm attitudes R (*batch, 3, 3), in the wrist's own working mode or another (3)."""
        turn = _rotations(R)
        signs = np.asarray(self.mode if mode is None else mode, float)
        palm = np.einsum("...ij,kj->...ki", turn, self.v)
        a = np.sin(self.first) * (palm * self.across).sum(-1)
        b = np.sin(self.first) * (palm * self.over).sum(-1)
        c = np.cos(self.second) - np.cos(self.first) * (palm * self.u).sum(-1)
        size = np.hypot(a, b)
        with np.errstate(invalid="ignore", divide="ignore"):
            reach = c / size
            m = np.arctan2(b, a) + signs * np.arccos(reach)
        motors = np.arctan2(np.sin(m), np.cos(m))
        ok = np.isfinite(motors).all(-1)
        legs, loose = self._margins(np.where(np.isfinite(motors), motors, 0.0), palm)
        lost = int((~ok).sum())
        status = f"{ok.size} attitudes reached, legs at least {legs[ok].min(initial=1.0):.2g} from stretched."
        if lost:
            leg = int(np.argmax(np.where(np.isfinite(motors), 0.0, np.abs(reach)).reshape(-1, 3).max(0)))
            status = f"{lost} of {ok.size} attitudes are beyond leg {leg + 1} of the wrist: its two arcs do not reach."
        return WristInverse(ok, status, motors, np.where(ok, legs, 0.0), np.where(ok, loose, 0.0))

    def _margins(self, motors: Array, palm: Array) -> tuple[Array, Array]:
        w = self.middle_axes(motors)
        rows = np.cross(palm, w)
        grip = (np.cross(self.u, w) * palm).sum(-1)
        sizes = np.maximum(np.linalg.norm(rows, axis=-1), 1e-300)
        return np.abs(grip).min(-1), np.abs(np.linalg.det(rows)) / sizes.prod(-1)

    def forward(self, motors: ArrayLike) -> WristForward:
        """Every palm attitude for three motor angles (3) [rad]."""
        m = _numbers(motors, "motors", (3,))
        if m.shape != (3,):
            raise InputError(f"forward takes the three motor angles of one wrist; got shape {m.shape}.")
        w = self.middle_axes(m)
        found: list[Array] = []
        for candidate in self._candidates(w):
            R = self._polished(candidate, w)
            if R is not None and not any(np.abs(R - other).max() < SAME for other in found):
                found.append(R)
        if not found:
            return WristForward(
                False, "these motor angles fit no attitude: the legs cannot meet the palm.", np.zeros((0, 3, 3)),
                np.zeros((0, 3), int), np.zeros(0),
            )  # fmt: skip
        R_all = np.array(sorted(found, key=lambda R: -float(np.trace(R))))
        palm = np.einsum("nij,kj->nki", R_all, self.v)
        grip = (np.cross(self.u, w) * palm).sum(-1)
        _, loose = self._margins(np.broadcast_to(m, (len(R_all), 3)), palm)
        status = f"{len(R_all)} attitudes fit; the palm is loosest at {loose.min():.2g}."
        return WristForward(True, status, R_all, np.where(grip > 0, -1, 1), loose)

    def attitude(self, motors: ArrayLike) -> Array:
        """The attitude (3, 3) in the wrist's own working mode, nearest to straight."""
        answer = self.forward(motors)
        mine = (answer.modes == np.array(self.mode)).all(1)
        if not answer or not mine.any():
            raise InputError(f"motor angles {np.asarray(motors).tolist()} rad fit no attitude of mode {self.mode}.")
        return np.asarray(answer.R[np.flatnonzero(mine)[0]])

    def _candidates(self, w: Array) -> list[Array]:
        """Attitudes that fulfil the three equations nearly: R = turn(w1, a) Q turn(v1, b)."""
        v1 = self.v[0]
        side = np.cross(w[0], v1)
        size = float(np.linalg.norm(side))
        axis = side / size if size > 1e-9 else np.linalg.svd(w[:1])[2][2]
        now = np.arctan2(size, float(w[0] @ v1))
        Q = rotation_about(axis, self.second - now)  # brings v1 to the angle `second` from w1

        def parts(a: Array) -> Array:
            """(n, 2, 3): coefficients of cos b, sin b and 1 in the equations of legs 2 and 3."""
            seen = np.einsum("nji,kj->nki", rotation_about(w[0], a), w[1:]) @ Q  # w_k seen before the turn about v1
            along = seen @ v1
            flat = self.v[1:] - np.outer(self.v[1:] @ v1, v1)
            cosine = (seen * flat).sum(-1)
            sine = (seen * np.cross(v1, flat)).sum(-1)
            return np.stack([cosine, sine, along * (self.v[1:] @ v1) - np.cos(self.second)], -1)

        n = 2 * HARMONICS + 2
        grid = np.arange(n) * 2.0 * np.pi / n
        cross = np.cross(parts(grid)[:, 0], parts(grid)[:, 1])  # proportional to (cos b, sin b, 1)
        values = cross[:, 0] ** 2 + cross[:, 1] ** 2 - cross[:, 2] ** 2
        waves = np.fft.fft(values) / n
        poly = [waves[k] for k in range(HARMONICS, -HARMONICS - 1, -1)]
        scale = max(abs(c) for c in poly)
        if scale < 1e-14:
            return []  # every angle would do: the palm turns freely
        roots = np.roots(np.where(np.abs(poly) < 1e-15 * scale, 0.0, poly))
        out = []
        near = roots[np.abs(np.abs(roots) - 1.0) < NEAR_CIRCLE]
        for a in np.angle(near):
            first, second = parts(np.array([a]))[0]
            line = np.cross(first, second)
            bs = [np.arctan2(line[1] / line[2], line[0] / line[2])] if abs(line[2]) > 1e-9 else _angles(first)
            out += [rotation_about(w[0], a) @ Q @ rotation_about(v1, b) for b in bs]
        return out

    def _polished(self, R: Array, w: Array) -> Array | None:
        """Newton on the three equations; None where it does not arrive at an attitude."""
        for _ in range(POLISH):
            palm = self.v @ R.T
            miss = (w * palm).sum(-1) - np.cos(self.second)
            if np.abs(miss).max() < 1e-15:
                break
            turn = np.linalg.lstsq(np.cross(palm, w), -miss, rcond=1e-12)[0]
            size = float(np.linalg.norm(turn))
            if not np.isfinite(size) or size > 1.0:
                return None
            if size > 0:
                R = rotation_about(turn / size, size) @ R
        palm = self.v @ R.T
        return R if np.abs((w * palm).sum(-1) - np.cos(self.second)).max() < 1e-12 else None


def _angles(row: Array) -> list[float]:
    """Angles b of p cos b + q sin b + r = 0."""
    size = float(np.hypot(row[0], row[1]))
    if size < 1e-12 or abs(row[2]) > size:
        return []
    middle, half = np.arctan2(row[1], row[0]), np.arccos(-row[2] / size)
    return [float(middle + half), float(middle - half)]


def _numbers(values: ArrayLike, what: str, shape: tuple[int, ...]) -> Array:
    from carpal._core.arrays import finite_array

    return finite_array(what, values, shape)


def _rotations(R: ArrayLike) -> Array:
    turn = _numbers(R, "R", (3, 3))
    if (np.abs(turn @ np.swapaxes(turn, -1, -2) - np.eye(3)).max(initial=0.0) > 1e-6) or (
        np.linalg.det(turn) < 0
    ).any():
        raise InputError("R must be rotations: orthonormal, right-handed columns.")
    return turn


def wrist_rotation(angles: ArrayLike) -> Array:
    """R (*batch, 3, 3) of wrist flexion, deviation and turn (*batch, 3) [rad]: about y, then x, then z, as the model has them."""
    a = _numbers(angles, "wrist angles", (3,))
    return np.asarray(
        rotation_about((0.0, 1.0, 0.0), a[..., 0]) @ rotation_about((1.0, 0.0, 0.0), a[..., 1])
        @ rotation_about((0.0, 0.0, 1.0), a[..., 2])
    )  # fmt: skip


def wrist_angles(R: ArrayLike) -> Array:
    """Flexion, deviation, turn (*batch, 3) [rad] of rotations (*batch, 3, 3); deviation from -pi/2 to pi/2."""
    turn = _rotations(R)
    deviation = np.arcsin(np.clip(-turn[..., 1, 2], -1.0, 1.0))
    flexion = np.arctan2(turn[..., 0, 2], turn[..., 2, 2])
    about = np.arctan2(turn[..., 1, 0], turn[..., 1, 1])
    return np.stack([flexion, deviation, about], -1)
