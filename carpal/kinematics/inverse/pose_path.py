"""A Cartesian path as a value: poses with times, straight lines and shortest turns between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.kinematics.inverse.ik_target import check_target, read_target
from carpal.spatial import Array, rotation_about, rotation_vector


@dataclass(frozen=True, eq=False)
class PosePath:
    """Poses that are to be passed one after the other.

    Args:
        time: (n) rising [s].
        X_WT: (n, 4, 4).
    """

    time: Array
    X_WT: Array

    @staticmethod
    def of(X_WT: ArrayLike, time: ArrayLike | None = None) -> PosePath:
        """Checked; without times the path lasts one second, its poses evenly spaced."""
        asked = read_target(X_WT)
        if asked.kind != "pose" or asked.numbers.ndim != 2 or len(asked.numbers) < 2:
            raise InputError(f"a path needs two poses or more, (n, 4, 4); got shape {np.shape(X_WT)}.")
        check_target(asked)
        n = len(asked.numbers)
        t = np.linspace(0.0, 1.0, n) if time is None else np.asarray(time, float)
        if t.shape != (n,) or not np.isfinite(t).all() or not (np.diff(t) > 0).all():
            raise InputError(
                f"a path of {n} poses needs {n} finite times, each later than the one before; got {t!r:.80}."
            )
        return PosePath(t, np.array(X_WT, float))

    @staticmethod
    def line(X_WA: ArrayLike, X_WB: ArrayLike, duration: float = 1.0) -> PosePath:
        """Straight from one pose to another in `duration` [s]."""
        if not isinstance(duration, int | float) or not np.isfinite(duration) or duration <= 0:
            raise InputError(f"duration must be a number above zero [s]; got {duration!r}.")
        return PosePath.of(np.stack([np.asarray(X_WA, float), np.asarray(X_WB, float)]), [0.0, float(duration)])

    def at(self, time: ArrayLike) -> Array:
        """Poses (*batch, 4, 4) at times; outside the path its ends."""
        t = np.clip(np.asarray(time, float), self.time[0], self.time[-1])
        i = np.clip(np.searchsorted(self.time, t, side="right") - 1, 0, len(self.time) - 2)
        share = ((t - self.time[i]) / (self.time[i + 1] - self.time[i]))[..., None]
        A, B = self.X_WT[i], self.X_WT[i + 1]
        X = np.zeros((*np.shape(t), 4, 4))
        turn = rotation_vector(B[..., :3, :3] @ np.swapaxes(A[..., :3, :3], -1, -2))
        angle = np.linalg.norm(turn, axis=-1)
        axis = np.where(angle[..., None] > 0, turn / np.where(angle > 0, angle, 1.0)[..., None], [0.0, 0.0, 1.0])
        X[..., :3, :3] = rotation_about(axis, share[..., 0] * angle) @ A[..., :3, :3]
        X[..., :3, 3] = A[..., :3, 3] + share * (B[..., :3, 3] - A[..., :3, 3])
        X[..., 3, 3] = 1.0
        return X

    def denser(self, most_metres: float = 0.02, most_radians: float = 0.05) -> PosePath:
        """The same path with poses between, so that neighbours are near each other."""
        move = np.linalg.norm(np.diff(self.X_WT[:, :3, 3], axis=0), axis=1) / most_metres
        R = self.X_WT[:, :3, :3]
        turn = np.linalg.norm(rotation_vector(R[1:] @ np.swapaxes(R[:-1], -1, -2)), axis=-1) / most_radians
        parts = np.maximum(1, np.ceil(np.maximum(move, turn) - 1e-9)).astype(int)
        times = [np.linspace(a, b, n + 1)[:-1] for a, b, n in zip(self.time[:-1], self.time[1:], parts, strict=True)]
        t = np.append(np.concatenate(times), self.time[-1])
        return PosePath(t, self.at(t))

    def fraction(self, time: float) -> float:
        """Share of the duration that has passed."""
        return float((time - self.time[0]) / (self.time[-1] - self.time[0]))
