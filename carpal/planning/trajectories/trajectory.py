"""A joint motion as a value: pieces of polynomials in time, one for all joints, at rest before and after.

Blends are parabolas, and a cubic path under a pace of constant acceleration is a polynomial of degree six; so both are kept
exactly, and a sample at any time is the motion itself, not an interpolation.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.engines import OTHER_FILES
from carpal.errors import InputError
from carpal.model import Model
from carpal.spatial import Array

if TYPE_CHECKING:
    from carpal.planning.trajectories.limit_check import LimitCheck


def _none() -> Array:
    return np.zeros(0)


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A motion of some joints from 0 to `duration`.

    Args:
        times: (n + 1) where pieces begin and end [s], rising from 0.
        coefficients: (n, degree + 1, nq); on piece i, q = sum over k of coefficients[i, k] (t - times[i])^k [rad, m].
        joint_names: (nq).
        kind: what made it, for people.
        passing: (waypoints) when each waypoint is passed [s]; empty where there are none.
        corner_bound: (waypoints) how far from each waypoint it passes at most: of any joint [rad, m] for motions in joint
            space, of the tool [m] for tool lines.
    """

    times: Array
    coefficients: Array
    joint_names: tuple[str, ...]
    kind: str = "motion"
    passing: Array = field(default_factory=_none)
    corner_bound: Array = field(default_factory=_none)

    def __post_init__(self) -> None:
        n = len(self.times) - 1
        shape = np.shape(self.coefficients)
        if n < 1 or len(shape) != 3 or shape[0] != n or shape[1] < 1 or shape[2] != len(self.joint_names):
            raise InputError(
                f"{n} pieces of {len(self.joint_names)} joints need coefficients ({n}, degree + 1, "
                f"{len(self.joint_names)}); got shape {shape}."
            )
        if self.times[0] != 0.0 or not np.isfinite(self.times).all() or not (np.diff(self.times) > 0).all():
            raise InputError("the times of a trajectory must be finite and rise from 0.")
        if not np.isfinite(self.coefficients.sum()) and not np.isfinite(self.coefficients).all():
            raise InputError("the coefficients of a trajectory must be finite.")

    @property
    def duration(self) -> float:
        """[s]."""
        return float(self.times[-1])

    @property
    def nq(self) -> int:
        """How many joints move."""
        return int(self.coefficients.shape[2])

    @property
    def q_start(self) -> Array:
        """(nq)."""
        return self.at(0.0)[0]

    @property
    def q_end(self) -> Array:
        """(nq)."""
        return self.at(self.duration)[0]

    def at(self, time: ArrayLike) -> tuple[Array, Array, Array]:
        """(q, v, vdot), each (*batch, nq), at times (*batch) [s]; at rest before the start and after the end."""
        t = np.asarray(time, np.float64)
        if not np.isfinite(t).all():
            raise InputError("the times at which a trajectory is evaluated must be finite.")
        inside = np.clip(t, 0.0, self.times[-1])
        piece = np.clip(np.searchsorted(self.times, inside, side="right") - 1, 0, len(self.times) - 2)
        x = (inside - self.times[piece])[..., None]
        c = self.coefficients
        q, v, a = (np.zeros((*t.shape, self.nq)) for _ in range(3))
        for k in range(c.shape[1] - 1, -1, -1):  # Horner's rule for the value and twice its derivative
            a = a * x + 2.0 * v
            v = v * x + q
            q = q * x + c[piece, k]
        rest = ((t < 0.0) | (t > self.times[-1]))[..., None]
        return q, np.where(rest, 0.0, v), np.where(rest, 0.0, a)

    def sample(self, dt: float) -> tuple[Array, Array, Array]:
        """(q, v, vdot), each (N + 1, nq), every `dt` [s] from 0 until the motion has ended; the last is its end."""
        if isinstance(dt, bool) or not isinstance(dt, int | float | np.floating) or not 0 < dt < np.inf:
            raise InputError(f"dt must be a number above zero [s]; got {dt!r}.")
        if self.duration / dt > 1e8:
            raise InputError(f"a dt of {dt:g} s would give {self.duration / dt:.1e} samples; 1e8 is the most.")
        return self.at(dt * np.arange(int(np.ceil(self.duration / dt - 1e-9)) + 1))

    def check(
        self,
        model: Model,
        *,
        v_max: ArrayLike | None = None,
        vdot_max: ArrayLike | None = None,
        torques: bool = False,
        jerk_max: ArrayLike | None = None,
        tolerance: float = 1e-9,
    ) -> LimitCheck:
        """Whether the motion keeps a model's limits; those given take the place of the model's (see `LimitCheck`)."""
        from carpal.planning.trajectories.limit_check import check_limits

        return check_limits(
            self, model, v_max=v_max, vdot_max=vdot_max, torques=torques, jerk_max=jerk_max, tolerance=tolerance
        )

    def slowed(self, factor: float) -> Trajectory:
        """The same path, everything `factor` (1 or more) times slower."""
        if not factor >= 1.0 or not np.isfinite(factor):
            raise InputError(f"a trajectory is slowed by a finite factor of 1 or more; got {factor!r}.")
        powers = factor ** -np.arange(self.coefficients.shape[1], dtype=np.float64)
        return Trajectory(
            self.times * factor, self.coefficients * powers[:, None], self.joint_names, self.kind, self.passing * factor,
            self.corner_bound,
        )  # fmt: skip

    def save(self, file: str | os.PathLike[str], *, model: Model | None = None, dt: float = 0.01) -> Path:
        """Write a file.

        Args:
            file: .npz keeps every bit, and `Trajectory.load` reads it back; .csv, .mcap, .rrd and .usd hold samples for other
                tools (`carpal.report.export`).
            model: whose bodies are written beside the joints, of other files than .npz.
            dt: between two samples [s], of other files than .npz.
        """
        if Path(file).suffix in OTHER_FILES:
            from carpal._core.drawers import drawer

            return Path(drawer("export")(self, file, model=model, dt=dt).path)
        from carpal.planning.trajectories.trajectory_files import save_trajectory

        return save_trajectory(self, file)

    @staticmethod
    def load(file: str | os.PathLike[str]) -> Trajectory:
        """A saved trajectory."""
        from carpal.planning.trajectories.trajectory_files import load_trajectory

        return load_trajectory(file)

    def plot(self, file: str | os.PathLike[str] | None = None, model: Model | None = None) -> Any:
        """A matplotlib figure of positions, speeds and accelerations, with a model also its limits.

        Args:
            file: the picture is also written there.
            model: whose limits are drawn.
        """
        from carpal.planning.trajectories.trajectory_plots import plot_trajectory

        return plot_trajectory(self, file, model)

    @property
    def status(self) -> str:
        """One sentence."""
        return (
            f"{self.kind} of {self.nq} joint{'s' if self.nq > 1 else ''}, {self.duration:.4g} s in "
            f"{len(self.times) - 1} pieces."
        )

    def __str__(self) -> str:
        return self.status

    def _repr_png_(self) -> bytes:
        return bytes(self.plot()._repr_png_())
