"""The exact curve of a linkage: every bar's pose, and its rate, against the one drive.

Dyads are solved by their closed forms with the assembly mode kept; loops that have none by Newton's method from the nearest
point of a curve that was followed by arc length, so neither jumps to another branch. Rates come from the loop-closure
Jacobian at the exact pose.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError, ModelError, unknown_name
from carpal.model.linkage.assembly import assembled, drive_text
from carpal.model.linkage.closure import Closure, closure_of, turned
from carpal.model.linkage.description import Linkage
from carpal.model.linkage.dyads import Step, plan_of, solve_step
from carpal.model.linkage.following import Toggle, follow
from carpal.model.linkage.loop_newton import newton
from carpal.model.linkage.transmission import least_transmission_angle
from carpal.model.parts import real_array
from carpal.spatial import Array

SINGULAR = 1e-7  # least singular value of the scaled equations that still counts as a hold
BEYOND = 10.0  # how many bar lengths past the stroke a toggle is searched, where the drive is a length


@dataclass(frozen=True, eq=False)
class DriveCurve:
    """How a linkage moves over its stroke; made by `exact_curve`.

    Args:
        linkage: what moves.
        drives: values (n) [rad or m] from start to stop at which the curve was followed.
        nodes: poses (n, bars, 3) there: (x, y) [m] and angle [rad] in L, ground first.
        toggles: the nearest ones before the start and beyond the stop, where there are any.
        margins: how far (before start, beyond stop) [rad or m] the drive is from them; infinite where it meets none.
    """

    linkage: Linkage
    drives: Array
    nodes: Array
    toggles: tuple[Toggle, ...]
    margins: tuple[float, float]
    _closure: Closure = field(repr=False)
    _plan: tuple[Step, ...] = field(repr=False)
    _sides: tuple[float, ...] = field(repr=False)

    @property
    def closed_form(self) -> bool:
        """Whether every bar comes from a closed form; else some come from Newton's method."""
        return all(step.kind != "loop" for step in self._plan)

    @property
    def steps(self) -> tuple[str, ...]:
        """How the linkage was taken apart, in words."""
        names = [bar.name for bar in self.linkage.bars]
        return tuple(f"{step.kind}: {', '.join(names[i] for i in step.bars)}" for step in self._plan)

    def poses(self, drive: ArrayLike) -> Array:
        """Poses (*batch, bars, 3) at drive values (*batch) [rad or m] inside the stroke."""
        values = self._inside(drive)
        flat = values.ravel()
        near = self._seed(flat)
        found = near.copy()
        if self.closed_form:
            for step, side in zip(self._plan, self._sides, strict=True):
                solve_step(self._closure, step, found, flat, side)
            found[..., 2] += 2 * np.pi * np.round((near[..., 2] - found[..., 2]) / (2 * np.pi))
        else:
            for i, value in enumerate(flat):
                found[i], _ = newton(self._closure, near[i], float(value))
        off = np.abs(found - near)[..., 2].max(-1, initial=0.0)
        open_ = np.abs(self._closure.residual(found, flat)).max(-1, initial=0.0)
        lost = np.flatnonzero(~((off < 0.1) & (open_ < 1e-9)))  # another branch, or none
        if len(lost):
            where = drive_text(self._closure, float(flat[lost[0]]))
            raise ModelError(
                f"linkage '{self.linkage.name}' was lost at drive {where}: two of its motions pass close by there."
            )
        return found.reshape(*values.shape, -1, 3)

    def rates(self, drive: ArrayLike) -> Array:
        """d(pose)/d(drive) (*batch, bars, 3) [m and rad per rad or m]."""
        return self._closure.rate(self.poses(drive))

    def angle(self, bar: str, drive: ArrayLike) -> Array:
        """Angle (*batch) [rad] of a bar against L, continuous over the stroke."""
        return self.poses(drive)[..., self._bar(bar), 2]

    def ratio(self, bar: str, drive: ArrayLike) -> Array:
        """Transmission ratio (*batch): d(angle)/d(drive) [rad per rad or m]."""
        return self.rates(drive)[..., self._bar(bar), 2]

    def place(self, point: str, drive: ArrayLike) -> Array:
        """Where (*batch, 2) [m] in L a point "bar.point" is."""
        bar, local = self.linkage.point(point)
        return self._closure.place(self.poses(drive), bar, np.array(local))

    def travel(self, slide: str, drive: ArrayLike) -> Array:
        """Travel (*batch) [m] along a slide, from its guide's first point."""
        names = [each.name for each in self.linkage.slides]
        if slide not in names:
            raise unknown_name(f"slide of linkage '{self.linkage.name}'", slide, names)
        at, along = self.linkage.slides[names.index(slide)].at, self._closure.slides[names.index(slide)]
        poses = self.poses(drive)
        bar, local = self.linkage.point(at)
        gap = self._closure.place(poses, bar, np.array(local)) - self._closure.place(poses, along[2], along[3])
        return (turned(poses[..., along[2], 2], along[4]) * gap).sum(-1)

    def gap(self, drive: ArrayLike) -> Array:
        """Largest closure error (*batch) [m or rad] of the poses: rounding, which shows that the curve is exact."""
        values = self._inside(drive)
        return np.abs(self._closure.residual(self.poses(values), values)).max(-1)

    def transmission_angle(self, drive: ArrayLike) -> Array:
        """Least angle (*batch) [rad] in [0, pi/2] at which forces are passed on; nan where no group has a closed form.

        Zero is a toggle; designers ask for 40 degrees or more (0.7 rad). See `transmission`.
        """
        return least_transmission_angle(self._closure, self._plan, self.poses(drive))

    def dead_points(self, bar: str) -> list[float]:
        """Drive values [rad or m] in the stroke at which a bar stands still: there it cannot move the drive back."""
        from scipy.optimize import brentq

        ratios = self._closure.rate(self.nodes)[:, self._bar(bar), 2]
        changes = np.flatnonzero(np.sign(ratios[1:]) * np.sign(ratios[:-1]) < 0)
        return [
            float(brentq(lambda d: float(self.ratio(bar, d)), self.drives[i], self.drives[i + 1], xtol=1e-14))
            for i in changes
        ]

    def q(self, drive: ArrayLike) -> Array:
        """Configuration (*batch, nq) of `linkage.model()` on the curve."""
        from carpal.model.linkage.reduced import tree_configuration

        return tree_configuration(self, self.poses(drive))

    def dq(self, drive: ArrayLike) -> Array:
        """d(q)/d(drive) (*batch, nq) of `linkage.model()` on the curve; its transpose maps joint torques to the drive."""
        from carpal.model.linkage.reduced import tree_rates

        poses = self.poses(drive)
        return tree_rates(self, poses, self._closure.rate(poses))

    def __str__(self) -> str:
        low, high = (drive_text(self._closure, value) for value in (self.drives[0], self.drives[-1]))
        where = "".join(f", toggle at {drive_text(self._closure, toggle.drive)}" for toggle in self.toggles)
        how = "closed form" if self.closed_form else "Newton's method on its loops"
        return f"linkage '{self.linkage.name}' closes from {low} to {high} ({how}{where})."

    def _bar(self, bar: str) -> int:
        if bar not in self.linkage.index:
            raise unknown_name(f"bar of linkage '{self.linkage.name}'", bar, self.linkage.index)
        return self.linkage.index[bar]

    def _inside(self, drive: ArrayLike) -> Array:
        values = real_array(drive, "drive")
        low, high = sorted((float(self.drives[0]), float(self.drives[-1])))
        if not np.isfinite(values).all() or (values < low).any() or (values > high).any():
            raise InputError(
                f"drive must be inside the stroke, {low:g} to {high:g} {self.linkage.unit}; got {drive!r:.80}."
            )
        return values

    def _seed(self, values: Array) -> Array:
        """Cubic interpolation between the followed nodes: right to 1e-6 or so, which is all that branches need."""
        sense = 1.0 if self.drives[-1] > self.drives[0] else -1.0
        k = np.clip(np.searchsorted(sense * self.drives, sense * values, "right") - 1, 0, len(self.drives) - 2)
        width = self.drives[k + 1] - self.drives[k]
        s = ((values - self.drives[k]) / width)[:, None, None]
        rates = self._closure.rate(self.nodes)
        d0, d1 = rates[k] * width[:, None, None], rates[k + 1] * width[:, None, None]
        a, b = self.nodes[k], self.nodes[k + 1]
        return a + s * (d0 + s * (3 * (b - a) - 2 * d0 - d1 + s * (d0 + d1 - 2 * (b - a))))


def exact_curve(linkage: Linkage) -> DriveCurve:
    """The curve of a linkage over its stroke; refuses an impossible linkage with its reason."""
    closure = closure_of(linkage)
    plan = plan_of(closure)
    poses, sides = assembled(closure, plan)
    start, stop = float(linkage.drive.start), float(linkage.drive.stop)
    _check_hold(closure, poses)
    points, toggle = follow(closure, poses, start, stop)
    if toggle is None:
        end, left = newton(closure, points[-1][1], stop)
        if left > 1e-11:  # the step over the stop went round a corner too sharp for one Newton solve
            toggle = Toggle(points[-1][0], "crossing")
    if toggle is not None:
        raise ModelError(
            f"linkage '{linkage.name}' reaches a toggle at drive {drive_text(closure, toggle.drive)}, inside its stroke of "
            f"{start:g} to {stop:g} {linkage.unit}; stop before it or change the bars."
        )
    points.append((stop, end))
    sense = 1.0 if stop > start else -1.0
    size = linkage.scale
    toggles, margins = [], []
    for value, at, sense_out in ((start, poses, -sense), (stop, end, sense)):
        limit = value + sense_out * (2 * np.pi if linkage.unit == "rad" else BEYOND * size)
        if linkage.drive.kind == "push":
            limit = max(limit, 1e-3 * size)
        found = follow(closure, at, value, limit)[1] if (limit - value) * sense_out > 0 else None
        margins.append(np.inf if found is None else abs(found.drive - value))
        toggles += [] if found is None else [found]
    drives, nodes = np.array([p[0] for p in points]), np.array([p[1] for p in points])
    return DriveCurve(linkage, drives, nodes, tuple(toggles), (margins[0], margins[1]), closure, plan, sides)


def _check_hold(closure: Closure, poses: Array) -> None:
    """Pins that repeat each other leave more freedoms than the count says; a toggle leaves the drive without a hold."""
    J = closure.scaled(poses)
    linkage = closure.linkage
    loose = int((np.linalg.svd(J[:-1], compute_uv=False) < SINGULAR).sum())
    where = drive_text(closure, float(linkage.drive.start))
    if loose:
        raise ModelError(
            f"linkage '{linkage.name}' has {1 + loose} degrees of freedom at drive {where}, though Grübler's count gives 1: "
            "some of its pins repeat what others already hold while another part is loose, or it starts at a change point."
        )
    if np.linalg.svd(J, compute_uv=False)[-1] < SINGULAR:
        raise ModelError(f"linkage '{linkage.name}' stands on a toggle at the start of its stroke, drive {where}.")
