"""From recorded joint positions and forces to what identification needs: filtered, differentiated, thinned out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.spatial import Array

_ORDER = 4
_THINNING = 1.25  # samples kept per half period of the cut-off: what is left between them is one another's shadow
_ENDS = 3  # periods of the cut-off that are dropped at both ends, where the filter has no past or no future


@dataclass(frozen=True, eq=False)
class SmoothMotion:
    """A recorded motion without phase shift, at samples that are nearly independent.

    Args:
        time: (samples) [s].
        q, v, vdot, tau: (samples, nv).
        direction: (samples, nv) sign of the velocity through the same filter: what Coulomb friction is in proportion to.
    """

    time: Array
    q: Array
    v: Array
    vdot: Array
    tau: Array
    direction: Array


def smooth_motion(time: ArrayLike, q: ArrayLike, tau: ArrayLike, *, cutoff: float = 10.0) -> SmoothMotion:
    """Positions and forces through the same zero-phase Butterworth filter, rates by central differences, and thinned out.

    Args:
        time: (rows) in equal steps [s].
        q: (rows, nv) measured positions [rad, m].
        tau: (rows, nv) measured joint forces [N m, N].
        cutoff: of the filter [Hz], above the motion's own frequencies.
    """
    from scipy.signal import butter, sosfiltfilt

    t, positions, forces = (np.asarray(part, float) for part in (time, q, tau))
    if t.ndim != 1 or positions.ndim != 2 or positions.shape != forces.shape or len(positions) != len(t):
        raise InputError(
            f"time, q and tau need shapes (rows), (rows, nv), (rows, nv); got {t.shape}, {positions.shape}, {forces.shape}."
        )
    if not all(np.isfinite(part).all() for part in (t, positions, forces)):
        raise InputError("time, q and tau must be finite.")
    dt = float(np.median(np.diff(t))) if len(t) > 1 else 0.0
    if not dt > 0 or np.abs(np.diff(t) - dt).max() > 0.01 * dt:
        raise InputError("time must rise in equal steps; resample the recording first.")
    if not 0.0 < cutoff < 0.4 / dt:
        raise InputError(
            f"cutoff must be above 0 and below {0.4 / dt:.4g} Hz, 0.4 times the rate of the rows; got {cutoff!r}."
        )
    skip, every = int(np.ceil(_ENDS / (cutoff * dt))), max(1, int(_THINNING * 0.5 / (cutoff * dt)))
    if len(t) < 2 * skip + 20 * every:
        raise InputError(f"{len(t)} rows of {dt:g} s are too few for a cut-off of {cutoff:g} Hz; record longer.")
    low = butter(_ORDER, cutoff * dt * 2.0, output="sos")
    smooth, force = (sosfiltfilt(low, part, axis=0) for part in (positions, forces))
    v = np.gradient(smooth, dt, axis=0)
    vdot = np.zeros_like(v)
    vdot[1:-1] = (smooth[2:] - 2.0 * smooth[1:-1] + smooth[:-2]) / (dt * dt)
    direction = sosfiltfilt(low, np.sign(v), axis=0)
    rows = slice(skip, len(t) - skip, every)
    return SmoothMotion(t[rows], smooth[rows], v[rows], vdot[rows], force[rows], direction[rows])
