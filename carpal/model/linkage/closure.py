"""The loop-closure equations of a planar linkage and their derivatives, for many poses at a time.

A pose (..., bars, 3) holds (x, y, angle) of every bar against L, ground first and zero. Rows: two for each pin (its two points
coincide), two for each slide (across the guide; angle kept), and last the drive's own measure less its value.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from carpal.model.linkage.description import Linkage
from carpal.spatial import Array


def turned(angle: Array, local: Array) -> Array:
    """Vectors (..., 2) turned by angles (...)."""
    s, c = np.sin(angle), np.cos(angle)
    return np.stack([c * local[..., 0] - s * local[..., 1], s * local[..., 0] + c * local[..., 1]], -1)


def left(v: Array) -> Array:
    """Vectors (..., 2) turned by a right angle: the derivative of a turned vector by its angle."""
    return np.stack([-v[..., 1], v[..., 0]], -1)


@dataclass(frozen=True, eq=False)
class Closure:
    """Index tables of a linkage's equations; made by `closure_of`."""

    linkage: Linkage
    pins: tuple[tuple[int, Array, int, Array], ...]  # bar a, local point, bar b, local point
    slides: tuple[
        tuple[int, Array, int, Array, Array, float], ...
    ]  # slider, its point, guide, its origin, direction, angle
    drive: tuple[int, Array, int, Array, int]  # bar a, point, bar b, point, slide number

    @property
    def rows(self) -> int:
        """Number of equations, the drive's included."""
        return 2 * (len(self.pins) + len(self.slides)) + 1

    def place(self, poses: Array, bar: int, local: Array) -> Array:
        """Where a local point of a bar is in L (..., 2)."""
        return poses[..., bar, :2] + turned(poses[..., bar, 2], local)

    def residual(self, poses: Array, drive: Array) -> Array:
        """Equations (..., rows) [m, rad]; zero where the linkage is closed at that drive."""
        out = np.empty((*poses.shape[:-2], self.rows))
        row = 0
        for a, p, b, q in self.pins:
            out[..., row : row + 2] = self.place(poses, a, p) - self.place(poses, b, q)
            row += 2
        for a, p, b, q, u, angle in self.slides:
            gap = self.place(poses, a, p) - self.place(poses, b, q)
            out[..., row] = (left(turned(poses[..., b, 2], u)) * gap).sum(-1)
            out[..., row + 1] = poses[..., a, 2] - poses[..., b, 2] - angle
            row += 2
        out[..., row] = self.measure(poses) - drive
        return out

    def measure(self, poses: Array) -> Array:
        """The drive's value (...) at given poses."""
        a, p, b, q, number = self.drive
        kind = self.linkage.drive.kind
        if kind == "turn":
            return poses[..., b, 2] - poses[..., a, 2]
        if kind == "push":
            return np.linalg.norm(self.place(poses, a, p) - self.place(poses, b, q), axis=-1)
        a, p, b, q, u, _ = self.slides[number]
        return (turned(poses[..., b, 2], u) * (self.place(poses, a, p) - self.place(poses, b, q))).sum(-1)

    def jacobian(self, poses: Array) -> Array:
        """Derivative (..., rows, 3 x moving bars) of the equations by the moving bars' poses."""
        J = np.zeros((*poses.shape[:-2], self.rows, poses.shape[-2], 3))
        row = 0
        for a, p, b, q in self.pins:
            for bar, local, sign in ((a, p, 1.0), (b, q, -1.0)):
                J[..., row, bar, 0] = J[..., row + 1, bar, 1] = sign
                J[..., row : row + 2, bar, 2] = sign * left(turned(poses[..., bar, 2], local))
            row += 2
        for a, p, b, q, u, _ in self.slides:
            along = turned(poses[..., b, 2], u)
            self._project(J, row, poses, (a, p, b, q), left(along), -along)
            J[..., row + 1, a, 2], J[..., row + 1, b, 2] = 1.0, -1.0
            row += 2
        a, p, b, q, number = self.drive
        if self.linkage.drive.kind == "turn":
            J[..., row, b, 2], J[..., row, a, 2] = 1.0, -1.0
        elif self.linkage.drive.kind == "push":
            gap = self.place(poses, a, p) - self.place(poses, b, q)
            self._project(J, row, poses, (a, p, b, q), gap / np.linalg.norm(gap, axis=-1, keepdims=True), None)
        else:
            a, p, b, q, u, _ = self.slides[number]
            along = turned(poses[..., b, 2], u)
            self._project(J, row, poses, (a, p, b, q), along, left(along))
        return J[..., 1:, :].reshape(*poses.shape[:-2], self.rows, 3 * (poses.shape[-2] - 1))

    def _project(
        self, J: Array, row: int, poses: Array, ends: tuple[int, Array, int, Array], n: Array, turns: Array | None
    ) -> None:
        """Row of n . (P - Q); `turns` is dn/d(angle of Q's bar) where n is fixed to that bar."""
        a, p, b, q = ends
        for bar, local, sign in ((a, p, 1.0), (b, q, -1.0)):
            J[..., row, bar, :2] += sign * n
            J[..., row, bar, 2] += sign * (n * left(turned(poses[..., bar, 2], local))).sum(-1)
        if turns is not None:
            J[..., row, b, 2] += (turns * (self.place(poses, a, p) - self.place(poses, b, q))).sum(-1)

    def scaled(self, poses: Array) -> Array:
        """The Jacobian with lengths counted in the linkage's own scale, so that its determinant has no unit."""
        J, size = self.jacobian(poses), self.linkage.scale
        return J * self.row_scale[:, None] * np.tile([size, size, 1.0], J.shape[-1] // 3)

    @property
    def row_scale(self) -> Array:
        """1 / length for rows in metres, 1 for rows in radians."""
        size = self.linkage.scale
        out = np.full(self.rows, 1.0 / size)
        first = 2 * len(self.pins)
        out[first + 1 : first + 2 * len(self.slides) : 2] = 1.0
        if self.linkage.drive.kind == "turn":
            out[-1] = 1.0
        return out

    def rate(self, poses: Array) -> Array:
        """d(pose)/d(drive) (..., bars, 3): the drive's row alone moves, all others stay zero."""
        J = self.jacobian(poses)
        unit = np.zeros((*J.shape[:-1], 1))
        unit[..., -1, 0] = 1.0
        moving = np.linalg.solve(J, unit)[..., 0].reshape(*J.shape[:-2], -1, 3)
        return np.concatenate([np.zeros((*moving.shape[:-2], 1, 3)), moving], -2)


def closure_of(linkage: Linkage) -> Closure:
    """The equations of a linkage."""
    at = lambda place: (linkage.point(place)[0], np.array(linkage.point(place)[1]))  # noqa: E731 - two numbers at once
    pins = tuple((*at(pin.a), *at(pin.b)) for pin in linkage.pins)
    slides = []
    for slide in linkage.slides:
        (guide, origin), (_, end) = at(slide.along[0]), at(slide.along[1])
        u = (end - origin) / np.linalg.norm(end - origin)
        # the stored angle is of the sliding bar against the guiding bar
        slides.append((*at(slide.at), guide, origin, u, float(slide.angle + np.arctan2(u[1], u[0]))))
    drive = linkage.drive
    zero = np.zeros(2)
    if drive.kind == "turn":
        a, _, b, _ = pins[[pin.name for pin in linkage.pins].index(drive.joint)]
        driven = (a, zero, b, zero, -1)
    elif drive.kind == "push":
        one, other = linkage.push_points()
        driven = (*at(one), *at(other), -1)
    else:
        driven = (0, zero, 0, zero, [slide.name for slide in linkage.slides].index(drive.joint))
    return Closure(linkage, pins, tuple(slides), driven)
