"""Arm angles along a Cartesian path: the band of what is feasible, and one continuous path through it.

At each pose the feasible arm angles form stretches; along the path they form a band in the plane of time and arm angle, one
sheet for each branch. A path through is found by dynamic programming over sampled configurations, in which neighbours in
time must be neighbours in joint space, so it can neither jump nor change branch; it is then refined along the self-motion
by the same programme on ever finer neighbourhoods. Where no path goes on, `band_break` says where and why.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.errors import InputError, unknown_name
from carpal.kinematics.axes import chain_axes
from carpal.kinematics.inverse.pose_path import PosePath
from carpal.kinematics.redundant.band_break import BandBreak, bisect_gap, explain_break, explain_start
from carpal.kinematics.redundant.band_slices import ArmSlice
from carpal.kinematics.redundant.band_steps import BandOptions, best_path, follow_between, refine
from carpal.kinematics.redundant.elbow_points import elbow_points
from carpal.kinematics.redundant.self_motion_arcs import joint_margins
from carpal.model import Model, need_model
from carpal.spatial import Array

PREFER = ("middle", "speed")
MOST_GAPS = 40  # times that poses are put in and the search is made again
MOST_ROUGH = 5  # times of those because of what happens between samples
STRAY = 0.03  # [rad] that a joint may stray from the straight line between two samples
BETWEEN = 4  # poses between two samples at which the finished path is checked


@dataclass(frozen=True, eq=False)
class BandPath(Result):
    """A path through the band, or where the band breaks.

    Args:
        model, frame, path: what was asked; `path` has the poses between that were added.
        ok: whether the whole path is done.
        status: one sentence.
        slices: the band's cuts at the path's times, the clearance taken off.
        psi: (n) arm angle, unwrapped [rad]; n is shorter than the path where the band breaks.
        q: (n, nq).
        low, high: (n) ends of the stretch that the path lies in [rad], the clearance taken off; infinite where all is feasible.
        joint_margin: (n) [rad] distance of the nearest joint limit.
        largest_step: [rad] of any joint between two samples.
        speed_share: (7) largest joint speed over `v_max`; zero where there is none.
        worst_between: [rad] joint margin at the poses between samples, the least.
        broken: where and why, or None.
    """

    model: Model
    frame: str
    path: PosePath
    ok: bool
    status: str
    slices: tuple[ArmSlice, ...]
    psi: Array
    q: Array
    low: Array
    high: Array
    joint_margin: Array
    largest_step: float
    speed_share: Array
    worst_between: float
    broken: BandBreak | None

    @property
    def time(self) -> Array:
        """(n) [s]."""
        return self.path.time[: len(self.psi)]

    @property
    def margin(self) -> Array:
        """(n) [rad] distance from the band's nearer edge."""
        return np.minimum(self.psi - self.low, self.high - self.psi)

    def at(self, time: ArrayLike) -> Array:
        """(*batch, nq) configurations on the path at times between its samples: the chord, put back on the pose."""
        t = np.asarray(time, float)
        if len(self.psi) < 2 or (t < self.time[0]).any() or (t > self.time[-1]).any():
            raise InputError(f"the path is known from {self.path.time[0]:g} s to {self.time[-1:]} s; got {time!r:.60}.")
        flat = t.reshape(-1)
        return follow_between(self.model, self.frame, self.path, self.time, self.q, flat).reshape(
            *t.shape, self.model.nq
        )


def arm_angle_band(
    model: Model,
    X_WT: ArrayLike | PosePath,
    time: ArrayLike | None = None,
    *,
    prefer: str = "middle",
    elbow_above: float | None = None,
    q0: ArrayLike | None = None,
    clearance: float = 0.005,
    max_step: float = 0.15,
    frame: str | None = None,
    progress: Callable[[float], None] | None = None,
) -> BandPath:
    """Choose a continuous arm angle along a Cartesian path, without flips and inside the joint limits.

    Args:
        model: an arm with seven revolute joints.
        X_WT: poses (n, 4, 4) joined by straight lines and shortest turns, or a `PosePath`. Poses between are added where
            neighbours are more than 20 mm or 0.05 rad apart.
        time: (n) rising [s]; one second in all by default.
        prefer: "middle" keeps to the middle of the band, "speed" makes the joints' squared speeds small.
        elbow_above: [m] the elbow's least height above the world's origin, against gravity.
        q0: (nq) where to start; any feasible configuration by default.
        clearance: [rad] kept from every joint limit.
        max_step: [rad] that a joint may move between samples.
        frame: the frame that follows the path; None is the tool.
        progress: is called with the fraction of poses that are done.

    Returns:
        A `BandPath`; `print` it for one sentence.
    """
    need_model(model, "arm_angle_band")
    name = str(model.tool if frame is None else frame)
    elbow_points(model, name)
    if prefer not in PREFER:
        raise unknown_name("preference", prefer, PREFER)
    for what, value in (("clearance", clearance), ("max_step", max_step)):
        if not isinstance(value, int | float) or not 0 < value < 1:
            raise InputError(f"{what} must be a number between 0 and 1 rad; got {value!r}.")
    if elbow_above is not None and (not isinstance(elbow_above, int | float) or not np.isfinite(elbow_above)):
        raise InputError(f"elbow_above must be a finite height [m]; got {elbow_above!r}.")
    path = (X_WT if isinstance(X_WT, PosePath) else PosePath.of(X_WT, time)).denser()
    start = None if q0 is None else _start(model, q0)
    options = BandOptions(model, name, prefer, elbow_above, clearance, max_step)
    slices = []
    for i, X in enumerate(path.X_WT):
        slices.append(options.cut(X))
        if progress is not None:
            progress((i + 1) / len(path.X_WT))
    smoothed = 0
    for _ in range(MOST_GAPS):
        broken = None
        chain, front = best_path(options, path, slices, start)
        if not len(chain):
            return _nothing(model, name, path, slices, explain_start(options, path, slices[0], start))
        if len(chain) < len(slices):
            gap = bisect_gap(options, path, slices[len(chain)], len(chain), front)
            if (
                gap.bridge
            ):  # near a stretched elbow joints move fast: more poses lead over, and the search is made again
                path, slices = _with_poses(path, slices, list(gap.bridge))
                continue
            broken = explain_break(options, path, gap)
        q, psi, low, high = refine(options, path, slices, chain, start)
        rough = _rough_places(options, path, q)
        smoothed += 1
        if not len(rough) or smoothed > MOST_ROUGH:
            break
        path, slices = _with_poses(path, slices, [(float(t), options.cut(path.at(t))) for t in rough])
    return _result(options, path, slices, q, psi, low, high, broken)


def _with_poses(
    path: PosePath, slices: list[ArmSlice], more: list[tuple[float, ArmSlice]]
) -> tuple[PosePath, list[ArmSlice]]:
    """The path and its cuts with further ones between."""
    times = np.concatenate([path.time, [t for t, _ in more]])
    order = np.argsort(times, kind="stable")
    every = [*slices, *(cut for _, cut in more)]
    return PosePath(times[order], path.at(times[order])), [every[i] for i in order]


def _between(options: BandOptions, path: PosePath, q: Array) -> tuple[Array, Array]:
    """Times (m) between the samples of a path, and the configurations (m, nq) there."""
    t = path.time[: len(q)]
    dense = np.linspace(t[:-1], t[1:], BETWEEN + 1, endpoint=False)[1:].T.reshape(-1)
    return dense, follow_between(options.model, options.frame, path, t, q, dense)


def _rough_places(options: BandOptions, path: PosePath, q: Array) -> Array:
    """Middles of the steps between whose ends a joint leaves its limits or strays far from the chord."""
    if len(q) < 2:
        return np.empty(0)
    _, between = _between(options, path, q)
    between = between.reshape(len(q) - 1, BETWEEN, -1)
    share = np.arange(1, BETWEEN + 1)[:, None] / (BETWEEN + 1)
    chord = q[:-1, None] + share * np.diff(q, axis=0)[:, None]
    away = np.abs(between - chord)[..., options.columns].max((-1, -2)) > STRAY
    outside = joint_margins(options.model, between)[..., options.columns].min((-1, -2)) < 0
    rough = np.flatnonzero(away | outside)
    return 0.5 * (path.time[rough] + path.time[rough + 1])


def _start(model: Model, q0: ArrayLike) -> Array:
    q = np.asarray(q0, float)
    if q.shape != (model.nq,) or not np.isfinite(q).all():
        raise InputError(f"q0 of model '{model.name}' needs {model.nq} finite numbers; got {q0!r:.80}.")
    return q


def _result(
    options: BandOptions, path: PosePath, slices: list[ArmSlice], q: Array, psi: Array, low: Array, high: Array,
    broken: BandBreak | None,
) -> BandPath:  # fmt: skip
    model, n = options.model, len(q)
    at = chain_axes(model, options.frame).columns
    t = path.time[:n]
    margins = joint_margins(model, q)[:, at]
    steps = np.abs(np.diff(q[:, at], axis=0))
    largest = float(steps.max(initial=0.0))
    worst = float(margins.min())
    share = np.zeros(7)
    if n > 1:
        _, between = _between(options, path, q)
        worst = min(worst, float(joint_margins(model, between)[:, at].min()))
        rates = (steps / np.diff(t)[:, None]).max(0)
        share = np.where(np.isfinite(model.v_max[at]), rates / model.v_max[at], 0.0)
    ok = broken is None and worst >= 0 and largest <= options.max_step
    if broken is not None:
        status = broken.status
    elif largest > options.max_step:
        status = f"a path was found, but a joint moves {largest:.3g} rad between two samples, more than {options.max_step:g}."
    elif not ok:
        status = f"a path was found, but between its samples a joint is up to {-worst:.3g} rad outside its limits."
    else:
        fast = int(np.argmax(share))
        joint = chain_axes(model, options.frame).names[fast]
        pace = f", up to {100 * share[fast]:.0f} % of {joint}'s speed" if share.any() else ""
        if share[fast] > 1:
            pace += f": the path must last {share[fast]:.3g} times longer"
        status = (
            f"{n} poses passed without a flip: joints at least {worst:.3g} rad inside their limits, "
            f"steps up to {largest:.3g} rad{pace}."
        )
    return BandPath(
        model,
        options.frame,
        path,
        ok,
        status,
        tuple(slices),
        psi,
        q,
        low,
        high,
        margins.min(1),
        largest,
        share,
        worst,
        broken,
    )


def _nothing(model: Model, frame: str, path: PosePath, slices: list[ArmSlice], broken: BandBreak | None) -> BandPath:
    none = np.empty(0)
    status = broken.status if broken is not None else "the path has no pose."
    return BandPath(
        model, frame, path, False, status, tuple(slices), none, np.empty((0, model.nq)), none, none, none, 0.0, np.zeros(7),
        0.0, broken,
    )  # fmt: skip
