"""Joint motions that start and end at rest: a quintic B-spline whose three first and three last control points agree.

Where the first three control points coincide, position is the start's and speed and acceleration vanish; the same at
the end. The rest-to-rest quintic 10 s^3 - 15 s^4 + 6 s^5 is the spline without inner knots, and stays in the family for
any number of spans. Position, speed and acceleration are linear in the control points, so limits are linear rows.
Basis by the recursion of de Boor, A Practical Guide to Splines (1978), chapter IX.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.spatial import Array

DEGREE = 5


def spline_basis(s: ArrayLike, spans: int, derivative: int = 0) -> Array:
    """Values (n, spans + 5) of the quintic B-splines on [0, 1], or of a derivative by s.

    Args:
        s: places (n), each in [0, 1].
        spans: equal pieces between knots, 1 or more.
        derivative: 0 to 5.
    """
    s = np.asarray(s, float)
    knots = np.concatenate([np.zeros(DEGREE), np.linspace(0.0, 1.0, spans + 1), np.ones(DEGREE)])
    # the last place belongs to the last piece
    piece = np.minimum((s * spans).astype(int), spans - 1) + DEGREE
    table = np.zeros((len(s), len(knots) - 1))
    table[np.arange(len(s)), piece] = 1.0
    for degree in range(1, DEGREE + 1):
        width = len(knots) - 1 - degree
        left, right = knots[:width], knots[degree + 1 : degree + 1 + width]
        up, down = knots[degree : degree + width] - left, right - knots[1 : 1 + width]
        up, down = _inverse(up), _inverse(down)
        if degree > DEGREE - derivative:
            table = degree * (table[:, :width] * up - table[:, 1 : width + 1] * down)
        else:
            table = (s[:, None] - left) * up * table[:, :width] + (right - s[:, None]) * down * table[:, 1 : width + 1]
    return table


def _inverse(x: Array) -> Array:
    """1/x, and 0 where knots coincide: there the basis function is zero."""
    return np.divide(1.0, x, out=np.zeros_like(x), where=x > 0)


@functools.lru_cache(maxsize=16)
def quintic_weights(spans: int) -> Array:
    """Control points (spans + 5) of 10 s^3 - 15 s^4 + 6 s^5 itself."""
    s: Array = np.linspace(0.0, 1.0, 8 * spans + 8)
    solved = np.linalg.lstsq(spline_basis(s, spans), s**3 * (10 - 15 * s + 6 * s * s), rcond=None)[0]
    weights = np.asarray(solved, np.float64)
    weights[:3], weights[-3:] = 0.0, 1.0  # what the rest at both ends means, without rounding
    weights.flags.writeable = False
    return weights


@dataclass(frozen=True, eq=False)
class JointSpline:
    """A joint motion at rest at both ends.

    Args:
        control: control points (spans + 5, nq) [rad, m]; the first three agree, and the last three.
        duration: [s].
    """

    control: Array
    duration: float

    @property
    def spans(self) -> int:
        """Pieces between knots."""
        return len(self.control) - DEGREE

    def at(self, times: ArrayLike) -> tuple[Array, Array, Array]:
        """(q, v, vdot), each (n, nq), at times (n) [s]; before the start and after the end the joints are at rest."""
        s = np.clip(np.asarray(times, float) / self.duration, 0.0, 1.0)
        q, v, vdot = (spline_basis(s, self.spans, k) @ self.control / self.duration**k for k in range(3))
        rest = (s <= 0.0) | (s >= 1.0)
        q[s <= 0.0], q[s >= 1.0] = self.control[0], self.control[-1]
        v[rest] = vdot[rest] = 0.0
        return q, v, vdot

    def sample(self, dt: float) -> tuple[Array, Array, Array]:
        """(q, v, vdot), each (N + 1, nq), every dt [s] from 0 until the motion has ended."""
        if not isinstance(dt, int | float | np.floating) or not np.isfinite(dt) or dt <= 0:
            raise InputError(f"dt must be a number above zero; got {dt!r}.")
        return self.at(dt * np.arange(int(np.ceil(self.duration / dt - 1e-9)) + 1))


def quintic_spline(q0: Array, q1: Array, duration: float, spans: int = 1) -> JointSpline:
    """The rest-to-rest quintic between two configurations (nq), all joints together."""
    weights = quintic_weights(spans)[:, None]
    control = q0 * (1.0 - weights) + q1 * weights
    return JointSpline(control, duration)
