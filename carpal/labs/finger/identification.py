"""Springs and dampers of a finger from recorded angles, with confidence intervals (Prabhu 2018, chapters 6 and 7.1).

Output error: the finger is simulated from an unknown start under the recorded loads, and the constants are those whose angles are
nearest to the recorded ones in the least-squares sense, by Levenberg and Marquardt's method. With normal, white, equal noise on
all angles that is the maximum-likelihood estimate; its covariance s^2 (J'J)^-1 meets the Cramer-Rao bound as records grow
(Ljung, "System Identification", 1999, ch. 7 and 9), and Student's distribution makes intervals of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.errors import DivergedError, InputError
from carpal.labs.finger.equation_error import first_guess
from carpal.labs.finger.kernels.terms import DAMPING, NEUTRAL, STIFFNESS
from carpal.labs.finger.motion import positive, run_motion
from carpal.labs.finger.record import FingerRecord
from carpal.labs.finger.robot import SpringFinger, three
from carpal.spatial import Array

NAMES = ("k1", "k2", "k3", "c1", "c2", "c3", "n1", "n2", "n3")
UNITS = ("N m/rad",) * 3 + ("N m s/rad",) * 3 + ("rad",) * 3
COLUMNS = [*range(STIFFNESS, STIFFNESS + 3), *range(DAMPING, DAMPING + 3), *range(NEUTRAL, NEUTRAL + 3)]
RESOLVED = (
    0.5  # steps are at most this over the fastest circular frequency: errors of 1e-7 of an angle, far below noise
)
MOST_STEPS = 60
FEWEST = 20  # samples


@dataclass(frozen=True, eq=False)
class FingerFit(Result):
    """Constants that were identified.

    Args:
        finger: with these constants.
        names: k1..k3, c1..c3, and n1..n3 where neutral angles were fitted.
        value, deviation: (p) estimates and their standard deviations [N m/rad, N m s/rad, rad].
        low, high: (p) ends of the confidence intervals.
        level: confidence, such as 0.95.
        noise: estimated standard deviation of the angles' noise [rad].
        correlation: (3) of neighbouring residuals, by joint; noise has none.
        q0, v0: (3) where and how fast the record begins [rad, rad/s].
        residual: (n, 3) recorded minus simulated angles [rad].
        iterations: steps of the search.
        converged: whether it came to an end.
        covariance: (p, p).
    """

    finger: SpringFinger
    names: tuple[str, ...]
    value: Array
    deviation: Array
    low: Array
    high: Array
    level: float
    noise: float
    correlation: Array
    q0: Array
    v0: Array
    residual: Array
    iterations: int
    converged: bool
    covariance: Array

    @property
    def white(self) -> bool:
        """Whether the residuals resemble noise: neighbours correlate by less than five standard errors."""
        return bool(np.abs(self.correlation).max() <= min(0.9, 5.0 / np.sqrt(len(self.residual))))

    @property
    def ok(self) -> bool:
        """Whether the search ended and the residuals resemble noise."""
        return self.converged and self.white

    @property
    def unsure(self) -> list[str]:
        """Constants whose interval holds zero."""
        return [name for name, low, high in zip(self.names[:6], self.low, self.high, strict=False) if low <= 0 <= high]

    @property
    def status(self) -> str:
        """One true sentence."""
        if not self.converged:
            return f"the search did not end within {self.iterations} steps; the constants are not to be trusted."
        parts = ", ".join(
            f"{name} {x:.4g} ± {0.5 * (b - a):.2g}"
            for name, x, a, b in zip(self.names, self.value, self.low, self.high, strict=True)
        )
        text = f"{parts} ({100 * self.level:g} % intervals, SI units); noise {np.degrees(self.noise):.3g} deg"
        if not self.white:
            worst = float(self.correlation[np.abs(self.correlation).argmax()])
            why = "this finger is not what was recorded, and the intervals are too narrow"
            return f"{text}; but neighbouring residuals correlate by {worst:.2f}: {why}."
        return text + (f"; {', '.join(self.unsure)} cannot be distinguished from zero." if self.unsure else ".")


def identify_finger(
    finger: SpringFinger,
    record: FingerRecord,
    *,
    fit_neutral: bool = False,
    level: float = 0.95,
    threads: int | None = None,
) -> FingerFit:
    """Spring and damping constants from recorded angles.

    Args:
        finger: sizes, masses, gravity, tendon arms as known; its springs and dampers are where the search may start.
        record: angles and loads; the start's angles and rates are estimated too.
        fit_neutral: estimate the springs' neutral angles as well.
        level: of the intervals, between 0 and 1.
        threads: CPU threads; all cores by default.
    """
    if not isinstance(record, FingerRecord):
        raise InputError(f"record must be a FingerRecord; got {type(record).__name__}.")
    if not isinstance(level, int | float) or not 0 < level < 1:
        raise InputError(f"level must be between 0 and 1; got {level!r}.")
    if len(record.time) < FEWEST:
        raise InputError(f"a record needs at least {FEWEST} samples; it has {len(record.time)}.")
    p = 9 if fit_neutral else 6
    k, c, n = first_guess(finger, record, fit_neutral=fit_neutral)
    slope = np.polynomial.polynomial.polyfit(record.time[:5] - record.time[0], record.q[:5], 1)
    ends = np.concatenate([slope[0], slope[1]])
    own = np.concatenate([finger.stiffness, finger.damping, finger.neutral])
    fits = []
    for guess in (np.concatenate([k, c, n]), own):
        fits.append(_fit(finger, record, np.concatenate([guess[:p], ends]), p, float(level), threads))
        if fits[-1].ok:
            return fits[-1]
    return min(fits, key=lambda fit: float((fit.residual**2).sum()))


def identification_bound(
    finger: SpringFinger,
    record: FingerRecord,
    noise: float,
    *,
    q0: ArrayLike,
    v0: ArrayLike,
    fit_neutral: bool = False,
) -> Array:
    """(p) Cramer-Rao bound of the standard deviations of k1..k3, c1..c3 (and n1..n3): no unbiased estimator does better.

    Args:
        finger: with the true constants.
        record: its moments and loads; its angles are not used.
        noise: standard deviation of each angle [rad].
        q0, v0: (3) true start, which the estimator does not know.
        fit_neutral: whether the neutral angles are unknown too.
    """
    p = 9 if fit_neutral else 6
    truth = np.concatenate([finger.stiffness, finger.damping, finger.neutral])[:p]
    x = np.concatenate([truth, three(q0, "q0"), three(v0, "v0")])
    _, J = _jacobian(finger, record, x, p, _substeps(finger, record, x, p), None)
    deviation: Array = positive("noise", noise) * np.sqrt(np.diag(_inverse(J.T @ J, p)))[:p]
    return deviation


def _simulated(
    finger: SpringFinger, record: FingerRecord, xs: Array, p: int, substeps: int, threads: int | None
) -> Array:
    """(m, 3 n) angles for parameter rows (m, p + 6)."""
    rows = np.repeat(finger.row[None], len(xs), 0)
    rows[:, COLUMNS[:p]] = xs[:, :p]
    q, _, _ = run_motion(
        finger, rows, xs[:, p : p + 3], xs[:, p + 3 :], record.time, record.load, substeps, threads=threads
    )
    return q.reshape(len(xs), -1)


def _jacobian(
    finger: SpringFinger, record: FingerRecord, x: Array, p: int, substeps: int, threads: int | None
) -> tuple[Array, Array]:
    """Simulated angles (3 n) and their derivatives (3 n, p + 6), by central differences in one batch."""
    steps = 1e-5 * _scales(finger, x, p)
    moved = np.concatenate([x[None], x + np.diag(steps), x - np.diag(steps)])
    y = _simulated(finger, record, moved, p, substeps, threads)
    return y[0], ((y[1 : len(x) + 1] - y[len(x) + 1 :]) / (2 * steps[:, None])).T


def _scales(finger: SpringFinger, x: Array, p: int) -> Array:
    """What counts as large for each unknown, so that steps are neither lost nor wild."""
    k = np.abs(x[:3])
    c = np.maximum(np.abs(x[3:6]), 1e-2 * np.sqrt(k * finger.row[:3]))
    return np.concatenate([k, c, np.ones(p - 6), np.ones(3), np.full(3, 10.0)])


def _substeps(finger: SpringFinger, record: FingerRecord, x: Array, p: int) -> int:
    from carpal.labs.finger.modes import finger_modes

    stiff = finger.replace(stiffness=np.maximum(x[:3], 1e-9), gravity=(0.0, 0.0, 0.0))
    fastest = 2 * np.pi * float(finger_modes(stiff, record.q.mean(0)).frequency_hz[-1])
    return max(1, int(np.ceil(np.diff(record.time).max() * fastest / RESOLVED)))


def _inverse(N: Array, p: int) -> Array:
    """Inverse of the information matrix, or one sentence naming what the record says nothing about."""
    d = np.sqrt(np.diag(N))
    if not (np.isfinite(d).all() and (d > 0).all()):
        bad = int(np.argmin(np.where(np.isfinite(d), d, -1.0)))
        raise _silent(bad, p)
    scaled = N / np.outer(d, d)
    values, vectors = np.linalg.eigh(scaled)
    if values[0] < 1e-12:
        raise _silent(int(np.abs(vectors[:p, 0]).argmax()), p)
    inverse: Array = (vectors / values) @ vectors.T / np.outer(d, d)
    return inverse


def _silent(unknown: int, p: int) -> InputError:
    name = NAMES[unknown] if unknown < p else "the start"
    return InputError(f"the record says nothing about {name}: move every joint, at several speeds, and record longer.")


def _fit(finger: SpringFinger, record: FingerRecord, x: Array, p: int, level: float, threads: int | None) -> FingerFit:
    from scipy.special import stdtrit

    data, lam, converged, k = record.q.ravel(), 1e-5, False, 0
    substeps = _substeps(finger, record, x, p)
    y, J = _jacobian(finger, record, x, p, substeps, threads)
    cost = float(((data - y) ** 2).sum())
    _inverse(J.T @ J, p)  # a record that says nothing is refused before it is searched
    while k < MOST_STEPS and not converged:
        k += 1
        N, g = J.T @ J, J.T @ (data - y)
        d = np.sqrt(np.diag(N)) + 1e-300
        A = N / np.outer(d, d)
        step = np.linalg.solve(A + lam * np.eye(len(x)), g / d) / d
        trial = x + step
        new = _cost_of(finger, record, trial, p, substeps, threads, data)
        # in units of each unknown's own standard deviation: a step far below one changes nothing that the data can tell
        size = float(np.sqrt(max(float(step @ N @ step), 0.0) / max(cost / (len(data) - len(x)), 1e-300)))
        if new <= cost:
            x, lam = trial, max(lam / 10.0, 1e-12)
            converged = size < 1e-3 and lam < 1e-2
            substeps = max(substeps, _substeps(finger, record, x, p))
            y, J = _jacobian(finger, record, x, p, substeps, threads)
            cost = float(((data - y) ** 2).sum())
        else:
            converged = size < 1e-3
            lam *= 10.0
            if lam > 1e12:
                break
    left = data - y
    noise = float(np.sqrt(cost / (len(data) - len(x))))
    covariance = noise**2 * _inverse(J.T @ J, p)[:p, :p]
    deviation = np.sqrt(np.diag(covariance))
    reach = float(stdtrit(len(data) - len(x), 0.5 + 0.5 * level)) * deviation
    made = finger.replace(stiffness=x[:3], damping=np.maximum(x[3:6], 0.0), **({"neutral": x[6:9]} if p == 9 else {}))
    r = left.reshape(-1, 3)
    power = np.maximum((r**2).sum(0), 1e-300)
    return FingerFit(
        made, NAMES[:p], x[:p], deviation, x[:p] - reach, x[:p] + reach, level, noise, (r[1:] * r[:-1]).sum(0) / power,
        x[p : p + 3], x[p + 3 :], r, k, converged, covariance,
    )  # fmt: skip


def _cost_of(
    finger: SpringFinger, record: FingerRecord, x: Array, p: int, substeps: int, threads: int | None, data: Array
) -> float:
    """Sum of squared residuals; infinite for constants that no finger has."""
    if not (x[:3] > 0).all() or not np.isfinite(x).all():
        return np.inf
    try:
        y: Any = _simulated(finger, record, x[None], p, substeps, threads)[0]
    except DivergedError:
        return np.inf
    total = float(((data - y) ** 2).sum())
    return total if np.isfinite(total) else np.inf
