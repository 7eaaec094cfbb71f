"""A spring finger's motion in time, with its energy ledger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import KernelInput, configuration, run_batch, velocity
from carpal._core.result import Result
from carpal.errors import DivergedError, InputError
from carpal.labs.finger.kernels.gauss import STAGE
from carpal.labs.finger.kernels.motion import KINETIC, LEDGER, LOSS, SPRINGS, WEIGHT, WORK, finger_motion_batch
from carpal.labs.finger.kernels.terms import COLUMNS, LOADS
from carpal.labs.finger.load import FingerLoad, load_rows
from carpal.labs.finger.robot import SpringFinger
from carpal.model import real_array
from carpal.spatial import Array

MOST_MOMENTS = 5_000_000
SCRATCH = [(9, 9), (9,), (9,), (9, STAGE)]


@dataclass(frozen=True, eq=False)
class FingerMotion(Result):
    """What a finger did; arrays have the batch shape of the starts, then time.

    Args:
        finger, step: what moved, by which step [s].
        time: (n) [s].
        q, v: (*batch, n, 3) joint angles [rad] and rates [rad/s].
        load: (n, 8) as `FingerLoad.rows`.
        ledger: (*batch, n, 5) kinetic, gravity's, springs' energy, work of the loads, loss in the dampers [J].
    """

    finger: SpringFinger
    step: float
    time: Array
    q: Array
    v: Array
    load: Array
    ledger: Array

    @property
    def ok(self) -> bool:
        """True: a motion that did not reach its end is an error."""
        return True

    @property
    def energy(self) -> Array:
        """(*batch, n) kinetic, gravity's and springs' together [J]."""
        return self.ledger[..., KINETIC] + self.ledger[..., WEIGHT] + self.ledger[..., SPRINGS]

    @property
    def residual(self) -> Array:
        """(*batch, n) energy that appeared from nowhere since the start: energy - work + loss [J]."""
        sheet = self.energy - self.ledger[..., WORK] + self.ledger[..., LOSS]
        return sheet - sheet[..., :1]

    @property
    def energy_error(self) -> Array:
        """(*batch) largest residual, relative to the largest kinetic energy of the motion."""
        moved = self.ledger[..., KINETIC].max(-1)
        return np.abs(self.residual).max(-1) / np.where(moved > 0, moved, np.inf)

    @property
    def passed_stops(self) -> list[str]:
        """Stops that the motion went through, which nothing here holds."""
        found = []
        for i in range(3):
            q = self.q[..., i]
            if (q > self.finger.q_max[i] + 1e-9).any():
                found.append(f"joint {i + 1} above {self.finger.q_max[i]:.4g} rad")
            if (q < self.finger.q_min[i] - 1e-9).any():
                found.append(f"joint {i + 1} below {self.finger.q_min[i]:.4g} rad")
        return found

    @property
    def status(self) -> str:
        """One true sentence."""
        count = int(np.prod(self.q.shape[:-2]))
        many = f"{count} motions" if self.q.ndim > 2 else "the finger moved"
        text = f"{many} for {self.time[-1] - self.time[0]:.4g} s in steps of {self.step:.3g} s"
        text += f"; energy ledger closes within {float(np.max(self.energy_error)):.1e} of the largest kinetic energy"
        passed = self.passed_stops
        return text + (f"; it went through its stops (a motion has none): {', '.join(passed)}." if passed else ".")


def simulate_finger(
    finger: SpringFinger,
    q0: ArrayLike | None = None,
    v0: ArrayLike | None = None,
    *,
    duration: float = 2.0,
    step: float = 5e-4,
    every: int = 1,
    time: ArrayLike | None = None,
    load: FingerLoad | None = None,
    device: str = "cpu",
    threads: int | None = None,
) -> FingerMotion:
    """Let a finger move, by Gauss's method of order 6 (symplectic, stable for stiff dampers).

    Args:
        finger: the finger.
        q0: joint angles at the start (*batch, 3) [rad]; the springs' neutral angles by default.
        v0: joint rates at the start (*batch, 3) [rad/s]; zero by default.
        duration: [s]; rounded up to whole samples.
        step: largest step [s].
        every: steps between samples.
        time: moments of the samples (n) [s], in place of `duration` and `every`; steps between them are at most `step`.
        load: constant, or one for each sample (linear between them).
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.
    """
    h = positive("step", step)
    if time is None:
        if not isinstance(every, int | np.integer) or every < 1:
            raise InputError(f"every must be a whole number, 1 or above; got {every!r}.")
        samples = int(np.ceil(positive("duration", duration) / (h * every) - 1e-9))
        if samples >= MOST_MOMENTS:
            raise InputError(f"{samples} samples are too many; at most {MOST_MOMENTS}: raise step or every.")
        moments: Array = np.arange(samples + 1, dtype=np.float64) * float(h * every)
    else:
        moments = checked_times(time)
    table = load_table(load, len(moments))
    substeps = int(np.ceil(np.diff(moments).max() / h - 1e-9))
    start = finger.neutral if q0 is None else q0
    rate = np.zeros(3) if v0 is None else v0
    q, v, ledger = run_motion(finger, finger.row, start, rate, moments, table, substeps, device=device, threads=threads)
    return FingerMotion(finger, float(np.diff(moments).max() / substeps), moments, q, v, table, ledger)


def run_motion(
    finger: SpringFinger,
    rows: ArrayLike,
    q0: ArrayLike,
    v0: ArrayLike,
    moments: Array,
    table: Array,
    substeps: int,
    *,
    device: str = "cpu",
    threads: int | None = None,
) -> tuple[Array, Array, Array]:
    """Angles, rates (*batch, n, 3) and ledger (*batch, n, 5) of fingers given as rows (*batch, 26)."""
    n, chain = len(moments), finger.chain
    inputs = [KernelInput("finger", rows, (COLUMNS,)), configuration(chain, q0), velocity(chain, v0)]
    q, v, ledger, done = run_batch(
        chain, finger_motion_batch, (moments, table, substeps), inputs, [(n, 3), (n, 3), (n, LEDGER), (2,)],
        scratch=SCRATCH, device=device, threads=threads, world_seconds=1e-5 * n * substeps,
    )  # fmt: skip
    short = np.argwhere(done[..., 0] < n)
    if len(short):
        index = tuple(int(i) for i in short[0])
        at = moments[int(done[(*index, 0)]) - 1]
        where = f" of start {index}" if index else ""
        raise DivergedError(
            f"the motion{where} did not go on after {at:.4g} s: a step of {np.diff(moments).max() / substeps:.3g} s is too long "
            "for these springs, loads and speeds; use a shorter step."
        )
    return q, v, ledger


def load_table(load: FingerLoad | None, samples: int) -> Array:
    """(samples, 8), a constant load repeated."""
    rows = load_rows(load)
    if rows.ndim == 1:
        rows = np.repeat(rows[None], samples, 0)
    if rows.shape != (samples, LOADS):
        raise InputError(
            f"a load must be constant or have one row for each of the {samples} samples; got {rows.shape[:-1]}."
        )
    return np.ascontiguousarray(rows)


def checked_times(time: ArrayLike) -> Array:
    """Moments (n), at least two, finite and rising."""
    moments = real_array(time, "time")
    if moments.ndim != 1 or len(moments) < 2 or len(moments) > MOST_MOMENTS:
        raise InputError(f"time must be 2 to {MOST_MOMENTS} moments on one axis; got shape {moments.shape}.")
    if not np.isfinite(moments).all() or not (np.diff(moments) > 0).all():
        i = int(np.argmin(np.isfinite(moments[1:]) & (np.diff(moments) > 0)))
        raise InputError(
            f"time must rise from sample to sample; samples {i} and {i + 1} are {moments[i]} and {moments[i + 1]} s."
        )
    return moments


def positive(name: str, value: Any) -> float:
    """A finite number above zero."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.floating | np.integer):
        raise InputError(f"{name} must be a number above zero; got {value!r:.60}.")
    if not np.isfinite(value) or value <= 0:
        raise InputError(f"{name} must be a number above zero; got {value!r}.")
    return float(value)
