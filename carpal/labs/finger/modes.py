"""Small motions of a spring finger: frequencies from (M, K), with dampers the decay of each (docs/finger.md)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.dynamics import mass_matrix
from carpal.errors import InputError
from carpal.labs.finger.load import FingerLoad, load_rows
from carpal.labs.finger.robot import SpringFinger
from carpal.labs.finger.statics import rates_of_decay, rest_pose, stiffness_matrix
from carpal.model import real_array
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class FingerModes(Result):
    """Small motions about one pose.

    Args:
        finger: the finger.
        q: (3) the pose [rad].
        frequency_hz: (3) without dampers, rising; NaN where the finger falls instead of swinging.
        shape: (3, 3) joint angles of each mode in its column, largest 1.
        rates: (6) complex rates with dampers [1/s], slowest decay first.
        stable: whether no small motion grows.
    """

    finger: SpringFinger
    q: Array
    frequency_hz: Array
    shape: Array
    rates: np.ndarray
    stable: bool

    @property
    def ok(self) -> bool:
        """Whether the pose is stable."""
        return self.stable

    @property
    def status(self) -> str:
        """One true sentence."""
        listed = ", ".join("falls" if np.isnan(f) else f"{f:.4g}" for f in self.frequency_hz)
        slowest = -float(self.rates[0].real)
        fate = f"slowest decay {slowest:.3g} / s" if slowest > 0 else "nothing decays"
        return f"small motions: {listed} Hz without dampers; {fate if self.stable else 'unstable'}."


def finger_modes(finger: SpringFinger, q: ArrayLike | None = None, load: FingerLoad | None = None) -> FingerModes:
    """Frequencies, shapes and decay of small motions.

    Args:
        finger: the finger.
        q: (3) pose [rad]; by default where the finger rests. Elsewhere the linearised finger is meant.
        load: what acts from outside, constant.
    """
    if load_rows(load).ndim != 1:
        raise InputError("small motions take one load, not a batch.")
    if q is None:
        rest = rest_pose(finger, load)
        if not rest.ok:
            raise InputError(f"there are no small motions about a rest that is not there: {rest.status}")
        at = rest.q
    else:
        at = real_array(q, "q")
        if at.shape != (3,) or not np.isfinite(at).all():
            raise InputError(f"q must be 3 finite joint angles [rad]; got {at.tolist()!r:.80}.")
    squares, shapes = np.linalg.eig(np.linalg.solve(mass_matrix(finger.chain, at), stiffness_matrix(finger, at, load)))
    order = np.argsort(squares.real)
    squares, shapes = squares[order], shapes[:, order]
    swings = (squares.real > 0) & (np.abs(squares.imag) <= 1e-9 * np.abs(squares))
    frequency = np.where(swings, np.sqrt(np.where(swings, squares.real, 0.0)) / (2 * np.pi), np.nan)
    largest = shapes[np.abs(shapes).argmax(0), range(3)]
    rates = rates_of_decay(finger, finger.row, load_rows(load), at)
    rates = rates[np.argsort(-rates.real, kind="stable")]
    stable = bool(rates[0].real <= 1e-6 * np.abs(rates).max())
    return FingerModes(finger, at, frequency, np.real(shapes / largest), rates, stable)
