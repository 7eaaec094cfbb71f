"""What steers a planner, checked once, and the arrays in which it reaches the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal.errors import InputError, unknown_name
from carpal.model import Model
from carpal.planning.planners.kernels.run import EST, RRT, SBL
from carpal.planning.planners.kernels.search_state import NUMBERS
from carpal.spatial import Array

PLANNERS = {"sbl": SBL, "est": EST, "rrt_connect": RRT}
# of each planner: neighbourhood and longest extension, as shares of the joints' ranges
SHARES = {"sbl": (0.3, 0.3), "est": (0.4, 0.6), "rrt_connect": (0.2, 0.2)}


@dataclass(frozen=True)
class PlanOptions:
    """Checked options; see `plan`."""

    planner: str
    resolution: float
    max_samples: int
    forward: bool
    simplify: bool
    neighbourhood: float
    extension: float
    gain: float

    @staticmethod
    def of(
        planner: str,
        resolution: float,
        max_samples: int,
        forward: bool,
        simplify: bool,
        neighbourhood: float | None,
        gain: float,
    ) -> PlanOptions:
        """Options as given, or one clear sentence."""
        if planner not in PLANNERS:
            raise unknown_name("planner", planner, PLANNERS)
        if forward and planner == "sbl":
            raise InputError("forward=True grows one tree in time order; SBL needs both: use 'est' or 'rrt_connect'.")
        if isinstance(max_samples, bool) or not isinstance(max_samples, int | np.integer) or max_samples < 1:
            raise InputError(f"max_samples must be a whole number, 1 or above; got {max_samples!r}.")
        near, extend = SHARES[planner]
        if neighbourhood is not None:
            scale = positive("neighbourhood", neighbourhood) / near
            if scale * near > 1:
                raise InputError(f"neighbourhood is a share of the joints' ranges, at most 1; got {neighbourhood!r}.")
            near, extend = scale * near, min(1.0, scale * extend)
        return PlanOptions(
            planner, positive("resolution", resolution), int(max_samples), bool(forward), bool(simplify), near, extend,
            positive("gain", gain),
        )  # fmt: skip

    @property
    def numbers(self) -> Array:
        """As the kernels read them."""
        out = np.zeros(NUMBERS)
        out[:] = (
            self.resolution, self.neighbourhood, self.max_samples, self.extension, 1.0 if self.forward else 2.0,
            float(self.simplify), self.gain,
        )  # fmt: skip
        return out


def positive(name: str, value: Any) -> float:
    """A finite number above zero, or one clear sentence."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float | np.floating | np.integer)
        or not 0 < value < np.inf
    ):
        raise InputError(f"{name} must be a number above zero; got {value!r:.60}.")
    return float(value)


def search_limits(model: Model, ends: Array) -> tuple[Array, Array]:
    """Finite limits (nq) to search in; a joint that turns without limits is searched half a turn beyond all ends (n, nq)."""
    low, high = np.array(model.q_min), np.array(model.q_max)
    for i, ((kind, _), name) in enumerate(zip(model.joint_slices(), model.joint_names, strict=True)):
        if low[i] >= high[i]:
            raise InputError(
                f"joint '{name}' has no room to move, its limits are [{low[i]:g}, {high[i]:g}]: leave it out of `joints`."
            )
        if not (np.isfinite(low[i]) and np.isfinite(high[i])):
            if kind != "revolute":
                raise InputError(f"joint '{name}' slides without limits; planning needs some: give it q_min and q_max.")
            low[i] = max(low[i], ends[:, i].min() - np.pi)
            high[i] = min(high[i], ends[:, i].max() + np.pi)
    return low, high


def joint_costs(model: Model) -> Array:
    """1 / speed (nq) [s/rad, s/m]; 1 for joints without a speed limit."""
    speed = np.asarray(model.v_max)
    usable = np.isfinite(speed) & (speed > 0)
    return np.where(usable, 1.0 / np.where(usable, speed, 1.0), 1.0)
